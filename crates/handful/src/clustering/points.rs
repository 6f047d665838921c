//! Points with many columns of which most are zero, beside some that are dense.

use crate::numeric::kernels;
use rayon::prelude::*;
use std::ops::Range;

/// Points x_n = [v_n − s_n μ, d_n]. v_n is sparse and d_n is dense. All points may be seen from a centre
/// μ, which is not sparse: it is kept once, and each point has its own scale s_n.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// Where the entries of each point end.
    ends: Vec<usize>,
    /// Columns of the entries, increasing within a point, and their values.
    columns: Vec<u32>,
    values: Vec<f32>,
    /// μ; empty where points are seen from 0.
    centre: Vec<f32>,
    /// s_n and v_n · μ; empty where points are seen from 0.
    shifts: Vec<f32>,
    with_centre: Vec<f32>,
    /// |μ|²
    of_centre: f64,
    /// Length of each d_n, and all of them.
    dimension: usize,
    dense: Vec<f32>,
}

impl Points {
    /// No points, of which the dense parts will be of a length.
    pub fn new(dimension: usize) -> Self {
        Self { dimension, ..Self::default() }
    }

    /// Appends a point. Columns must come in increasing order.
    pub fn push(&mut self, entries: impl IntoIterator<Item = (u32, f32)>, dense: &[f32]) {
        assert_eq!(dense.len(), self.dimension, "all points have as many dense numbers");
        for (column, value) in entries {
            self.columns.push(column);
            self.values.push(value);
        }
        self.ends.push(self.columns.len());
        self.dense.extend_from_slice(dense);
    }

    /// Appends all points of another collection, seen from 0 as these are.
    pub fn append(&mut self, others: Self) {
        let first = self.columns.len();
        self.ends.extend(others.ends.iter().map(|end| first + end));
        self.columns.extend(others.columns);
        self.values.extend(others.values);
        self.dense.extend(others.dense);
    }

    /// Sees the sparse parts from their own mean, and scales what is left of each to length 1. A point of
    /// whose square at most `least` times the mean's is left is the mean, and has none of it.
    pub fn centre_sparse(&mut self, least: f64) {
        let count = self.len() as f64;
        let mut mean = vec![0.0f64; self.width()];
        let entries = self.columns.iter().zip(&self.values);
        entries.for_each(|(&column, &value)| mean[column as usize] += f64::from(value) / count);
        self.of_centre = mean.iter().map(|x| x * x).sum();
        self.centre = mean.iter().map(|&x| x as f32).collect();
        for n in 0..self.len() {
            let entries = self.range(n);
            let with_mean: f64 =
                self.entries(n).map(|(j, x)| f64::from(x) * mean[j as usize]).sum();
            let own: f64 = self.entries(n).map(|(_, x)| f64::from(x).powi(2)).sum();
            let rest = own - 2.0 * with_mean + self.of_centre;
            let scale = if rest > least * self.of_centre { rest.sqrt().recip() } else { 0.0 };
            self.values[entries].iter_mut().for_each(|x| *x *= scale as f32);
            self.shifts.push(scale as f32);
            self.with_centre.push((scale * with_mean) as f32);
        }
    }

    /// Sees each part of the dense numbers from its own mean, and scales what is left of it to the root of
    /// the part's weight. `parts` has the length and the weight of each; what is at most `least` times the
    /// mean's square is none.
    pub fn centre_dense(&mut self, parts: &[(usize, f64)], least: f64) {
        let count = self.len() as f64;
        let mut mean = vec![0.0f64; self.dimension];
        for row in self.dense.chunks_exact(self.dimension) {
            mean.iter_mut().zip(row).for_each(|(mean, &x)| *mean += f64::from(x) / count);
        }
        let mut first = 0;
        for &(length, weight) in parts {
            let part = first..first + length;
            let mean = &mean[part.clone()];
            let of_mean: f64 = mean.iter().map(|x| x * x).sum();
            self.dense.par_chunks_exact_mut(self.dimension).for_each(|row| {
                let row = &mut row[part.clone()];
                row.iter_mut().zip(mean).for_each(|(x, &mean)| *x = (f64::from(*x) - mean) as f32);
                let square: f64 = row.iter().map(|&x| f64::from(x).powi(2)).sum();
                let is_mean = square <= least * of_mean;
                let scale = if is_mean { 0.0 } else { (weight / square).sqrt() };
                row.iter_mut().for_each(|x| *x = (f64::from(*x) * scale) as f32);
            });
            first += length;
        }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Length of the dense parts.
    pub(super) fn dimension(&self) -> usize {
        self.dimension
    }

    /// One more than the last column.
    pub(super) fn width(&self) -> usize {
        self.columns.iter().max().map_or(0, |&last| last as usize + 1)
    }

    /// The entries of v_n.
    pub(super) fn entries(&self, n: usize) -> impl Iterator<Item = (u32, f32)> + '_ {
        let range = self.range(n);
        self.columns[range.clone()].iter().copied().zip(self.values[range].iter().copied())
    }

