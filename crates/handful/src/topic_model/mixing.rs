//! Documents that mix topics: each is fitted in parts, and put together again.

use super::{Background, TopicModel, topic_weights};
use crate::corpus::{Passages, TextWord, WordCounts};
use crate::em::Dirichlet;
use crate::prior::{FitPrior, NewDocumentPrior, PassageTopics, Prior};
use crate::storage::TermRows;
use std::collections::BTreeMap;
use std::ops::Range;

/// About as many passages are cut at most where passages are grouped, which takes the square of their
/// number: there are no more documents than topics then.
const MOST_GROUPED: usize = 1000;

/// Words of a passage of a document that comes after a fit. Topics are known then, so that fewer words
/// tell what a passage is about.
const FURTHER_WORDS: f64 = 10.0;

/// The passages of the documents of a fit, and what they are about.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixing {
    passages: Passages,
    topics: PassageTopics,
}

impl Mixing {
    /// Asks the prior what the passages of some documents are about; `None` if no document is a text, or if
    /// it is not for passages to say ([`Prior::passage_topics`]), so that documents are fitted whole.
    ///
    /// `words` are the words of each text; `None` for a document that was given as counts.
    pub fn of(
        asked: FitPrior<'_>,
        documents: &WordCounts,
        words: &[Option<Vec<TextWord>>],
    ) -> Option<Self> {
        if words.iter().all(Option::is_none) {
            return None;
        }
        let spoken = (0..documents.documents()).filter(|&n| !documents.row_range(n).is_empty());
        let most = (spoken.count() <= asked.topics).then_some(MOST_GROUPED);
        let passages = Passages::cut(documents, words, most);
        let request = asked.request(TermRows::Of(&[]));
        let topics = asked.prior.passage_topics(&passages, documents, request)?;
        Some(Self { passages, topics })
    }

    /// Asks what the passages of documents that come after a fit are about; `None` if no document is a text,
    /// or if it is not for passages to say. `model` has the documents' proportions as [`TopicModel::infer`]
    /// gave them, which word counts and documents without words keep.
    ///
    /// `prior` must have been read for the terms of `documents`.
    pub fn of_further(
        prior: &NewDocumentPrior,
        model: &TopicModel,
        documents: &WordCounts,
        words: &[Option<Vec<TextWord>>],
    ) -> Option<Self> {
        if model.topics == 1 || words.iter().all(Option::is_none) {
            return None;
        }
        let passages = Passages::cut_by(FURTHER_WORDS, documents, words);
        let phi: Dirichlet<f32> = prior.in_own_order(model.topics_as_modes(&prior.terms));
        let mut shares = Vec::with_capacity(passages.len() * model.topics);
        for (n, words) in words.iter().enumerate() {
            let of_document = passages.of_document(n);
            if words.is_none() || documents.row_range(n).is_empty() {
                shares.extend(model.proportions_of(n).iter().map(|&share| f64::from(share)));
                continue;
            }
            let mut rows = WordCounts::new();
            of_document.for_each(|p| rows.push_row(prior.places(passages.counts.row(p))));
            shares.extend(prior.passage_topics(&rows, &phi)?);
        }
        Some(Self { passages, topics: PassageTopics { topics: model.topics, shares } })
    }

    /// The documents in parts: the passages of a document that are mostly about one topic are a part,
    /// and start this topic. A document that is all about one topic is one part.
    pub fn parts(&self, documents: &WordCounts) -> Parts {
        let main = self.main_topics();
        let largest = self.largest_topic(&main);
        let mut parts = Parts::default();
        for n in 0..documents.documents() {
            let passages = self.passages.of_document(n);
            let first = main[passages.start];
            if main[passages.clone()].iter().all(|k| *k == first) {
                // A document without words says nothing of any topic.
                parts.push(documents.row(n), first.unwrap_or(largest));
            } else {
                let mut rows: BTreeMap<usize, BTreeMap<u32, u32>> = BTreeMap::new();
                for p in passages {
                    let row = rows.entry(main[p].expect("it has words")).or_default();
                    for (term, count) in self.passages.counts.row(p) {
                        *row.entry(term).or_default() += count;
                    }
                }
                rows.into_iter().for_each(|(k, row)| parts.push(row, k));
            }
            parts.ends.push(parts.groups.len());
        }
        parts
    }

