//! Where words were placed among the topics.

use super::{Mixing, TermShares, TopicModel};
use crate::corpus::WordCounts;
use std::ops::Range;

/// Gets a run of words that mix the topics alike: its document, the shares of the topics, its words.
type VisitRun<'a> = dyn FnMut(usize, &[f64], &mut dyn Iterator<Item = (u32, u32)>) + 'a;

/// A term of the documents, and whose its occurrences are.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedWord {
    /// Its index in the vocabulary.
    pub term: u32,
    /// How often the documents have it.
    pub count: u64,
    /// The share of its occurrences that is each topic's; what is left is the background's.
    pub shares: Vec<f64>,
}

impl PlacedWord {
    /// The topic that has most of it, unless the background has more.
    pub fn main_topic(&self) -> Option<usize> {
        let background = 1.0 - self.shares.iter().sum::<f64>();
        TermShares { topics: &self.shares, background }.main_topic()
    }
}

impl TopicModel {
    /// Where the given terms of its documents were placed, the most frequent first: passage by passage
    /// if passages tell what they are about. A word inside a phrase is where the phrase is.
    pub fn placed_words(
        &self,
        documents: &WordCounts,
        mixing: Option<&Mixing>,
        terms: Range<u32>,
    ) -> Vec<PlacedWord> {
        let place = |term| PlacedWord { term, count: 0, shares: vec![0.0; self.topics] };
        let mut placed: Vec<PlacedWord> = terms.clone().map(place).collect();
        let mut add = |n: usize, theta: &[f64], row: &mut dyn Iterator<Item = (u32, u32)>| {
            let has_asked = |(term, _): &(u32, u32)| {
                self.words_of(term).iter().any(|word| terms.contains(word))
            };
            let row: Vec<(u32, u32)> = row.filter(has_asked).collect();
            let asked = row.iter().map(|&(term, _)| term);
            let responsibilities = self.responsibilities_in(n, theta, asked);
            for (term, count) in row {
                let shares = responsibilities.of(term).expect("asked for above");
                for word in self.words_of(&term).iter().filter(|word| terms.contains(word)) {
                    let word = &mut placed[(word - terms.start) as usize];
                    word.count += u64::from(count);
                    for (sum, share) in word.shares.iter_mut().zip(shares.topics) {
                        *sum += f64::from(count) * share;
                    }
                }
            }
        };
        self.for_each_run(documents, mixing, &mut add);
        placed.retain(|word| word.count > 0);
        for word in &mut placed {
            word.shares.iter_mut().for_each(|share| *share /= word.count as f64);
        }
        placed.sort_by_key(|word| (std::cmp::Reverse(word.count), word.term));
        placed
    }

    /// Visits the words of the documents in runs that mix the topics alike: every passage if passages
    /// tell what they are about, else every document.
    pub(super) fn for_each_run(
        &self,
        documents: &WordCounts,
        mixing: Option<&Mixing>,
        visit: &mut VisitRun<'_>,
    ) {
        match mixing {
            Some(mixing) => {
                mixing.passages().for_each(|(n, mut row, shares)| visit(n, shares, &mut row));
            }
            None => (0..documents.documents()).for_each(|n| {
                let theta: Vec<f64> = self.proportions_of(n).iter().map(|&x| x.into()).collect();
                visit(n, &theta, &mut documents.row(n));
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topic_model::Background;

    #[test]
    fn shares_are_means_over_occurrences() {
        // Two documents, each half background; terms 1 and 2 are asked about.
        let (theta, phi) = ([1.0, 0.0, 0.5, 0.5], [0.2, 0.6, 0.6, 0.4, 0.2, 0.0]);
        let background = Background::by_hand(&[0.5; 2], &[0.4, 0.2, 0.4]);
        let model = TopicModel {
            background: Some(background),
            ..TopicModel::by_hand(&[0.5; 2], &theta, &phi)
        };
        let mut documents = WordCounts::new();
        documents.push_row([(0, 1), (1, 1), (2, 1)]);
        documents.push_row([(1, 3)]);
        let placed = model.placed_words(&documents, None, 1..3);
        let [first, second] = &placed[..] else { panic!("{placed:?}") };
        // Of term 1, topics and background have 0.6 : 0 : 0.2 in the first document, 0.3 : 0.2 : 0.2 in
        // the second.
        assert_eq!((first.term, first.count, first.main_topic()), (1, 4, Some(0)));
        for (share, expected) in first.shares.iter().zip([(0.75 + 9.0 / 7.0) / 4.0, 6.0 / 28.0]) {
            assert!((share - expected).abs() < 1e-6);
        }
        // Of term 2, the first topic has 0.2, the background 0.4.
        assert_eq!((second.term, second.count, second.main_topic()), (2, 1, None));
    }
}