    /// d_n
    pub(super) fn dense(&self, n: usize) -> &[f32] {
        &self.dense[n * self.dimension..(n + 1) * self.dimension]
    }

    /// μ, and |μ|².
    pub(super) fn centre(&self) -> (&[f32], f64) {
        (&self.centre, self.of_centre)
    }

    /// s_n and v_n · μ.
    pub(super) fn shift(&self, n: usize) -> (f32, f32) {
        if self.centre.is_empty() { (0.0, 0.0) } else { (self.shifts[n], self.with_centre[n]) }
    }

    /// The inner product of two points.
    pub fn product(&self, a: usize, b: usize) -> f64 {
        let (mut i, mut j) = (self.range(a), self.range(b));
        let mut sum = f64::from(kernels::dot(self.dense(a), self.dense(b)));
        while !i.is_empty() && !j.is_empty() {
            match self.columns[i.start].cmp(&self.columns[j.start]) {
                std::cmp::Ordering::Less => i.start += 1,
                std::cmp::Ordering::Greater => j.start += 1,
                std::cmp::Ordering::Equal => {
                    sum += f64::from(self.values[i.start] * self.values[j.start]);
                    i.start += 1;
                    j.start += 1;
                }
            }
        }
        let ((shift_a, with_a), (shift_b, with_b)) = (self.shift(a), self.shift(b));
        let shifted = f64::from(shift_a) * f64::from(shift_b) * self.of_centre;
        sum - f64::from(shift_b * with_a) - f64::from(shift_a * with_b) + shifted
    }

    fn range(&self, n: usize) -> Range<usize> {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        start..self.ends[n]
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Some points with up to five columns and two dense numbers, and all numbers of each, seen from
    /// where the points are.
    pub(crate) fn some_points(rows: &[[i8; 7]], is_centred: bool) -> (Points, Vec<Vec<f64>>) {
        let mut points = Points::new(2);
        for row in rows {
            let entries = (0..).zip(row[..5].iter().map(|&x| f32::from(x)));
            let dense = [f32::from(row[5]), f32::from(row[6])];
            points.push(entries.filter(|&(_, x)| x != 0.0), &dense);
        }
        let mut whole: Vec<Vec<f64>> =
            rows.iter().map(|row| row.iter().map(|&x| f64::from(x)).collect()).collect();
        if is_centred {
            points.centre_sparse(1e-6);
            let count = rows.len() as f64;
            let mean: Vec<f64> =
                (0..5).map(|j| whole.iter().map(|row| row[j]).sum::<f64>() / count).collect();
            let of_mean: f64 = mean.iter().map(|x| x * x).sum();
            for row in &mut whole {
                row[..5].iter_mut().zip(&mean).for_each(|(x, mean)| *x -= mean);
                let square: f64 = row[..5].iter().map(|x| x * x).sum();
                let scale = if square > 1e-6 * of_mean { square.sqrt().recip() } else { 0.0 };
                row[..5].iter_mut().for_each(|x| *x *= scale);
            }
        }
        (points, whole)
    }

    proptest! {
        #[test]
        fn products_are_those_of_the_numbers_written_out(
            rows in prop::collection::vec(prop::array::uniform7(-3i8..=3), 1..9),
            is_centred in any::<bool>(),
        ) {
            let (points, whole) = some_points(&rows, is_centred);
            for a in 0..rows.len() {
                for b in 0..rows.len() {
                    let expected: f64 = whole[a].iter().zip(&whole[b]).map(|(x, y)| x * y).sum();
                    prop_assert!((points.product(a, b) - expected).abs() < 1e-4);
                }
            }
        }
    }
}
