//! The terms at hand, and the prior on them.

use crate::corpus::{Occurrences, WordCounts};
use crate::nn::{Real, kernels};
use crate::prior::Dirichlet;

/// The terms that occur in an episode, numbered from 0: first the support's, then those that
/// only the query has, both in increasing order.
#[derive(Clone, Debug, Default)]
pub struct EpisodeTerms {
    /// The vocabulary's index of each local term.
    pub terms: Vec<u32>,
    /// How many of `terms` the support has.
    pub of_support: usize,
    /// The local term of each entry of the support.
    pub support: Vec<u32>,
    /// The local term of each entry of the query.
    pub query: Vec<u32>,
}

impl EpisodeTerms {
    /// Numbers the terms of `support`, whose occurrences are given, and of `query`.
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

/// The prior as the EM layers need it: α, β on the terms at hand, and Σ_j β_kj over the whole
/// vocabulary.
#[derive(Clone, Debug, Default)]
pub struct LocalPrior<R> {
    /// K
    pub topics: usize,
    /// α: documents × topics
    pub alpha: Vec<R>,
    /// β: local terms × topics
    pub beta: Vec<R>,
    /// Σ_j β_kj
    pub beta_sum: Vec<R>,
}

impl<R: Real> LocalPrior<R> {
    /// Takes what is needed from a whole prior, in any precision.
    pub fn fill<S: Real>(&mut self, dirichlet: &Dirichlet<S>, terms: &[u32]) {
        let convert = |value: &S| R::of(value.to_f64());
        self.topics = dirichlet.topics;
        self.alpha.clear();
        self.alpha.extend(dirichlet.alpha.iter().map(convert));
        self.beta.clear();
        for &term in terms {
            self.beta.extend(dirichlet.beta_row(term as usize).iter().map(convert));
        }
        self.beta_sum.clear();
        self.beta_sum.extend(dirichlet.beta_sum.iter().map(convert));
    }
}

/// The gradient of a loss with respect to α and β.
///
/// With respect to β_kj it is `beta_sum`_k for every term j of the vocabulary, through the
/// normaliser Z_k, plus `log_beta`_jk / β_kj for the terms at hand.
#[derive(Clone, Debug, Default)]
pub struct PriorGradient<R> {
    /// α ∂/∂α: documents × topics
    pub log_alpha: Vec<R>,
    /// The part of β ∂/∂β that is not through Z: local terms × topics
    pub log_beta: Vec<R>,
    /// The derivative with respect to Σ_j β_kj
    pub beta_sum: Vec<R>,
}

impl<R: Real> PriorGradient<R> {
    /// Zeros, for a prior of this size.
    pub fn reset(&mut self, prior: &LocalPrior<R>) {
        kernels::reset(&mut self.log_alpha, prior.alpha.len());
        kernels::reset(&mut self.log_beta, prior.beta.len());
        kernels::reset(&mut self.beta_sum, prior.topics);
    }
}
