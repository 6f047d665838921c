//! Documents as they were read, before there is a vocabulary.

use std::collections::BTreeMap;

/// A document as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawDocument {
    /// The corpus it belongs to, if the input says so.
    pub corpus: Option<String>,
    /// Its identifier: the file's name, the id field, or the line number.
    pub id: String,
    /// Its words.
    pub content: Content,
}

/// A document's words: as text, or counted already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Text, for the tokenizer.
    Text(String),
    /// Terms and how often they stand in the document: sorted by term, each once, no zeros. They
    /// are taken as they are, without tokenizer and stop words.
    Counts(Vec<(String, u32)>),
}

impl Content {
    /// Counted words: sorts them, adds up repeated terms (to at most `u32::MAX`), drops zeros.
    pub fn counts(counts: impl IntoIterator<Item = (String, u32)>) -> Self {
        let mut sums: BTreeMap<String, u32> = BTreeMap::new();
        for (term, count) in counts {
            let sum = sums.entry(term).or_default();
            *sum = sum.saturating_add(count);
        }
        Self::Counts(sums.into_iter().filter(|&(_, count)| count > 0).collect())
    }
}

/// What reading gave: the documents, and what a user should hear of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The documents, in reading order.
    pub documents: Vec<RawDocument>,
    /// Sentences about files that were left out or whose encoding was guessed.
    pub warnings: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_sorted_merged_and_without_zeros() {
        let pairs = [("b", 1), ("a", 2), ("b", 3), ("c", 0), ("d", u32::MAX), ("d", 1)];
        let counts = Content::counts(pairs.map(|(term, count)| (term.to_owned(), count)));
        let expected = [("a", 2), ("b", 4), ("d", u32::MAX)];
        let expected = expected.map(|(term, count)| (term.to_owned(), count)).to_vec();
        assert_eq!(counts, Content::Counts(expected));
    }
}
