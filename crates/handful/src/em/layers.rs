//! Eqs. (11)-(13) as layers: T steps forward with a tape, and the exact way back.

use super::{EpisodeTerms, LocalPrior, PriorGradient};
use crate::corpus::WordCounts;
use crate::nn::{Real, kernels};

/// Everything that T EM steps computed, and buffers for the way back.
#[derive(Clone, Debug, Default)]
pub struct EmTape<R> {
    topics: usize,
    steps: usize,
    /// Length of a document plus Σ_k α_nk, the normaliser of θ.
    theta_norm: Vec<R>,
    /// θ after 0..=T steps: documents × topics each.
    theta: Vec<Vec<R>>,
    /// φ after 0..=T steps: support terms × topics each, all local terms after the last.
    phi: Vec<Vec<R>>,
    /// Z after 0..=T steps.
    phi_norm: Vec<Vec<R>>,
    /// 1 / Σ_k θ_nk φ_kj of each support entry, in each of the T steps.
    inverse: Vec<Vec<R>>,
    gradient: StepGradient<R>,
}

/// The gradient at one step, on its way back.
#[derive(Clone, Debug, Default)]
struct StepGradient<R> {
    /// θ ∂/∂θ
    log_theta: Vec<R>,
    /// φ ∂/∂φ
    log_phi: Vec<R>,
    /// The derivative with respect to Σ_j x_nj γ_njk + α_nk
    theta_count: Vec<R>,
    /// The derivative with respect to c_kj + β_kj, Z apart
    phi_count: Vec<R>,
    /// Minus the derivative with respect to Z
    through_norm: Vec<R>,
    /// γ ∂/∂γ of one entry
    log_gamma: Vec<R>,
}

/// The mode of the Dirichlet priors, Eqs. (9) and (10): θ_nk = α_nk / Σ α_n, φ_kj = β_kj / Σ β_k.
///
/// `terms` is the number of local terms that φ is wanted on.
fn initialise<R: Real>(
    prior: &LocalPrior<R>,
    terms: usize,
    theta: &mut Vec<R>,
    phi: &mut Vec<R>,
    phi_norm: &mut Vec<R>,
) {
    theta.clear();
    for alpha in prior.alpha.chunks_exact(prior.topics) {
        let sum: R = alpha.iter().copied().sum();
        theta.extend(alpha.iter().map(|&alpha| alpha / sum));
    }
    phi.clear();
    for beta in prior.beta.chunks_exact(prior.topics).take(terms) {
        phi.extend(beta.iter().zip(&prior.beta_sum).map(|(&beta, &sum)| beta / sum));
    }
    phi_norm.clear();
    phi_norm.extend_from_slice(&prior.beta_sum);
}

/// One EM step: responsibilities by Eq. (11), new θ and φ by Eqs. (12) and (13).
///
/// `theta` and `phi` are read, `new_*` written: φ on as many local terms as the length of
/// `phi_terms` says. `inverse` receives 1 / Σ_k θ_nk φ_kj of each entry.
#[expect(clippy::too_many_arguments, reason = "two states of three parts, and what joins them")]
pub fn step<R: Real>(
    support: &WordCounts,
    terms: &EpisodeTerms,
    prior: &LocalPrior<R>,
    theta_norm: &[R],
    phi_terms: usize,
    (theta, phi): (&[R], &[R]),
    (new_theta, new_phi, new_phi_norm): (&mut Vec<R>, &mut Vec<R>, &mut Vec<R>),
    inverse: &mut Vec<R>,
) {
    let topics = prior.topics;
    kernels::reset(new_theta, theta.len());
    new_phi.clear();
    new_phi.extend_from_slice(&prior.beta[..phi_terms * topics]);
    new_phi_norm.clear();
    new_phi_norm.extend_from_slice(&prior.beta_sum);
    inverse.clear();
    for n in 0..support.documents() {
        let theta = &theta[n * topics..(n + 1) * topics];
        let new_theta = &mut new_theta[n * topics..(n + 1) * topics];
        for entry in support.row_range(n) {
            let term = terms.support[entry] as usize * topics;
            let phi = &phi[term..term + topics];
            let new_phi = &mut new_phi[term..term + topics];
            let probability: R = theta.iter().zip(phi).map(|(&theta, &phi)| theta * phi).sum();
            let one_over = R::ONE / probability.at_least(R::SMALLEST);
            inverse.push(one_over);
            let count = R::of(f64::from(support.counts()[entry]));
            for k in 0..topics {
                let expected = count * (theta[k] * phi[k] * one_over);
                new_theta[k] += expected;
                new_phi[k] += expected;
            }
        }
        let alpha = &prior.alpha[n * topics..(n + 1) * topics];
        for k in 0..topics {
            new_phi_norm[k] += new_theta[k];
            new_theta[k] = (new_theta[k] + alpha[k]) / theta_norm[n];
        }
    }
    for phi in new_phi.chunks_exact_mut(topics) {
        for (phi, &norm) in phi.iter_mut().zip(&*new_phi_norm) {
            *phi /= norm;
        }
    }
}