    /// The topic that each passage has most of; `None` for one without words. If no passage has most of
    /// a topic, the one that has more of it than others goes there, so that every topic has a passage.
    fn main_topics(&self) -> Vec<Option<usize>> {
        let Self { passages, topics } = self;
        let has_words = |p: usize| !passages.counts.row_range(p).is_empty();
        let mut main: Vec<Option<usize>> = (0..passages.len())
            .map(|p| has_words(p).then(|| first_largest(topics.of(p).iter().copied())))
            .collect();
        let mut sizes = vec![0; topics.topics];
        main.iter().flatten().for_each(|&k| sizes[k] += 1);
        for k in 0..topics.topics {
            if sizes[k] > 0 {
                continue;
            }
            let is_free = |p: &usize| main[*p].is_some_and(|other| sizes[other] > 1);
            let free: Vec<usize> = (0..passages.len()).filter(is_free).collect();
            let best = free[first_largest(free.iter().map(|&p| topics.of(p)[k]))];
            let before = main[best].replace(k).expect("it has words");
            sizes[before] -= 1;
            sizes[k] = 1;
        }
        main
    }

    /// The topic with most words.
    fn largest_topic(&self, main: &[Option<usize>]) -> usize {
        let mut words = vec![0; self.topics.topics];
        for (p, k) in main.iter().enumerate() {
            k.iter().for_each(|&k| words[k] += self.passages.counts.words(p));
        }
        first_largest(words.iter().map(|&words| words as f64))
    }

    /// The model of documents from that of their parts. θ_nk is the mean of what the passages of a
    /// document have of topic k, by their words; its α and its share of the background are the means
    /// over its parts. A document without words has what its one part has.
    pub fn merged(&self, model: TopicModel, parts: &Parts, documents: &WordCounts) -> TopicModel {
        let topics = model.topics;
        let proportions = parts.means(&model.proportions, topics);
        let alpha = parts.means(&model.alpha, topics);
        let background = model.background.map(|background| Background {
            shares: parts.means(&background.shares, 1),
            alpha: parts.means(&background.alpha, 1),
            usual: parts.means(&background.usual, 1),
            ..background
        });
        self.mixed(TopicModel { proportions, alpha, background, ..model }, documents)
    }

    /// The model in which θ_nk is the mean of what the passages of a document have of topic k, by their
    /// words. A document without words keeps what it has.
    pub fn mixed(&self, model: TopicModel, documents: &WordCounts) -> TopicModel {
        let TopicModel { topics, mut proportions, background, .. } = model;
        for (n, theta) in proportions.chunks_exact_mut(topics).enumerate() {
            let shares = self.shares_of(n).into_iter().flatten();
            theta.iter_mut().zip(shares).for_each(|(theta, share)| *theta = share as f32);
        }
        let of_topics = |n: usize| match &background {
            Some(background) => 1.0 - f64::from(background.shares[n]),
            None => 1.0,
        };
        let of_all: Vec<f64> = (0..proportions.len())
            .map(|i| of_topics(i / topics) * f64::from(proportions[i]))
            .collect();
        let weights = topic_weights(documents, &of_all, topics);
        TopicModel { proportions, background, weights, ..model }
    }

    /// The mean shares of the topics in document `n`; `None` if it has no words.
    fn shares_of(&self, n: usize) -> Option<Vec<f64>> {
        let passages = self.passages.of_document(n);
        let words = |p: usize| self.passages.counts.words(p) as f64;
        let all: f64 = passages.clone().map(words).sum();
        let mut shares = vec![0.0; self.topics.topics];
        for p in passages {
            let part = words(p) / all;
            shares.iter_mut().zip(self.topics.of(p)).for_each(|(sum, share)| *sum += part * share);
        }
        (all > 0.0).then_some(shares)
    }

