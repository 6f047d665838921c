//! Words that the training corpora do not have: terms of a fit like any others.
//!
//! New words stand after the known ones. Those that the documents have are as good as seen a little
//! oftener, by every topic. Where there are others, held out or of documents to come, a topic keeps a share
//! of its words for them: as many are expected as new words were seen once (Good and Turing), those more
//! that are spelled like words of the topic's documents:
//!
//! ```text
//! β_kj = b of a new word j that the documents have
//! β_kj = c_k ν w_kj / Σ_j w_kj of any other, w_kj = 1 + r Σ_i likeness(i, j)⁴ over the words i of
//!        documents of topic k, ν = a (new words seen once + 1) / (all words + 2); known words have
//!        1 − ν of what they had then
//! ```
//!
//! In the background, which has the words of the training corpora, a new word is as probable as rare ones
//! of those.

use super::{Handful, HandfulTape};
use crate::corpus::WordCounts;
use crate::em::Dirichlet;
use crate::numeric::{FLOOR, Real};
use crate::storage::TermRows;
use crate::text::Relative;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// A relative counts by a power of its likeness: distant ones are many and say little.
const SHARPNESS: i32 = 4;

/// The share of known words that are rarer than a new one is taken to be.
const RARER: f64 = 0.1;

/// However many words were seen once, others have no larger share.
const MOST_SHARE: f64 = 0.9;

/// The logit of a new word in the softmax over known ones, where it has no place.
const NO_LOGIT: f64 = -1e4;

/// What is expected of new words, learned by hiding known ones.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewWords {
    /// a: how many more words will be new, by those that were seen once.
    pub novelty: f64,
    /// b: what every topic has seen of a new word of the documents before it reads any.
    pub occurrences: f64,
    /// e: the logit of how much a new word counts for EM.
    pub evidence: f64,
    /// r: how much more a new word is expected for a word of the same spelling.
    pub kinship: f64,
}

impl NewWords {
    /// Refuses numbers that nothing can be expected with.
    pub fn check(&self) -> Result<()> {
        let Self { novelty, occurrences, evidence, kinship } = *self;
        let fits = |x: f64| (0.0..=MOST).contains(&x);
        if [novelty, occurrences, kinship].into_iter().all(fits) && evidence.is_finite() {
            return Ok(());
        }
        let expected = format!("numbers from 0 to {MOST}");
        Err(Error::setting("new_words", format!("{self:?}"), expected))
    }
}

/// w of a new word: the mean of all words' before training. Without vectors, new words tell documents apart
/// only by being shared.
const IMPORTANCE: f64 = 1.0;

/// More than anything that is learned.
const MOST: f64 = 1e6;

