//! Non-negative matrix factorisation.

use rand::{Rng, RngExt};

/// The number of starts, of which the best is kept.
const STARTS: usize = 5;
/// Updates stop when `UPDATES_BETWEEN_CHECKS` of them lower the error by less than this share of
/// it.
const TOLERANCE: f64 = 1e-4;
const UPDATES_BETWEEN_CHECKS: usize = 10;
const MOST_UPDATES: usize = 500;
/// Keeps divisors away from zero.
const TINY: f64 = 1e-12;

/// X ≈ W H, with no negative entries.
#[derive(Clone, Debug, PartialEq)]
pub struct Factors {
    /// The number of components.
    pub components: usize,
    /// W: rows × components
    pub weights: Vec<f64>,
    /// H: one row per component
    pub parts: Vec<Vec<f64>>,
    /// ‖X − W H‖²
    pub error: f64,
}

impl Factors {
    /// Returns the largest component of each row. The length of a component is arbitrary, so its
    /// weights are multiplied by it.
    pub fn largest(&self) -> Vec<usize> {
        let length = |part: &Vec<f64>| part.iter().map(|x| x * x).sum::<f64>().sqrt();
        let lengths: Vec<f64> = self.parts.iter().map(length).collect();
        let largest = |weights: &[f64]| {
            let scaled = weights.iter().zip(&lengths).map(|(weight, length)| weight * length);
            let scaled = scaled.enumerate().rev();
            scaled.max_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(0, |(k, _)| k)
        };
        self.weights.chunks_exact(self.components).map(largest).collect()
    }
}

impl Factors {
    /// Returns the share of each component in each row: of what a component adds to the row, the sum
    /// over columns.
    pub fn shares(&self) -> Vec<Vec<f64>> {
        let sums: Vec<f64> = self.parts.iter().map(|part| part.iter().sum()).collect();
        let of_row = |weights: &[f64]| {
            scaled_to_one(weights.iter().zip(&sums).map(|(weight, sum)| weight * sum).collect())
        };
        self.weights.chunks_exact(self.components).map(of_row).collect()
    }

    /// Returns the share of each component in one entry.
    pub fn shares_of_entry(&self, row: usize, column: usize) -> Vec<f64> {
        let weights = self.row(row).iter().zip(&self.parts);
        scaled_to_one(weights.map(|(weight, part)| weight * part[column]).collect())
    }
}

/// Scales numbers to a sum of 1, unless all are 0.
fn scaled_to_one(mut numbers: Vec<f64>) -> Vec<f64> {
    let sum: f64 = numbers.iter().sum();
    if sum > 0.0 {
        numbers.iter_mut().for_each(|x| *x /= sum);
    }
    numbers
}

/// Finds factors with a small ‖X − W H‖² by multiplicative updates (Lee and Seung, "Algorithms for
/// non-negative matrix factorization", 2001), and keeps the best of a few random starts. All rows
/// of X must have the same length, and no entry may be negative.
pub fn nmf(matrix: &[Vec<f64>], components: usize, stream: &mut impl Rng) -> Factors {
    let mut best: Option<Factors> = None;
    for _ in 0..STARTS {
        let factors = converged(matrix, components, stream);
        if best.as_ref().is_none_or(|best| factors.error < best.error) {
            best = Some(factors);
        }
    }
    best.expect("there is a start")
}

fn converged(matrix: &[Vec<f64>], components: usize, stream: &mut impl Rng) -> Factors {
    let columns = matrix.first().map_or(0, Vec::len);
    let mut random = |length: usize| -> Vec<f64> {
        (0..length).map(|_| TINY + stream.random::<f64>()).collect()
    };
    let weights = random(matrix.len() * components);
    let parts = (0..components).map(|_| random(columns)).collect();
    let mut factors = Factors { components, weights, parts, error: f64::INFINITY };
    for _ in 0..MOST_UPDATES / UPDATES_BETWEEN_CHECKS {
        for _ in 0..UPDATES_BETWEEN_CHECKS {
            factors.update_parts(matrix);
            factors.update_weights(matrix);
        }
        let before = factors.error;
        factors.error = factors.squared_error(matrix);
        if before - factors.error < TOLERANCE * factors.error {
            break;
        }
    }
    factors
}

impl Factors {
    fn row(&self, n: usize) -> &[f64] {
        &self.weights[n * self.components..(n + 1) * self.components]
    }

