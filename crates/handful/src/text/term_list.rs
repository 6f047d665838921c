//! Terms with their indices, found either way.

use std::hash::BuildHasher;

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

/// Distinct terms in insertion order.
///
/// All letters share one block of memory. Opening a model is the most frequent operation, and
/// allocating tens of thousands of strings takes noticeable time.
#[derive(Clone, Debug, Default)]
pub(super) struct TermList {
    /// All terms, concatenated.
    letters: String,
    /// Where each term ends in `letters`.
    ends: Vec<usize>,
    /// The index of each term, by the hash of its letters.
    indices: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl TermList {
    /// An empty list with room for `terms` terms and `letters` bytes in total.
    pub(super) fn with_capacity(terms: usize, letters: usize) -> Self {
        Self {
            letters: String::with_capacity(letters),
            ends: Vec::with_capacity(terms),
            indices: HashTable::with_capacity(terms),
            hasher: DefaultHashBuilder::default(),
        }
    }

    /// Adds a term. If the list already has it, returns its index instead.
    pub(super) fn insert(&mut self, term: &str) -> Option<u32> {
        let Self { letters, ends, indices, hasher } = self;
        let at = |&index: &u32| at(letters, ends, index as usize);
        let hash = hasher.hash_one(term);
        let entry =
            indices.entry(hash, |index| at(index) == term, |index| hasher.hash_one(at(index)));
        match entry {
            Entry::Occupied(entry) => Some(*entry.get()),
            Entry::Vacant(place) => {
                place.insert(ends.len() as u32);
                letters.push_str(term);
                ends.push(letters.len());
                None
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the term with this index. Panics if there is none.
    pub(super) fn term(&self, index: usize) -> &str {
        at(&self.letters, &self.ends, index)
    }

    pub(super) fn index(&self, term: &str) -> Option<u32> {
        let is_term = |&index: &u32| self.term(index as usize) == term;
        self.indices.find(self.hasher.hash_one(term), is_term).copied()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.term(index))
    }
}

fn at<'a>(letters: &'a str, ends: &[usize], index: usize) -> &'a str {
    let start = if index == 0 { 0 } else { ends[index - 1] };
    &letters[start..ends[index]]
}
