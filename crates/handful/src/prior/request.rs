//! What a prior is asked for.

use super::NewWordPrior;
use crate::storage::TermRows;
use crate::text::Relative;

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

/// New words of some documents: terms that come after those a prior knows.
#[derive(Clone, Debug, PartialEq)]
pub struct NewTerms {
    /// What is expected of them.
    pub expected: NewWordPrior,
    /// For each new word, the terms of the documents that are spelled like it.
    pub relatives: Vec<Vec<Relative>>,
}

impl NewTerms {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.relatives.len()
    }
}
