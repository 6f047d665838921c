//! Which topic stands for which subject.

/// Returns all orders of the numbers below `length`, the usual order first.
fn orders(length: usize) -> Vec<Vec<usize>> {
    if length == 0 {
        return vec![Vec::new()];
    }
    let mut orders_of_one_more = Vec::new();
    for first in 0..length {
        for rest in orders(length - 1) {
            let others = rest.into_iter().map(|i| if i < first { i } else { i + 1 });
            orders_of_one_more.push([first].into_iter().chain(others).collect());
        }
    }
    orders_of_one_more
}

/// Returns the order of the numbers below `length` with the highest value, the first of equal ones. It
/// tries all orders, so `length` must be small.
pub(crate) fn best_order(length: usize, value: impl Fn(&[usize]) -> f64) -> Vec<usize> {
    let mut orders = orders(length).into_iter();
    let mut best = orders.next().expect("there is an order");
    let mut highest = value(&best);
    for order in orders {
        let value = value(&order);
        if value > highest {
            (best, highest) = (order, value);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_of_all_orders_is_found_and_the_first_of_equal_ones() {
        let gains = [[1.0, 5.0, 0.0], [4.0, 6.0, 1.0], [0.0, 2.0, 0.5]];
        let value = |order: &[usize]| (0..3).map(|i| gains[i][order[i]]).sum::<f64>();
        // 5 + 4 + 0.5, where the greatest single gain, 6, would leave 1 and 0.5.
        assert_eq!(best_order(3, value), [1, 0, 2]);
        assert_eq!(best_order(4, |_| 0.0), [0, 1, 2, 3]);
        assert!(best_order(0, |_| 0.0).is_empty());
        assert_eq!(orders(4).len(), 24);
    }
}
