//! The output layer of topics: each a distribution over the terms, and a concentration.

use super::{FLOOR, Gradient, Parameter, Real, kernels};
use rayon::prelude::*;

/// Rows that are worked on together. Sums over the vocabulary are taken within a block, then over the
/// blocks in order, whatever thread computed which.
const BLOCK: usize = 256;

/// β_kj = c_k exp(E_j · t_k + b_j) / Σ_j exp(E_j · t_k + b_j).
#[derive(Clone, Copy, Debug)]
pub struct TermSoftmax {
    /// Index of E (terms × dimension) among the parameters.
    pub weight: usize,
    /// Index of b among the parameters.
    pub bias: usize,
}

/// Buffers of [`TermSoftmax`], kept from episode to episode.
#[derive(Clone, Debug, Default)]
pub struct TermSoftmaxTape<R> {
    /// Of each block: the largest logit, then the sum of exponentials, a topic each.
    blocks: Vec<R>,
    block_gradients: Vec<R>,
    /// A number a topic, once for each row of a block.
    repeated: Vec<R>,
}

impl<R: Real> TermSoftmaxTape<R> {
    fn repeat(&mut self, per_topic: &[R]) {
        self.repeated.clear();
        (0..BLOCK).for_each(|_| self.repeated.extend_from_slice(per_topic));
    }
}

impl TermSoftmax {
    /// β (terms × topics) from the topics' vectors (topics × dimension) and concentrations c.
    pub fn forward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        topics: &[R],
        concentration: &[R],
        tape: &mut TermSoftmaxTape<R>,
        beta: &mut Vec<R>,
    ) {
        let (weight, bias) = (&parameters[self.weight], &parameters[self.bias].values);
        let count = concentration.len();
        beta.resize(weight.rows * count, R::ZERO);
        tape.blocks.resize(weight.rows.div_ceil(BLOCK) * count, R::ZERO);
        beta.par_chunks_mut(BLOCK * count)
            .zip(tape.blocks.par_chunks_exact_mut(count))
            .enumerate()
            .for_each(|(block, (logits, largest))| {
                let terms = block * BLOCK..block * BLOCK + logits.len() / count;
                let rows = weight.row_range(terms.clone());
                R::dots(rows, weight.columns, topics, &bias[terms], logits);
                largest.copy_from_slice(&logits[..count]);
                for logits in logits.chunks_exact(count) {
                    for (largest, &logit) in largest.iter_mut().zip(logits) {
                        *largest = largest.at_least(logit);
                    }
                }
            });
        let mut largest = tape.blocks[..count].to_vec();
        for block in tape.blocks.chunks_exact(count) {
            for (largest, &of_block) in largest.iter_mut().zip(block) {
                *largest = largest.at_least(of_block);
            }
        }
        tape.repeat(&largest);
        let repeated = &tape.repeated;
        beta.par_chunks_mut(BLOCK * count).zip(tape.blocks.par_chunks_exact_mut(count)).for_each(
            |(logits, sums)| {
                R::exp_below(logits, repeated);
                sums.fill(R::ZERO);
                R::add_rows(sums, logits);
            },
        );
        let mut scale = vec![R::ZERO; count];
        R::add_rows(&mut scale, &tape.blocks);
        for (scale, &concentration) in scale.iter_mut().zip(concentration) {
            *scale = concentration / *scale;
        }
        tape.repeat(&scale);
        let repeated = &tape.repeated;
        beta.par_chunks_mut(BLOCK * count).for_each(|beta| {
            for (beta, &scale) in beta.iter_mut().zip(repeated) {
                *beta = (*beta * scale).at_least(R::of(FLOOR));
            }
        });
    }

    /// From the gradient with respect to β to those of E, b, the topics' vectors, set, and of log c,
    /// set.
    ///
    /// The gradient with respect to β_kj is `per_topic`_k for every term, through the normaliser of
    /// φ, and `log_rows`_ik / β_kj more for the i-th of `terms`. That of a logit is
    /// `log_rows`_ik − β_kj / c_k · Σ_i `log_rows`_ik: what is the same for all terms does not move a
    /// distribution over them.
    #[expect(clippy::too_many_arguments, reason = "the terms of one formula")]
    pub fn backward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        topics: &[R],
        concentration: &[R],
        beta: &[R],
        terms: &[u32],
        (log_rows, per_topic): (&[R], &[R]),
        tape: &mut TermSoftmaxTape<R>,
        gradients: &mut [Gradient<R>],
        topics_gradient: &mut Vec<R>,
        log_concentration_gradient: &mut Vec<R>,
    ) {
        let weight = &parameters[self.weight];
        let count = concentration.len();
        kernels::reset(log_concentration_gradient, count);
        R::add_rows(log_concentration_gradient, log_rows);
        let share = |(sum, &concentration): (&R, &R)| -(*sum / concentration);
        let shares: Vec<R> =
            log_concentration_gradient.iter().zip(concentration).map(share).collect();
        tape.repeat(&shares);
        for ((gradient, &concentration), &per_topic) in
            log_concentration_gradient.iter_mut().zip(concentration).zip(per_topic)
        {
            *gradient += per_topic * concentration;
        }
        let [weight_gradient, bias_gradient] = gradients
            .get_disjoint_mut([self.weight, self.bias])
            .expect("the weight and the bias are two parameters");
        let (logit_gradient, right) = weight_gradient.outer_and_terms(weight.rows, count);
        right.extend_from_slice(topics);
        for (&term, log_row) in terms.iter().zip(log_rows.chunks_exact(count)) {
            let start = term as usize * count;
            logit_gradient[start..start + count].copy_from_slice(log_row);
        }
        let TermSoftmaxTape { block_gradients, repeated, .. } = tape;
        kernels::reset(block_gradients, weight.rows.div_ceil(BLOCK) * topics.len());
        logit_gradient
            .par_chunks_mut(BLOCK * count)
            .zip(bias_gradient.dense(weight.rows).par_chunks_mut(BLOCK))
            .zip(block_gradients.par_chunks_exact_mut(topics.len()))
            .enumerate()
            .for_each(|(block, ((logit_gradient, bias_gradient), topics_gradient))| {
                let terms = block * BLOCK..block * BLOCK + bias_gradient.len();
                let beta = &beta[terms.start * count..terms.end * count];
                R::add_products(logit_gradient, beta, repeated);
                R::drop_negligible(logit_gradient);
                let rows = weight.row_range(terms);
                R::combine(rows, weight.columns, logit_gradient, topics_gradient);
                let logits = logit_gradient.chunks_exact(count);
                for (bias, logits) in bias_gradient.iter_mut().zip(logits) {
                    *bias = logits.iter().copied().sum();
                }
            });
        kernels::reset(topics_gradient, topics.len());
        R::add_rows(topics_gradient, block_gradients);
    }
}