/// Length of each document plus Σ_k α_nk.
pub(super) fn theta_norms<R: Real>(
    support: &WordCounts,
    prior: &LocalPrior<R>,
    norms: &mut Vec<R>,
) {
    norms.clear();
    for (n, alpha) in prior.alpha.chunks_exact(prior.topics).enumerate() {
        norms.push(R::of(support.words(n) as f64) + alpha.iter().copied().sum());
    }
}

impl<R: Real> EmTape<R> {
    /// The modes of the priors, then `steps` EM steps.
    pub fn forward(
        &mut self,
        support: &WordCounts,
        terms: &EpisodeTerms,
        prior: &LocalPrior<R>,
        steps: usize,
    ) {
        self.topics = prior.topics;
        self.steps = steps;
        theta_norms(support, prior, &mut self.theta_norm);
        for states in [&mut self.theta, &mut self.phi, &mut self.phi_norm] {
            states.resize_with((steps + 1).max(states.len()), Vec::new);
        }
        self.inverse.resize_with(steps.max(self.inverse.len()), Vec::new);
        let terms_after = |t: usize| if t == steps { terms.terms.len() } else { terms.of_support };
        initialise(
            prior,
            terms_after(0),
            &mut self.theta[0],
            &mut self.phi[0],
            &mut self.phi_norm[0],
        );
        for t in 0..steps {
            let (theta, new_theta) = self.theta.split_at_mut(t + 1);
            let (phi, new_phi) = self.phi.split_at_mut(t + 1);
            step(
                support,
                terms,
                prior,
                &self.theta_norm,
                terms_after(t + 1),
                (&theta[t], &phi[t]),
                (&mut new_theta[0], &mut new_phi[0], &mut self.phi_norm[t + 1]),
                &mut self.inverse[t],
            );
        }
    }

    /// θ after the last step: documents × topics.
    pub fn theta(&self) -> &[R] {
        &self.theta[self.steps]
    }

    /// φ after the last step: local terms × topics.
    pub fn phi(&self) -> &[R] {
        &self.phi[self.steps]
    }

    /// Z after the last step, the normaliser of φ for every term.
    pub fn phi_norm(&self) -> &[R] {
        &self.phi_norm[self.steps]
    }

    /// From θ ∂/∂θ and φ ∂/∂φ after the last step to the gradient of the priors.
    pub fn backward(
        &mut self,
        support: &WordCounts,
        terms: &EpisodeTerms,
        prior: &LocalPrior<R>,
        (log_theta, log_phi): (&[R], &[R]),
        gradient: &mut PriorGradient<R>,
    ) {
        gradient.reset(prior);
        self.gradient.log_theta.clear();
        self.gradient.log_theta.extend_from_slice(log_theta);
        self.gradient.log_phi.clear();
        self.gradient.log_phi.extend_from_slice(log_phi);
        for t in (0..self.steps).rev() {
            self.step_backward(t, support, terms, prior, gradient);
        }
        self.initialise_backward(prior, gradient);
    }

