//! A document's text, word by word, with the topics its words belong to.

use super::{Mixing, Responsibilities, TermShares, TopicModel};
use crate::corpus::TextWord;

/// The text of a document of a topic model.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadText<'a> {
    /// The text as it was given.
    pub text: &'a str,
    /// Its words, in order.
    pub words: &'a [TextWord],
    /// Its passages, or all of it.
    passages: Vec<ReadPassage>,
}

/// A run of words that mix the topics alike.
#[derive(Clone, Debug, PartialEq)]
struct ReadPassage {
    /// Where it ends: a number among all words of the text.
    end: usize,
    responsibilities: Responsibilities,
}

impl<'a> ReadText<'a> {
    /// The text of document `n` of a topic model, passage by passage if passages tell what they are
    /// about.
    pub fn new(
        text: &'a str,
        words: &'a [TextWord],
        n: usize,
        model: &TopicModel,
        mixing: Option<&Mixing>,
    ) -> Self {
        let Some(mixing) = mixing else {
            let responsibilities = model.responsibilities(n, terms_of(words));
            let passages = vec![ReadPassage { end: words.len(), responsibilities }];
            return Self { text, words, passages };
        };
        // Passages count words that have a term. Others belong to the passage they stand in.
        let counted: Vec<usize> = (0..words.len()).filter(|&i| words[i].term.is_some()).collect();
        let mut start = 0;
        let passage = |(run, shares): (std::ops::Range<usize>, &[f64])| {
            let end = counted.get(run.end).copied().unwrap_or(words.len());
            let terms = terms_of(&words[start..end]);
            start = end;
            ReadPassage { end, responsibilities: model.responsibilities_in(n, shares, terms) }
        };
        Self { text, words, passages: mixing.runs_of(n).map(passage).collect() }
    }

    /// The words in order, each with whose it is; `None` for one that takes no part in the fit.
    pub fn placed(&self) -> impl Iterator<Item = (&'a TextWord, Option<TermShares<'_>>)> {
        self.words.iter().enumerate().map(|(i, word)| {
            let passage = self.passages.partition_point(|passage| passage.end <= i);
            let responsibilities = &self.passages[passage].responsibilities;
            (word, word.term.and_then(|term| responsibilities.of(term)))
        })
    }
}

/// The terms of some words, each once, in increasing order.
fn terms_of(words: &[TextWord]) -> Vec<u32> {
    let mut terms: Vec<u32> = words.iter().filter_map(|word| word.term).collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}
