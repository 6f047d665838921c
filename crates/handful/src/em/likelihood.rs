//! The log-likelihood of words under a topic model, Eq. (1).

use crate::corpus::WordCounts;
use crate::numeric::{Real, kernels};

/// The log-likelihood of query words, and how many there are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Likelihood {
    /// Σ x' log p
    pub log_likelihood: f64,
    /// Σ x'
    pub words: u64,
}

impl Likelihood {
    /// The mean negative log-likelihood per word.
    pub fn loss(&self) -> f64 {
        -self.log_likelihood / self.words as f64
    }

    /// The perplexity: exp of the mean negative log-likelihood per word.
    pub fn perplexity(&self) -> f64 {
        self.loss().exp()
    }
}

impl std::iter::Sum for Likelihood {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |sum, part| Self {
            log_likelihood: sum.log_likelihood + part.log_likelihood,
            words: sum.words + part.words,
        })
    }
}

/// Computes log p of the words of each document, [`log_likelihood`] being their sum.
pub fn document_likelihoods<R: Real>(
    words: &WordCounts,
    local: &[u32],
    topics: usize,
    theta: &[R],
    phi: &[R],
) -> Vec<Likelihood> {
    let mut documents = vec![Likelihood::default(); words.documents()];
    for_each_probability(words, local, topics, (theta, phi), |n, entry, probability| {
        let count = words.counts()[entry];
        documents[n].log_likelihood += f64::from(count) * probability.to_f64().ln();
        documents[n].words += u64::from(count);
    });
    documents
}

/// Computes L(X | Θ, Φ) = Σ_n Σ_j x_nj log Σ_k θ_nk φ_kj, summed in float64.
///
/// `local` gives the local term of each entry of `words`. `theta` is documents × topics, `phi` is
/// local terms × topics.
pub fn log_likelihood<R: Real>(
    words: &WordCounts,
    local: &[u32],
    topics: usize,
    theta: &[R],
    phi: &[R],
) -> f64 {
    let count = |entry: usize| f64::from(words.counts()[entry]);
    weighted_log_likelihood(words, local, count, topics, (theta, phi))
}

/// Computes [`log_likelihood`] with `count(entry)` in place of each entry's count.
pub(super) fn weighted_log_likelihood<R: Real>(
    words: &WordCounts,
    local: &[u32],
    count: impl Fn(usize) -> f64,
    topics: usize,
    (theta, phi): (&[R], &[R]),
) -> f64 {
    let mut sum = 0.0;
    for_each_probability(words, local, topics, (theta, phi), |_, entry, probability| {
        sum += count(entry) * probability.to_f64().ln();
    });
    sum
}

/// Calls `visit` for each entry of `words`, with its document and Σ_k θ_nk φ_kj.
fn for_each_probability<R: Real>(
    words: &WordCounts,
    local: &[u32],
    topics: usize,
    (theta, phi): (&[R], &[R]),
    mut visit: impl FnMut(usize, usize, R),
) {
    for n in 0..words.documents() {
        let theta = &theta[n * topics..(n + 1) * topics];
        for entry in words.row_range(n) {
            let term = local[entry] as usize * topics;
            let phi = &phi[term..term + topics];
            let probability: R = theta.iter().zip(phi).map(|(&theta, &phi)| theta * phi).sum();
            visit(n, entry, probability.at_least(R::SMALLEST));
        }
    }
}

/// The gradient of a query's log-likelihood.
#[derive(Clone, Debug, Default)]
pub struct QueryLikelihood<R> {
    /// −scale · θ ∂L/∂θ: documents × topics
    pub log_theta: Vec<R>,
    /// −scale · φ ∂L/∂φ: local terms × topics
    pub log_phi: Vec<R>,
}

impl<R: Real> QueryLikelihood<R> {
    /// Computes the gradient of −`scale` · L(query | Θ, Φ) with respect to log θ and log φ: the
    /// query's responsibilities.
    pub fn backward(
        &mut self,
        query: &WordCounts,
        local: &[u32],
        topics: usize,
        theta: &[R],
        phi: &[R],
        scale: R,
    ) {
        kernels::reset(&mut self.log_theta, theta.len());
        kernels::reset(&mut self.log_phi, phi.len());
        for n in 0..query.documents() {
            let row = n * topics..(n + 1) * topics;
            let theta = &theta[row.clone()];
            let log_theta = &mut self.log_theta[row];
            for entry in query.row_range(n) {
                let term = local[entry] as usize * topics;
                let phi = &phi[term..term + topics];
                let log_phi = &mut self.log_phi[term..term + topics];
                let probability: R = theta.iter().zip(phi).map(|(&theta, &phi)| theta * phi).sum();
                let one_over = R::ONE / probability.at_least(R::SMALLEST);
                let weight = scale * R::of(f64::from(query.counts()[entry]));
                for k in 0..topics {
                    let share = weight * (theta[k] * phi[k] * one_over);
                    log_theta[k] -= share;
                    log_phi[k] -= share;
                }
            }
        }
    }
}
