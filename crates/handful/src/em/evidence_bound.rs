//! The evidence lower bound of variational Bayes, which no step may lower.

use super::{EpisodeTerms, LocalPrior};
use crate::corpus::WordCounts;
use crate::numeric::{Real, digamma, log_gamma};

/// Computes the evidence lower bound of q(θ_n) = Dir(a_n) and q(φ_k) = Dir(b_k), with the best γ for
/// them:
///
/// ```text
/// Σ_n Σ_j x_nj log Σ_k exp(E log θ_nk + E log φ_kj) − Σ_n KL(a_n ‖ α_n) − Σ_k KL(b_k ‖ β_k)
/// ```
///
/// θ and φ are the means of q, so that a_nk = θ_nk Σ_k a_nk. A term outside the support has
/// b_kj = β_kj, so that the last part is a sum over the support's terms and one part of the
/// normalisers.
pub fn evidence_bound<R: Real>(
    support: &WordCounts,
    terms: &EpisodeTerms,
    prior: &LocalPrior<R>,
    (theta, phi): (&[R], &[R]),
    (theta_norm, phi_norm): (&[R], &[R]),
) -> f64 {
    let topics = prior.topics;
    let count = |mean: R, norm: R| mean.to_f64() * norm.to_f64();
    let of_documents: Vec<f64> = theta
        .chunks_exact(topics)
        .zip(theta_norm)
        .flat_map(|(row, &norm)| row.iter().map(move |&mean| count(mean, norm)))
        .collect();
    let on_support = phi.chunks_exact(topics).take(terms.of_support);
    let of_terms: Vec<f64> = on_support
        .flat_map(|row| row.iter().zip(phi_norm).map(|(&mean, &norm)| count(mean, norm)))
        .collect();
    let log_phi: Vec<f64> = of_terms
        .iter()
        .enumerate()
        .map(|(i, &b)| digamma(b) - digamma(phi_norm[i % topics].to_f64()))
        .collect();
    let (mut bound, mut logits) = (0.0, vec![0.0; topics]);
    for n in 0..support.documents() {
        let (a, norm) = (&of_documents[n * topics..(n + 1) * topics], theta_norm[n].to_f64());
        let log_theta: Vec<f64> = a.iter().map(|&a| digamma(a) - digamma(norm)).collect();
        for entry in support.row_range(n) {
            let term = terms.support[entry] as usize * topics;
            for (k, logit) in logits.iter_mut().enumerate() {
                *logit = log_theta[k] + log_phi[term + k];
            }
            bound += prior.counts[entry].to_f64() * log_sum_exp(&logits);
        }
        let alpha: Vec<f64> =
            prior.alpha[n * prior.stride..][..topics].iter().map(|alpha| alpha.to_f64()).collect();
        bound -= divergence(a.iter().copied().zip(alpha.iter().copied()), &log_theta);
        bound -= log_gamma(norm) - log_gamma(alpha.iter().sum());
    }
    for k in 0..topics {
        let row = |i: usize| (of_terms[i * topics + k], prior.beta[i * prior.stride + k].to_f64());
        let log_phi: Vec<f64> = log_phi.iter().skip(k).step_by(topics).copied().collect();
        bound -= divergence((0..terms.of_support).map(row), &log_phi);
        bound -= log_gamma(phi_norm[k].to_f64()) - log_gamma(prior.beta_sum[k].to_f64());
    }
    bound
}

/// The part of KL(Dir(a) ‖ Dir(α)) without the normalisers: Σ log Γ(α) − log Γ(a) + (a − α) E log.
fn divergence(pairs: impl Iterator<Item = (f64, f64)>, expected_logs: &[f64]) -> f64 {
    let part =
        |((a, alpha), log): ((f64, f64), &f64)| log_gamma(alpha) - log_gamma(a) + (a - alpha) * log;
    pairs.zip(expected_logs).map(part).sum()
}

fn log_sum_exp(logits: &[f64]) -> f64 {
    let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest + logits.iter().map(|logit| (logit - largest).exp()).sum::<f64>().ln()
}
