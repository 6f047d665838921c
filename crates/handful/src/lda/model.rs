//! Fits LDA, and holds the fitted model.

use super::{LdaSettings, Sampler};
use crate::Result;
use crate::corpus::WordCounts;
use crate::em::{self, Likelihood};
use rand_chacha::ChaCha8Rng;

/// Topics learned from many documents, which can describe other documents.
#[derive(Clone, Debug, PartialEq)]
pub struct Lda {
    /// K
    pub topics: usize,
    /// J
    pub terms: usize,
    /// α of the topic proportions, one per topic.
    pub alpha: Vec<f64>,
    /// β of the topics, the same for all terms.
    pub beta: f64,
    /// φ: terms × topics
    pub word_probabilities: Vec<f64>,
}

/// The topics, and the topic proportions of the documents they were learned from.
#[derive(Clone, Debug, PartialEq)]
pub struct LdaFit {
    /// The topics.
    pub model: Lda,
    /// θ: documents × topics
    pub proportions: Vec<f64>,
}

impl LdaFit {
    /// Fits documents over a vocabulary of `terms` terms. θ and φ are means, over the samples, of
    /// their expectations given the topics of all words. α and β are those after the last sweep.
    pub fn new(
        documents: &WordCounts,
        terms: usize,
        settings: &LdaSettings,
        stream: ChaCha8Rng,
    ) -> Result<Self> {
        let mut fitting = LdaFitting::new(documents, terms, settings, stream)?;
        (0..settings.sweeps).for_each(|_| fitting.advance());
        Ok(fitting.finish())
    }
}

/// [`LdaFit::new`], one sweep at a time.
#[derive(Debug)]
pub struct LdaFitting<'a> {
    settings: LdaSettings,
    terms: usize,
    sampler: Sampler<'a>,
    sweeps: usize,
    theta: Mean,
    phi: Mean,
}

impl<'a> LdaFitting<'a> {
    /// Creates a fit before its first sweep.
    pub fn new(
        documents: &'a WordCounts,
        terms: usize,
        settings: &LdaSettings,
        stream: ChaCha8Rng,
    ) -> Result<Self> {
        Ok(Self::of(Sampler::new(documents, terms, settings, stream)?, terms, settings))
    }

    /// Creates a fit before its first sweep that starts from topics found in other documents.
    pub fn from_topics(
        documents: &'a WordCounts,
        found: &Lda,
        settings: &LdaSettings,
        stream: ChaCha8Rng,
    ) -> Result<Self> {
        let sampler = Sampler::from_topics(documents, found, settings, stream)?;
        Ok(Self::of(sampler, found.terms, settings))
    }

    fn of(sampler: Sampler<'a>, terms: usize, settings: &LdaSettings) -> Self {
        let documents = sampler.documents().documents();
        Self {
            settings: settings.clone(),
            terms,
            sampler,
            sweeps: 0,
            theta: Mean::zeros(documents * settings.topics),
            phi: Mean::zeros(terms * settings.topics),
        }
    }

    /// Runs one sweep, and takes a sample if the settings ask for one after this sweep.
    pub fn advance(&mut self) {
        self.sampler.advance();
        self.sweeps += 1;
        if self.settings.takes_sample(self.sweeps) {
            add_theta(&mut self.theta, &self.sampler);
            add_phi(&mut self.phi, &self.sampler);
        }
    }

    /// Returns the fit. Before the last sweep of the settings, it is a mean over fewer samples, or
    /// none.
    pub fn finish(self) -> LdaFit {
        let Self { settings, terms, sampler, theta, phi, .. } = self;
        let model = Lda {
            topics: settings.topics,
            terms,
            alpha: sampler.alpha().to_vec(),
            beta: sampler.beta(),
            word_probabilities: phi.take(),
        };
        LdaFit { model, proportions: theta.take() }
    }
}

impl Lda {
    /// Returns φ_kj of term j, one number per topic.
    pub fn of_term(&self, term: u32) -> &[f64] {
        &self.word_probabilities[term as usize * self.topics..][..self.topics]
    }

    /// Returns φ_k: the probability of every term in topic `k`.
    pub fn topic(&self, k: usize) -> Vec<f64> {
        self.word_probabilities.iter().skip(k).step_by(self.topics).copied().collect()
    }

    /// Computes Σ_k θ_k φ_kj: the probability of a term in a document with topic proportions θ.
    pub fn probability(&self, theta: &[f64], term: u32) -> f64 {
        theta.iter().zip(self.of_term(term)).map(|(theta, phi)| theta * phi).sum()
    }

    /// Computes log p of the words of documents with the given topic proportions
    /// (documents × topics), Eq. (1).
    pub fn log_likelihood(&self, proportions: &[f64], words: &WordCounts) -> f64 {
        em::log_likelihood(words, words.terms(), self.topics, proportions, &self.word_probabilities)
    }

    /// [`Self::log_likelihood`] of each document.
    pub fn document_likelihoods(&self, proportions: &[f64], words: &WordCounts) -> Vec<Likelihood> {
        let (topics, phi) = (self.topics, &self.word_probabilities);
        em::document_likelihoods(words, words.terms(), topics, proportions, phi)
    }
}

/// A mean over samples.
#[derive(Debug)]
struct Mean {
    sums: Vec<f64>,
    samples: usize,
}

impl Mean {
    fn zeros(length: usize) -> Self {
        Self { sums: vec![0.0; length], samples: 0 }
    }

    fn take(self) -> Vec<f64> {
        let scale = 1.0 / self.samples as f64;
        self.sums.into_iter().map(|sum| sum * scale).collect()
    }
}

/// Adds the sample's E\[θ_nk\] = (n_nk + α_k) / (n_n + Σα).
fn add_theta(mean: &mut Mean, sampler: &Sampler<'_>) {
    mean.samples += 1;
    let alpha = sampler.alpha();
    let alpha_sum: f64 = alpha.iter().sum();
    for (n, sums) in mean.sums.chunks_exact_mut(alpha.len()).enumerate() {
        let scale = 1.0 / (sampler.documents().words(n) as f64 + alpha_sum);
        for ((sum, &count), alpha) in sums.iter_mut().zip(sampler.document_counts(n)).zip(alpha) {
            *sum += (f64::from(count) + alpha) * scale;
        }
    }
}

/// Adds the sample's E\[φ_kj\] = (n_kj + β) / (n_k + Jβ).
fn add_phi(mean: &mut Mean, sampler: &Sampler<'_>) {
    mean.samples += 1;
    let topics = sampler.alpha().len();
    let beta_sum = (mean.sums.len() / topics) as f64 * sampler.beta();
    let scales: Vec<f64> =
        sampler.totals().iter().map(|&total| 1.0 / (f64::from(total) + beta_sum)).collect();
    for (j, sums) in mean.sums.chunks_exact_mut(topics).enumerate() {
        for ((sum, &count), scale) in sums.iter_mut().zip(sampler.term_counts(j)).zip(&scales) {
            *sum += (f64::from(count) + sampler.beta()) * scale;
        }
    }
}
