//! Themes: distributions over the terms, found once in the training corpora and then kept, of which
//! topics are mixtures.

use crate::corpus::WordCounts;
use crate::numeric::{FLOOR, Real, kernels};
use crate::storage::TermRows;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Terms that are worked on together.
const BLOCK: usize = 256;

/// Numbers of topics whose sums stay in registers.
const WIDTHS: [usize; 3] = [4, 8, 16];

/// Steps of folding documents in; more change nothing that matters to grouping them.
const FOLDING_STEPS: usize = 10;

/// Ψ_lj = floor_l + above_lj: what a theme's words are. LDA gives every term a little of every theme, and
/// most terms no more of most themes.
#[derive(Clone, Debug, Default)]
pub(super) struct Themes<R> {
    /// L
    pub(super) count: usize,
    /// What every term has of a theme.
    pub(super) floor: Vec<R>,
    /// Where the entries of each term begin, and where those of the last end.
    pub(super) starts: Vec<usize>,
    /// The themes that have more of a term, increasing, and how much more.
    pub(super) index: Vec<u32>,
    pub(super) above: Vec<R>,
    /// How common each theme is: the Dirichlet parameters of a document's themes.
    pub(super) alpha: Vec<R>,
}

/// Buffers of [`Themes`], kept from episode to episode.
#[derive(Clone, Debug, Default)]
pub(super) struct ThemesTape<R> {
    /// scale_k m_kl: themes × topics
    scaled: Vec<R>,
    /// Σ_l floor_l scale_k m_kl
    base: Vec<R>,
    /// The gradient of `scaled`, and of what all terms share.
    gradient: Vec<R>,
    sum: Vec<R>,
}

impl<R: Real> Themes<R> {
    /// Themes that know nothing yet: every term is equally likely in each.
    pub(super) fn uniform(terms: usize, count: usize) -> Self {
        Self {
            count,
            floor: vec![R::of(1.0 / terms as f64); count],
            starts: vec![0; terms + 1],
            index: Vec::new(),
            above: Vec::new(),
            alpha: vec![R::ONE; count],
        }
    }

    /// Themes of which all probabilities are given: terms × themes.
    pub(super) fn from_probabilities(words: &[f64], alpha: &[f64]) -> Self {
        let count = alpha.len();
        let mut floor = vec![f64::INFINITY; count];
        for row in words.chunks_exact(count) {
            floor.iter_mut().zip(row).for_each(|(floor, word)| *floor = floor.min(*word));
        }
        let mut themes = Self::uniform(words.len() / count, count);
        for (term, row) in words.chunks_exact(count).enumerate() {
            for (l, (&word, &floor)) in row.iter().zip(&floor).enumerate() {
                if word > floor {
                    themes.index.push(l as u32);
                    themes.above.push(R::of(word - floor));
                }
            }
            themes.starts[term + 1] = themes.index.len();
        }
        themes.floor = floor.into_iter().map(R::of).collect();
        themes.alpha = alpha.iter().map(|&alpha| R::of(alpha)).collect();
        themes
    }

    /// The same themes without the entries that hold less than `least` of a term's occurrences. What a
    /// theme loses is spread over all its terms, so that it still sums to 1.
    pub(super) fn without_rare(mut self, least: f64) -> Self {
        let terms = self.starts.len() - 1;
        let (mut index, mut above, mut starts) = (Vec::new(), Vec::new(), vec![0]);
        let mut lost = vec![R::ZERO; self.count];
        for term in 0..terms as u32 {
            let occurrences = |(l, above): (usize, R)| above * self.alpha[l];
            let all: R = self.of_term(term).map(occurrences).sum();
            for (l, more) in self.of_term(term) {
                if occurrences((l, more)) < R::of(least) * all {
                    lost[l] += more;
                } else {
                    index.push(l as u32);
                    above.push(more);
                }
            }
            starts.push(index.len());
        }
        let share = R::of(1.0 / terms as f64);
        self.floor.iter_mut().zip(lost).for_each(|(floor, lost)| *floor += share * lost);
        Self { index, above, starts, ..self }
    }

    /// Random distributions, every term's probability within a factor of ten.
    pub(super) fn random(terms: usize, count: usize, stream: &mut ChaCha8Rng) -> Self {
        let mut sums = vec![0.0; count];
        let mut words: Vec<f64> =
            (0..terms * count).map(|_| stream.random_range(0.1..1.0)).collect();
        for row in words.chunks_exact(count) {
            sums.iter_mut().zip(row).for_each(|(sum, word)| *sum += word);
        }
        for row in words.chunks_exact_mut(count) {
            row.iter_mut().zip(&sums).for_each(|(word, sum)| *word /= sum);
        }
        Self::from_probabilities(&words, &vec![1.0; count])
    }

    /// The themes that have more of a term than their floors, and how much more.
    #[inline(always)]
    pub(super) fn of_term(&self, term: u32) -> impl Iterator<Item = (usize, R)> {
        let range = self.starts[term as usize]..self.starts[term as usize + 1];
        let entries = self.index[range.clone()].iter().zip(&self.above[range]);
        entries.map(|(&l, &above)| (l as usize, above))
    }

    /// Σ_l m_l Ψ_lj of any term j, for one mixture.
    pub(super) fn in_mixture<'a>(&'a self, mixture: &'a [R]) -> impl Fn(u32) -> R + 'a {
        let base = kernels::dot(mixture, &self.floor);
        move |term| self.of_term(term).fold(base, |sum, (l, above)| sum + mixture[l] * above)
    }

