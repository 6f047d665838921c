//! Topics as points in the plane: the more alike two are, the nearer to each other.

use super::TopicModel;
use crate::linear_algebra::eigen;
use rayon::prelude::*;

impl TopicModel {
    /// A place in the plane for each topic: classical multidimensional scaling of the
    /// Jensen-Shannon divergences between them, as pyLDAvis does by default.
    pub fn map(&self) -> Vec<[f64; 2]> {
        let topics: Vec<Vec<f64>> =
            (0..self.topics).map(|k| self.topic(k).map(f64::from).collect()).collect();
        scaled(&divergences(&topics))
    }
}

/// The Jensen-Shannon divergence of each two distributions, H((p + q) / 2) − (H(p) + H(q)) / 2 with
/// H the entropy, in natural logarithms.
fn divergences(distributions: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let term = |p: f64| if p > 0.0 { -p * p.ln() } else { 0.0 };
    let entropies: Vec<f64> =
        distributions.par_iter().map(|p| p.iter().map(|&p| term(p)).sum()).collect();
    let divergence = |i: usize, j: usize| {
        let pairs = distributions[i].iter().zip(&distributions[j]);
        let of_mean: f64 = pairs.map(|(p, q)| term((p + q) / 2.0)).sum();
        (of_mean - (entropies[i] + entropies[j]) / 2.0).max(0.0)
    };
    let size = distributions.len();
    let below: Vec<Vec<f64>> =
        (0..size).into_par_iter().map(|i| (0..i).map(|j| divergence(i, j)).collect()).collect();
    let entry = |i: usize, j: usize| match i.cmp(&j) {
        std::cmp::Ordering::Greater => below[i][j],
        std::cmp::Ordering::Equal => 0.0,
        std::cmp::Ordering::Less => below[j][i],
    };
    (0..size).map(|i| (0..size).map(|j| entry(i, j)).collect()).collect()
}

/// Classical multidimensional scaling: the two leading eigenvectors of −H D² H / 2 with
/// H = I − 1/K, each as long as the root of its eigenvalue. An axis has no direction of its own: its
/// largest coordinate is made positive.
fn scaled(distances: &[Vec<f64>]) -> Vec<[f64; 2]> {
    let size = distances.len();
    let squares: Vec<Vec<f64>> =
        distances.iter().map(|row| row.iter().map(|d| d * d).collect()).collect();
    let means: Vec<f64> = squares.iter().map(|row| row.iter().sum::<f64>() / size as f64).collect();
    let mean = means.iter().sum::<f64>() / size as f64;
    let centred = |i: usize, j: usize| -(squares[i][j] - means[i] - means[j] + mean) / 2.0;
    let (values, vectors) =
        eigen((0..size).map(|i| (0..size).map(|j| centred(i, j)).collect()).collect());
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    let mut places = vec![[0.0; 2]; size];
    for (axis, &e) in order.iter().take(2).enumerate() {
        // What rounding left of an eigenvalue that is 0.
        if values[e] <= 1e-12 {
            continue;
        }
        let largest = (0..size)
            .map(|k| vectors[k][e])
            .fold(0.0, |largest: f64, x| if x.abs() > largest.abs() + 1e-9 { x } else { largest });
        let length = values[e].sqrt() * largest.signum();
        places.iter_mut().zip(&vectors).for_each(|(place, row)| place[axis] = length * row[e]);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_have_the_places_that_pyldavis_gives_them() {
        // pyLDAvis 3.4.1, `js_PCoA` of these rows, with the direction of its axes as ours.
        let topics = [
            vec![0.5, 0.3, 0.1, 0.05, 0.05],
            vec![0.1, 0.5, 0.2, 0.1, 0.1],
            vec![0.05, 0.05, 0.1, 0.3, 0.5],
            vec![0.2, 0.2, 0.2, 0.2, 0.2],
        ];
        let expected = [
            [-0.14076574135, -0.02259827964],
            [-0.04748405312, 0.04634017633],
            [0.17142020953, -0.00375881737],
            [0.01682958494, -0.01998307932],
        ];
        for (place, expected) in scaled(&divergences(&topics)).iter().zip(expected) {
            for axis in 0..2 {
                assert!((place[axis] - expected[axis]).abs() < 1e-9, "{place:?} {expected:?}");
            }
        }
    }

    #[test]
    fn one_topic_stands_in_the_middle_and_two_as_far_apart_as_they_differ() {
        assert_eq!(scaled(&divergences(&[vec![0.4, 0.6]])), [[0.0, 0.0]]);
        let two = scaled(&divergences(&[vec![1.0, 0.0], vec![0.0, 1.0]]));
        let half = std::f64::consts::LN_2 / 2.0;
        assert!((two[0][0] - half).abs() < 1e-9 && (two[1][0] + half).abs() < 1e-9, "{two:?}");
        assert_eq!((two[0][1], two[1][1]), (0.0, 0.0));
    }

    #[test]
    fn equal_topics_have_one_place() {
        let places = scaled(&divergences(&vec![vec![0.25; 4]; 3]));
        assert_eq!(places, [[0.0; 2]; 3]);
    }
}
