//! What a prior is asked for.

use super::NewWordPrior;
use crate::corpus::WordCounts;
use crate::storage::TermRows;
use crate::text::Relative;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What a prior is asked for, beside the documents.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// K: how many topics.
    pub topics: usize,
    /// The terms whose β is wanted.
    pub terms: TermRows<'a>,
    /// Words of the documents that the prior does not know; they are terms after its own.
    pub new_terms: Option<&'a NewTerms>,
    /// The topic that each document starts, if that is known; every topic is started by one. Else a
    /// prior whose topics start from documents groups them by itself.
    pub groups: Option<&'a [usize]>,
}

impl<'a> Request<'a> {
    /// Asks for `topics` topics over the `terms` wanted, of documents without new words.
    pub fn new(topics: usize, terms: TermRows<'a>) -> Self {
        Self { topics, terms, new_terms: None, groups: None }
    }

    /// Makes sure that a prior which gives one number of topics is asked for that number: any other
    /// answer would be nonsense. Settings are checked before they come here
    /// ([`PriorShape::check_topics`](super::PriorShape::check_topics)).
    pub(super) fn expect_topics(&self, own: usize) {
        assert_eq!(self.topics, own, "the prior gives the number of topics it was trained for");
    }
}

/// New words of some documents, and their phrases: terms that come after those a prior knows.
#[derive(Clone, Debug, PartialEq)]
pub struct NewTerms {
    /// What is expected of them.
    pub expected: NewWordPrior,
    /// For each new term, the terms of the documents that are spelled like it.
    pub relatives: Vec<Vec<Relative>>,
    /// The words of the phrases, which are the last terms. Topics count a phrase as one term; a prior reads it as
    /// its words.
    pub phrases: Vec<Vec<u32>>,
}

impl NewTerms {
    /// How many there are, phrases included.
    pub fn count(&self) -> usize {
        self.relatives.len()
    }

    /// Adds phrases, each given by the terms of its words, as the last terms.
    pub fn add_phrases(&mut self, phrases: Vec<Vec<u32>>) {
        self.relatives.resize_with(self.relatives.len() + phrases.len(), Vec::new);
        self.phrases.extend(phrases);
    }

    /// The words of `term` if it is a phrase, for a prior that knows `known` terms.
    pub fn words_of(&self, term: u32, known: usize) -> Option<&[u32]> {
        let first = known + self.count() - self.phrases.len();
        let phrase = (term as usize).checked_sub(first)?;
        self.phrases.get(phrase).map(|words| &words[..])
    }

    /// Documents as a prior that knows `known` terms reads them: each phrase in its words.
    pub fn as_words<'d>(&self, documents: &'d WordCounts, known: usize) -> Cow<'d, WordCounts> {
        if documents.terms().iter().all(|&term| self.words_of(term, known).is_none()) {
            return Cow::Borrowed(documents);
        }
        let mut read = WordCounts::new();
        for n in 0..documents.documents() {
            let mut row: BTreeMap<u32, u32> = BTreeMap::new();
            for (term, count) in documents.row(n) {
                for &word in self.words_of(term, known).unwrap_or(&[term]) {
                    let sum = row.entry(word).or_default();
                    *sum = sum.saturating_add(count);
                }
            }
            read.push_row(row);
        }
        Cow::Owned(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_read_as_its_words() {
        // Terms 0 to 4 are known, 5 is a new word, 6 and 7 are phrases.
        let mut new_terms = NewTerms {
            expected: NewWordPrior::default(),
            relatives: vec![Vec::new()],
            phrases: Vec::new(),
        };
        new_terms.add_phrases(vec![vec![1, 5], vec![2, 1, 3]]);
        assert_eq!(new_terms.count(), 3);
        let mut documents = WordCounts::new();
        documents.push_row([(1, 1), (4, 2), (6, 3), (7, 1)]);
        documents.push_row([(5, 2)]);
        let read = new_terms.as_words(&documents, 5);
        let rows: Vec<Vec<(u32, u32)>> = (0..2).map(|n| read.row(n).collect()).collect();
        assert_eq!(rows, [vec![(1, 5), (2, 1), (3, 1), (4, 2), (5, 3)], vec![(5, 2)]]);
    }
}
