//! Themes: distributions over the terms, found once in the training corpora and then kept, of which
//! topics are mixtures.

use crate::corpus::WordCounts;
use crate::nn::kernels::{self, Addend};
use crate::nn::{FLOOR, Real};
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

    /// ∂/∂m_kl (topics × themes, set), given the derivatives with respect to what [`Self::mix`] gave.
    pub(super) fn mix_backward(
        &self,
        of_mixed: &[R],
        scale: &[R],
        tape: &ThemesTape<R>,
        of_mixtures: &mut Vec<R>,
    ) {
        kernels::reset(of_mixtures, scale.len() * self.count);
        R::combine(self.rows_of_wanted(&tape.rows), self.count, of_mixed, of_mixtures);
        for (gradient, &scale) in of_mixtures.chunks_exact_mut(self.count).zip(scale) {
            gradient.iter_mut().for_each(|gradient| *gradient *= scale);
        }
    }

    fn rows_of_wanted<'a>(&'a self, rows: &'a [R]) -> &'a [R] {
        if rows.is_empty() { &self.words } else { rows }
    }

    /// q_l = Σ_j w_j Ψ_lj / Σ_l' m_l' Ψ_l'j of words j with weights w: what a step of EM multiplies a
    /// document's shares m of the themes by. `quotients` gets w_j / Σ_l m_l Ψ_lj of every word.
    pub(super) fn call(
        &self,
        shares: &[R],
        words: impl Iterator<Item = (u32, R)> + Clone,
        quotients: &mut Vec<R>,
        calls: &mut [R],
    ) {
        let first = quotients.len();
        quotients.extend(words.clone().map(|(term, weight)| {
            weight / kernels::dot(shares, self.of_term(term)).at_least(R::of(FLOOR))
        }));
        self.add_terms(words.map(|(term, _)| term).zip(&quotients[first..]), calls);
    }

    /// Adds Σ_j scale_j Ψ_lj.
    pub(super) fn add_terms<'a>(
        &'a self,
        terms: impl Iterator<Item = (u32, &'a R)> + Clone,
        sums: &mut [R],
    ) {
        R::add_up(sums, terms.map(|(term, &scale)| Addend::Row(scale, self.of_term(term))));
    }

    /// √ of each document's shares of the themes (documents × themes), its words weighted by `weight`.
    pub(super) fn root_shares(
        &self,
        documents: &WordCounts,
        weight: impl Fn(u32, u32) -> R,
    ) -> Vec<R> {
        let total: R = self.alpha.iter().copied().sum();
        let mut roots = Vec::with_capacity(documents.documents() * self.count);
        let (mut quotients, mut calls) = (Vec::new(), Vec::new());
        for n in 0..documents.documents() {
            let words = documents.row(n).map(|(term, count)| (term, weight(term, count)));
            let scale = R::ONE / (total + words.clone().map(|(_, weight)| weight).sum());
            let mut shares: Vec<R> = self.alpha.iter().map(|&alpha| alpha / total).collect();
            for _ in 0..FOLDING_STEPS {
                quotients.clear();
                kernels::reset(&mut calls, self.count);
                self.call(&shares, words.clone(), &mut quotients, &mut calls);
                for ((share, &alpha), &call) in shares.iter_mut().zip(&self.alpha).zip(&calls) {
                    *share = scale * (alpha + *share * call);
                }
            }
            roots.extend(shares.into_iter().map(R::sqrt));
        }
        roots
    }
}
