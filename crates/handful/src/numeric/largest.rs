//! The largest of some numbers.

/// Where the `most` largest of some numbers are, the largest first, equals in their order.
pub fn largest<P: Copy + Into<f64>>(numbers: &[P], most: usize) -> Vec<u32> {
    let number = |i: u32| -> f64 { numbers[i as usize].into() };
    let mut places: Vec<u32> = (0..numbers.len() as u32).collect();
    let by_size = |a: &u32, b: &u32| number(*b).total_cmp(&number(*a)).then(a.cmp(b));
    if most < places.len() {
        places.select_nth_unstable_by(most, by_size);
        places.truncate(most);
    }
    places.sort_unstable_by(by_size);
    places
}
