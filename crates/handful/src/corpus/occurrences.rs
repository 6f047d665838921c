//! Word counts by term: for each term of a few documents, who says it and how often.

use super::WordCounts;

/// The transpose of [`WordCounts`]: one sparse row a term that occurs, in increasing order of
/// terms; in a row, documents in increasing order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occurrences {
    terms: Vec<u32>,
    /// `ends[i]` is where the row of `terms[i]` ends in `entries`.
    ends: Vec<usize>,
    /// Document and count.
    entries: Vec<(u32, u32)>,
    /// Term, document and count, sorted: kept for its memory.
    sorted: Vec<(u32, u32, u32)>,
}

impl Occurrences {
    /// Those of the given documents, within the memory of the previous ones.
    pub fn fill(&mut self, documents: &WordCounts) {
        self.terms.clear();
        self.ends.clear();
        self.entries.clear();
        self.sorted.clear();
        for n in 0..documents.documents() {
            let row = documents.row(n);
            self.sorted.extend(row.map(|(term, count)| (term, n as u32, count)));
        }
        self.sorted.sort_unstable();
        for &(term, n, count) in &self.sorted {
            if self.terms.last() != Some(&term) {
                self.terms.push(term);
                self.ends.push(self.entries.len());
            }
            self.entries.push((n, count));
            let last = self.ends.len() - 1;
            self.ends[last] = self.entries.len();
        }
    }

    /// The terms that occur, in increasing order.
    pub fn terms(&self) -> &[u32] {
        &self.terms
    }

    /// Documents and counts of a term; nothing where it does not occur.
    pub fn of_term(&self, term: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let range = match self.terms.binary_search(&term) {
            Ok(0) => 0..self.ends[0],
            Ok(i) => self.ends[i - 1]..self.ends[i],
            Err(_) => 0..0,
        };
        self.entries[range].iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_count_is_found_by_its_term() {
        let mut documents = WordCounts::new();
        documents.push_row([(2, 1), (7, 3)]);
        documents.push_row([]);
        documents.push_row([(0, 5), (7, 1)]);
        let mut occurrences = Occurrences::default();
        occurrences.fill(&documents);
        assert_eq!(occurrences.terms(), [0, 2, 7]);
        assert_eq!(occurrences.of_term(0).collect::<Vec<_>>(), [(2, 5)]);
        assert_eq!(occurrences.of_term(7).collect::<Vec<_>>(), [(0, 3), (2, 1)]);
        assert_eq!(occurrences.of_term(3).count(), 0);
    }
}