    /// Adds Σ_j scale_j Ψ_lj.
    pub(super) fn add_terms<'a>(&self, terms: impl Iterator<Item = (u32, &'a R)>, sums: &mut [R])
    where
        R: 'a,
    {
        let mut all = R::ZERO;
        for (term, &scale) in terms {
            all += scale;
            self.of_term(term).for_each(|(l, above)| sums[l] += scale * above);
        }
        kernels::add_scaled(sums, all, &self.floor);
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
        let stride = WIDTHS.into_iter().find(|&width| topics <= width).unwrap_or(topics);
        let ThemesTape { scaled, base, .. } = tape;
        kernels::reset(scaled, self.count * stride);
        kernels::reset(base, stride);
        for (k, (mixture, &scale)) in mixtures.chunks_exact(self.count).zip(scale).enumerate() {
            base[k] = scale * kernels::dot(mixture, &self.floor);
            for (l, &share) in mixture.iter().enumerate() {
                scaled[l * stride + k] = scale * share;
            }
        }
        let length = match wanted {
            TermRows::All => self.starts.len() - 1,
            TermRows::Of(terms) => terms.len(),
        };
        kernels::lengthen(mixed, length * topics);
        mixed.par_chunks_mut(BLOCK * topics).enumerate().for_each(|(block, rows)| {
            let terms = block * BLOCK..block * BLOCK + rows.len() / topics;
            let term = |i: usize| match wanted {
                TermRows::All => i as u32,
                TermRows::Of(terms) => terms[i],
            };
            let terms = terms.map(term);
            kernels::vectorised(
                #[inline(always)]
                || match stride {
                    4 => self.mix_rows::<4>(base, scaled, terms, topics, rows),
                    8 => self.mix_rows::<8>(base, scaled, terms, topics, rows),
                    16 => self.mix_rows::<16>(base, scaled, terms, topics, rows),
                    _ => self.mix_wide_rows(base, scaled, terms, topics, rows),
                },
            );
        });
    }

    /// Mixes the rows of some terms for at most `WIDTH` topics, which stay in registers.
    #[inline(always)]
    fn mix_rows<const WIDTH: usize>(
        &self,
        base: &[R],
        scaled: &[R],
        terms: impl Iterator<Item = u32>,
        topics: usize,
        rows: &mut [R],
    ) {
        let base: &[R; WIDTH] = base.try_into().expect("one number a topic, padded");
        let (shares, _) = scaled.as_chunks::<WIDTH>();
        for (row, term) in rows.chunks_exact_mut(topics).zip(terms) {
            let mut sums = *base;
            for (l, above) in self.of_term(term) {
                for (sum, &share) in sums.iter_mut().zip(&shares[l]) {
                    *sum += above * share;
                }
            }
            for (mixed, sum) in row.iter_mut().zip(sums) {
                *mixed = sum.at_least(R::of(FLOOR));
            }
        }
    }

    /// The same for any number of topics.
    #[inline(always)]
    fn mix_wide_rows(
        &self,
        base: &[R],
        scaled: &[R],
        terms: impl Iterator<Item = u32>,
        topics: usize,
        rows: &mut [R],
    ) {
        for (row, term) in rows.chunks_exact_mut(topics).zip(terms) {
            row.copy_from_slice(base);
            for (l, above) in self.of_term(term) {
                let shares = &scaled[l * topics..(l + 1) * topics];
                for (mixed, &share) in row.iter_mut().zip(shares) {
                    *mixed += above * share;
                }
            }
            row.iter_mut().for_each(|mixed| *mixed = mixed.at_least(R::of(FLOOR)));
        }
    }

    /// ∂/∂m_kl (topics × themes, set), given the derivatives with respect to what [`Self::mix`] gave
    /// for these terms.
    pub(super) fn mix_backward(
        &self,
        terms: &[u32],
        of_mixed: &[R],
        scale: &[R],
        tape: &mut ThemesTape<R>,
        of_mixtures: &mut Vec<R>,
    ) {
        let topics = scale.len();
        let ThemesTape { gradient, sum, .. } = tape;
        kernels::reset(gradient, self.count * topics);
        kernels::reset(sum, topics);
        R::add_rows(sum, of_mixed);
        kernels::vectorised(
            #[inline(always)]
            || {
                for (&term, row) in terms.iter().zip(of_mixed.chunks_exact(topics)) {
                    for (l, above) in self.of_term(term) {
                        let gradient = &mut gradient[l * topics..(l + 1) * topics];
                        for (gradient, &of_mixed) in gradient.iter_mut().zip(row) {
                            *gradient += above * of_mixed;
                        }
                    }
                }
            },
        );
        kernels::reset(of_mixtures, topics * self.count);
        for (k, row) in of_mixtures.chunks_exact_mut(self.count).enumerate() {
            for (l, (of_share, &floor)) in row.iter_mut().zip(&self.floor).enumerate() {
                *of_share = scale[k] * (gradient[l * topics + k] + floor * sum[k]);
            }
        }
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
        let probability = self.in_mixture(shares);
        quotients.extend(
            words.clone().map(|(term, weight)| weight / probability(term).at_least(R::of(FLOOR))),
        );
        self.add_terms(words.map(|(term, _)| term).zip(&quotients[first..]), calls);
    }

    /// √ of each document's shares of the themes (documents × themes), its words that are known
    /// weighted by `weight`.
    pub(super) fn root_shares(
        &self,
        documents: &WordCounts,
        is_known: impl Fn(u32) -> bool,
        weight: impl Fn(u32, u32) -> R,
    ) -> Vec<R> {
        let total: R = self.alpha.iter().copied().sum();
        let mut roots = Vec::with_capacity(documents.documents() * self.count);
        let (mut quotients, mut calls) = (Vec::new(), Vec::new());
        for n in 0..documents.documents() {
            let known = documents.row(n).filter(|&(term, _)| is_known(term));
            let words = known.map(|(term, count)| (term, weight(term, count)));
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
