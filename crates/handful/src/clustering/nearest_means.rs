//! Lloyd's algorithm from given groups: for points that are too many to compare each two of them.

use super::Points;
use super::moves::number_by_first;
use crate::Result;
use crate::numeric::kernels;
use rayon::prelude::*;

/// The most rounds. From the groups of a good sample, few points move after the first ones.
const MOST_ROUNDS: usize = 30;

/// It ends after a round in which at most one point in this many moved.
const ONE_IN: usize = 1000;

/// Puts every point into the group whose mean is nearest, takes the means again, and so on. `group` has the
/// first groups of some points, by their numbers; each of `groups` groups must have one. Returns the
/// group of each point, numbered in the order of their first points.
///
/// `tell` hears before each round how many of how many are done at most; its error ends the work. The
/// result does not depend on the number of threads.
pub fn nearest_means(
    points: &Points,
    groups: usize,
    first: &[(usize, usize)],
    tell: &mut dyn FnMut(usize, usize) -> Result<()>,
) -> Result<Vec<usize>> {
    let mut group = vec![usize::MAX; points.len()];
    let mut sums = Sums::none(points, groups);
    for &(n, k) in first {
        group[n] = k;
        sums.add(n, k, 1.0);
    }
    for round in 0..MOST_ROUNDS {
        tell(round, MOST_ROUNDS)?;
        let means = Means::of(&sums);
        let nearest: Vec<usize> = (0..points.len())
            .into_par_iter()
            .with_min_len(256)
            .map_init(|| vec![0.0; groups], |scores, n| means.nearest(points, n, scores))
            .collect();
        if sums.take(&mut group, &nearest) <= points.len() / ONE_IN {
            break;
        }
    }
    number_by_first(&mut group);
    Ok(group)
}

/// Sums over the members of each group.
struct Sums<'a> {
    points: &'a Points,
    sizes: Vec<f64>,
    /// Σ v_n: columns × groups, so that the entries of a point are few rows.
    sparse: Vec<f64>,
    /// Σ d_n: groups × dimension
    dense: Vec<f64>,
    /// Σ s_n
    shifts: Vec<f64>,
}

impl<'a> Sums<'a> {
    fn none(points: &'a Points, groups: usize) -> Self {
        Self {
            points,
            sizes: vec![0.0; groups],
            sparse: vec![0.0; points.width() * groups],
            dense: vec![0.0; groups * points.dimension()],
            shifts: vec![0.0; groups],
        }
    }

    /// Adds a point to a group, `sign` times.
    fn add(&mut self, n: usize, k: usize, sign: f64) {
        let (groups, dimension) = (self.sizes.len(), self.points.dimension());
        for (column, value) in self.points.entries(n) {
            self.sparse[column as usize * groups + k] += sign * f64::from(value);
        }
        let sums = &mut self.dense[k * dimension..(k + 1) * dimension];
        let dense = self.points.dense(n);
        sums.iter_mut().zip(dense).for_each(|(sum, &x)| *sum += sign * f64::from(x));
        self.shifts[k] += sign * f64::from(self.points.shift(n).0);
        self.sizes[k] += sign;
    }

    /// Moves every point to its nearest group, one after the other: sums are the same for any number of
    /// threads. The last point of a group stays. Returns how many moved.
    fn take(&mut self, group: &mut [usize], nearest: &[usize]) -> usize {
        let mut moved = 0;
        for (n, (from, &to)) in group.iter_mut().zip(nearest).enumerate() {
            if *from == to || (*from != usize::MAX && self.sizes[*from] == 1.0) {
                continue;
            }
            if *from != usize::MAX {
                self.add(n, *from, -1.0);
            }
            self.add(n, to, 1.0);
            *from = to;
            moved += 1;
        }
        moved
    }
}

/// The means C_k of the groups, so that |x − C_k|² is known up to |x|² by
/// 2 x · C_k − |C_k|² = v · w_k − s o_k + a t_k + d · e_k − |C_k|² with a = v · μ.
struct Means {
    /// w_k = 2 Σ v / size: columns × groups
    sparse: Vec<f32>,
    /// e_k = 2 Σ d / size: groups × dimension
    dense: Vec<f32>,
    /// o_k = w_k · μ + t_k |μ|²
    with_centre: Vec<f32>,
    /// t_k = −2 Σ s / size
    shifts: Vec<f32>,
    /// |C_k|²
    squares: Vec<f32>,
}

