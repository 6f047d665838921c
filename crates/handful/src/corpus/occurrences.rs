//! Word counts by term: for each term of a few documents, who says it and how often.

use super::WordCounts;

/// The transpose of [`WordCounts`]: entries in increasing order of terms, those of a term in
/// increasing order of documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occurrences {
    terms: Vec<u32>,
    /// Term, document and count, sorted.
    entries: Vec<(u32, u32, u32)>,
}

impl Occurrences {
    /// Those of the given documents, within the memory of the previous ones.
    pub fn fill(&mut self, documents: &WordCounts) {
        self.entries.clear();
        for n in 0..documents.documents() {
            let row = documents.row(n);
            self.entries.extend(row.map(|(term, count)| (term, n as u32, count)));
        }
        self.entries.sort_unstable();
        self.terms.clear();
        self.terms.extend(self.entries.iter().map(|&(term, ..)| term));
        self.terms.dedup();
    }

    /// The terms that occur, in increasing order.
    pub fn terms(&self) -> &[u32] {
        &self.terms
    }

    /// Term, document and count of every entry, in this order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        self.entries.iter().copied()
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
        let entries = [(0, 2, 5), (2, 0, 1), (7, 0, 3), (7, 2, 1)];
        assert_eq!(occurrences.iter().collect::<Vec<_>>(), entries);
    }
}
