//! Words that the training corpora do not have: terms of a fit like any others.
//!
//! New words stand after the known ones. A topic keeps a share ν of its words for them; one that is
//! spelled like words of the topic's documents is expected more than others:
//!
//! ```text
//! ν = (new words of the documents + s ν̄) / (their words + s)
//! β_kj = c_k ν (1 + r Σ_i likeness(i, j)⁴) / Σ_j of the same, over the words i of documents of topic k
//! ```
//!
//! and known words have 1 − ν of what they had.

use super::{Handful, HandfulTape};
use crate::corpus::WordCounts;
use crate::nn::{FLOOR, Real};
use crate::prior::{Dirichlet, TermRows};
use crate::text::Relative;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// A relative counts by a power of its likeness: distant ones are many and say little.
const SHARPNESS: i32 = 4;

/// The logit of a new word in the softmax over known ones, where it has no place.
const NO_LOGIT: f64 = -1e4;

/// What is expected of new words, learned by hiding known ones.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewWords {
    /// ν̄: the share of new words that is expected before any is read.
    pub share: f64,
    /// s: as many words as that expectation counts for.
    pub strength: f64,
    /// How large the background's share of new words is, that of topics being 1.
    pub background: f64,
    /// e: the logit of how much a new word counts for EM.
    pub evidence: f64,
    /// r: how much more a new word is expected for a word of the same spelling.
    pub kinship: f64,
}

impl NewWords {
    /// Refuses numbers that nothing can be expected with.
    pub fn check(&self) -> Result<()> {
        let Self { share, strength, background, evidence, kinship } = *self;
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let is_sound = share < 1.0 && background <= 1.0 && evidence.is_finite();
        if is_sound && [share, strength, background].into_iter().all(positive) && kinship >= 0.0 {
            return Ok(());
        }
        let shown = format!("{self:?}");
        Err(Error::setting("new_words", shown, "shares from 0 to 1 and positive numbers"))
    }
}

impl Default for NewWords {
    fn default() -> Self {
        Self { share: 0.1, strength: 30.0, background: 0.5, evidence: 0.0, kinship: 1.0 }
    }
}

/// The new words of a prior that has been told of some.
#[derive(Clone, Debug)]
pub(super) struct NewTerms {
    /// How many terms are known; the others are new.
    known: usize,
    expected: NewWords,
    /// For each new word, terms that are spelled like it.
    relatives: Vec<Vec<Relative>>,
}

impl<R: Real> Handful<R> {
    /// How many of the terms are not new.
    pub(in crate::prior) fn known_terms(&self) -> usize {
        self.new_terms.as_ref().map_or(self.unigram.len(), |new| new.known)
    }

    /// p_j: how probable each word is in the training corpora, where new words have the share that is
    /// expected of them.
    pub(in crate::prior) fn unigram(&self) -> Vec<R> {
        let mut unigram = self.unigram.clone();
        if let Some(NewTerms { known, expected, relatives }) = &self.new_terms
            && !relatives.is_empty()
        {
            let (old, new) = unigram.split_at_mut(*known);
            old.iter_mut().for_each(|share| *share *= R::of(1.0 - expected.share));
            new.fill(R::of(expected.share / relatives.len() as f64));
        }
        unigram
    }

    /// Takes new words, each with the terms that are spelled like it, for terms after all others, in the
    /// place of those that were taken before. Such a prior cannot be trained.
    pub(in crate::prior) fn take_new_words(
        &mut self,
        expected: NewWords,
        relatives: &[Vec<Relative>],
    ) {
        let known = self.known_terms();
        self.resize_terms(known);
        self.resize_terms(known + relatives.len());
        for (p, value) in [(self.words.bias, NO_LOGIT), (self.evidence, expected.evidence)] {
            self.parameters[p].values[known..].fill(R::of(value));
        }
        self.new_terms = Some(NewTerms { known, expected, relatives: relatives.to_vec() });
    }

