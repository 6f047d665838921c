//! The two layers as wide as the vocabulary: one reads word counts, the other produces β.

use super::{DocumentInput, Gradient, Parameter};
use crate::corpus::WordCounts;
use crate::numeric::Real;
use crate::numeric::kernels::{self, Addend};
use rayon::prelude::*;

/// The first map of a network that reads word counts: s_n x_n W, where W has one row per term and s_n is
/// the factor of [`DocumentInput`].
///
/// The counts are sparse, so this is a weighted sum of a few rows.
#[derive(Clone, Copy, Debug)]
pub struct TermInput {
    /// The index of W (terms × hidden) among the parameters.
    pub weight: usize,
    /// What it sees of a document.
    pub input: DocumentInput,
}

impl TermInput {
    /// Computes s_n Σ_j x_nj W_j for each document n: documents × hidden.
    pub fn forward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        documents: &WordCounts,
        outputs: &mut Vec<R>,
    ) {
        let weight = &parameters[self.weight];
        kernels::reset(outputs, documents.documents() * weight.columns);
        outputs.par_chunks_exact_mut(weight.columns).enumerate().for_each(|(n, output)| {
            let scale = self.input.scale(documents.words(n));
            R::add_up(
                output,
                documents.row(n).map(|(term, count)| {
                    Addend::Row(R::of(scale * f64::from(count)), weight.row(term as usize))
                }),
            );
        });
    }

    /// Computes the gradient of W from the outputs' gradient, whose rows the optimiser multiplies by the
    /// counts.
    pub fn backward<R: Real>(
        &self,
        documents: &WordCounts,
        output_gradient: &[R],
        gradients: &mut [Gradient<R>],
    ) {
        let of_documents = gradients[self.weight].terms();
        let columns = output_gradient.len() / documents.documents();
        for (n, row) in output_gradient.chunks_exact(columns).enumerate() {
            let scale = R::of(self.input.scale(documents.words(n)));
            of_documents.extend(row.iter().map(|&gradient| scale * gradient));
        }
    }
}

/// How many rows of the output layer are processed at a time. Sums over the vocabulary are taken
/// within a block, then over the blocks in order, so the result does not depend on the threads.
const BLOCK: usize = 256;

/// The last map of f_B with its softplus: β_kj = softplus(W_j · h_k + b_j).
#[derive(Clone, Copy, Debug)]
pub struct TermOutput {
    /// The index of W (terms × hidden) among the parameters.
    pub weight: usize,
    /// The index of b among the parameters.
    pub bias: usize,
}

/// Buffers of [`TermOutput`], reused from episode to episode.
#[derive(Clone, Debug, Default)]
pub struct TermOutputTape<R> {
    block_sums: Vec<R>,
    block_gradients: Vec<R>,
    /// The gradient through the normaliser, repeated for each row of a block.
    per_topic: Vec<R>,
}