    /// Backward pass of [`step`] number `t`: turns the gradient after it into the one before it,
    /// and adds to that of the priors.
    ///
    /// With a = Σ_j x γ + α = θ' (length + Σ α) and b = c + β = φ' Z, the logarithm of an
    /// expected count x γ changes the loss by x γ (g_θ' / a + g_φ' / b − Σ_j g_φ' / Z), and the
    /// responsibilities are a softmax of log θ + log φ.
    fn step_backward(
        &mut self,
        t: usize,
        support: &WordCounts,
        terms: &EpisodeTerms,
        prior: &LocalPrior<R>,
        gradient: &mut PriorGradient<R>,
    ) {
        let topics = self.topics;
        let StepGradient { log_theta, log_phi, theta_count, phi_count, through_norm, log_gamma } =
            &mut self.gradient;
        let (theta, phi) = (&self.theta[t], &self.phi[t]);
        let (new_theta, new_phi) = (&self.theta[t + 1], &self.phi[t + 1]);
        let phi_norm = &self.phi_norm[t + 1];

        theta_count.clear();
        for (n, &norm) in self.theta_norm.iter().enumerate() {
            let row = n * topics..(n + 1) * topics;
            let through_norm = log_theta[row.clone()].iter().copied().sum::<R>() / norm;
            for i in row {
                let count_gradient = log_theta[i] / (new_theta[i] * norm);
                theta_count.push(count_gradient);
                gradient.log_alpha[i] += prior.alpha[i] * (count_gradient - through_norm);
            }
        }

        phi_count.clear();
        kernels::reset(through_norm, topics);
        for (i, &log_phi) in log_phi.iter().enumerate() {
            let k = i % topics;
            let count_gradient = log_phi / (new_phi[i] * phi_norm[k]);
            phi_count.push(count_gradient);
            gradient.log_beta[i] += prior.beta[i] * count_gradient;
            through_norm[k] += log_phi;
        }
        for k in 0..topics {
            through_norm[k] /= phi_norm[k];
            gradient.beta_sum[k] -= through_norm[k];
        }
        // Every expected count meets Z, so its gradient can join that of θ's counts.
        for counts in theta_count.chunks_exact_mut(topics) {
            for (count, &norm) in counts.iter_mut().zip(&*through_norm) {
                *count -= norm;
            }
        }

        kernels::reset(log_gamma, topics);
        kernels::reset(log_theta, theta.len());
        kernels::reset(log_phi, terms.of_support * topics);
        for n in 0..support.documents() {
            let row = n * topics..(n + 1) * topics;
            let (theta, theta_count) = (&theta[row.clone()], &theta_count[row.clone()]);
            let log_theta = &mut log_theta[row];
            for entry in support.row_range(n) {
                let term = terms.support[entry] as usize * topics;
                let phi = &phi[term..term + topics];
                let phi_count = &phi_count[term..term + topics];
                let log_phi = &mut log_phi[term..term + topics];
                let one_over = self.inverse[t][entry];
                let count = R::of(f64::from(support.counts()[entry]));
                let mut sum = R::ZERO;
                for k in 0..topics {
                    let expected = count * (theta[k] * phi[k] * one_over);
                    log_gamma[k] = expected * (theta_count[k] + phi_count[k]);
                    sum += log_gamma[k];
                }
                for k in 0..topics {
                    let logit = log_gamma[k] - theta[k] * phi[k] * one_over * sum;
                    log_theta[k] += logit;
                    log_phi[k] += logit;
                }
            }
        }
    }

    /// Backward pass of [`initialise`].
    fn initialise_backward(&mut self, prior: &LocalPrior<R>, gradient: &mut PriorGradient<R>) {
        let topics = self.topics;
        let StepGradient { log_theta, log_phi, .. } = &self.gradient;
        for ((log_alpha, log_theta), theta) in gradient
            .log_alpha
            .chunks_exact_mut(topics)
            .zip(log_theta.chunks_exact(topics))
            .zip(self.theta[0].chunks_exact(topics))
        {
            let sum: R = log_theta.iter().copied().sum();
            for k in 0..topics {
                log_alpha[k] += log_theta[k] - theta[k] * sum;
            }
        }
        for (log_phi, log_beta) in
            log_phi.chunks_exact(topics).zip(gradient.log_beta.chunks_exact_mut(topics))
        {
            for k in 0..topics {
                log_beta[k] += log_phi[k];
                gradient.beta_sum[k] -= log_phi[k] / prior.beta_sum[k];
            }
        }
    }
}
