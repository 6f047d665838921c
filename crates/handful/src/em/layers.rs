//! Eqs. (11)-(13) as layers: T steps forward with a tape, and the exact backward pass. What a step does
//! is a [`StepRule`].
//!
//! Rows of topics are padded with zeros to whole registers. θ and φ are stored multiplied by
//! [`SCALE`], a power of two. Their product then stays a normal float32 even for a topic that is
//! switched off and a term that it does not have.

use super::inference::{LocalDocuments, StepRecord, StepRule};
use super::local::{padded, unpadded};
use super::{EpisodeTerms, Inference, LocalPrior, PriorGradient};
use crate::corpus::WordCounts;
use crate::numeric::Real;
use crate::numeric::kernels::{self, DocumentEntries};
use std::ops::Range;

/// The factor by which the stored θ and φ are multiplied: 2⁵⁰.
pub(super) const SCALE: f64 = (1u64 << 50) as f64;

/// θ, φ and Z, padded and scaled.
#[derive(Clone, Debug, Default)]
pub(super) struct State<R> {
    /// documents × stride, times [`SCALE`]
    pub(super) theta: Vec<R>,
    /// terms × stride, times [`SCALE`]
    pub(super) phi: Vec<R>,
    /// Z, 1 for padding
    pub(super) phi_norm: Vec<R>,
    /// Σ_k a_nk: what θ_n is divided by
    pub(super) theta_norm: Vec<R>,
}

/// Everything computed in T EM steps, and buffers for the backward pass.
#[derive(Clone, Debug, Default)]
pub struct EmTape<R> {
    steps: usize,
    /// The states after 0..=T steps. φ covers the support's terms, and in the last state all local
    /// terms.
    states: Vec<State<R>>,
    /// What the way back needs of each of the T steps.
    records: Vec<StepRecord<R>>,
    /// θ and φ after the last step, unpadded and unscaled.
    theta: Vec<R>,
    phi: Vec<R>,
    gradient: StepGradient<R>,
}

/// The gradient at one step of the backward pass. Rows are padded.
#[derive(Clone, Debug, Default)]
struct StepGradient<R> {
    /// θ ∂/∂θ
    log_theta: Vec<R>,
    /// φ ∂/∂φ
    log_phi: Vec<R>,
    /// The derivative with respect to Σ_j x_nj γ_njk + α_nk
    theta_count: Vec<R>,
    /// The derivative with respect to c_kj + β_kj, not counting the path through Z
    phi_count: Vec<R>,
    /// Minus the derivative with respect to Z
    through_norm: Vec<R>,
    /// Z without the scale of φ
    norm: Vec<R>,
    /// α ∂/∂α
    log_alpha: Vec<R>,
    /// The part of β ∂/∂β that does not go through Z
    log_beta: Vec<R>,
    /// The derivative with respect to Σ_j β_kj
    beta_sum: Vec<R>,
    /// x ∂/∂x
    log_counts: Vec<R>,
}

impl<R: Real> StepGradient<R> {
    /// Takes log φ to the counts b_kj, which are `values` times `norm`, and to Z_k, which are `totals`;
    /// and from both to β.
    fn through_terms(
        &mut self,
        rule: &dyn StepRule<R>,
        prior: &LocalPrior<R>,
        (values, totals): (&[R], &[R]),
    ) {
        let Self { log_phi, phi_count, through_norm, norm, log_beta, beta_sum, .. } = self;
        phi_count.resize(log_phi.len(), R::ZERO);
        rule.times_slopes(log_phi, values, norm, phi_count);
        R::add_products(&mut log_beta[..phi_count.len()], &prior.beta, phi_count);
        kernels::reset(through_norm, prior.stride);
        for log_phi in log_phi.chunks_exact(prior.stride) {
            kernels::add(through_norm, log_phi);
        }
        for k in 0..prior.stride {
            through_norm[k] = rule.times_slope(through_norm[k], totals[k]);
            beta_sum[k] -= through_norm[k];
        }
    }
}

