//! Sparse word counts: the paper's x_n as rows of (term, count).

use crate::text::{Relative, relatives};
use std::ops::Range;

/// The word counts of documents: one sparse row per document, with terms in increasing order.
///
/// Stores only non-zero counts, so the size of a document depends on its distinct terms and not on
/// the vocabulary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordCounts {
    /// `ends[n]` is where row `n` ends in `terms` and `counts`.
    ends: Vec<usize>,
    terms: Vec<u32>,
    counts: Vec<u32>,
}

impl WordCounts {
    /// Creates counts without documents.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a document. Terms must come in strictly increasing order. Skips zero counts.
    pub fn push_row(&mut self, row: impl IntoIterator<Item = (u32, u32)>) {
        let mut open = self.start_row();
        for (term, count) in row {
            open.push(term, count);
        }
    }

    /// Begins a document. Push its entries to the result; dropping the result ends the document.
    pub fn start_row(&mut self) -> OpenRow<'_> {
        OpenRow { start: self.terms.len(), counts: self }
    }

    /// Removes all documents and keeps the memory.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.terms.clear();
        self.counts.clear();
    }

    /// Finds, for each of `terms`, the terms of these documents with a similar spelling. `word`
    /// returns the letters of a term.
    pub fn relatives<'a>(
        &self,
        terms: Range<usize>,
        word: impl Fn(u32) -> &'a str,
    ) -> Vec<Vec<Relative>> {
        let words: Vec<&str> = terms.map(|term| word(term as u32)).collect();
        let named = |term: u32| (term, word(term));
        let seen: Vec<(u32, &str)> = self.distinct_terms().into_iter().map(named).collect();
        relatives(&words, &seen)
    }

    /// Returns every term that occurs, once, in increasing order.
    pub fn distinct_terms(&self) -> Vec<u32> {
        let mut terms = self.terms.clone();
        terms.sort_unstable();
        terms.dedup();
        terms
    }

    /// The number of documents N.
    pub fn documents(&self) -> usize {
        self.ends.len()
    }

    /// The number of non-zero counts.
    pub fn entries(&self) -> usize {
        self.terms.len()
    }

    /// Returns the entries of document `n` as a range into [`terms`](Self::terms) and
    /// [`counts`](Self::counts).
    pub fn row_range(&self, n: usize) -> std::ops::Range<usize> {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        start..self.ends[n]
    }

    /// How often document `n` has a term.
    pub fn count_of(&self, n: usize, term: u32) -> u32 {
        let entries = self.row_range(n);
        let found = self.terms[entries.clone()].binary_search(&term);
        found.map_or(0, |i| self.counts[entries.start + i])
    }

    /// Iterates over the entries of document `n`: term and count.
    pub fn row(&self, n: usize) -> impl Iterator<Item = (u32, u32)> + Clone + '_ {
        self.row_range(n).map(|i| (self.terms[i], self.counts[i]))
    }

    /// The terms of all entries, row after row.
    pub fn terms(&self) -> &[u32] {
        &self.terms
    }

    /// The counts of all entries, row after row.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// The number of words in document `n`, including repetitions.
    pub fn words(&self, n: usize) -> u64 {
        self.counts[self.row_range(n)].iter().map(|&count| u64::from(count)).sum()
    }

    /// The number of words in all documents, including repetitions.
    pub fn total_words(&self) -> u64 {
        self.counts.iter().map(|&count| u64::from(count)).sum()
    }
}

/// A document that is being appended.
#[derive(Debug)]
pub struct OpenRow<'a> {
    start: usize,
    counts: &'a mut WordCounts,
}

impl OpenRow<'_> {
    /// Adds an entry, unless its count is zero. Terms must come in strictly increasing order.
    pub fn push(&mut self, term: u32, count: u32) {
        let terms = &mut self.counts.terms;
        debug_assert!(
            terms.len() == self.start || terms[terms.len() - 1] < term,
            "terms come in increasing order"
        );
        if count > 0 {
            terms.push(term);
            self.counts.counts.push(count);
        }
    }
}

impl Drop for OpenRow<'_> {
    fn drop(&mut self) {
        self.counts.ends.push(self.counts.terms.len());
    }
}

/// The documents of one category, X_d.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corpus {
    /// The category's name.
    pub name: String,
    /// The documents' identifiers, one for each row of `documents`.
    pub ids: Vec<String>,
    /// The documents.
    pub documents: WordCounts,
}