impl Means {
    fn of(sums: &Sums<'_>) -> Self {
        let groups = sums.sizes.len();
        let (centre, of_centre) = sums.points.centre();
        let (mut with_centre, mut squares) = (vec![0.0; groups], vec![0.0; groups]);
        for (column, row) in sums.sparse.chunks_exact(groups).enumerate() {
            let of_centre = centre.get(column).map_or(0.0, |&x| f64::from(x));
            for (k, &sum) in row.iter().enumerate() {
                squares[k] += sum * sum;
                with_centre[k] += sum * of_centre;
            }
        }
        let dimension = sums.points.dimension();
        for (k, square) in squares.iter_mut().enumerate() {
            let (dense, shift) = (&sums.dense[k * dimension..(k + 1) * dimension], sums.shifts[k]);
            *square += dense.iter().map(|x| x * x).sum::<f64>();
            *square += shift * (shift * of_centre - 2.0 * with_centre[k]);
            *square /= sums.sizes[k] * sums.sizes[k];
        }
        let twice = |k: usize| 2.0 / sums.sizes[k];
        let offset = |k: usize| (twice(k) * (with_centre[k] - sums.shifts[k] * of_centre)) as f32;
        let of_column = |(i, sum): (usize, &f64)| (twice(i % groups) * sum) as f32;
        let of_dense = |(i, sum): (usize, &f64)| (twice(i / dimension) * sum) as f32;
        Self {
            sparse: sums.sparse.iter().enumerate().map(of_column).collect(),
            dense: sums.dense.iter().enumerate().map(of_dense).collect(),
            with_centre: (0..groups).map(offset).collect(),
            shifts: (0..groups).map(|k| (-twice(k) * sums.shifts[k]) as f32).collect(),
            squares: squares.iter().map(|&square| square as f32).collect(),
        }
    }

    /// The group whose mean is nearest to a point, the first of equals.
    fn nearest(&self, points: &Points, n: usize, scores: &mut [f32]) -> usize {
        let groups = scores.len();
        let ((shift, with_mean), dense) = (points.shift(n), points.dense(n));
        for (k, score) in scores.iter_mut().enumerate() {
            let mean = &self.dense[k * dense.len()..(k + 1) * dense.len()];
            *score = kernels::dot(mean, dense) - self.squares[k] - shift * self.with_centre[k]
                + with_mean * self.shifts[k];
        }
        for (column, value) in points.entries(n) {
            let row = &self.sparse[column as usize * groups..][..groups];
            scores.iter_mut().zip(row).for_each(|(score, &mean)| *score += value * mean);
        }
        let best = (0..groups).reduce(|best, k| if scores[k] > scores[best] { k } else { best });
        best.unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::points::tests::some_points;
    use super::*;
    use proptest::prelude::*;

    fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum()
    }

    fn mean_of(whole: &[Vec<f64>], group: &[usize], k: usize) -> Vec<f64> {
        let members: Vec<&Vec<f64>> =
            whole.iter().zip(group).filter(|(_, g)| **g == k).map(|(row, _)| row).collect();
        let mean = |j: usize| members.iter().map(|row| row[j]).sum::<f64>() / members.len() as f64;
        (0..whole[0].len()).map(mean).collect()
    }

    proptest! {
        #[test]
        fn every_point_is_nearest_to_the_mean_of_its_own_group(
            rows in prop::collection::vec(prop::array::uniform7(-3i8..=3), 4..40),
            groups in 1usize..5,
            is_centred in any::<bool>(),
        ) {
            let (points, whole) = some_points(&rows, is_centred);
            let first: Vec<(usize, usize)> = (0..groups).map(|k| (k, k)).collect();
            let group = nearest_means(&points, groups, &first, &mut |_, _| Ok(())).unwrap();
            let means: Vec<Vec<f64>> =
                (0..groups).map(|k| mean_of(&whole, &group, k)).collect();
            for (n, row) in whole.iter().enumerate() {
                let is_last = group.iter().filter(|&&k| k == group[n]).count() == 1;
                let own = squared_distance(row, &means[group[n]]);
                let nearest = means.iter().map(|mean| squared_distance(row, mean));
                prop_assert!(is_last || own <= nearest.fold(f64::INFINITY, f64::min) + 1e-3);
            }
        }
    }

    #[test]
    fn an_error_of_who_listens_ends_the_work() {
        let (points, _) = some_points(&[[1; 7], [2; 7], [3; 7]], false);
        let mut heard = 0;
        let ended = nearest_means(&points, 2, &[(0, 0), (2, 1)], &mut |done, _| {
            heard += 1;
            if done == 1 { Err(crate::Error::interrupted("here")) } else { Ok(()) }
        });
        assert!(ended.is_err());
        assert_eq!(heard, 2);
    }

    #[test]
    fn groups_are_the_same_for_any_number_of_threads() {
        let rows: Vec<[i8; 7]> = (0..3000i32)
            .map(|n| std::array::from_fn(|j| ((n * 31 + j as i32 * n * n) % 7 - 3) as i8))
            .collect();
        let (points, _) = some_points(&rows, true);
        let first: Vec<(usize, usize)> = (0..5).map(|k| (k * 7, k)).collect();
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| nearest_means(&points, 5, &first, &mut |_, _| Ok(())).unwrap())
        };
        assert_eq!(with(1), with(3));
    }
}
