//! EM without a tape: for a fixed number of steps, or until the posterior stops rising.

use super::inference::{LocalDocuments, StepRecord};
use super::layers::State;
use super::likelihood::weighted_log_likelihood;
use super::{Dirichlet, EpisodeTerms, Inference, LocalPrior, evidence_bound};
use crate::corpus::WordCounts;
use crate::error::{MOST, expect_within};
use crate::numeric::Real;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// When EM stops during a fit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EmStop {
    /// Stop after this many steps. With 0, the result is the modes of the priors.
    Steps(usize),
    /// Stop when a step raises the log posterior, or the evidence lower bound, by less than
    /// `tolerance` nats per word, or after `most_steps` steps.
    Converged {
        /// The tolerance, in nats per word of the support.
        tolerance: f64,
        /// The maximum number of steps.
        most_steps: usize,
    },
}

impl EmStop {
    /// Stops at convergence, with the usual tolerance and maximum.
    pub fn converged() -> Self {
        Self::Converged { tolerance: 1e-7, most_steps: 2000 }
    }

    /// Refuses more steps than anybody would wait for, and a tolerance that means nothing.
    pub fn check(&self) -> Result<()> {
        match *self {
            Self::Steps(steps) => expect_within("em_steps", steps, 0, MOST),
            Self::Converged { tolerance, most_steps } => {
                if !(0.0..=1.0).contains(&tolerance) {
                    return Err(Error::setting("tolerance", tolerance, "from 0 to 1"));
                }
                expect_within("most_steps", most_steps, 0, MOST)
            }
        }
    }
}

/// The result of EM: the mode of the posterior, or the last step on the way there. Of variational Bayes
/// the means of its posterior.
#[derive(Clone, Debug)]
pub struct PosteriorMode<R> {
    /// θ: documents × topics
    pub theta: Vec<R>,
    /// φ on the local terms: local terms × topics
    pub phi: Vec<R>,
    /// Z: φ_kj = β_kj / Z_k for every other term
    pub phi_norm: Vec<R>,
    /// What θ_n was divided by: Σ_k a_nk
    pub theta_norm: Vec<R>,
    /// The number of steps taken.
    pub steps: usize,
    /// Whether the tolerance was met. `None` for a fixed number of steps.
    pub converged: Option<bool>,
}

/// Computes Σ_n Σ_j x log Σ_k θφ + Σ α log θ + Σ β log φ, Eq. (8), up to a constant of the prior.
///
/// A term j outside the support has log φ_kj = log β_kj − log Z_k, in which only Z_k changes.
pub fn log_posterior<R: Real>(
    support: &WordCounts,
    terms: &EpisodeTerms,
    prior: &LocalPrior<R>,
    (theta, phi, phi_norm): (&[R], &[R], &[R]),
) -> f64 {
    let topics = prior.topics;
    let count = |entry: usize| prior.counts[entry].to_f64();
    let mut sum = weighted_log_likelihood(support, &terms.support, count, topics, (theta, phi));
    let by_topics = |padded: &'_ [R]| {
        let rows = padded.chunks_exact(prior.stride).map(|row| &row[..topics]);
        rows.flatten().map(|value| value.to_f64()).collect::<Vec<f64>>()
    };
    for (alpha, theta) in by_topics(&prior.alpha).iter().zip(theta) {
        sum += alpha * theta.to_f64().ln();
    }
    let mut elsewhere = by_topics(&prior.beta_sum);
    let on_support = by_topics(&prior.beta[..terms.of_support * prior.stride]);
    for (i, (beta, phi)) in on_support.iter().zip(phi).enumerate() {
        sum += beta * phi.to_f64().ln();
        elsewhere[i % topics] -= beta;
    }
    for (elsewhere, norm) in elsewhere.iter().zip(phi_norm) {
        sum -= elsewhere * norm.to_f64().ln();
    }
    sum
}

/// Fits documents with a given prior: [`fit`] on their terms.
pub fn fit_documents<R: Real>(
    dirichlet: &Dirichlet<R>,
    documents: &WordCounts,
    terms: &EpisodeTerms,
    stop: EmStop,
) -> PosteriorMode<f64> {
    fit_documents_observed(dirichlet, documents, terms, stop, &mut |_, _| Ok(()))
        .expect("nobody ends the work")
}

