//! The likelihood of documents at the modes of their priors, with its first and second derivatives.
//! Gradient steps on the priors themselves need these.

use super::layers::{SCALE, State, document};
use super::local::{padded, unpadded};
use super::{EpisodeTerms, LocalPrior, PriorGradient};
use crate::corpus::WordCounts;
use crate::em::Dirichlet;
use crate::numeric::{Real, kernels};

/// The mean negative log-likelihood per word, −L(X | Θ, Φ) / Σ x, at the modes θ_nk = α_nk / Σ α_n
/// and φ_kj = β_kj / Z_k of Eqs. (9) and (10).
///
/// With C_nk = Σ_j x_nj γ_njk, c_kj = Σ_n x_nj γ_njk and C_k = Σ_j c_kj, its gradient is
///
/// ```text
/// ∂/∂log α_nk = −(C_nk − θ_nk length_n) / Σ x
/// ∂/∂log β_kj = −(c_kj − φ_kj C_k) / Σ x
/// ```
///
/// Both derivatives are with respect to logarithms, for the same reason as in the EM layers.
#[derive(Clone, Debug, Default)]
pub struct ModeLikelihood<R> {
    prior: LocalPrior<R>,
    modes: State<R>,
    /// 1 / Σ_k θ_nk φ_kj for each entry, scaled.
    inverse: Vec<R>,
    /// C_k, and its change
    topic_count: Vec<R>,
    topic_count_change: Vec<R>,
    /// C_nk and c_kj, or their change. Rows are padded.
    theta_count: Vec<R>,
    phi_count: Vec<R>,
    /// The change of log θ and log φ. Rows are padded.
    log_theta: Vec<R>,
    log_phi: Vec<R>,
    /// The kernel's derivative with respect to the counts, which is not used: counts are constant
    /// here.
    log_counts: Vec<R>,
}

/// A direction in the space of log α and log β.
#[derive(Clone, Debug, Default)]
pub struct LogDirection<R> {
    /// The change of log α: documents × topics
    pub log_alpha: Vec<R>,
    /// The change of log β on the local terms: local terms × topics
    pub log_beta: Vec<R>,
    /// The change of log Σ_j β_kj
    pub log_beta_sum: Vec<R>,
}

impl<R: Real> ModeLikelihood<R> {
    /// Computes the gradient with respect to α and β.
    pub fn gradient(
        &mut self,
        dirichlet: &Dirichlet<R>,
        support: &WordCounts,
        terms: &EpisodeTerms,
        gradient: &mut PriorGradient<R>,
    ) {
        let Self { prior, modes, inverse, theta_count, phi_count, topic_count, .. } = self;
        prior.fill(dirichlet, support, terms);
        let (stride, topics) = (prior.stride, prior.topics);
        modes.initialise(prior, terms.of_support);
        kernels::reset(theta_count, modes.theta.len());
        kernels::reset(phi_count, modes.phi.len());
        inverse.resize(support.entries(), R::ZERO);
        for n in 0..support.documents() {
            let (entries, row) = document(support, terms, prior, n);
            R::expected_counts(
                entries,
                (&modes.theta[row.clone()], &modes.phi),
                (&mut theta_count[row], phi_count),
                &mut inverse[support.row_range(n)],
            );
        }
        kernels::reset(topic_count, stride);
        R::add_rows(topic_count, phi_count);
        let per_word: R = per_word(support);
        for (n, count) in theta_count.chunks_exact_mut(stride).enumerate() {
            let length = prior.length(support, n) * R::of(1.0 / SCALE);
            for (count, &theta) in count.iter_mut().zip(&modes.theta[n * stride..]) {
                *count -= theta * length;
            }
        }
        unpadded(theta_count, prior, -per_word, &mut gradient.log_alpha);
        unpadded(phi_count, prior, -per_word, &mut gradient.log_beta);
        gradient.beta_sum.clear();
        let sums = topic_count.iter().zip(&prior.beta_sum).take(topics);
        gradient.beta_sum.extend(sums.map(|(&count, &sum)| per_word * count / sum));
    }

    /// Computes how the parts of [`Self::gradient`] change along `direction`: the product of the
    /// Hessian and the direction. Call `gradient` first.
    ///
    /// With e_njk the change of log θ_nk + log φ_kj, a responsibility changes by γ_njk (e_njk − Σ_k
    /// γ_njk e_njk), which is what the EM layers' backward pass computes.
    pub fn change_of_gradient(
        &mut self,
        support: &WordCounts,
        terms: &EpisodeTerms,
        direction: &LogDirection<R>,
        change: &mut PriorGradient<R>,
    ) {
        self.change_of_modes(direction);
        let Self { prior, modes, inverse, topic_count, topic_count_change, .. } = self;
        let Self { theta_count, phi_count, log_theta, log_phi, log_counts, .. } = self;
        let stride = prior.stride;
        log_counts.resize(support.entries(), R::ZERO);
        kernels::reset(theta_count, modes.theta.len());
        kernels::reset(phi_count, modes.phi.len());
        for n in 0..support.documents() {
            let (entries, row) = document(support, terms, prior, n);
            R::expected_counts_backward(
                entries,
                (&modes.theta[row.clone()], &modes.phi),
                (&log_theta[row.clone()], log_phi),
                &inverse[support.row_range(n)],
                (&mut theta_count[row], phi_count),
                &mut log_counts[support.row_range(n)],
            );
        }
        let per_word: R = per_word(support);
        kernels::reset(topic_count_change, stride);
        R::add_rows(topic_count_change, phi_count);
        change.beta_sum.clear();
        for k in 0..prior.topics {
            let of_sum = topic_count[k] * direction.log_beta_sum[k];
            let of_quotient = topic_count_change[k] - of_sum;
            change.beta_sum.push(per_word * of_quotient / prior.beta_sum[k]);
        }
        for (n, count) in theta_count.chunks_exact_mut(stride).enumerate() {
            let length = prior.length(support, n) * R::of(1.0 / SCALE);
            for (k, count) in count.iter_mut().enumerate() {
                let i = n * stride + k;
                *count -= modes.theta[i] * log_theta[i] * length;
            }
        }
        unpadded(theta_count, prior, -per_word, &mut change.log_alpha);
        unpadded(phi_count, prior, -per_word, &mut change.log_beta);
    }

    /// Computes how log θ and log φ change along `direction`: by the change of their parameter
    /// minus the change of its normaliser.
    fn change_of_modes(&mut self, direction: &LogDirection<R>) {
        let Self { prior, modes, log_theta, log_phi, .. } = self;
        let stride = prior.stride;
        padded(&direction.log_alpha, prior, log_theta);
        let rows = log_theta.chunks_exact_mut(stride).zip(modes.theta.chunks_exact(stride));
        for (log_theta, theta) in rows {
            let mean: R = log_theta.iter().zip(theta).map(|(&change, &theta)| change * theta).sum();
            let mean = mean * R::of(1.0 / SCALE);
            log_theta.iter_mut().for_each(|change| *change -= mean);
        }
        padded(&direction.log_beta, prior, log_phi);
        for log_phi in log_phi.chunks_exact_mut(stride) {
            for (change, &of_sum) in log_phi.iter_mut().zip(&direction.log_beta_sum) {
                *change -= of_sum;
            }
        }
    }
}

/// Returns 1 / Σ x, or 1 if there are no words and thus nothing to scale.
fn per_word<R: Real>(support: &WordCounts) -> R {
    R::of(1.0 / support.total_words().max(1) as f64)
}
