//! The output layer of topics: each topic is a distribution over the terms.

use super::{Gradient, Parameter, StoredRows};

use crate::numeric::{Real, kernels};
use rayon::prelude::*;

/// How many rows are processed at a time. Sums over the vocabulary are taken within a block, then
/// over the blocks in order, so the result does not depend on the threads.
const BLOCK: usize = 256;

/// Stored rows that are decoded at a time: few enough for the fastest cache, and a multiple of the
/// rows that the products are taken of together.
const DECODED: usize = 32;

/// σ_kj = exp(E_j · t_k + b_j) / Σ_j exp(E_j · t_k + b_j).
#[derive(Clone, Copy, Debug)]
pub struct TermSoftmax {
    /// The index of E (terms × dimension) among the parameters.
    pub weight: usize,
    /// The index of b among the parameters.
    pub bias: usize,
}

/// The unnormalised σ, and buffers, reused from episode to episode.
#[derive(Clone, Debug, Default)]
pub struct TermSoftmaxTape<R> {
    /// exp(E_j · t_k + b_j − the largest such logit of topic k), at least
    /// [`FLOOR`](crate::numeric::FLOOR): terms × topics
    exponentials: Vec<R>,
    /// 1 / Σ_j of the exponentials, one per topic.
    scale: Vec<R>,
    /// For each block, the largest logit of each topic, and later the sum of its exponentials.
    blocks: Vec<R>,
    block_gradients: Vec<R>,
    /// One number per topic, and the same repeated for each row of a block.
    per_topic: Vec<R>,
    repeated: Vec<R>,
}

impl<R: Real> TermSoftmaxTape<R> {
    /// σ_kj of all topics k from number `first` on, for a term.
    #[inline]
    pub fn shares(&self, term: usize, first: usize) -> impl Iterator<Item = R> + '_ {
        let start = term * self.scale.len();
        let row = &self.exponentials[start + first..start + self.scale.len()];
        row.iter().zip(&self.scale[first..]).map(|(&exponential, &scale)| exponential * scale)
    }

    fn repeat_per_topic(&mut self) {
        self.repeated.clear();
        (0..BLOCK).for_each(|_| self.repeated.extend_from_slice(&self.per_topic));
    }
}

impl TermSoftmax {
    /// Computes σ from the topics' vectors (topics × dimension), and leaves it in the tape. If
    /// `stored` is given, reads the rows of E from there instead of from the parameters.
    pub fn forward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        stored: Option<&dyn StoredRows<R>>,
        topics: &[R],
        tape: &mut TermSoftmaxTape<R>,
    ) {
        let (weight, bias) = (&parameters[self.weight], &parameters[self.bias].values);
        let count = topics.len() / weight.columns;
        let TermSoftmaxTape { exponentials, blocks, per_topic: largest, .. } = &mut *tape;
        kernels::lengthen(exponentials, weight.rows * count);
        blocks.resize(weight.rows.div_ceil(BLOCK) * count, R::ZERO);
        exponentials
            .par_chunks_mut(BLOCK * count)
            .zip(blocks.par_chunks_exact_mut(count))
            .enumerate()
            .for_each_init(Vec::new, |buffer, (block, (logits, largest))| {
                let first = block * BLOCK;
                let terms = first..first + logits.len() / count;
                match stored {
                    None => {
                        let rows = weight.row_range(terms.clone());
                        R::dots(rows, weight.columns, topics, &bias[terms], logits);
                    }
                    Some(stored) => {
                        let pieces = terms.step_by(DECODED).zip(logits.chunks_mut(DECODED * count));
                        for (start, logits) in pieces {
                            let terms = start..start + logits.len() / count;
                            buffer.resize(terms.len() * weight.columns, R::ZERO);
                            stored.read(terms.clone(), buffer);
                            R::dots(buffer, weight.columns, topics, &bias[terms], logits);
                        }
                    }
                }
                largest.copy_from_slice(&logits[..count]);
                kernels::largest_rows(largest, logits);
            });
        largest.clear();
        largest.extend_from_slice(&blocks[..count]);
        kernels::largest_rows(largest, blocks);
        tape.repeat_per_topic();
        let TermSoftmaxTape { exponentials, blocks, scale, repeated, .. } = tape;
        exponentials
            .par_chunks_mut(BLOCK * count)
            .zip(blocks.par_chunks_exact_mut(count))
            .for_each(|(logits, sums)| {
                R::exp_below(logits, repeated);
                sums.fill(R::ZERO);
                R::add_rows(sums, logits);
            });
        kernels::reset(scale, count);
        R::add_rows(scale, blocks);
        scale.iter_mut().for_each(|sum| *sum = R::ONE / *sum);
    }

    /// Computes the gradients of E and b, and sets that of the topics' vectors, from the gradient
    /// with respect to log σ. This is `log_rows`_ik for the i-th of `terms`, and zero for the other
    /// terms.
    ///
    /// The gradient of a logit is `log_rows`_ik − σ_kj Σ_i `log_rows`_ik.
    #[expect(clippy::too_many_arguments, reason = "the terms of one formula")]
    pub fn backward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        topics: &[R],
        terms: &[u32],
        log_rows: &[R],
        tape: &mut TermSoftmaxTape<R>,
        gradients: &mut [Gradient<R>],
        topics_gradient: &mut Vec<R>,
    ) {
        let weight = &parameters[self.weight];
        let count = tape.scale.len();
        kernels::reset(&mut tape.per_topic, count);
        R::add_rows(&mut tape.per_topic, log_rows);
        for (sum, &scale) in tape.per_topic.iter_mut().zip(&tape.scale) {
            *sum *= -scale;
        }
        tape.repeat_per_topic();
        let [weight_gradient, bias_gradient] = gradients
            .get_disjoint_mut([self.weight, self.bias])
            .expect("the weight and the bias are two parameters");
        let (logit_gradient, right) = weight_gradient.outer_and_terms(weight.rows, count);
        right.extend_from_slice(topics);
        for (&term, log_row) in terms.iter().zip(log_rows.chunks_exact(count)) {
            let start = term as usize * count;
            logit_gradient[start..start + count].copy_from_slice(log_row);
        }
        let TermSoftmaxTape { exponentials, block_gradients, repeated, .. } = tape;
        kernels::reset(block_gradients, weight.rows.div_ceil(BLOCK) * topics.len());
        logit_gradient
            .par_chunks_mut(BLOCK * count)
            .zip(bias_gradient.dense(weight.rows).par_chunks_mut(BLOCK))
            .zip(block_gradients.par_chunks_exact_mut(topics.len()))
            .enumerate()
            .for_each(|(block, ((logit_gradient, bias_gradient), topics_gradient))| {
                let terms = block * BLOCK..block * BLOCK + bias_gradient.len();
                let exponentials = &exponentials[terms.start * count..terms.end * count];
                R::add_products(logit_gradient, exponentials, repeated);
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
