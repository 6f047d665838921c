//! Themes: distributions over the terms, found once in the training corpora and then kept, of which
//! topics are mixtures.

use crate::corpus::WordCounts;
use crate::nn::{FLOOR, Real, kernels};
use crate::prior::TermRows;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Terms that are worked on together.
const BLOCK: usize = 256;

/// Steps of folding documents in; more change nothing that matters to grouping them.
const FOLDING_STEPS: usize = 10;

/// Ψ_lj: what a theme's words are.
#[derive(Clone, Debug, Default)]
pub(super) struct Themes<R> {
    /// L
    pub(super) count: usize,
    /// Ψ: terms × themes, each theme's column a distribution
    pub(super) words: Vec<R>,
    /// How common each theme is: the Dirichlet parameters of a document's themes.
    pub(super) alpha: Vec<R>,
}

/// Buffers of [`Themes`], kept from episode to episode.
#[derive(Clone, Debug, Default)]
pub(super) struct ThemesTape<R> {
    /// scale_k m_kl
    scaled: Vec<R>,
    /// Ψ's rows of the wanted terms; empty where all are wanted.
    rows: Vec<R>,
}

impl<R: Real> Themes<R> {
    /// Themes that know nothing yet: every term is equally likely in each.
    pub(super) fn uniform(terms: usize, count: usize) -> Self {
        let words = vec![R::of(1.0 / terms as f64); terms * count];
        Self { count, words, alpha: vec![R::ONE; count] }
    }

    /// Draws random distributions, every term's probability within a factor of ten.
    pub(super) fn draw(&mut self, stream: &mut ChaCha8Rng) {
        let mut sums = vec![0.0; self.count];
        let mut words: Vec<f64> =
            self.words.iter().map(|_| stream.random_range(0.1..1.0)).collect();
        for row in words.chunks_exact(self.count) {
            sums.iter_mut().zip(row).for_each(|(sum, word)| *sum += word);
        }
        for row in words.chunks_exact_mut(self.count) {
            row.iter_mut().zip(&sums).for_each(|(word, sum)| *word /= sum);
        }
        self.words = words.into_iter().map(R::of).collect();
    }

    /// Ψ_j of one term.
    pub(super) fn of_term(&self, term: u32) -> &[R] {
        &self.words[term as usize * self.count..][..self.count]
    }

    /// scale_k Σ_l m_kl Ψ_lj (wanted terms × topics) of mixtures m (topics × themes).
    pub(super) fn mix(
        &self,
        mixtures: &[R],
        scale: &[R],
        wanted: TermRows<'_>,
        tape: &mut ThemesTape<R>,
        mixed: &mut Vec<R>,
    ) {
        let topics = scale.len();
        let ThemesTape { scaled, rows } = tape;
        scaled.clear();
        for (mixture, &scale) in mixtures.chunks_exact(self.count).zip(scale) {
            scaled.extend(mixture.iter().map(|&share| share * scale));
        }
        rows.clear();
        if let TermRows::Of(terms) = wanted {
            terms.iter().for_each(|&term| rows.extend_from_slice(self.of_term(term)));
        }
        let rows = self.rows_of_wanted(rows);
        mixed.resize(rows.len() / self.count * topics, R::ZERO);
        mixed.par_chunks_mut(BLOCK * topics).zip(rows.par_chunks(BLOCK * self.count)).for_each(
            |(mixed, rows)| {
                R::dots(rows, self.count, scaled, &[], mixed);
                mixed.iter_mut().for_each(|mixed| *mixed = mixed.at_least(R::of(FLOOR)));
            },
        );
    }

    /// m_kl ∂/∂m_kl (topics × themes, set), given the derivatives with respect to what [`Self::mix`] gave.
    pub(super) fn mix_backward(
        &self,
        of_mixed: &[R],
        tape: &ThemesTape<R>,
        log_mixtures: &mut Vec<R>,
    ) {
        kernels::reset(log_mixtures, tape.scaled.len());
        R::combine(self.rows_of_wanted(&tape.rows), self.count, of_mixed, log_mixtures);
        for (gradient, &scaled) in log_mixtures.iter_mut().zip(&tape.scaled) {
            *gradient *= scaled;
        }
    }

    fn rows_of_wanted<'a>(&'a self, rows: &'a [R]) -> &'a [R] {
        if rows.is_empty() { &self.words } else { rows }
    }

    /// √ of each document's shares of the themes (documents × themes), its words weighted by `weight`.
    pub(super) fn root_shares(
        &self,
        documents: &WordCounts,
        weight: impl Fn(u32, u32) -> R,
    ) -> Vec<R> {
        let total: R = self.alpha.iter().copied().sum();
        let mut roots = Vec::with_capacity(documents.documents() * self.count);
        for n in 0..documents.documents() {
            let mut shares: Vec<R> = self.alpha.iter().map(|&alpha| alpha / total).collect();
            for _ in 0..FOLDING_STEPS {
                let mut counts = self.alpha.clone();
                let mut words = total;
                for (term, count) in documents.row(n) {
                    let (weight, row) = (weight(term, count), self.of_term(term));
                    words += weight;
                    let scale = weight / kernels::dot(&shares, row).at_least(R::of(FLOOR));
                    for ((count, &share), &word) in counts.iter_mut().zip(&shares).zip(row) {
                        *count += scale * share * word;
                    }
                }
                shares = counts.into_iter().map(|count| count / words).collect();
            }
            roots.extend(shares.into_iter().map(R::sqrt));
        }
        roots
    }
}
