//! k-means.

use super::{Gram, MeanOfPoints};
use rand::{Rng, RngExt};

/// The number of starts, of which the best is kept.
const STARTS: usize = 10;
/// The maximum number of rounds from one start. A few points settle long before.
const MOST_ROUNDS: usize = 100;

/// Groups points by Lloyd's algorithm, from ten starts by k-means++ (Arthur and Vassilvitskii,
/// 2007). Returns the group of each point, for the start with the smallest sum of squared distances
/// to the groups' means.
pub fn k_means(points: &Gram, groups: usize, stream: &mut impl Rng) -> Vec<usize> {
    let mut best = (f64::INFINITY, Vec::new());
    for _ in 0..STARTS {
        let grouping = settled(points, groups, start(points, groups, stream));
        let cost = cost(points, &grouping);
        // There must be a result even if distances are not finite.
        if cost < best.0 || best.1.is_empty() {
            best = (cost, grouping);
        }
    }
    best.1
}

/// Draws centres among the points, one after the other, each with a probability proportional to its
/// squared distance from the nearest centre so far. Assigns each point to the nearest centre.
fn start(points: &Gram, groups: usize, stream: &mut impl Rng) -> Vec<usize> {
    let size = points.size();
    let mut centres = vec![stream.random_range(0..size)];
    while centres.len() < groups {
        let distance =
            |i: usize| centres.iter().map(|&c| points.distance(i, c)).fold(f64::INFINITY, f64::min);
        let distances: Vec<f64> = (0..size).map(distance).collect();
        let mut left = stream.random::<f64>() * distances.iter().sum::<f64>();
        let next = distances.iter().position(|distance| {
            left -= distance;
            left < 0.0
        });
        // All points coincide with a centre already.
        centres.push(next.unwrap_or(size - 1));
    }
    let nearest = |i: usize| lowest(centres.iter().map(|&centre| points.distance(i, centre)));
    (0..size).map(nearest).collect()
}

/// Runs Lloyd's algorithm: assigns each point to the nearest mean until none moves.
fn settled(points: &Gram, groups: usize, mut grouping: Vec<usize>) -> Vec<usize> {
    for _ in 0..MOST_ROUNDS {
        fill_empty(points, groups, &mut grouping);
        let means = means(points, groups, &grouping);
        let distance = |i: usize, mean: &Option<MeanOfPoints<'_>>| {
            mean.as_ref().map_or(f64::INFINITY, |mean| mean.distance(i))
        };
        let nearest = |i: usize| lowest(means.iter().map(|mean| distance(i, mean)));
        let moved: Vec<usize> = (0..points.size()).map(nearest).collect();
        if moved == grouping {
            break;
        }
        grouping = moved;
    }
    grouping
}

/// Fills each empty group with the point that is farthest from the mean of its own group.
fn fill_empty(points: &Gram, groups: usize, grouping: &mut [usize]) {
    for group in 0..groups {
        if grouping.contains(&group) {
            continue;
        }
        let means = means(points, groups, grouping);
        let sizes: Vec<usize> = (0..groups).map(|g| members(grouping, g).len()).collect();
        let candidates = (0..points.size()).filter(|&i| sizes[grouping[i]] > 1);
        let distances =
            candidates.filter_map(|i| Some((i, means[grouping[i]].as_ref()?.distance(i))));
        if let Some((farthest, _)) = distances.max_by(|(_, a), (_, b)| a.total_cmp(b)) {
            grouping[farthest] = group;
        }
    }
}

/// Σ_i ‖x_i − mean of its group‖²
fn cost(points: &Gram, grouping: &[usize]) -> f64 {
    let groups = grouping.iter().max().map_or(0, |last| last + 1);
    let means = means(points, groups, grouping);
    let distance = |(i, &group): (usize, &usize)| {
        means[group].as_ref().expect("a point's group has a member").distance(i)
    };
    grouping.iter().enumerate().map(distance).sum()
}

/// The mean of each group; `None` if it is empty.
fn means<'a>(points: &'a Gram, groups: usize, grouping: &[usize]) -> Vec<Option<MeanOfPoints<'a>>> {
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); groups];
    grouping.iter().enumerate().for_each(|(i, &group)| members[group].push(i));
    let mean = |members: Vec<usize>| (!members.is_empty()).then(|| points.mean(members));
    members.into_iter().map(mean).collect()
}

fn members(grouping: &[usize], group: usize) -> Vec<usize> {
    (0..grouping.len()).filter(|&i| grouping[i] == group).collect()
}

/// Returns the index of the lowest number, the first of equals.
fn lowest(numbers: impl Iterator<Item = f64>) -> usize {
    numbers.enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(0, |(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;
    use handful::internals::evaluate::purity;
    use handful::internals::random::{Purpose, stream};

    fn gram(points: &[[f64; 2]]) -> Gram {
        let product =
            |i: usize, j: usize| points[i].iter().zip(&points[j]).map(|(a, b)| a * b).sum();
        Gram::new(points.len(), product)
    }

    /// Returns the lowest cost of all ways to group the points.
    fn lowest_cost(points: &Gram, groups: usize) -> f64 {
        let ways = groups.pow(points.size() as u32);
        let grouping = |way: usize| -> Vec<usize> {
            (0..points.size()).map(|i| way / groups.pow(i as u32) % groups).collect()
        };
        (0..ways).map(|way| cost(points, &grouping(way))).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn points_that_lie_together_are_put_together() {
        let points =
            gram(&[[0.0, 0.0], [9.0, 1.0], [0.1, 0.0], [0.0, 9.0], [9.0, 1.2], [0.2, 9.1]]);
        for number in 0..20 {
            let found = k_means(&points, 3, &mut stream(1, Purpose::Clustering, number));
            assert_eq!(purity(&found, &[0, 1, 0, 2, 1, 2]), 1.0, "{found:?}");
        }
    }

    #[test]
    fn no_point_is_nearer_to_another_mean_and_the_tightest_grouping_is_hardly_ever_missed() {
        let mut tightest = 0;
        for number in 0..50 {
            let mut stream = stream(2, Purpose::Clustering, number);
            let points: Vec<[f64; 2]> =
                (0..7).map(|_| [stream.random::<f64>(), stream.random::<f64>()]).collect();
            let gram = gram(&points);
            let found = k_means(&gram, 3, &mut stream);
            for i in 0..7 {
                let distance = |group: usize| gram.mean(members(&found, group)).distance(i);
                assert!((0..3).all(|other| distance(found[i]) <= distance(other)), "{number}");
            }
            tightest += u32::from(cost(&gram, &found) <= lowest_cost(&gram, 3) + 1e-12);
        }
        // Ten starts do not guarantee more.
        assert!(tightest >= 45, "{tightest} of 50");
    }

    #[test]
    fn equal_points_and_too_few_points_are_grouped_too() {
        let mut stream = stream(1, Purpose::Clustering, 0);
        assert_eq!(k_means(&gram(&[[1.0, 2.0]; 4]), 3, &mut stream).len(), 4);
        assert_eq!(k_means(&gram(&[[0.0, 0.0]; 2]), 3, &mut stream).len(), 2);
        let two = k_means(&gram(&[[0.0, 1.0], [5.0, 0.0]]), 3, &mut stream);
        assert_ne!(two[0], two[1]);
    }
}
