//! Strings with an index each, found by either.

use std::hash::BuildHasher;

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

/// Terms that all differ, in the order in which they came.
///
/// One piece of memory has the letters of all of them, for models are opened more often than
/// anything else is done with them, and tens of thousands of strings take their time.
#[derive(Clone, Debug, Default)]
pub(super) struct TermList {
    /// The terms, one after the other.
    letters: String,
    /// Where each ends.
    ends: Vec<usize>,
    /// The index of every term, by the hash of its letters.
    indices: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl TermList {
    /// An empty list that can take so many terms, and so many letters (in bytes), without growing.
    pub(super) fn with_capacity(terms: usize, letters: usize) -> Self {
        Self {
            letters: String::with_capacity(letters),
            ends: Vec::with_capacity(terms),
            indices: HashTable::with_capacity(terms),
            hasher: DefaultHashBuilder::default(),
        }
    }

    /// Adds a term, unless it is there already: then it has this index.
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

    /// The term with this index. Panics if there is none.
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