    /// Computes H ← H · WᵀX / WᵀWH, element by element.
    fn update_parts(&mut self, matrix: &[Vec<f64>]) {
        let k = self.components;
        let mut gram = vec![0.0; k * k];
        for row in self.weights.chunks_exact(k) {
            for a in 0..k {
                (0..k).for_each(|b| gram[a * k + b] += row[a] * row[b]);
            }
        }
        let columns = matrix.first().map_or(0, Vec::len);
        let combined = |weights: &mut dyn Iterator<Item = (f64, &Vec<f64>)>| {
            let mut sum = vec![0.0; columns];
            for (weight, row) in weights {
                sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += weight * x);
            }
            sum
        };
        let updated = |a: usize| -> Vec<f64> {
            let up = combined(&mut (0..matrix.len()).map(|n| (self.row(n)[a], &matrix[n])));
            let down = combined(&mut (0..k).map(|b| (gram[a * k + b], &self.parts[b])));
            let ratios = up.iter().zip(&down).map(|(up, down)| up / (down + TINY));
            self.parts[a].iter().zip(ratios).map(|(part, ratio)| part * ratio).collect()
        };
        self.parts = (0..k).map(updated).collect();
    }

    /// Computes W ← W · XHᵀ / WHHᵀ, element by element.
    fn update_weights(&mut self, matrix: &[Vec<f64>]) {
        let k = self.components;
        let gram: Vec<f64> =
            (0..k * k).map(|i| dot(&self.parts[i / k], &self.parts[i % k])).collect();
        for (row, weights) in matrix.iter().zip(self.weights.chunks_exact_mut(k)) {
            let ratio = |a: usize| {
                let down: f64 = (0..k).map(|b| weights[b] * gram[b * k + a]).sum();
                dot(row, &self.parts[a]) / (down + TINY)
            };
            let ratios: Vec<f64> = (0..k).map(ratio).collect();
            weights.iter_mut().zip(ratios).for_each(|(weight, ratio)| *weight *= ratio);
        }
    }

    fn squared_error(&self, matrix: &[Vec<f64>]) -> f64 {
        let of_row = |(n, row): (usize, &Vec<f64>)| -> f64 {
            let weights = self.row(n);
            let entry = |j: usize| -> f64 {
                weights.iter().zip(&self.parts).map(|(weight, part)| weight * part[j]).sum()
            };
            row.iter().enumerate().map(|(j, x)| (x - entry(j)).powi(2)).sum()
        };
        matrix.iter().enumerate().map(of_row).sum()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use handful::internals::evaluate::purity;
    use handful::internals::random::{Purpose, stream};

    fn random(rows: usize, columns: usize, number: u64) -> Vec<Vec<f64>> {
        let mut stream = stream(3, Purpose::Clustering, number);
        (0..rows).map(|_| (0..columns).map(|_| stream.random::<f64>()).collect()).collect()
    }

    #[test]
    fn a_product_of_few_parts_is_found_again() {
        let (weights, parts) = (random(6, 2, 0), random(2, 40, 1));
        let entry = |n: usize, j: usize| weights[n][0] * parts[0][j] + weights[n][1] * parts[1][j];
        let matrix: Vec<Vec<f64>> =
            (0..6).map(|n| (0..40).map(|j| entry(n, j)).collect()).collect();
        let size: f64 = matrix.iter().flatten().map(|x| x * x).sum();
        let factors = nmf(&matrix, 2, &mut stream(1, Purpose::Clustering, 0));
        assert!(factors.error < 1e-3 * size, "{} of {size}", factors.error);
        let all = factors.weights.iter().chain(factors.parts.iter().flatten());
        assert!(all.into_iter().all(|x| *x >= 0.0));
    }

    #[test]
    fn updates_never_raise_the_error() {
        let matrix = random(6, 30, 2);
        let parts = random(3, 30, 3);
        let weights = random(6, 3, 4).concat();
        let mut factors = Factors { components: 3, weights, parts, error: 0.0 };
        let mut before = factors.squared_error(&matrix);
        for _ in 0..100 {
            factors.update_parts(&matrix);
            let halfway = factors.squared_error(&matrix);
            factors.update_weights(&matrix);
            let after = factors.squared_error(&matrix);
            assert!(after <= halfway * (1.0 + 1e-9) && halfway <= before * (1.0 + 1e-9));
            before = after;
        }
    }

    #[test]
    fn rows_of_different_columns_have_different_components() {
        let entry = |n: usize, j: usize| f64::from(n % 3 == j % 3) * (1.0 + (n * j % 5) as f64);
        let matrix: Vec<Vec<f64>> =
            (0..6).map(|n| (0..12).map(|j| entry(n, j)).collect()).collect();
        let groups = nmf(&matrix, 3, &mut stream(1, Purpose::Clustering, 0)).largest();
        assert_eq!(purity(&groups, &[0, 1, 2, 0, 1, 2]), 1.0, "{groups:?}");
    }

    #[test]
    fn a_component_counts_by_its_length_too() {
        let parts = vec![vec![3.0, 4.0], vec![0.1, 0.0]];
        let factors =
            Factors { components: 2, weights: vec![1.0, 2.0, 0.1, 9.0], parts, error: 0.0 };
        // 1 · 5 against 2 · 0.1, and 0.1 · 5 against 9 · 0.1.
        assert_eq!(factors.largest(), [0, 1]);
    }

    #[test]
    fn components_share_rows_and_entries_by_what_they_add() {
        let parts = vec![vec![1.0, 3.0], vec![2.0, 0.0]];
        let factors =
            Factors { components: 2, weights: vec![1.0, 2.0, 0.0, 0.0], parts, error: 0.0 };
        // The components add 1 and 4 to the first entry, 3 and 0 to the second.
        assert_eq!(factors.shares(), [vec![0.5, 0.5], vec![0.0, 0.0]]);
        assert_eq!(factors.shares_of_entry(0, 0), [0.2, 0.8]);
        assert_eq!(factors.shares_of_entry(0, 1), [1.0, 0.0]);
    }

    #[test]
    fn rows_of_nothing_are_no_trouble() {
        for matrix in [vec![vec![0.0; 4]; 3], vec![vec![]; 3]] {
            let factors = nmf(&matrix, 2, &mut stream(1, Purpose::Clustering, 0));
            assert_eq!(factors.largest().len(), 3);
            assert!(factors.weights.iter().all(|weight| weight.is_finite()));
        }
    }
}
