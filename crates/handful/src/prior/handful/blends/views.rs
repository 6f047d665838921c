//! Passages as unit vectors, seen from the mean of all passages.

use super::Cuts;
use crate::numeric::{Real, kernels};
use crate::prior::handful::grouping::{self, LEAST_REST, sparse_dot};
use std::collections::BTreeMap;

/// Passages as three vectors each, of their words, directions and themes. From each vector the mean of
/// all passages is taken away, in which a passage counts by its words; the rest is scaled to length 1.
/// A passage that is the mean has none of it.
#[derive(Clone, Debug)]
pub(super) struct Views {
    pub(super) words: WordRows,
    pub(super) directions: Rows,
    pub(super) themes: Rows,
}

impl Views {
    pub(super) fn from_mean<R: Real>(views: &grouping::Views<R>, cuts: &Cuts) -> Self {
        let row = |row: &Vec<(u32, R)>| row.iter().map(|&(term, x)| (term, x.to_f64())).collect();
        Self {
            words: WordRows::from_mean(views.words.iter().map(row).collect(), &cuts.lengths),
            directions: Rows::from_mean(&views.directions, &cuts.lengths),
            themes: Rows::from_mean(&views.themes, &cuts.lengths),
        }
    }
}

/// Dense vectors.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub(super) dimension: usize,
    values: Vec<f64>,
}

impl Rows {
    pub(super) fn from_mean<R: Real>(rows: &[Vec<R>], lengths: &[f64]) -> Self {
        let dimension = rows[0].len();
        let mut values: Vec<f64> = rows.iter().flatten().map(|x| x.to_f64()).collect();
        let all: f64 = lengths.iter().sum();
        let mut mean = vec![0.0; dimension];
        for (row, length) in values.chunks_exact(dimension).zip(lengths) {
            kernels::add_scaled(&mut mean, length / all, row);
        }
        let least = LEAST_REST * kernels::dot(&mean, &mean);
        for row in values.chunks_exact_mut(dimension) {
            kernels::add_scaled(row, -1.0, &mean);
            let scale = unit_scale(kernels::dot(row, row), least);
            row.iter_mut().for_each(|x| *x *= scale);
        }
        Self { dimension, values }
    }

    pub(super) fn row(&self, passage: usize) -> &[f64] {
        &self.values[passage * self.dimension..(passage + 1) * self.dimension]
    }

    pub(super) fn product(&self, a: usize, b: usize) -> f64 {
        kernels::dot(self.row(a), self.row(b))
    }
}

/// Sparse vectors, whose mean is not sparse: it is taken away from their products.
#[derive(Clone, Debug)]
pub(super) struct WordRows {
    rows: Vec<Vec<(u32, f64)>>,
    /// The product of each row with the mean, and the mean's with itself.
    with_mean: Vec<f64>,
    of_mean: f64,
    scales: Vec<f64>,
}

impl WordRows {
    pub(super) fn from_mean(rows: Vec<Vec<(u32, f64)>>, lengths: &[f64]) -> Self {
        let all: f64 = lengths.iter().sum();
        let mut mean: BTreeMap<u32, f64> = BTreeMap::new();
        for (row, length) in rows.iter().zip(lengths) {
            row.iter().for_each(|&(term, x)| *mean.entry(term).or_default() += length / all * x);
        }
        let with_mean = |row: &Vec<(u32, f64)>| row.iter().map(|(term, x)| x * mean[term]).sum();
        let with_mean: Vec<f64> = rows.iter().map(with_mean).collect();
        let of_mean: f64 = mean.values().map(|x| x * x).sum();
        let square = |(row, with_mean): (&Vec<(u32, f64)>, &f64)| {
            sparse_dot(row, row) - 2.0 * with_mean + of_mean
        };
        let scale = |pair| unit_scale(square(pair), LEAST_REST * of_mean);
        let scales = rows.iter().zip(&with_mean).map(scale).collect();
        Self { rows, with_mean, of_mean, scales }
    }

    pub(super) fn product(&self, a: usize, b: usize) -> f64 {
        let product = sparse_dot(&self.rows[a], &self.rows[b]);
        let rest = product - self.with_mean[a] - self.with_mean[b] + self.of_mean;
        rest * self.scales[a] * self.scales[b]
    }
}

/// What scales a vector to length 1, by its square length; 0 for one that is rounding alone.
fn unit_scale(square: f64, least: f64) -> f64 {
    if square > least { square.sqrt().recip() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sparse_products_are_those_of_dense_vectors(
            rows in prop::collection::vec(prop::collection::vec(0u8..4, 5), 2..7),
            first in 1u8..40,
        ) {
            let dense: Vec<Vec<f64>> =
                rows.iter().map(|row| row.iter().map(|&x| f64::from(x)).collect()).collect();
            let sparse = |row: &Vec<f64>| {
                (0..).zip(row.iter().copied()).filter(|&(_, x)| x > 0.0).collect()
            };
            let lengths: Vec<f64> = (0..rows.len()).map(|p| f64::from(first) + p as f64).collect();
            let by_terms = WordRows::from_mean(dense.iter().map(sparse).collect(), &lengths);
            let by_rows = Rows::from_mean(&dense, &lengths);
            for a in 0..rows.len() {
                for b in 0..rows.len() {
                    prop_assert!((by_terms.product(a, b) - by_rows.product(a, b)).abs() < 1e-7);
                }
                let square = by_rows.product(a, a);
                prop_assert!(square == 0.0 || (square - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn passages_that_are_all_alike_have_no_direction() {
        let rows = Rows::from_mean(&vec![vec![0.3, 0.7]; 3], &[20.0, 21.0, 19.0]);
        assert!((0..3).all(|p| rows.row(p) == [0.0; 2]));
    }
}