impl<R: Real> State<R> {
    /// Sets the modes of the Dirichlet priors, Eqs. (9) and (10): θ_nk = α_nk / Σ α_n and
    /// φ_kj = β_kj / Σ β_k, with φ on the first `terms` local terms.
    pub(super) fn initialise(&mut self, prior: &LocalPrior<R>, terms: usize) {
        let (stride, scale) = (prior.stride, R::of(SCALE));
        self.theta.clear();
        self.theta_norm.clear();
        for alpha in prior.alpha.chunks_exact(stride) {
            let sum: R = alpha.iter().copied().sum();
            self.theta.extend(alpha.iter().map(|&alpha| alpha / sum * scale));
            self.theta_norm.push(sum);
        }
        self.phi.clear();
        for beta in prior.beta.chunks_exact(stride).take(terms) {
            let row = beta.iter().zip(&prior.beta_sum);
            self.phi.extend(row.map(|(&beta, &sum)| beta / sum * scale));
        }
        self.phi_norm.clear();
        self.phi_norm.extend_from_slice(&prior.beta_sum);
    }

    /// Takes one step from this state to `new`: responsibilities by Eq. (11), or as variational Bayes
    /// has them, θ and φ by Eqs. (12) and (13), with φ on the first `phi_terms` local terms.
    pub(super) fn step(
        &self,
        documents: LocalDocuments<'_, R>,
        phi_terms: usize,
        new: &mut Self,
        record: &mut StepRecord<R>,
    ) {
        let prior = documents.prior;
        kernels::reset(&mut new.theta, self.theta.len());
        new.phi.clear();
        new.phi.extend_from_slice(&prior.beta[..phi_terms * prior.stride]);
        new.phi_norm.clear();
        new.phi_norm.extend_from_slice(&prior.beta_sum);
        let counts = (&mut new.theta[..], &mut new.phi[..]);
        prior.inference.rule().expected_counts(documents, self, counts, record);
        new.normalise(prior);
    }

    /// Takes one step of θ alone and keeps the topics: Eqs. (11) and (12).
    pub(super) fn step_proportions(
        &self,
        documents: LocalDocuments<'_, R>,
        new: &mut Self,
        record: &mut StepRecord<R>,
    ) {
        self.step(documents, documents.terms.terms.len(), new, record);
        new.phi.clone_from(&self.phi);
        new.phi_norm.clone_from(&self.phi_norm);
    }

    /// Turns expected counts into θ and φ, Eqs. (12) and (13).
    fn normalise(&mut self, prior: &LocalPrior<R>) {
        let (stride, scale) = (prior.stride, R::of(SCALE));
        self.theta_norm.clone_from(&prior.theta_norm);
        for ((theta, alpha), &norm) in self
            .theta
            .chunks_exact_mut(stride)
            .zip(prior.alpha.chunks_exact(stride))
            .zip(&prior.theta_norm)
        {
            let one_over = scale / norm;
            for ((theta, &alpha), phi_norm) in theta.iter_mut().zip(alpha).zip(&mut self.phi_norm) {
                *phi_norm += *theta;
                *theta = (*theta + alpha) * one_over;
            }
        }
        R::per_row_scaled(&mut self.phi, &self.phi_norm, scale);
    }

    /// Copies θ without padding and scale.
    pub(super) fn theta(&self, prior: &LocalPrior<R>, theta: &mut Vec<R>) {
        unpadded(&self.theta, prior, R::of(1.0 / SCALE), theta);
    }

    /// Copies φ without padding and scale.
    pub(super) fn phi(&self, prior: &LocalPrior<R>, phi: &mut Vec<R>) {
        unpadded(&self.phi, prior, R::of(1.0 / SCALE), phi);
    }

