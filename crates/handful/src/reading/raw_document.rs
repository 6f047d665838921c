//! Documents as read, before a vocabulary exists.

use std::collections::BTreeMap;

/// A document as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawDocument {
    /// The corpus it belongs to, if the input says so.
    pub corpus: Option<String>,
    /// Its identifier: the file's name, the id field, or the number of its row.
    pub id: String,
    /// Its words.
    pub content: Content,
}

/// A document's words, either as text or already counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Text, for the tokenizer.
    Text(String),
    /// Terms with their counts: sorted by term, each term once, no zeros. They bypass the tokenizer
    /// and the stop words.
    Counts(Vec<(String, u32)>),
}

impl Content {
    /// Creates counts: sorts the terms, adds up repeated ones (to at most `u32::MAX`), and drops
    /// zeros.
    pub fn counts(counts: impl IntoIterator<Item = (String, u32)>) -> Self {
        let mut sums: BTreeMap<String, u32> = BTreeMap::new();
        for (term, count) in counts {
            let sum = sums.entry(term).or_default();
            *sum = sum.saturating_add(count);
        }
        Self::Counts(sums.into_iter().filter(|&(_, count)| count > 0).collect())
    }
}

/// The result of reading: the documents, and the warnings for the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The documents, in reading order.
    pub documents: Vec<RawDocument>,
    /// One sentence each about files that were left out or whose encoding was guessed.
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
