//! Pools several corpora.

use super::{Corpus, WordCounts};

/// Added to every term's count, so that no term is impossible.
const PSEUDO_COUNT: f64 = 0.5;

/// Returns the documents of all corpora, one corpus after the other.
pub fn all_documents(corpora: &[&Corpus]) -> WordCounts {
    let mut all = WordCounts::new();
    for corpus in corpora {
        (0..corpus.documents.documents()).for_each(|n| all.push_row(corpus.documents.row(n)));
    }
    all
}

/// Returns the probability of each term in all corpora together, with half a count added to each.
pub fn unigram(corpora: &[&Corpus], terms: usize) -> Vec<f64> {
    let mut counts = vec![PSEUDO_COUNT; terms];
    for corpus in corpora {
        for (&term, &count) in corpus.documents.terms().iter().zip(corpus.documents.counts()) {
            counts[term as usize] += f64::from(count);
        }
    }
    let sum: f64 = counts.iter().sum();
    counts.iter().map(|count| count / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_term_is_impossible() {
        let mut documents = WordCounts::new();
        documents.push_row([(0, 1)]);
        documents.push_row([(0, 2), (2, 1)]);
        let ids = vec!["a".to_owned(), "b".to_owned()];
        let corpus = Corpus { name: "c".to_owned(), ids, documents };
        assert_eq!(unigram(&[&corpus], 4), [3.5 / 6.0, 0.5 / 6.0, 1.5 / 6.0, 0.5 / 6.0]);
    }
}