    /// Returns Z without padding.
    pub(super) fn phi_norm(&self, prior: &LocalPrior<R>) -> &[R] {
        &self.phi_norm[..prior.topics]
    }
}

/// Returns the entries of document `n`, and the range of its row in θ.
pub(super) fn document<'a, R: Real>(
    support: &WordCounts,
    terms: &'a EpisodeTerms,
    prior: &'a LocalPrior<R>,
    n: usize,
) -> (DocumentEntries<'a, R>, Range<usize>) {
    let (entries, stride) = (support.row_range(n), prior.stride);
    let (terms, counts) = (&terms.support[entries.clone()], &prior.counts[entries]);
    (DocumentEntries { terms, counts, stride }, n * stride..(n + 1) * stride)
}

impl<R: Real> EmTape<R> {
    /// Starts at the priors and takes `steps` steps.
    pub fn forward(
        &mut self,
        support: &WordCounts,
        terms: &EpisodeTerms,
        prior: &LocalPrior<R>,
        steps: usize,
    ) {
        self.steps = steps;
        self.states.resize_with((steps + 1).max(self.states.len()), State::default);
        self.records.resize_with(steps.max(self.records.len()), StepRecord::default);
        let documents = LocalDocuments { support, terms, prior };
        let terms_after = |t: usize| if t == steps { terms.terms.len() } else { terms.of_support };
        self.states[0].initialise(prior, terms_after(0));
        for t in 0..steps {
            let (before, after) = self.states.split_at_mut(t + 1);
            let record = &mut self.records[t];
            before[t].step(documents, terms_after(t + 1), &mut after[0], record);
        }
        self.states[steps].theta(prior, &mut self.theta);
        self.states[steps].phi(prior, &mut self.phi);
    }

    /// θ after the last step: documents × topics.
    pub fn theta(&self) -> &[R] {
        &self.theta
    }

    /// φ after the last step: local terms × topics.
    pub fn phi(&self) -> &[R] {
        &self.phi
    }

    /// Z after the last step, which normalises φ for every term.
    pub fn phi_norm(&self, prior: &LocalPrior<R>) -> &[R] {
        self.states[self.steps].phi_norm(prior)
    }

    /// Computes the gradient of the priors from θ ∂/∂θ and φ ∂/∂φ after the last step.
    pub fn backward(
        &mut self,
        support: &WordCounts,
        terms: &EpisodeTerms,
        prior: &LocalPrior<R>,
        (log_theta, log_phi): (&[R], &[R]),
        gradient: &mut PriorGradient<R>,
    ) {
        let at_hand = &mut self.gradient;
        kernels::reset(&mut at_hand.log_alpha, prior.alpha.len());
        kernels::reset(&mut at_hand.log_beta, prior.beta.len());
        kernels::reset(&mut at_hand.beta_sum, prior.stride);
        kernels::reset(&mut at_hand.log_counts, support.entries());
        padded(log_theta, prior, &mut at_hand.log_theta);
        padded(log_phi, prior, &mut at_hand.log_phi);
        let documents = LocalDocuments { support, terms, prior };
        for t in (0..self.steps).rev() {
            self.through_normalisation(t, support, prior);
            self.through_responsibilities(t, documents);
        }
        self.through_initialisation(prior);
        unpadded(&self.gradient.log_alpha, prior, R::ONE, &mut gradient.log_alpha);
        unpadded(&self.gradient.log_beta, prior, R::ONE, &mut gradient.log_beta);
        gradient.beta_sum.clear();
        gradient.beta_sum.extend_from_slice(&self.gradient.beta_sum[..prior.topics]);
        gradient.log_counts.clone_from(&self.gradient.log_counts);
    }

