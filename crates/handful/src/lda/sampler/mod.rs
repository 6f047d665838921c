//! Collapsed Gibbs sampling: draws each word's topic in turn, given the topics of all other words.

mod few;
mod lanes;
mod many;
mod rows;

#[cfg(test)]
mod tests;

use super::hyperparameters::{
    DocumentCounts, Histogram, TermCounts, optimise_alpha, optimise_beta,
};
use super::{Lda, LdaSettings};
use crate::corpus::WordCounts;
use crate::numeric::arch;
use crate::{Error, Result};
use pulp::{Simd, WithSimd};
use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;
use rows::Rows;

/// The most words that can be counted: float32 represents every whole number up to here.
const MOST_WORDS: u64 = 1 << 24;

/// The topics of all words of some documents, and the resulting counts.
///
/// A word of term j in document n gets topic k with probability proportional to
/// (n_nk + α_k) (n_kj + β) / (n_k + Jβ), where the counts leave out the word itself (Griffiths and
/// Steyvers, "Finding scientific topics", 2004). All K weights are computed for every draw, so the
/// distribution is exact up to float32 rounding.
#[derive(Debug)]
pub struct Sampler<'a> {
    settings: LdaSettings,
    terms: usize,
    alpha: Vec<f64>,
    beta: f64,
    sweeps: usize,
    state: State<'a>,
}

/// The state that a sweep reads and changes.
#[derive(Debug)]
struct State<'a> {
    documents: &'a WordCounts,
    topics: usize,
    /// The topic of each word, in the order of the documents' entries.
    assignments: Vec<u16>,
    /// n_nk: documents × topics
    document_counts: Rows,
    /// n_kj: terms × topics
    term_counts: Rows,
    /// n_k
    totals: Rows,
    alpha: Rows,
    beta: f32,
    /// Jβ
    beta_sum: f32,
    uniforms: Uniforms,
    /// (n_nk + α_k) / (n_k + Jβ) for the current document.
    weights: Rows,
    /// Running sums of the current word's weights.
    sums: Rows,
}

impl<'a> Sampler<'a> {
    /// Creates a sampler and assigns a random topic to every word.
    pub fn new(
        documents: &'a WordCounts,
        terms: usize,
        settings: &LdaSettings,
        stream: ChaCha8Rng,
    ) -> Result<Self> {
        let mut sampler = Self::without_topics(documents, terms, settings, stream)?;
        let topics = settings.topics as u32;
        sampler.state.assign(|state, _, _| state.uniforms.stream.random_range(0..topics) as usize);
        sampler.take_over_hyperparameters();
        Ok(sampler)
    }

    /// Creates a sampler and draws the topic of every word by topics that were found elsewhere, given
    /// those of the words before it in its document.
    pub fn from_topics(
        documents: &'a WordCounts,
        found: &Lda,
        settings: &LdaSettings,
        stream: ChaCha8Rng,
    ) -> Result<Self> {
        let mut sampler = Self::without_topics(documents, found.terms, settings, stream)?;
        sampler.alpha.clone_from(&found.alpha);
        sampler.beta = found.beta;
        let mut sums = vec![0.0; settings.topics];
        sampler.state.assign(|state, n, term| {
            let own = state.document_counts.row(n).iter().zip(&found.alpha);
            let weights = own.zip(found.of_term(term));
            let mut sum = 0.0;
            for (total, ((&count, alpha), phi)) in sums.iter_mut().zip(weights) {
                sum += (f64::from(count) + alpha) * phi;
                *total = sum;
            }
            let drawn = state.uniforms.stream.random_range(0.0..sum);
            sums.partition_point(|&total| total <= drawn).min(sums.len() - 1)
        });
        sampler.take_over_hyperparameters();
        Ok(sampler)
    }

    /// A sampler whose words have no topics yet.
    fn without_topics(
        documents: &'a WordCounts,
        terms: usize,
        settings: &LdaSettings,
        stream: ChaCha8Rng,
    ) -> Result<Self> {
        settings.check()?;
        let words = documents.total_words();
        if words > MOST_WORDS {
            return Err(Error::input(
                "the documents of an LDA",
                format!("have {words} words, but it can count up to {MOST_WORDS} only"),
                "give fewer documents",
            ));
        }
        let topics = settings.topics;
        Ok(Self {
            settings: settings.clone(),
            terms,
            alpha: vec![settings.alpha; topics],
            beta: settings.beta,
            sweeps: 0,
            state: State {
                documents,
                topics,
                assignments: Vec::with_capacity(words as usize),
                document_counts: Rows::zeros(documents.documents(), topics),
                term_counts: Rows::zeros(terms, topics),
                totals: Rows::zeros(1, topics),
                alpha: Rows::zeros(1, topics),
                beta: 0.0,
                beta_sum: 0.0,
                uniforms: Uniforms { stream, drawn: Vec::new() },
                weights: Rows::zeros(1, topics),
                sums: Rows::zeros(1, topics),
            },
        })
    }