    /// The passages of document `n`, each with the numbers of its words among the document's counted
    /// words, and with its shares of the topics.
    pub(super) fn runs_of(&self, n: usize) -> impl Iterator<Item = (Range<usize>, &[f64])> {
        self.passages.runs_of(n).map(|(p, run)| (run, self.topics.of(p)))
    }

    /// The shares of the topics in all passages, passages × topics.
    pub(super) fn shares_mut(&mut self) -> &mut [f64] {
        &mut self.topics.shares
    }

    /// Every passage: its document, its words, and its shares of the topics.
    pub(super) fn passages(
        &self,
    ) -> impl Iterator<Item = (usize, impl Iterator<Item = (u32, u32)> + Clone, &[f64])> {
        let passages = self.passages.documents.iter().enumerate();
        passages.map(|(p, &n)| (n, self.passages.counts.row(p), self.topics.of(p)))
    }
}

/// The first of the largest numbers.
fn first_largest(numbers: impl Iterator<Item = f64>) -> usize {
    let numbered = numbers.enumerate();
    let largest = numbered.max_by(|(i, a), (j, b)| a.total_cmp(b).then(j.cmp(i)));
    largest.expect("there is one").0
}

/// Documents in parts that are each about one topic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The words of each part.
    pub counts: WordCounts,
    /// The topic that each part starts.
    pub groups: Vec<usize>,
    /// Where the parts of each document end.
    ends: Vec<usize>,
}

impl Parts {
    fn push(&mut self, row: impl IntoIterator<Item = (u32, u32)>, group: usize) {
        self.counts.push_row(row);
        self.groups.push(group);
    }

    fn of_document(&self, n: usize) -> Range<usize> {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        start..self.ends[n]
    }

