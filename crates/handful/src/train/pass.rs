//! Passes one episode forward and backward through the whole model.

use crate::corpus::Episode;
use crate::em::{
    Dirichlet, EmTape, EpisodeTerms, Inference, Likelihood, LocalPrior, PriorGradient,
    QueryLikelihood, log_likelihood,
};
use crate::nn::{Dropout, EpisodeGradient};
use crate::numeric::Real;
use crate::prior::{Prior, Request};
use crate::storage::TermRows;

/// Algorithm 1 with its backward pass. The memory of both is reused from episode to episode.
#[derive(Debug)]
pub struct EpisodePass<R, T> {
    terms: EpisodeTerms,
    tape: T,
    /// How topics are found from α and β.
    pub inference: Inference,
    /// α and β for the episode.
    pub dirichlet: Dirichlet<R>,
    local: LocalPrior<R>,
    /// θ and φ for the episode, step by step.
    pub em: EmTape<R>,
    likelihood: QueryLikelihood<R>,
    prior_gradient: PriorGradient<R>,
    /// The gradient with respect to the weights.
    pub gradient: EpisodeGradient<R>,
}

impl<R: Real, T: Default> Default for EpisodePass<R, T> {
    fn default() -> Self {
        Self {
            terms: EpisodeTerms::default(),
            tape: T::default(),
            inference: Inference::default(),
            dirichlet: Dirichlet::default(),
            local: LocalPrior::default(),
            em: EmTape::default(),
            likelihood: QueryLikelihood::default(),
            prior_gradient: PriorGradient::default(),
            gradient: EpisodeGradient::default(),
        }
    }
}

impl<R: Real, T> EpisodePass<R, T> {
    /// Records the terms of an episode and where they occur. Call it first.
    pub fn read(&mut self, episode: &Episode) {
        self.gradient.occurrences.fill(&episode.support);
        self.terms.fill(&episode.support, &self.gradient.occurrences, &episode.query);
    }

    /// From the support to the likelihood of the query with `topics` topics, after [`Self::read`].
    pub fn forward<P: Prior<R, Tape = T>>(
        &mut self,
        prior: &P,
        episode: &Episode,
        topics: usize,
        em_steps: usize,
        dropout: &mut Dropout<'_>,
    ) -> Likelihood {
        let Episode { support, query, .. } = episode;
        let request = Request::new(topics, TermRows::Of(&self.terms.terms));
        prior.forward(support, request, dropout, &mut self.tape, &mut self.dirichlet);
        self.dirichlet.inference = self.inference;
        self.local.fill(&self.dirichlet, support, &self.terms);
        self.em.forward(support, &self.terms, &self.local, em_steps);
        let (theta, phi) = (self.em.theta(), self.em.phi());
        let topics = self.dirichlet.topics;
        let log_likelihood = log_likelihood(query, &self.terms.query, topics, theta, phi);
        Likelihood { log_likelihood, words: query.total_words() }
    }

    /// Computes the gradient of −`scale` · log-likelihood of the query. Call [`Self::forward`]
    /// first.
    pub fn backward<P: Prior<R, Tape = T>>(&mut self, prior: &P, episode: &Episode, scale: f64) {
        let Episode { support, query, .. } = episode;
        self.likelihood.backward(
            query,
            &self.terms.query,
            self.dirichlet.topics,
            self.em.theta(),
            self.em.phi(),
            R::of(scale),
        );
        self.em.backward(
            support,
            &self.terms,
            &self.local,
            (&self.likelihood.log_theta, &self.likelihood.log_phi),
            &mut self.prior_gradient,
        );
        prior.backward(
            support,
            &self.terms.terms,
            &self.dirichlet,
            &self.prior_gradient,
            &mut self.tape,
            &mut self.gradient.of,
        );
    }

    /// Returns Z of the episode: φ_kj = β_kj / Z_k for every term that does not occur in it.
    pub fn phi_norm(&self) -> &[R] {
        self.em.phi_norm(&self.local)
    }

    /// Returns the vocabulary indices of the rows of [`EmTape::phi`].
    pub fn terms(&self) -> &[u32] {
        &self.terms.terms
    }
}
