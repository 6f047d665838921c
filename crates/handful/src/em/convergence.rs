//! EM without a tape: a fixed number of steps, or until the posterior stops rising.

use super::layers::{step, theta_norms};
use super::{EmTape, EpisodeTerms, LocalPrior, log_likelihood};
use crate::corpus::WordCounts;
use crate::nn::Real;
use serde::{Deserialize, Serialize};

/// When EM stops at fit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EmStop {
    /// After this many steps; 0 leaves the priors' modes.
    Steps(usize),
    /// When a step raises the log posterior by less than `tolerance` nats a word, or after
    /// `most_steps`.
    Converged {
        /// Nats a word of the support.
        tolerance: f64,
        /// The cap.
        most_steps: usize,
    },
}

impl EmStop {
    /// Until convergence, with the usual tolerance and cap.
    pub fn converged() -> Self {
        Self::Converged { tolerance: 1e-7, most_steps: 2000 }
    }
}

/// The outcome of EM.
#[derive(Clone, Debug)]
pub struct Fitted<R> {
    /// θ: documents × topics
    pub theta: Vec<R>,
    /// φ on the local terms: local terms × topics
    pub phi: Vec<R>,
    /// Z: φ_kj = β_kj / Z_k for every other term
    pub phi_norm: Vec<R>,
    /// Steps taken.
    pub steps: usize,
    /// Whether the tolerance was met; `None` where a fixed number of steps was asked for.
    pub converged: Option<bool>,
}

/// Σ_n Σ_j x log Σ_k θφ + Σ α log θ + Σ β log φ, Eq. (8), up to a constant of the prior.
///
/// A term j outside the support has log φ_kj = log β_kj − log Z_k, of which only Z_k moves.
pub fn log_posterior<R: Real>(
    support: &WordCounts,
    terms: &EpisodeTerms,
    prior: &LocalPrior<R>,
    (theta, phi, phi_norm): (&[R], &[R], &[R]),
) -> f64 {
    let topics = prior.topics;
    let mut sum = log_likelihood(support, &terms.support, topics, theta, phi);
    for (alpha, theta) in prior.alpha.iter().zip(theta) {
        sum += alpha.to_f64() * theta.to_f64().ln();
    }
    let mut elsewhere: Vec<f64> = prior.beta_sum.iter().map(|beta| beta.to_f64()).collect();
    let on_support = terms.of_support * topics;
    for (i, (beta, phi)) in prior.beta[..on_support].iter().zip(phi).enumerate() {
        sum += beta.to_f64() * phi.to_f64().ln();
        elsewhere[i % topics] -= beta.to_f64();
    }
    for (elsewhere, norm) in elsewhere.iter().zip(phi_norm) {
        sum -= elsewhere * norm.to_f64().ln();
    }
    sum
}

/// The modes of the priors, then EM steps until `stop` says so.
pub fn fit<R: Real>(
    support: &WordCounts,
    terms: &EpisodeTerms,
    prior: &LocalPrior<R>,
    stop: EmStop,
) -> Fitted<R> {
    let (tolerance, most_steps) = match stop {
        EmStop::Steps(steps) => (f64::NEG_INFINITY, steps),
        EmStop::Converged { tolerance, most_steps } => (tolerance, most_steps),
    };
    let enough = tolerance * support.total_words().max(1) as f64;
    let mut norms = Vec::new();
    theta_norms(support, prior, &mut norms);
    let mut tape = EmTape::default();
    tape.forward(support, terms, prior, 0);
    let (mut theta, mut phi) = (tape.theta().to_vec(), tape.phi().to_vec());
    let mut phi_norm = tape.phi_norm().to_vec();
    let (mut new_theta, mut new_phi, mut inverse) = (Vec::new(), Vec::new(), Vec::new());
    let posterior = |theta: &[R], phi: &[R], phi_norm: &[R]| match stop {
        EmStop::Steps(_) => 0.0,
        EmStop::Converged { .. } => log_posterior(support, terms, prior, (theta, phi, phi_norm)),
    };
    let mut before = posterior(&theta, &phi, &phi_norm);
    let mut steps = 0;
    let mut converged = false;
    while steps < most_steps && !converged {
        step(
            support,
            terms,
            prior,
            &norms,
            terms.terms.len(),
            (&theta, &phi),
            (&mut new_theta, &mut new_phi, &mut phi_norm),
            &mut inverse,
        );
        std::mem::swap(&mut theta, &mut new_theta);
        std::mem::swap(&mut phi, &mut new_phi);
        steps += 1;
        let after = posterior(&theta, &phi, &phi_norm);
        converged = after - before < enough;
        before = after;
    }
    let converged = matches!(stop, EmStop::Converged { .. }).then_some(converged);
    Fitted { theta, phi, phi_norm, steps, converged }
}
