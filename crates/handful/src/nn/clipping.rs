//! Computes the norm of a gradient without multiplying out its factors.

use super::touched::{Mention, Touched};
use super::{EpisodeGradient, Gradient, Parameter};
use crate::numeric::{Real, kernels};

/// How many rows are transposed at a time for products of columns.
const ROWS: usize = 256;

/// Buffers for the global norm, reused from step to step.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Clipping<R> {
    /// The episodes' right factors, stacked.
    right: Vec<R>,
    /// Some rows of the episodes' left factors, transposed: rank × [`ROWS`].
    left: Vec<R>,
    right_products: Vec<R>,
    left_products: Vec<R>,
    row: Vec<R>,
    /// The index of each episode's first document.
    starts: Vec<usize>,
}

impl<R: Real> Clipping<R> {
    /// Computes the Euclidean norm, over all weights, of the sum of the episodes' gradients.
    ///
    /// `touched` holds the terms of the episodes: the only rows in which gradients by documents are
    /// not zero.
    pub(super) fn global_norm<G: AsRef<EpisodeGradient<R>>>(
        &mut self,
        parameters: &[Parameter<R>],
        episodes: &[G],
        touched: &Touched<R>,
    ) -> f64 {
        let mut squares = 0.0;
        for (p, parameter) in parameters.iter().enumerate() {
            squares += match &episodes[0].as_ref().of[p] {
                Gradient::Dense(_) => self.dense_square(p, parameter, episodes),
                Gradient::Outer { .. } => self.product_square(p, parameter, episodes),
                Gradient::OuterAndTerms { .. } => {
                    self.product_square(p, parameter, episodes)
                        + self.beside_product_square(p, parameter, episodes, touched)
                }
                Gradient::Terms { .. } => self.terms_square(p, parameter, episodes, touched),
            };
        }
        squares.sqrt()
    }

    fn dense_square<G: AsRef<EpisodeGradient<R>>>(
        &mut self,
        p: usize,
        parameter: &Parameter<R>,
        episodes: &[G],
    ) -> f64 {
        let row_square = |i: usize| {
            kernels::reset(&mut self.row, parameter.columns);
            for episode in episodes {
                episode.as_ref().add_row(p, i, &mut self.row);
            }
            kernels::dot(&self.row, &self.row).to_f64()
        };
        (0..parameter.rows).map(row_square).sum()
    }

    /// Computes what the rows of terms S add to the squared norm of a product P:
    /// ‖P + S‖² − ‖P‖² = S · (2P + S).
    fn beside_product_square<G: AsRef<EpisodeGradient<R>>>(
        &mut self,
        p: usize,
        parameter: &Parameter<R>,
        episodes: &[G],
        touched: &Touched<R>,
    ) -> f64 {
        let (columns, row) = (parameter.columns, &mut self.row);
        let mut sum = 0.0;
        for (i, &term) in touched.terms.iter().enumerate() {
            kernels::reset(row, 2 * columns);
            let (beside, both) = row.split_at_mut(columns);
            R::add_up(beside, touched.addends(i, episodes, p, columns));
            let gradients = episodes.iter().map(AsRef::as_ref);
            R::add_up(both, gradients.map(|of| of.product_row(p, term as usize)));
            both.iter_mut().zip(&*beside).for_each(|(both, &x)| *both = *both + *both + x);
            sum += kernels::dot(beside, both).to_f64();
        }
        sum
    }

    /// Computes the same as [`Self::product_square`], with the documents' counts as columns of L.
    fn terms_square<G: AsRef<EpisodeGradient<R>>>(
        &mut self,
        p: usize,
        parameter: &Parameter<R>,
        episodes: &[G],
        touched: &Touched<R>,
    ) -> f64 {
        let Self { right, right_products, starts, .. } = self;
        right.clear();
        starts.clear();
        for episode in episodes {
            starts.push(right.len() / parameter.columns);
            right.extend_from_slice(episode.as_ref().documents(p));
        }
        let documents = right.len() / parameter.columns;
        kernels::reset(right_products, documents * documents);
        R::dots(right, parameter.columns, right, &[], right_products);
        let mut sum = 0.0;
        for i in 0..touched.terms.len() {
            let mentions = touched.mentions(i);
            let place =
                |mention: &Mention| starts[mention.episode as usize] + mention.of.document as usize;
            for a in mentions {
                let row = place(a) * documents;
                for b in mentions {
                    let product = right_products[row + place(b)];
                    sum += f64::from(a.of.count) * f64::from(b.of.count) * product.to_f64();
                }
            }
        }
        sum.max(0.0)
    }

    /// Computes ‖L R‖² = Σ_ab (L_a · L_b)(R_a · R_b), where L_a are the columns of all left factors
    /// and R_a the rows of all right factors. This needs no entry of the product.
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
        R::dots(right, columns, right, &[], right_products);
        kernels::reset(left_products, rank * rank);
        let mut sum = 0.0;
        for start in (0..parameter.rows).step_by(ROWS) {
            let end = (start + ROWS).min(parameter.rows);
            left.resize(rank * ROWS, R::ZERO);
            let mut columns = left.chunks_exact_mut(ROWS);
            for episode in episodes {
                let (of_episode, _, rank) = episode.as_ref().product(p);
                let rows = of_episode[start * rank..end * rank].chunks_exact(rank);
                for (r, column) in (0..rank).zip(&mut columns) {
                    let (column, beyond) = column.split_at_mut(end - start);
                    column.iter_mut().zip(rows.clone()).for_each(|(x, row)| *x = row[r]);
                    beyond.fill(R::ZERO);
                }
            }
            R::dots(left, ROWS, left, &[], left_products);
            sum += product_in_double(left_products, right_products);
        }
        // Rounding can make a tiny norm negative.
        sum.max(0.0)
    }
}

/// Computes Σ_i a_i b_i in float64, with enough partial sums to fill the registers.
fn product_in_double<R: Real>(a: &[R], b: &[R]) -> f64 {
    const SUMS: usize = 32;
    let mut sums = [0.0; SUMS];
    kernels::vectorised(
        #[inline(always)]
        || {
            for (a, b) in a.chunks(SUMS).zip(b.chunks(SUMS)) {
                for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
                    *sum += a.to_f64() * b.to_f64();
                }
            }
        },
    );
    sums.iter().sum()
}