    /// Makes room for more terms, which count nothing, or forgets the last ones.
    fn resize_terms(&mut self, terms: usize) {
        let words = &mut self.parameters[self.words.weight];
        words.rows = terms;
        words.values.resize(terms * words.columns, R::ZERO);
        for p in [self.words.bias, self.word_weights, self.evidence] {
            let parameter = &mut self.parameters[p];
            parameter.columns = terms;
            parameter.values.resize(terms, R::ZERO);
        }
        self.unigram.resize(terms, R::ZERO);
        let entries = self.themes.index.len();
        self.themes.starts.resize(terms + 1, entries);
    }

    /// Gives new words their part of β, after [`Self::shapes`].
    pub(super) fn shapes_of_new_words(
        &self,
        support: &WordCounts,
        wanted: TermRows<'_>,
        tape: &HandfulTape<R>,
        dirichlet: &mut Dirichlet<R>,
    ) {
        let Some(NewTerms { known, expected, relatives }) = &self.new_terms else { return };
        if relatives.is_empty() {
            return;
        }
        let count = self.topics + 1;
        let new = support.terms().iter().zip(support.counts());
        let new = new.filter(|(term, _)| **term as usize >= *known);
        let new: u64 = new.map(|(_, &count)| u64::from(count)).sum();
        let share = (new as f64 + expected.strength * expected.share)
            / (support.total_words() as f64 + expected.strength);
        let shares: Vec<Vec<f64>> =
            (0..count).map(|k| self.shares_of_new_words(k, support, &tape.group)).collect();
        wanted.for_each(self.unigram.len(), |j| {
            let row = &mut dirichlet.beta[j * count..(j + 1) * count];
            for (k, (beta, &sum)) in row.iter_mut().zip(&dirichlet.beta_sum).enumerate() {
                let share = if k < self.topics { share } else { share * expected.background };
                let of_term = match j.checked_sub(*known) {
                    None => *beta * R::of(1.0 - share),
                    Some(j) => sum * R::of(share * shares[k][j]),
                };
                *beta = of_term.at_least(R::of(FLOOR));
            }
        });
    }

    /// How a topic shares out what it keeps for new words.
    fn shares_of_new_words(&self, k: usize, support: &WordCounts, group: &[usize]) -> Vec<f64> {
        let NewTerms { expected, relatives, .. } = self.new_terms.as_ref().expect("there are some");
        let own = |n: &usize| k >= self.groups(group.len()) || group[*n] == k;
        let mut is_own = vec![false; self.unigram.len()];
        for n in (0..support.documents()).filter(own) {
            support.row(n).for_each(|(term, _)| is_own[term as usize] = true);
        }
        let kinship = |relatives: &Vec<Relative>| {
            let own = relatives.iter().filter(|relative| is_own[relative.term as usize]);
            let likeness = own.map(|own| f64::from(own.likeness).powi(SHARPNESS)).sum::<f64>();
            1.0 + if k < self.topics { expected.kinship * likeness } else { 0.0 }
        };
        let mut shares: Vec<f64> = relatives.iter().map(kinship).collect();
        let sum: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= sum);
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::WordCounts;
    use crate::em::EmStop;
    use crate::nn::Dropout;
    use crate::prior::{AnyPrior, HandfulSettings, Prior};
    use crate::random::{Purpose, stream};
    use crate::text::relatives;
    use crate::topic_model::TopicModel;

    const KNOWN: usize = 30;
    const EXPECTED: NewWords =
        NewWords { share: 0.2, strength: 10.0, background: 0.5, evidence: 0.0, kinship: 3.0 };

    fn prior(topics: usize) -> Handful<f32> {
        let settings =
            HandfulSettings { dimension: 8, hidden: 4, themes: 4, ..HandfulSettings::default() };
        Handful::random(settings, KNOWN, topics, &mut stream(1, Purpose::Weights, 0))
    }

    /// Two documents, ten words each; of the second's, four are new.
    fn documents() -> WordCounts {
        let mut documents = WordCounts::new();
        documents.push_row([(0, 4), (3, 5), (7, 1)]);
        documents.push_row([(3, 2), (20, 4), (30, 3), (31, 1)]);
        documents
    }

