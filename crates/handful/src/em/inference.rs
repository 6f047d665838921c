//! What a step does: EM, or variational Bayes in its place.
//!
//! Both share words among topics, add the shares to the priors' counts, and start again:
//!
//! ```text
//! γ_njk ∝ exp(ℓ(a_nk) − ℓ(Σ_k a_nk) + ℓ(b_kj) − ℓ(Σ_j b_kj))
//! a_nk = α_nk + Σ_j x_nj γ_njk        b_kj = β_kj + Σ_n x_nj γ_njk
//! ```
//!
//! EM has ℓ = log, so that γ is Eq. (11) with θ and φ the modes of Eqs. (12) and (13): α and β are
//! the usual Dirichlet parameters minus 1. Variational Bayes has ℓ = ψ, the expectation of log θ and
//! log φ where α and β are the usual parameters themselves: with 1 added to each, J pseudo-counts
//! would drown the words. Its last step ends at the posterior means a / Σa and b / Σb, which are what
//! EM's last step gives. So the state between steps is the same, too, and only ℓ and its derivative
//! ℓ′ differ: 1/a, or ψ′(a).

use super::layers::{SCALE, State, document};
use super::{EpisodeTerms, LocalPrior};
use crate::corpus::WordCounts;
use crate::numeric::{Real, digamma, trigamma};
use serde::{Deserialize, Serialize};

/// How topics are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Inference {
    /// EM: the mode of the posterior.
    #[default]
    Em,
    /// Variational Bayes: the mean of an approximate posterior.
    Vb,
}

impl Inference {
    /// Whether it is EM, which files do not name.
    pub(crate) fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn rule<R: Real>(self) -> &'static dyn StepRule<R> {
        match self {
            Self::Em => &EmRule,
            Self::Vb => &VbRule,
        }
    }
}

/// The documents of a fit or an episode, on their local terms.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalDocuments<'a, R> {
    pub(super) support: &'a WordCounts,
    pub(super) terms: &'a EpisodeTerms,
    pub(super) prior: &'a LocalPrior<R>,
}

/// What the way back needs of a step, and memory for it.
#[derive(Clone, Debug, Default)]
pub(super) struct StepRecord<R> {
    /// By EM 1 / Σ_k θ_nk φ_kj of each entry; by variational Bayes γ_njk of each, in padded rows.
    shares: Vec<R>,
    /// ψ(a_nk) of a document, and what it is computed with.
    log_theta: Vec<R>,
    theta_norm: Vec<R>,
    theta_offset: Vec<R>,
    /// ψ(b_kj) − ψ(Z_k), and what it is computed with.
    log_phi: Vec<R>,
    phi_norm: Vec<R>,
    phi_offset: Vec<R>,
}

/// What a step does with words, and the way back.
pub(super) trait StepRule<R: Real>: Sync {
    /// Adds x_nj γ_njk of every entry to the counts of θ and φ.
    fn expected_counts(
        &self,
        documents: LocalDocuments<'_, R>,
        state: &State<R>,
        counts: (&mut [R], &mut [R]),
        record: &mut StepRecord<R>,
    );

    /// Backward pass of [`Self::expected_counts`], from the derivatives with respect to the counts to
    /// those with respect to the logits of γ, and to x ∂/∂x of each entry.
    fn expected_counts_backward(
        &self,
        documents: LocalDocuments<'_, R>,
        state: &State<R>,
        counts: (&[R], &[R]),
        record: &StepRecord<R>,
        log_gradient: (&mut [R], &mut [R]),
        log_counts: &mut [R],
    );

    /// gradient · ℓ′(count)
    fn times_slope(&self, gradient: R, count: R) -> R;

    /// gradient · ℓ′(value · norm), in rows as long as `norm`; 0 where there is nothing.
    fn times_slopes(&self, gradients: &[R], values: &[R], norm: &[R], products: &mut [R]);
}

/// ℓ = log
struct EmRule;

impl<R: Real> StepRule<R> for EmRule {
    fn expected_counts(
        &self,
        LocalDocuments { support, terms, prior }: LocalDocuments<'_, R>,
        state: &State<R>,
        (theta_counts, phi_counts): (&mut [R], &mut [R]),
        record: &mut StepRecord<R>,
    ) {
        record.shares.resize(support.entries(), R::ZERO);
        for n in 0..support.documents() {
            let (entries, row) = document(support, terms, prior, n);
            R::expected_counts(
                entries,
                (&state.theta[row.clone()], &state.phi),
                (&mut theta_counts[row], phi_counts),
                &mut record.shares[support.row_range(n)],
            );
        }
    }