    /// Runs one sweep, and optimises α and β if the settings ask for it after this sweep.
    pub fn advance(&mut self) {
        self.sweep();
        self.sweeps += 1;
        if self.settings.optimises(self.sweeps) {
            self.optimise();
        }
    }

    /// Draws every word's topic once.
    pub fn sweep(&mut self) {
        arch().dispatch(Sweep(&mut self.state));
    }

    /// Fits α and β to the current topics.
    pub fn optimise(&mut self) {
        let topics = self.state.topics;
        let mut counts = DocumentCounts {
            topics: vec![Histogram::default(); topics],
            lengths: Histogram::default(),
        };
        for n in 0..self.documents().documents() {
            counts.lengths.add(self.documents().words(n) as usize);
            for (topic, &count) in counts.topics.iter_mut().zip(self.document_counts(n)) {
                topic.add(count as usize);
            }
        }
        optimise_alpha(&mut self.alpha, &counts);

        let mut counts = TermCounts { vocabulary: self.terms, ..TermCounts::default() };
        self.totals().iter().for_each(|&count| counts.topics.add(count as usize));
        for term in 0..self.terms {
            self.term_counts(term).iter().for_each(|&count| counts.terms.add(count as usize));
        }
        optimise_beta(&mut self.beta, &counts);
        self.take_over_hyperparameters();
    }

    fn take_over_hyperparameters(&mut self) {
        for (own, &alpha) in self.state.alpha.row_mut(0).iter_mut().zip(&self.alpha) {
            *own = alpha as f32;
        }
        self.state.beta = self.beta as f32;
        self.state.beta_sum = (self.terms as f64 * self.beta) as f32;
    }

    /// The documents.
    pub fn documents(&self) -> &'a WordCounts {
        self.state.documents
    }

    /// α
    pub fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// β
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// Returns n_nk: how many words of document `n` each topic has.
    pub fn document_counts(&self, n: usize) -> &[f32] {
        self.state.document_counts.row(n)
    }

    /// Returns n_kj: how many words of term `j` each topic has.
    pub fn term_counts(&self, j: usize) -> &[f32] {
        self.state.term_counts.row(j)
    }

    /// Returns n_k: how many words each topic has.
    pub fn totals(&self) -> &[f32] {
        self.state.totals.row(0)
    }
}

impl State<'_> {
    /// Assigns the topic that `draw` gives to each word, of document n and term j, one after the other.
    fn assign(&mut self, mut draw: impl FnMut(&mut Self, usize, u32) -> usize) {
        for n in 0..self.documents.documents() {
            for (term, count) in self.documents.row(n) {
                for _ in 0..count {
                    let topic = draw(self, n, term);
                    self.assignments.push(topic as u16);
                    self.document_counts.row_mut(n)[topic] += 1.0;
                    self.term_counts.row_mut(term as usize)[topic] += 1.0;
                    self.totals.row_mut(0)[topic] += 1.0;
                }
            }
        }
    }
}

/// Random numbers in [0, 1), drawn for a whole document at once. A generator inside the sampler's
/// loop would take up its registers.
#[derive(Clone, Debug)]
struct Uniforms {
    stream: ChaCha8Rng,
    drawn: Vec<f32>,
}

impl Uniforms {
    fn draw(&mut self, count: usize) -> &[f32] {
        self.drawn.clear();
        let uniform = |_| (self.stream.next_u32() >> 8) as f32 * (1.0 / (1 << 24) as f32);
        self.drawn.extend((0..count).map(uniform));
        &self.drawn
    }
}

struct Sweep<'s, 'a>(&'s mut State<'a>);

impl WithSimd for Sweep<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.0.totals.registers::<S>() {
            1 => few::sweep::<S, 1>(simd, self.0),
            2 => few::sweep::<S, 2>(simd, self.0),
            4 if S::F32_LANES == 4 => few::sweep::<S, 4>(simd, self.0),
            _ => many::sweep(simd, self.0),
        }
    }
}