    fn beta(prior: &Handful<f32>) -> Dirichlet<f32> {
        let (mut tape, mut dirichlet) = (HandfulTape::default(), Dirichlet::default());
        let mut dropout = Dropout::off();
        prior.forward(&documents(), TermRows::All, &mut dropout, &mut tape, &mut dirichlet);
        dirichlet
    }

    #[test]
    fn topics_keep_a_share_for_new_words_and_stay_distributions() {
        // The third word resembles the second alone, which is in the second document.
        let words = [(30, "varroa"), (31, "nosema"), (32, "nosemas")];
        let mut prior = prior(3);
        prior.take_new_words(EXPECTED, &relatives(&words, &words[..2]));
        let dirichlet = beta(&prior);
        // (4 new words + 10 · 0.2) / (20 words + 10)
        let share = |k: usize| if k < 3 { 0.2 } else { 0.1 };
        let sum = |terms: std::ops::Range<usize>, k: usize| -> f64 {
            terms.map(|j| f64::from(dirichlet.beta_row(j)[k])).sum()
        };
        for k in 0..4 {
            let all = f64::from(dirichlet.beta_sum[k]);
            assert!((sum(0..33, k) / all - 1.0).abs() < 1e-5, "topic {k}");
            assert!((sum(30..33, k) / all - share(k)).abs() < 1e-5, "topic {k}");
        }
        // ^nos nose osem sema ema$ and ^nos nose osem sema emas mas$: four of five and six pieces.
        let likeness = 4.0 / 30f64.sqrt();
        let weight = 1.0 + EXPECTED.kinship * likeness.powi(4);
        let ratio = |k: usize| f64::from(dirichlet.beta_row(32)[k] / dirichlet.beta_row(30)[k]);
        // Topics 0 and 1 start from a document each, topic 2 from both; the background knows none.
        for (k, expected) in [(0, 1.0), (1, weight), (2, weight), (3, 1.0)] {
            assert!((ratio(k) - expected).abs() < 1e-5, "topic {k}: {}", ratio(k));
        }
    }

    #[test]
    fn the_unigram_has_the_share_that_is_expected_of_new_words() {
        let mut prior = prior(2);
        prior.take_new_words(EXPECTED, &vec![Vec::new(); 4]);
        let unigram = prior.unigram();
        let sum = |part: &[f32]| part.iter().map(|&share| f64::from(share)).sum::<f64>();
        assert!((sum(&unigram[..KNOWN]) - 0.8).abs() < 1e-6);
        assert_eq!(unigram[KNOWN..], [0.05; 4]);
    }

    #[test]
    fn other_new_words_take_the_place_of_those_before() {
        let none = vec![Vec::new(); 2];
        let (mut once, mut twice) = (prior(2), prior(2));
        once.take_new_words(EXPECTED, &none);
        twice.take_new_words(NewWords::default(), &vec![Vec::new(); 5]);
        twice.take_new_words(EXPECTED, &none);
        assert_eq!(beta(&once), beta(&twice));
        // Without any, nothing changes.
        let mut documents = WordCounts::new();
        documents.push_row([(0, 4), (3, 5)]);
        let fit = |prior: Handful<f32>| {
            TopicModel::fit(&AnyPrior::Handful(Box::new(prior)), &documents, EmStop::Steps(5))
        };
        twice.take_new_words(EXPECTED, &[]);
        assert_eq!(fit(twice), fit(prior(2)));
    }

    #[test]
    fn numbers_that_make_no_sense_are_refused() {
        let wrong = [
            NewWords { share: 1.0, ..EXPECTED },
            NewWords { strength: -1.0, ..EXPECTED },
            NewWords { background: f64::NAN, ..EXPECTED },
            NewWords { kinship: f64::NAN, ..EXPECTED },
            NewWords { evidence: f64::INFINITY, ..EXPECTED },
        ];
        assert!(EXPECTED.check().is_ok() && NewWords::default().check().is_ok());
        assert!(wrong.iter().all(|wrong| wrong.check().is_err()));
    }
}
