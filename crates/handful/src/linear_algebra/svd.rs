//! Computes the leading right singular vectors of a sparse matrix by subspace iteration.

use super::eigen;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;

/// How many vectors to iterate beyond those wanted, because the last ones converge slowly.
const EXTRA: usize = 16;
/// The minimum number of rows of A that a thread multiplies at a time.
const BLOCK: usize = 256;

/// A sparse matrix: the columns and values of each row.
pub type Rows = Vec<Vec<(u32, f64)>>;

/// Computes the `wanted` largest singular values of A and their right singular vectors, with one
/// row per column of A.
pub fn leading_vectors(
    rows: &Rows,
    columns: usize,
    wanted: usize,
    stream: &mut ChaCha8Rng,
) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut iteration = SubspaceIteration::new(rows, columns, wanted, stream);
    (0..SubspaceIteration::STEPS).for_each(|_| iteration.advance());
    iteration.finish()
}

/// [`leading_vectors`], one step at a time.
#[derive(Debug)]
pub struct SubspaceIteration<'a> {
    rows: &'a Rows,
    wanted: usize,
    width: usize,
    /// One row per column of A. The columns span the subspace; each step brings it closer to the
    /// leading one.
    basis: Vec<Vec<f64>>,
}

impl<'a> SubspaceIteration<'a> {
    /// The number of steps that is enough.
    pub const STEPS: usize = 5;

    /// Starts with a random subspace.
    pub fn new(rows: &'a Rows, columns: usize, wanted: usize, stream: &mut ChaCha8Rng) -> Self {
        let width = (wanted + EXTRA).min(columns);
        let mut row = |_| (0..width).map(|_| StandardNormal.sample(stream)).collect();
        Self { rows, wanted, width, basis: (0..columns).map(&mut row).collect() }
    }

    /// Multiplies the basis by AᵀA once.
    pub fn advance(&mut self) {
        orthonormalise(&mut self.basis, self.width);
        self.basis = times_gram(self.rows, &self.basis, self.width);
    }

    /// Returns the leading singular values and right singular vectors of A within the subspace.
    pub fn finish(self) -> (Vec<f64>, Vec<Vec<f64>>) {
        let Self { rows, wanted, width, mut basis } = self;
        orthonormalise(&mut basis, width);
        let image = times_gram(rows, &basis, width);
        let mut small = vec![vec![0.0; width]; width];
        for (row, image) in basis.iter().zip(&image) {
            for (a, small) in row.iter().zip(&mut small) {
                for (small, b) in small.iter_mut().zip(image) {
                    *small += a * b;
                }
            }
        }
        let (squares, rotation) = eigen(small);
        let mut order: Vec<usize> = (0..width).collect();
        order.sort_by(|&a, &b| squares[b].total_cmp(&squares[a]));
        order.truncate(wanted);
        let values = order.iter().map(|&i| squares[i].max(0.0).sqrt()).collect();
        let vectors = basis
            .iter()
            .map(|row| {
                let component = |&i: &usize| row.iter().zip(&rotation).map(|(x, r)| x * r[i]).sum();
                order.iter().map(component).collect()
            })
            .collect();
        (values, vectors)
    }
}

/// Multiplies AᵀA by a matrix with `width` columns. Adds the rows in order, so the result does not
/// depend on the threads.
fn times_gram(rows: &Rows, matrix: &[Vec<f64>], width: usize) -> Vec<Vec<f64>> {
    let images: Vec<Vec<f64>> = rows
        .par_iter()
        .with_min_len(BLOCK)
        .map(|row| {
            let mut image = vec![0.0; width];
            for &(column, value) in row {
                for (image, x) in image.iter_mut().zip(&matrix[column as usize]) {
                    *image += value * x;
                }
            }
            image
        })
        .collect();
    let mut product = vec![vec![0.0; width]; matrix.len()];
    for (row, image) in rows.iter().zip(&images) {
        for &(column, value) in row {
            for (sum, x) in product[column as usize].iter_mut().zip(image) {
                *sum += value * x;
            }
        }
    }
    product
}

/// Orthonormalises the columns by Gram-Schmidt, applied twice, which is enough for float64.
fn orthonormalise(basis: &mut [Vec<f64>], width: usize) {
    for k in 0..width {
        for _ in 0..2 {
            let mut along = vec![0.0; k];
            for row in basis.iter() {
                for (along, x) in along.iter_mut().zip(row) {
                    *along += x * row[k];
                }
            }
            for row in basis.iter_mut() {
                let part: f64 = along.iter().zip(&*row).map(|(along, x)| along * x).sum();
                row[k] -= part;
            }
        }
        let length = basis.iter().map(|row| row[k] * row[k]).sum::<f64>().sqrt();
        let scale = if length > 1e-12 { 1.0 / length } else { 0.0 };
        basis.iter_mut().for_each(|row| row[k] *= scale);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, stream};

    #[test]
    fn a_matrix_made_of_known_vectors_gives_them_back() {
        // A = Σ_i s_i u_i v_iᵀ with orthonormal u and v, which are cosines of whole periods.
        let (rows, columns, values) = (40, 30, [9.0, 4.0, 1.5]);
        let wave = |length: usize, i: usize, x: usize| {
            let angle = std::f64::consts::PI * (i + 1) as f64 * (x as f64 + 0.5) / length as f64;
            (2.0 / length as f64).sqrt() * angle.cos()
        };
        let entry = |r: usize, c: usize| -> f64 {
            (0..3).map(|i| values[i] * wave(rows, i, r) * wave(columns, i, c)).sum()
        };
        let matrix: Rows =
            (0..rows).map(|r| (0..columns).map(|c| (c as u32, entry(r, c))).collect()).collect();
        let mut stream = stream(1, Purpose::Weights, 0);
        let (found, vectors) = leading_vectors(&matrix, columns, 3, &mut stream);
        for i in 0..3 {
            assert!((found[i] - values[i]).abs() < 1e-9, "{found:?}");
            let cosine: f64 = (0..columns).map(|c| vectors[c][i] * wave(columns, i, c)).sum();
            assert!((cosine.abs() - 1.0).abs() < 1e-9);
        }
    }
}
