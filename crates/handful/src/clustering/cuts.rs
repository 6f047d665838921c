//! Groupings of the same points into one group, two, three, ...

use super::moves::{move_single, number_by_first};
use super::ward::Merging;
use rayon::prelude::*;

/// For each number of groups from 1 to `most`, Ward's clustering improved by moves of single points
/// ([`ward_and_moves`](super::ward_and_moves)), all from one tree. Entry k − 1 has the group of each point
/// among k groups.
///
/// `products` are inner products, a symmetric matrix; `most` is not above the number of points.
pub fn cuts(products: &[Vec<f64>], most: usize) -> Vec<Vec<usize>> {
    let mut merging = Merging::new(products);
    let mut cuts = Vec::with_capacity(most);
    loop {
        let groups = merging.groups();
        if groups <= most {
            cuts.push(merging.group_of_each());
        }
        if groups <= 1 {
            break;
        }
        merging.join_closest();
    }
    cuts.reverse();
    cuts.par_iter_mut().enumerate().for_each(|(i, group)| {
        move_single(products, i + 1, group);
        number_by_first(group);
    });
    cuts
}

#[cfg(test)]
mod tests {
    use super::super::ward_and_moves;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_cut_is_the_clustering_into_as_many_groups(
            points in prop::collection::vec(prop::array::uniform3(-1.0f64..1.0), 1..12),
        ) {
            let product = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(x, y)| x * y).sum();
            let products: Vec<Vec<f64>> =
                points.iter().map(|a| points.iter().map(|b| product(a, b)).collect()).collect();
            let all = cuts(&products, points.len());
            prop_assert_eq!(all.len(), points.len());
            for (cut, groups) in all.iter().zip(1..) {
                prop_assert_eq!(cut, &ward_and_moves(&products, groups));
            }
        }
    }
}