    fn expected_counts_backward(
        &self,
        LocalDocuments { support, terms, prior }: LocalDocuments<'_, R>,
        state: &State<R>,
        (theta_count, phi_count): (&[R], &[R]),
        record: &StepRecord<R>,
        (log_theta, log_phi): (&mut [R], &mut [R]),
        log_counts: &mut [R],
    ) {
        for n in 0..support.documents() {
            let (entries, row) = document(support, terms, prior, n);
            R::expected_counts_backward(
                entries,
                (&state.theta[row.clone()], &state.phi),
                (&theta_count[row.clone()], phi_count),
                &record.shares[support.row_range(n)],
                (&mut log_theta[row], log_phi),
                &mut log_counts[support.row_range(n)],
            );
        }
    }

    fn times_slope(&self, gradient: R, count: R) -> R {
        // Padding has a count of zero, which must not be a divisor.
        gradient / count.at_least(R::SMALLEST)
    }

    fn times_slopes(&self, gradients: &[R], values: &[R], norm: &[R], products: &mut [R]) {
        R::per_count(gradients, values, norm, products);
    }
}

/// ℓ = ψ. e^ψ(b) leaves the range of float32 where b is below 0.01, so γ is a softmax of differences.
struct VbRule;

/// Stands for the logarithm of 0, of topics that pad a row.
const NEVER: f64 = -1e30;

impl VbRule {
    /// ψ(b_kj) − ψ(Z_k) of the support's terms.
    fn weigh_terms<R: Real>(
        LocalDocuments { terms, prior, .. }: LocalDocuments<'_, R>,
        state: &State<R>,
        record: &mut StepRecord<R>,
    ) {
        let StepRecord { log_phi, phi_norm, phi_offset, .. } = record;
        let unscale = R::of(1.0 / SCALE);
        phi_norm.clear();
        phi_norm.extend(state.phi_norm.iter().map(|&norm| norm * unscale));
        phi_offset.clear();
        phi_offset.extend(state.phi_norm.iter().map(|&norm| digamma(norm)));
        let phi = &state.phi[..terms.of_support * prior.stride];
        log_phi.resize(phi.len(), R::ZERO);
        R::digammas(phi, phi_norm, phi_offset, log_phi);
    }

    /// ψ(a_nk) of a document. ψ(Σ_k a_nk) is the same for all topics, so γ does not depend on it.
    fn weigh_document<R: Real>(
        prior: &LocalPrior<R>,
        (theta, norm): (&[R], R),
        record: &mut StepRecord<R>,
    ) {
        let StepRecord { log_theta, theta_norm, theta_offset, .. } = record;
        theta_norm.clear();
        theta_norm.resize(prior.stride, norm * R::of(1.0 / SCALE));
        theta_offset.resize(prior.stride, R::ZERO);
        log_theta.resize(prior.stride, R::ZERO);
        R::digammas(theta, theta_norm, theta_offset, log_theta);
    }
}

impl<R: Real> StepRule<R> for VbRule {
    fn expected_counts(
        &self,
        documents: LocalDocuments<'_, R>,
        state: &State<R>,
        (theta_counts, phi_counts): (&mut [R], &mut [R]),
        record: &mut StepRecord<R>,
    ) {
        let LocalDocuments { support, terms, prior } = documents;
        let (stride, topics) = (prior.stride, prior.topics);
        Self::weigh_terms(documents, state, record);
        record.shares.resize(support.entries() * stride, R::ZERO);
        for n in 0..support.documents() {
            let (entries, row) = document(support, terms, prior, n);
            Self::weigh_document(prior, (&state.theta[row.clone()], state.theta_norm[n]), record);
            record.log_theta[topics..].fill(R::of(NEVER));
            let StepRecord { shares, log_theta, log_phi, .. } = record;
            let of_document = support.row_range(n);
            R::softmax_counts(
                entries,
                (log_theta, log_phi),
                (&mut theta_counts[row], phi_counts),
                &mut shares[of_document.start * stride..of_document.end * stride],
            );
        }
    }

    fn expected_counts_backward(
        &self,
        LocalDocuments { support, terms, prior }: LocalDocuments<'_, R>,
        _: &State<R>,
        (theta_count, phi_count): (&[R], &[R]),
        record: &StepRecord<R>,
        (log_theta, log_phi): (&mut [R], &mut [R]),
        log_counts: &mut [R],
    ) {
        let stride = prior.stride;
        for n in 0..support.documents() {
            let (entries, row) = document(support, terms, prior, n);
            let range = support.row_range(n);
            R::softmax_counts_backward(
                entries,
                &record.shares[range.start * stride..range.end * stride],
                (&theta_count[row.clone()], phi_count),
                (&mut log_theta[row], log_phi),
                &mut log_counts[range],
            );
        }
    }

    fn times_slope(&self, gradient: R, count: R) -> R {
        gradient * trigamma(count)
    }

    fn times_slopes(&self, gradients: &[R], values: &[R], norm: &[R], products: &mut [R]) {
        R::times_trigamma(gradients, values, norm, products);
    }
}