impl TermOutput {
    /// Computes β (terms × topics) and its sum over the terms for each topic from `hidden`
    /// (topics × units).
    pub fn forward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        hidden: &[R],
        tape: &mut TermOutputTape<R>,
        beta: &mut Vec<R>,
        beta_sum: &mut Vec<R>,
    ) {
        let (weight, bias) = (&parameters[self.weight], &parameters[self.bias].values);
        let topics = hidden.len() / weight.columns;
        beta.resize(weight.rows * topics, R::ZERO);
        kernels::reset(&mut tape.block_sums, weight.rows.div_ceil(BLOCK) * topics);
        beta.par_chunks_mut(BLOCK * topics)
            .zip(tape.block_sums.par_chunks_exact_mut(topics))
            .enumerate()
            .for_each(|(block, (beta, sums))| {
                let terms = block * BLOCK..block * BLOCK + beta.len() / topics;
                let rows = weight.row_range(terms.clone());
                R::dots(rows, weight.columns, hidden, &bias[terms], beta);
                R::softplus(beta);
                R::add_rows(sums, beta);
            });
        kernels::reset(beta_sum, topics);
        R::add_rows(beta_sum, &tape.block_sums);
    }

    /// Computes the gradients of W and b from that of β, and sets `hidden_gradient`
    /// (topics × units).
    ///
    /// The gradient with respect to β_kj is `per_topic`_k for every term, through the normaliser.
    /// The i-th of `terms` adds `log_rows`_ik / β_kj: `log_rows` is with respect to log β.
    #[expect(clippy::too_many_arguments, reason = "the terms of one formula")]
    pub fn backward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        hidden: &[R],
        beta: &[R],
        terms: &[u32],
        log_rows: &[R],
        per_topic: &[R],
        tape: &mut TermOutputTape<R>,
        gradients: &mut [Gradient<R>],
        hidden_gradient: &mut Vec<R>,
    ) {
        let weight = &parameters[self.weight];
        let topics = per_topic.len();
        let (z_gradient, right) = gradients[self.weight].outer(weight.rows, topics);
        right.extend_from_slice(hidden);
        for (&term, log_row) in terms.iter().zip(log_rows.chunks_exact(topics)) {
            let start = term as usize * topics;
            z_gradient[start..start + topics].copy_from_slice(log_row);
        }
        let TermOutputTape { block_gradients, per_topic: repeated, .. } = tape;
        repeated.clear();
        (0..BLOCK).for_each(|_| repeated.extend_from_slice(per_topic));
        kernels::reset(block_gradients, weight.rows.div_ceil(BLOCK) * hidden.len());
        let [weight_gradient, bias_gradient] = gradients
            .get_disjoint_mut([self.weight, self.bias])
            .expect("the weight and the bias are two parameters");
        let Gradient::Outer { left: z_gradient, .. } = weight_gradient else {
            unreachable!("set at the beginning")
        };
        z_gradient
            .par_chunks_mut(BLOCK * topics)
            .zip(bias_gradient.dense(weight.rows).par_chunks_mut(BLOCK))
            .zip(block_gradients.par_chunks_exact_mut(hidden.len()))
            .enumerate()
            .for_each(|(block, ((z_gradient, bias_gradient), hidden_gradient))| {
                let terms = block * BLOCK..block * BLOCK + bias_gradient.len();
                let beta = &beta[terms.start * topics..terms.end * topics];
                R::add_products(z_gradient, beta, repeated);
                R::softplus_backward(z_gradient, beta);
                let rows = weight.row_range(terms);
                R::combine(rows, weight.columns, z_gradient, hidden_gradient);
                for (bias, z) in bias_gradient.iter_mut().zip(z_gradient.chunks_exact(topics)) {
                    *bias = z.iter().copied().sum();
                }
            });
        kernels::reset(hidden_gradient, hidden.len());
        R::add_rows(hidden_gradient, block_gradients);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters() -> [Parameter<f32>; 1] {
        let values = (0..12).map(|i| (i as f32).sin()).collect();
        let (name, deferred) = ("w".to_owned(), false);
        [Parameter { name, rows: 4, columns: 3, values, deferred, rate: 1.0 }]
    }

    fn outputs(input: DocumentInput, row: &[(u32, u32)]) -> Vec<f32> {
        let (mut documents, mut outputs) = (WordCounts::new(), Vec::new());
        documents.push_row(row.iter().copied());
        TermInput { weight: 0, input }.forward(&parameters(), &documents, &mut outputs);
        outputs
    }

    #[test]
    fn shares_are_counts_in_a_document_of_a_hundred_words() {
        let row = [(0, 30), (2, 69), (3, 1)];
        assert_eq!(outputs(DocumentInput::Shares, &row), outputs(DocumentInput::Counts, &row));
    }

    #[test]
    fn shares_do_not_tell_how_long_a_document_is() {
        let (short, long) = ([(0, 1), (2, 3)], [(0, 100), (2, 300)]);
        let of = |row| outputs(DocumentInput::Shares, row);
        assert!(of(&short).iter().zip(of(&long)).all(|(s, l)| (s - l).abs() < 1e-5));
        assert_ne!(outputs(DocumentInput::Counts, &short), outputs(DocumentInput::Counts, &long));
        assert_eq!(of(&[]), [0.0; 3]);
    }
}
