//! The norm of a gradient that is never multiplied out.

use super::{EpisodeGradient, Gradient, Parameter, Real, kernels};

/// Rows that are turned together for products of columns.
const ROWS: usize = 256;

/// Buffers for the global norm, kept from step to step.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Clipping<R> {
    /// The episodes' right factors, one below the other.
    right: Vec<R>,
    /// Some rows of the episodes' left factors, turned: rank × [`ROWS`].
    left: Vec<R>,
    right_products: Vec<R>,
    left_products: Vec<R>,
    row: Vec<R>,
}

impl<R: Real> Clipping<R> {
    /// The Euclidean norm of the sum of the episodes' gradients over all weights.
    ///
    /// `touched` are the terms of the episodes: the only rows of deferred parameters that count.
    pub(super) fn global_norm<G: AsRef<EpisodeGradient<R>>>(
        &mut self,
        parameters: &[Parameter<R>],
        episodes: &[G],
        touched: &[u32],
    ) -> f64 {
        let mut squares = 0.0;
        for (p, parameter) in parameters.iter().enumerate() {
            squares += if parameter.deferred {
                let rows = touched.iter().map(|&term| term as usize);
                rows.map(|i| self.row_square(p, i, parameter.columns, episodes)).sum()
            } else if matches!(episodes[0].as_ref().of[p], Gradient::Outer { .. }) {
                self.product_square(p, parameter, episodes)
            } else {
                let rows = 0..parameter.rows;
                rows.map(|i| self.row_square(p, i, parameter.columns, episodes)).sum::<f64>()
            };
        }
        squares.sqrt()
    }

    fn row_square<G: AsRef<EpisodeGradient<R>>>(
        &mut self,
        p: usize,
        i: usize,
        columns: usize,
        episodes: &[G],
    ) -> f64 {
        kernels::reset(&mut self.row, columns);
        for episode in episodes {
            episode.as_ref().add_piece(p, i, columns, 0..columns, &mut self.row);
        }
        kernels::dot(&self.row, &self.row).to_f64()
    }

    /// ‖L R‖² = Σ_ab (L_a · L_b)(R_a · R_b), with L_a the columns of all left factors and R_a the
    /// rows of all right factors: no entry of the product is needed.
    fn product_square<G: AsRef<EpisodeGradient<R>>>(
        &mut self,
        p: usize,
        parameter: &Parameter<R>,
        episodes: &[G],
    ) -> f64 {
        let Self { right, left, right_products, left_products, .. } = self;
        right.clear();
        for episode in episodes {
            right.extend_from_slice(episode.as_ref().product(p).1);
        }
        let columns = parameter.columns;
        let rank = right.len() / columns;
        kernels::reset(right_products, rank * rank);
        R::dots(right, columns, right, right_products, [rank, 1]);
        kernels::reset(left_products, rank * rank);
        let mut sum = 0.0;
        for start in (0..parameter.rows).step_by(ROWS) {
            let end = (start + ROWS).min(parameter.rows);
            kernels::reset(left, rank * ROWS);
            let mut a = 0;
            for episode in episodes {
                let (of_episode, _, rank) = episode.as_ref().product(p);
                let rows = of_episode[start * rank..end * rank].chunks_exact(rank);
                for (i, row) in rows.enumerate() {
                    for (r, &value) in row.iter().enumerate() {
                        left[(a + r) * ROWS + i] = value;
                    }
                }
                a += rank;
            }
            R::dots(left, ROWS, left, left_products, [rank, 1]);
            let products = left_products.iter().zip(&*right_products);
            sum += products.map(|(l, r)| l.to_f64() * r.to_f64()).sum::<f64>();
        }
        // Rounding can take a norm of nearly nothing below zero.
        sum.max(0.0)
    }
}
