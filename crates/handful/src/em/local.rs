//! The local terms of an episode, and the prior on them.

use crate::corpus::{Occurrences, WordCounts};
use crate::em::{Dirichlet, Inference};
use crate::numeric::{Real, kernels};

/// The local terms: the terms that occur in an episode, numbered from 0. First come the support's
/// terms, then those that occur only in the query, both in increasing order.
#[derive(Clone, Debug, Default)]
pub struct EpisodeTerms {
    /// The index of each local term in the vocabulary.
    pub terms: Vec<u32>,
    /// How many of `terms` occur in the support.
    pub of_support: usize,
    /// The local term of each entry of the support.
    pub support: Vec<u32>,
    /// The local term of each entry of the query.
    pub query: Vec<u32>,
}

impl EpisodeTerms {
    /// Numbers the terms of one episode.
    pub(crate) fn of(support: &WordCounts, query: &WordCounts) -> Self {
        let (mut occurrences, mut terms) = (Occurrences::default(), Self::default());
        occurrences.fill(support);
        terms.fill(support, &occurrences, query);
        terms
    }

    /// Numbers the terms of `support` and `query`. `occurrences` must be those of `support`.
    pub fn fill(&mut self, support: &WordCounts, occurrences: &Occurrences, query: &WordCounts) {
        let Self { terms, of_support, support: support_local, query: query_local } = self;
        terms.clear();
        terms.extend_from_slice(occurrences.terms());
        *of_support = terms.len();
        let known = occurrences.terms();
        terms.extend(query.terms().iter().filter(|term| known.binary_search(term).is_err()));
        terms[*of_support..].sort_unstable();
        terms.dedup();
        let only_query = &terms[*of_support..];
        let local = |term: &u32| match known.binary_search(term) {
            Ok(i) => i as u32,
            Err(_) => {
                let i = only_query.binary_search(term).expect("every query term was added above");
                (*of_support + i) as u32
            }
        };
        support_local.clear();
        support_local.extend(support.terms().iter().map(local));
        query_local.clear();
        query_local.extend(query.terms().iter().map(local));
    }
}

/// Rows of topics are padded to a multiple of this: for float32 the widest register, which its kernels
/// fill; float64 has plain loops, and only what they read costs time.
const fn lanes<R>() -> usize {
    if size_of::<R>() == size_of::<f32>() { 16 } else { 4 }
}

/// The prior as the EM layers need it: α, β on the local terms, and Σ_j β_kj over the whole
/// vocabulary. Rows are padded with topics that have no words.
#[derive(Clone, Debug, Default)]
pub struct LocalPrior<R> {
    /// What α and β are the parameters for.
    pub(super) inference: Inference,
    /// K
    pub topics: usize,
    /// The length of a padded row.
    pub(super) stride: usize,
    /// α: documents × stride, 0 for padding
    pub(super) alpha: Vec<R>,
    /// β: local terms × stride, 0 for padding
    pub(super) beta: Vec<R>,
    /// Σ_j β_kj, 1 for padding
    pub(super) beta_sum: Vec<R>,
    /// The count of each support entry, weighted by its evidence
    pub(super) counts: Vec<R>,
    /// The weighted length of each document plus Σ_k α_nk, which normalises θ
    pub(super) theta_norm: Vec<R>,
}

