//! Documents as tf-idf vectors, in which rare terms weigh more.

use super::Corpus;

/// The inverse document frequency of each term, learned from corpora.
#[derive(Clone, Debug, PartialEq)]
pub struct TfIdf {
    /// log(documents / (1 + documents with the term)), at least 0
    idf: Vec<f64>,
}

impl TfIdf {
    /// Learns the frequencies from the documents of `corpora`, over a vocabulary of `terms` terms.
    pub fn of(corpora: &[&Corpus], terms: usize) -> Self {
        let mut with_term = vec![0u32; terms];
        let mut documents = 0;
        for corpus in corpora {
            documents += corpus.documents.documents();
            corpus.documents.terms().iter().for_each(|&term| with_term[term as usize] += 1);
        }
        let idf = |&with: &u32| (documents as f64 / (1.0 + f64::from(with))).ln().max(0.0);
        Self { idf: with_term.iter().map(idf).collect() }
    }

    /// The inverse document frequency of every term: log(documents / (1 + documents with the
    /// term)), at least 0.
    pub fn idf(&self) -> &[f64] {
        &self.idf
    }

    /// Returns the vectors of all documents, one corpus after the other.
    pub fn vectors(&self, corpora: &[&Corpus]) -> Vec<Vec<(u32, f64)>> {
        let documents = corpora.iter().map(|corpus| &corpus.documents);
        documents
            .flat_map(|documents| (0..documents.documents()).map(|n| documents.row(n)))
            .map(|row| self.vector(row))
            .collect()
    }

    /// Returns a document as a vector of length 1, with log(1 + count) · idf for each of its terms.
    /// If the idf of all its terms is 0, the vector is zero.
    pub fn vector(&self, document: impl Iterator<Item = (u32, u32)>) -> Vec<(u32, f64)> {
        let weigh =
            |(term, count): (u32, u32)| (term, f64::from(count).ln_1p() * self.idf[term as usize]);
        let mut vector: Vec<(u32, f64)> = document.map(weigh).collect();
        let length = vector.iter().map(|(_, x)| x * x).sum::<f64>().sqrt();
        if length > 0.0 {
            vector.iter_mut().for_each(|(_, x)| *x /= length);
        }
        vector
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::WordCounts;

    fn corpus(rows: &[&[(u32, u32)]]) -> Corpus {
        let mut documents = WordCounts::new();
        rows.iter().for_each(|row| documents.push_row(row.iter().copied()));
        let ids = (0..rows.len()).map(|n| n.to_string()).collect();
        Corpus { name: "c".to_owned(), ids, documents }
    }

    #[test]
    fn a_vector_is_made_of_log_counts_and_rarity() {
        let (one, other) = (corpus(&[&[(0, 9), (1, 1)], &[(0, 1)]]), corpus(&[&[(0, 2)], &[]]));
        let tf_idf = TfIdf::of(&[&one, &other], 3);
        // Terms 0, 1 and 2 are in 3, 1 and none of 4 documents: idf 0, log 2 and log 4.
        let vector = tf_idf.vector([(0, 5), (1, 3), (2, 1)].into_iter());
        let (b, c) = (4f64.ln() * 2f64.ln(), 2f64.ln() * 4f64.ln());
        let length = b.hypot(c);
        let expected = [(0, 0.0), (1, b / length), (2, c / length)];
        for ((term, x), (expected_term, expected)) in vector.iter().zip(expected) {
            assert_eq!(*term, expected_term);
            assert!((x - expected).abs() < 1e-15);
        }
        assert_eq!(tf_idf.vector([(0, 5)].into_iter()), [(0, 0.0)]);
    }
}