    /// What the state after `t` steps is read by: the next step's ℓ, or after the last log, because
    /// words are predicted by θ and φ themselves.
    fn rule_after(&self, t: usize, prior: &LocalPrior<R>) -> &'static dyn StepRule<R> {
        let inference = if t == self.steps { Inference::Em } else { prior.inference };
        inference.rule()
    }

    /// Backward pass of [`State::normalise`] in step `t`: computes the derivatives with respect to
    /// the expected counts, and the part of the gradient that goes to the priors directly.
    ///
    /// With a = Σ_j x γ + α = θ' (length + Σ α) and b = c + β = φ' Z, a change in the logarithm of
    /// an expected count x γ changes the loss by x γ (g_θ' ℓ′(a) + g_φ' ℓ′(b) − ℓ′(Z) Σ_j g_φ').
    fn through_normalisation(&mut self, t: usize, support: &WordCounts, prior: &LocalPrior<R>) {
        let (stride, unscale) = (prior.stride, R::of(1.0 / SCALE));
        let rule = self.rule_after(t + 1, prior);
        let after = &self.states[t + 1];
        self.gradient.norm.clear();
        self.gradient.norm.extend(after.phi_norm.iter().map(|&norm| norm * unscale));
        self.gradient.through_terms(rule, prior, (&after.phi, &after.phi_norm));
        let StepGradient { log_theta, theta_count, through_norm, log_alpha, log_counts, .. } =
            &mut self.gradient;
        theta_count.resize(log_theta.len(), R::ZERO);
        for (n, &theta_norm) in prior.theta_norm.iter().enumerate() {
            let row = n * stride..(n + 1) * stride;
            let sum = log_theta[row.clone()].iter().copied().sum::<R>();
            let through_theta_norm = rule.times_slope(sum, theta_norm);
            for entry in support.row_range(n) {
                log_counts[entry] -= prior.counts[entry] * through_theta_norm;
            }
            for (k, i) in row.enumerate() {
                let count = after.theta[i] * unscale * theta_norm;
                let of_count = rule.times_slope(log_theta[i], count);
                log_alpha[i] += prior.alpha[i] * (of_count - through_theta_norm);
                // Z contains every expected count, so its part of the gradient is subtracted here.
                theta_count[i] = of_count - through_norm[k];
            }
        }
    }

    /// Backward pass of the responsibilities in step `t`, which are a softmax.
    fn through_responsibilities(&mut self, t: usize, documents: LocalDocuments<'_, R>) {
        let LocalDocuments { terms, prior, .. } = documents;
        let before = &self.states[t];
        let StepGradient { log_theta, log_phi, theta_count, phi_count, log_counts, .. } =
            &mut self.gradient;
        kernels::reset(log_theta, before.theta.len());
        kernels::reset(log_phi, terms.of_support * prior.stride);
        prior.inference.rule().expected_counts_backward(
            documents,
            before,
            (theta_count, phi_count),
            &self.records[t],
            (log_theta, log_phi),
            log_counts,
        );
        R::drop_negligible(log_theta);
        R::drop_negligible(log_phi);
    }

    /// Backward pass of [`State::initialise`].
    fn through_initialisation(&mut self, prior: &LocalPrior<R>) {
        let (stride, rule) = (prior.stride, self.rule_after(0, prior));
        self.gradient.norm.clear();
        self.gradient.norm.resize(stride, R::ONE);
        self.gradient.through_terms(rule, prior, (&prior.beta, &prior.beta_sum));
        let StepGradient { log_theta, log_alpha, .. } = &mut self.gradient;
        for ((log_alpha, log_theta), (alpha, &norm)) in log_alpha
            .chunks_exact_mut(stride)
            .zip(log_theta.chunks_exact(stride))
            .zip(prior.alpha.chunks_exact(stride).zip(&self.states[0].theta_norm))
        {
            let sum: R = log_theta.iter().copied().sum();
            let through_norm = rule.times_slope(sum, norm);
            for k in 0..prior.topics {
                let of_count = rule.times_slope(log_theta[k], alpha[k]);
                log_alpha[k] += alpha[k] * (of_count - through_norm);
            }
        }
    }
}