impl<R: Real> LocalPrior<R> {
    /// Takes the local part of a whole prior, in any precision. `dirichlet` must belong to the
    /// support's documents.
    pub fn fill<S: Real>(
        &mut self,
        dirichlet: &Dirichlet<S>,
        support: &WordCounts,
        terms: &EpisodeTerms,
    ) {
        let topics = dirichlet.topics;
        (self.inference, self.topics) = (dirichlet.inference, topics);
        self.stride = topics.next_multiple_of(lanes::<R>());
        let padding = self.stride - topics;
        let take = |row: &[S], pad: R, padded: &mut Vec<R>| {
            padded.extend(row.iter().map(|value| R::of(value.to_f64())));
            padded.resize(padded.len() + padding, pad);
        };
        self.alpha.clear();
        for alpha in dirichlet.alpha.chunks_exact(topics) {
            take(alpha, R::ZERO, &mut self.alpha);
        }
        self.beta.clear();
        for &term in &terms.terms {
            take(dirichlet.beta_row(term as usize), R::ZERO, &mut self.beta);
        }
        self.beta_sum.clear();
        take(&dirichlet.beta_sum, R::ONE, &mut self.beta_sum);
        self.counts.clear();
        self.counts.extend(support.counts().iter().map(|&count| R::of(f64::from(count))));
        if !dirichlet.evidence.is_empty() {
            for (count, evidence) in self.counts.iter_mut().zip(&dirichlet.evidence) {
                *count *= R::of(evidence.to_f64());
            }
        }
        self.theta_norm.clear();
        for (n, alpha) in self.alpha.chunks_exact(self.stride).enumerate() {
            let alpha_sum: R = alpha.iter().copied().sum();
            self.theta_norm.push(self.length(support, n) + alpha_sum);
        }
    }

    /// Returns the weighted length of document `n`.
    pub(super) fn length(&self, support: &WordCounts, n: usize) -> R {
        self.counts[support.row_range(n)].iter().copied().sum()
    }
}

/// Pads rows of topics with zeros.
pub(super) fn padded<R: Real>(rows: &[R], prior: &LocalPrior<R>, padded: &mut Vec<R>) {
    padded.clear();
    for row in rows.chunks_exact(prior.topics) {
        padded.extend_from_slice(row);
        padded.resize(padded.len() + prior.stride - prior.topics, R::ZERO);
    }
}

/// Removes the padding from rows of topics and multiplies them by `scale`.
pub(super) fn unpadded<R: Real>(padded: &[R], prior: &LocalPrior<R>, scale: R, rows: &mut Vec<R>) {
    rows.clear();
    for row in padded.chunks_exact(prior.stride) {
        rows.extend(row[..prior.topics].iter().map(|&value| value * scale));
    }
}

/// The gradient of a loss with respect to α and β.
///
/// With respect to β_kj, it is `beta_sum`_k for every term j of the vocabulary, through the
/// normaliser Z_k, plus `log_beta`_jk / β_kj for the local terms.
#[derive(Clone, Debug, Default)]
pub struct PriorGradient<R> {
    /// α ∂/∂α: documents × topics
    pub log_alpha: Vec<R>,
    /// The part of β ∂/∂β that does not go through Z: local terms × topics
    pub log_beta: Vec<R>,
    /// The derivative with respect to Σ_j β_kj
    pub beta_sum: Vec<R>,
    /// x ∂/∂x for the weighted count of each support entry
    pub log_counts: Vec<R>,
}

impl<R: Real> PriorGradient<R> {
    /// Computes β ∂/∂β for every term of the vocabulary: terms × topics. `terms` are the local
    /// terms.
    pub fn dense_log_beta(&self, terms: &[u32], beta: &[R], dense: &mut Vec<R>) {
        let topics = self.beta_sum.len();
        dense.resize(beta.len(), R::ZERO);
        kernels::vectorised(
            #[inline(always)]
            || {
                for (dense, beta) in dense.chunks_exact_mut(topics).zip(beta.chunks_exact(topics)) {
                    for ((dense, &beta), &of_sum) in dense.iter_mut().zip(beta).zip(&self.beta_sum)
                    {
                        *dense = beta * of_sum;
                    }
                }
            },
        );
        for (&term, log_beta) in terms.iter().zip(self.log_beta.chunks_exact(topics)) {
            let start = term as usize * topics;
            let row = dense[start..start + topics].iter_mut().zip(log_beta);
            row.for_each(|(dense, &log_beta)| *dense += log_beta);
        }
    }
}