impl Default for NewWords {
    fn default() -> Self {
        Self { novelty: 0.5, occurrences: 0.1, evidence: 0.0, kinship: 1.0 }
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

    /// p_j: how probable each word is in the training corpora, new words as rare ones of those.
    pub(in crate::prior) fn unigram(&self) -> &[R] {
        &self.unigram
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
        let rare = self.rare_frequency();
        self.resize_terms(known + relatives.len());
        for (p, value) in [
            (self.words.bias, NO_LOGIT),
            (self.word_weights, IMPORTANCE),
            (self.evidence, expected.evidence),
        ] {
            self.parameters[p].values[known..].fill(R::of(value));
        }
        self.unigram[known..].fill(rare);
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

    /// How frequent a rare known word is.
    fn rare_frequency(&self) -> R {
        let mut frequencies = self.unigram.clone();
        let place = (RARER * frequencies.len() as f64) as usize;
        let order = |a: &R, b: &R| a.to_f64().total_cmp(&b.to_f64());
        *frequencies.select_nth_unstable_by(place, order).1
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
        let mut counts = vec![0u32; relatives.len()];
        for (&term, &count) in support.terms().iter().zip(support.counts()) {
            if let Some(new) = (term as usize).checked_sub(*known) {
                counts[new] += count;
            }
        }
        let has_others = counts.contains(&0);
        let once = counts.iter().filter(|&&count| count == 1).count();
        let share = expected.novelty * (once as f64 + 1.0) / (support.total_words() as f64 + 2.0);
        let share = if has_others { share.min(MOST_SHARE) } else { 0.0 };
        let topics_with_others = if has_others { self.topics } else { 0 };
        let shares: Vec<Vec<f64>> = (0..topics_with_others)
            .map(|k| self.shares_of_others(k, &counts, support, &tape.group))
            .collect();
        let (count, seen) = (self.topics + 1, R::of(expected.occurrences).at_least(R::of(FLOOR)));
        wanted.for_each(self.unigram.len(), |j| {
            let of_topics = &mut dirichlet.beta[j * count..][..self.topics];
            match j.checked_sub(*known) {
                None => of_topics.iter_mut().for_each(|beta| *beta *= R::of(1.0 - share)),
                Some(new) if counts[new] > 0 => of_topics.fill(seen),
                Some(new) => {
                    for (k, beta) in of_topics.iter_mut().enumerate() {
                        let of_word = R::of(share * shares[k][new]);
                        *beta = (dirichlet.beta_sum[k] * of_word).at_least(R::of(FLOOR));
                    }
                }
            }
        });
        let seen_by_all = seen * R::of(counts.iter().filter(|&&count| count > 0).count() as f64);
        dirichlet.beta_sum[..self.topics].iter_mut().for_each(|sum| *sum += seen_by_all);
        let of_new: R = self.unigram[*known..].iter().copied().sum();
        dirichlet.beta_sum[self.topics] *= R::ONE + of_new;
    }

    /// How topic `k` shares out what it keeps for words that no document has.
    fn shares_of_others(
        &self,
        k: usize,
        counts: &[u32],
        support: &WordCounts,
        group: &[usize],
    ) -> Vec<f64> {
        let NewTerms { expected, relatives, .. } = self.new_terms.as_ref().expect("there are some");
        let own = |n: &usize| k >= self.groups(group.len()) || group[*n] == k;
        let mut is_own = vec![false; self.unigram.len()];
        for n in (0..support.documents()).filter(own) {
            support.row(n).for_each(|(term, _)| is_own[term as usize] = true);
        }
        let weight = |(relatives, &count): (&Vec<Relative>, &u32)| {
            let own = relatives.iter().filter(|relative| is_own[relative.term as usize]);
            let likeness = own.map(|own| f64::from(own.likeness).powi(SHARPNESS)).sum::<f64>();
            if count == 0 { 1.0 + expected.kinship * likeness } else { 0.0 }
        };
        let mut shares: Vec<f64> = relatives.iter().zip(counts).map(weight).collect();
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
        NewWords { novelty: 0.5, occurrences: 0.2, evidence: 0.0, kinship: 3.0 };

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

    fn beta(prior: &Handful<f32>, documents: &WordCounts) -> Dirichlet<f32> {
        let (mut tape, mut dirichlet) = (HandfulTape::default(), Dirichlet::default());
        let mut dropout = Dropout::off();
        prior.forward(documents, TermRows::All, &mut dropout, &mut tape, &mut dirichlet);
        dirichlet
    }

    fn sum(dirichlet: &Dirichlet<f32>, terms: std::ops::Range<usize>, k: usize) -> f64 {
        terms.map(|j| f64::from(dirichlet.beta_row(j)[k])).sum()
    }

    #[test]
    fn new_words_of_the_documents_are_as_good_as_seen() {
        let mut known = WordCounts::new();
        known.push_row([(0, 4), (3, 5), (7, 1)]);
        known.push_row([(3, 2), (20, 4)]);
        let before = beta(&prior(3), &known);
        let mut prior = prior(3);
        prior.take_new_words(EXPECTED, &vec![Vec::new(); 2]);
        let after = beta(&prior, &documents());
        for k in 0..4 {
            let all = sum(&after, 0..32, k) / f64::from(after.beta_sum[k]);
            assert!((all - 1.0).abs() < 1e-5, "topic {k}");
            assert!((0..30).all(|j| after.beta_row(j)[k] == before.beta_row(j)[k]), "topic {k}");
            if k < 3 {
                assert_eq!([after.beta_row(30)[k], after.beta_row(31)[k]], [0.2; 2]);
            }
        }
        // All known words are equally frequent, and so are new ones in the background.
        assert_eq!(after.beta_row(30)[3], after.beta_row(0)[3]);
        assert_eq!(prior.unigram()[30], prior.unigram()[0]);
    }

    #[test]
    fn topics_keep_a_share_for_words_that_are_still_to_come() {
        // Of the words that no document has, one resembles a word of the second.
        let words = [(30, "varroa"), (31, "nosema"), (32, "nosemas"), (33, "drone")];
        let mut prior = prior(3);
        prior.take_new_words(EXPECTED, &relatives(&words.map(|(_, word)| word), &words[..2]));
        let dirichlet = beta(&prior, &documents());
        // One of the new words was seen once: half of (1 + 1) / (20 words + 2).
        let share = 0.5 * 2.0 / 22.0;
        for k in 0..3 {
            let own = f64::from(dirichlet.beta_sum[k]) - 0.4;
            assert!((sum(&dirichlet, 32..34, k) / own - share).abs() < 1e-5, "topic {k}");
            assert!((sum(&dirichlet, 0..30, k) / own - (1.0 - share)).abs() < 1e-5, "topic {k}");
        }
        // ^nos nose osem sema ema$ and ^nos nose osem sema emas mas$: four of five and six pieces.
        let likeness = 4.0 / 30f64.sqrt();
        let related = 1.0 + EXPECTED.kinship * likeness.powi(4);
        // Topics 0 and 1 start from a document each, topic 2 from both.
        for (k, expected) in [(0, 1.0), (1, related), (2, related)] {
            let ratio = f64::from(dirichlet.beta_row(32)[k] / dirichlet.beta_row(33)[k]);
            assert!((ratio - expected).abs() < 1e-5, "topic {k}: {ratio}");
        }
    }

    #[test]
    fn other_new_words_take_the_place_of_those_before() {
        let none = vec![Vec::new(); 2];
        let (mut once, mut twice) = (prior(2), prior(2));
        once.take_new_words(EXPECTED, &none);
        twice.take_new_words(NewWords::default(), &vec![Vec::new(); 5]);
        twice.take_new_words(EXPECTED, &none);
        assert_eq!(beta(&once, &documents()), beta(&twice, &documents()));
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
            NewWords { novelty: -1.0, ..EXPECTED },
            NewWords { occurrences: f64::NAN, ..EXPECTED },
            NewWords { kinship: f64::INFINITY, ..EXPECTED },
            NewWords { evidence: f64::INFINITY, ..EXPECTED },
        ];
        assert!(EXPECTED.check().is_ok() && NewWords::default().check().is_ok());
        assert!(wrong.iter().all(|wrong| wrong.check().is_err()));
    }
}
