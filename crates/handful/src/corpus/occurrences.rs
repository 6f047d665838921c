//! Word counts by term: for each term, the documents that contain it and how often.

use super::WordCounts;

/// A term in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Occurrence {
    /// The term.
    pub term: u32,
    /// The document's number.
    pub document: u32,
    /// The index of the entry in [`WordCounts`].
    pub entry: u32,
    /// How often the term occurs in the document.
    pub count: u32,
}

/// The transpose of [`WordCounts`]: entries sorted by term, then by document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occurrences {
    terms: Vec<u32>,
    sorted: Vec<Occurrence>,
}

impl Occurrences {
    /// Replaces the contents by the occurrences in `documents`, reusing the memory.
    pub fn fill(&mut self, documents: &WordCounts) {
        self.sorted.clear();
        for n in 0..documents.documents() {
            let entries = documents.row_range(n);
            self.sorted.extend(entries.map(|entry| Occurrence {
                term: documents.terms()[entry],
                document: n as u32,
                entry: entry as u32,
                count: documents.counts()[entry],
            }));
        }
        self.sorted.sort_unstable_by_key(|of| (of.term, of.document));
        self.terms.clear();
        self.terms.extend(self.sorted.iter().map(|of| of.term));
        self.terms.dedup();
    }

    /// The terms that occur, in increasing order.
    pub fn terms(&self) -> &[u32] {
        &self.terms
    }

    /// All occurrences, by term, then by document.
    pub fn iter(&self) -> impl Iterator<Item = Occurrence> + '_ {
        self.sorted.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_count_is_found_in_the_order_of_terms() {
        let mut documents = WordCounts::new();
        documents.push_row([(2, 1), (7, 3)]);
        documents.push_row([]);
        documents.push_row([(0, 5), (7, 1)]);
        let mut occurrences = Occurrences::default();
        occurrences.fill(&documents);
        assert_eq!(occurrences.terms(), [0, 2, 7]);
        let found: Vec<_> =
            occurrences.iter().map(|of| (of.term, of.document, of.entry, of.count)).collect();
        assert_eq!(found, [(0, 2, 2, 5), (2, 0, 0, 1), (7, 0, 1, 3), (7, 2, 3, 1)]);
    }
}