    /// The means over the parts of each document, by their words, of rows of `columns` numbers.
    fn means(&self, of_parts: &[f32], columns: usize) -> Vec<f32> {
        let mut means = Vec::with_capacity(self.ends.len() * columns);
        for n in 0..self.ends.len() {
            let parts = self.of_document(n);
            let words: u64 = parts.clone().map(|part| self.counts.words(part)).sum();
            let mut sums = vec![0.0; columns];
            for part in parts.clone() {
                // A document without words is one part.
                let share = match parts.len() {
                    1 => 1.0,
                    _ => self.counts.words(part) as f64 / words as f64,
                };
                let row = &of_parts[part * columns..(part + 1) * columns];
                sums.iter_mut().zip(row).for_each(|(sum, &x)| *sum += share * f64::from(x));
            }
            means.extend(sums.into_iter().map(|mean| mean as f32));
        }
        means
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of these terms, fifteen of a kind a passage, and the shares of two topics in each passage.
    fn mixing(texts: &[&[u32]], shares: &[f64], topics: usize) -> (WordCounts, Mixing) {
        let (mut counts, mut words) = (WordCounts::new(), Vec::new());
        for text in texts {
            let mut row: BTreeMap<u32, u32> = BTreeMap::new();
            text.iter().for_each(|&term| *row.entry(term).or_default() += 15);
            counts.push_row(row);
            let word = |&term: &u32| TextWord { range: 0..1, term: Some(term) };
            words.push(Some(text.iter().flat_map(|term| vec![word(term); 15]).collect()));
        }
        let passages = Passages::cut(&counts, &words, None);
        (counts, Mixing { passages, topics: PassageTopics { topics, shares: shares.to_vec() } })
    }

    fn rows(parts: &Parts) -> Vec<(usize, Vec<(u32, u32)>)> {
        let row = |(part, &group): (usize, &usize)| (group, parts.counts.row(part).collect());
        parts.groups.iter().enumerate().map(row).collect()
    }

    #[test]
    fn passages_about_one_topic_are_a_part() {
        let shares = [0.9, 0.1, 0.2, 0.8, 0.6, 0.4, 0.3, 0.7, 0.1, 0.9, 0.5, 0.5];
        let (counts, mixing) = mixing(&[&[1, 2, 3], &[4, 5], &[]], &shares, 2);
        let parts = mixing.parts(&counts);
        let expected = [
            (0, vec![(1, 15), (3, 15)]),
            (1, vec![(2, 15)]),
            (1, vec![(4, 15), (5, 15)]),
            // A document without words is put where most words are.
            (1, vec![]),
        ];
        assert_eq!(rows(&parts), expected);
        assert_eq!([0, 1, 2].map(|n| parts.of_document(n)), [0..2, 2..3, 3..4]);
    }

    #[test]
    fn every_topic_is_started_by_a_passage() {
        let shares = [0.7, 0.1, 0.2, 0.6, 0.3, 0.1, 0.8, 0.1, 0.1];
        let (counts, mixing) = mixing(&[&[1], &[2], &[3]], &shares, 3);
        // The second passage has most of topic 1. Then the first has most of topic 2.
        assert_eq!(mixing.parts(&counts).groups, [2, 1, 0]);
    }

    #[test]
    fn a_document_has_the_mean_of_its_passages() {
        let shares = [0.9, 0.1, 0.2, 0.8, 0.3, 0.7, 0.5, 0.5];
        let (counts, mixing) = mixing(&[&[1, 2], &[3], &[]], &shares, 2);
        let parts = mixing.parts(&counts);
        // Of the parts: two of the first document, one each of the others.
        let of_parts = TopicModel {
            alpha: vec![4.0, 2.0, 2.0, 6.0, 1.0, 3.0, 1.0, 1.0],
            background: Some(Background {
                alpha: vec![1.0, 3.0, 5.0, 7.0],
                ..Background::by_hand(&[0.1, 0.3, 0.5, 0.25], &[0.25; 4])
            }),
            ..TopicModel::by_hand(
                &[0.5; 2],
                &[1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.75, 0.25],
                &[0.25; 8],
            )
        };
        let model = mixing.merged(of_parts, &parts, &counts);
        let near = |values: &[f32], expected: &[f32]| {
            assert_eq!(values.len(), expected.len());
            for (value, expected) in values.iter().zip(expected) {
                assert!((value - expected).abs() < 1e-6, "{values:?}");
            }
        };
        // A document without words is as its part.
        near(&model.proportions, &[0.55, 0.45, 0.3, 0.7, 0.75, 0.25]);
        near(&model.alpha, &[3.0, 4.0, 1.0, 3.0, 1.0, 1.0]);
        let background = model.background.as_ref().unwrap();
        near(&background.shares, &[0.2, 0.5, 0.25]);
        near(&background.alpha, &[2.0, 5.0, 7.0]);
        // Thirty words, of which 0.8 are the topics', and fifteen, of which half are.
        let weights = [(24.0 * 0.55 + 7.5 * 0.3) / 45.0, (24.0 * 0.45 + 7.5 * 0.7) / 45.0];
        for (weight, expected) in model.weights.iter().zip(weights) {
            assert!((weight - expected).abs() < 1e-6);
        }
    }

    #[test]
    fn a_word_belongs_where_its_passage_does() {
        let shares = [1.0, 0.0, 0.0, 1.0];
        let (counts, mixing) = mixing(&[&[1, 1]], &shares, 2);
        let model = TopicModel::by_hand(&[0.5; 2], &[0.5, 0.5], &[0.25; 8]);
        let words: Vec<TextWord> =
            (0..31).map(|i| TextWord { range: i..i + 1, term: (i != 3).then_some(1) }).collect();
        let text = "x".repeat(31);
        let read = super::super::ReadText::new(&text, &words, 0, &model, Some(&mixing));
        let topics: Vec<Option<usize>> = read
            .placed()
            .map(|(_, shares)| shares.and_then(|shares| shares.main_topic()))
            .collect();
        // The word without a term is not counted.
        assert_eq!(topics[3], None);
        assert!(topics[..16].iter().enumerate().all(|(i, k)| i == 3 || *k == Some(0)));
        assert!(topics[16..].iter().all(|k| *k == Some(1)));
        let placed = model.placed_words(&counts, Some(&mixing), 1..2);
        assert_eq!((placed[0].count, &placed[0].shares[..]), (30, &[0.5, 0.5][..]));
    }
}