/// [`fit_documents`]; `tell` hears before each step how many of how many are done at most, and its error
/// ends the work.
pub fn fit_documents_observed<R: Real>(
    dirichlet: &Dirichlet<R>,
    documents: &WordCounts,
    terms: &EpisodeTerms,
    stop: EmStop,
    tell: &mut dyn FnMut(usize, usize) -> Result<()>,
) -> Result<PosteriorMode<f64>> {
    let mut prior = LocalPrior::default();
    prior.fill(dirichlet, documents, terms);
    let all = terms.terms.len();
    let local = LocalDocuments { support: documents, terms, prior: &prior };
    climb(local, stop, tell, |state, new, record| state.step(local, all, new, record))
}

/// Starts at the modes of the priors and takes EM steps until `stop`.
pub fn fit<R: Real>(
    support: &WordCounts,
    terms: &EpisodeTerms,
    prior: &LocalPrior<R>,
    stop: EmStop,
) -> PosteriorMode<R> {
    let all = terms.terms.len();
    let documents = LocalDocuments { support, terms, prior };
    climb(documents, stop, &mut |_, _| Ok(()), |state, new, record| {
        state.step(documents, all, new, record);
    })
    .expect("nobody ends the work")
}

/// Works like [`fit`], but keeps the topics fixed at the mode of `prior`.
pub fn fit_proportions<R: Real>(
    support: &WordCounts,
    terms: &EpisodeTerms,
    prior: &LocalPrior<R>,
    stop: EmStop,
) -> PosteriorMode<R> {
    let documents = LocalDocuments { support, terms, prior };
    climb(documents, stop, &mut |_, _| Ok(()), |state, new, record| {
        state.step_proportions(documents, new, record);
    })
    .expect("nobody ends the work")
}

/// Takes steps until `stop`, or until `tell` ends the work. Each step must raise the posterior, or the
/// evidence lower bound.
fn climb<R: Real>(
    documents: LocalDocuments<'_, R>,
    stop: EmStop,
    tell: &mut dyn FnMut(usize, usize) -> Result<()>,
    step: impl Fn(&State<R>, &mut State<R>, &mut StepRecord<R>),
) -> Result<PosteriorMode<R>> {
    let LocalDocuments { support, terms, prior } = documents;
    let (tolerance, most_steps) = match stop {
        EmStop::Steps(steps) => (f64::NEG_INFINITY, steps),
        EmStop::Converged { tolerance, most_steps } => (tolerance, most_steps),
    };
    let enough = tolerance * support.total_words().max(1) as f64;
    let (mut state, mut new) = (State::default(), State::default());
    let mut record = StepRecord::default();
    state.initialise(prior, terms.terms.len());
    let (mut theta, mut phi) = (Vec::new(), Vec::new());
    let mut height = |state: &State<R>| match stop {
        EmStop::Steps(_) => 0.0,
        EmStop::Converged { .. } => {
            state.theta(prior, &mut theta);
            state.phi(prior, &mut phi);
            let phi_norm = state.phi_norm(prior);
            match prior.inference {
                Inference::Em => log_posterior(support, terms, prior, (&theta, &phi, phi_norm)),
                Inference::Vb => {
                    let norms = (&state.theta_norm[..], phi_norm);
                    evidence_bound(support, terms, prior, (&theta, &phi), norms)
                }
            }
        }
    };
    let mut before = height(&state);
    let mut steps = 0;
    let mut converged = false;
    while steps < most_steps && !converged {
        tell(steps, most_steps)?;
        step(&state, &mut new, &mut record);
        std::mem::swap(&mut state, &mut new);
        steps += 1;
        let after = height(&state);
        converged = after - before < enough;
        before = after;
    }
    state.theta(prior, &mut theta);
    state.phi(prior, &mut phi);
    let phi_norm = state.phi_norm(prior).to_vec();
    let converged = matches!(stop, EmStop::Converged { .. }).then_some(converged);
    let theta_norm = state.theta_norm;
    Ok(PosteriorMode { theta, phi, phi_norm, theta_norm, steps, converged })
}
