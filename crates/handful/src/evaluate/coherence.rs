//! Coherence: whether a topic's top terms occur in the same documents.

use crate::corpus::WordCounts;

/// The number of documents in a block of bits.
const BLOCK: usize = u64::BITS as usize;

/// The documents in which each term occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presence {
    documents: usize,
    blocks: usize,
    /// One bit per document: terms × blocks
    bits: Vec<u64>,
}

impl Presence {
    /// Records the terms of `documents`, over a vocabulary of `terms` terms.
    pub fn of(documents: &WordCounts, terms: usize) -> Self {
        let blocks = documents.documents().div_ceil(BLOCK);
        let mut bits = vec![0; terms * blocks];
        for n in 0..documents.documents() {
            for (term, _) in documents.row(n) {
                bits[term as usize * blocks + n / BLOCK] |= 1 << (n % BLOCK);
            }
        }
        Self { documents: documents.documents(), blocks, bits }
    }

    /// Returns the documents except `left_out`, as a reference to test topics on. Leave out the
    /// documents that the model has seen: they are no test of it.
    pub fn except(&self, left_out: &[usize]) -> Reference<'_> {
        let mut counted = vec![u64::MAX; self.blocks];
        let beyond = self.blocks * BLOCK - self.documents;
        if let Some(last) = counted.last_mut() {
            *last >>= beyond;
        }
        for &n in left_out {
            counted[n / BLOCK] &= !(1 << (n % BLOCK));
        }
        let documents = counted.iter().map(|block| block.count_ones()).sum();
        Reference { presence: self, counted, documents }
    }

    fn of_term(&self, term: u32) -> &[u64] {
        &self.bits[term as usize * self.blocks..][..self.blocks]
    }
}

/// Documents that tell which terms belong together.
#[derive(Clone, Debug)]
pub struct Reference<'a> {
    presence: &'a Presence,
    /// One bit per document, set if the document counts.
    counted: Vec<u64>,
    documents: u32,
}

impl Reference<'_> {
    /// The number of documents.
    pub fn documents(&self) -> usize {
        self.documents as usize
    }

    /// Computes the normalised pointwise mutual information of the presence of two terms in a
    /// document (Bouma, "Normalized (pointwise) mutual information in collocation extraction",
    /// 2009):
    ///
    /// log(p(a,b) / (p(a) p(b))) / −log p(a,b)
    ///
    /// It is 1 if the terms occur only together, 0 if they are independent, and −1 if they never
    /// occur together, for example because one does not occur at all. Terms that are both in every
    /// document count as independent.
    pub fn npmi(&self, a: u32, b: u32) -> f64 {
        let (with_a, with_b) = (self.presence.of_term(a), self.presence.of_term(b));
        let share = |with: &dyn Fn(usize) -> u64| {
            let block = |(i, counted): (usize, &u64)| (counted & with(i)).count_ones();
            let documents: u32 = self.counted.iter().enumerate().map(block).sum();
            f64::from(documents) / f64::from(self.documents)
        };
        let both = share(&|i| with_a[i] & with_b[i]);
        if both.is_nan() || both == 0.0 {
            return -1.0;
        }
        if both == 1.0 {
            return 0.0;
        }
        let independent = share(&|i| with_a[i]) * share(&|i| with_b[i]);
        (both / independent).ln() / -both.ln()
    }

    /// Computes the coherence of a topic: the mean NPMI over all pairs of its top terms (Aletras
    /// and Stevenson, "Evaluating topic coherence using distributional semantics", 2013). Returns
    /// `None` if there is no pair or no document.
    pub fn coherence(&self, terms: &[u32]) -> Option<f64> {
        let (mut sum, mut pairs) = (0.0, 0);
        for (i, &a) in terms.iter().enumerate() {
            for &b in &terms[..i] {
                sum += self.npmi(a, b);
                pairs += 1;
            }
        }
        (pairs > 0 && self.documents > 0).then(|| sum / f64::from(pairs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn presence(rows: &[&[u32]], terms: usize) -> Presence {
        let mut documents = WordCounts::new();
        rows.iter().for_each(|row| documents.push_row(row.iter().map(|&term| (term, 2))));
        Presence::of(&documents, terms)
    }

    #[test]
    fn npmi_is_that_of_the_definition() {
        let presence = presence(&[&[0, 1], &[0, 1, 5], &[0, 2, 5], &[3]], 6);
        let reference = presence.except(&[]);
        let third = |x: f64| (4.0f64 / 3.0).ln() / x.ln();
        for (a, b, expected) in [
            // p(a) = 3/4, p(b) = 1/2, p(a,b) = 1/2
            (0, 1, third(2.0)),
            // p(a) = 3/4, p(b) = 1/4, p(a,b) = 1/4
            (0, 2, third(4.0)),
            // p(a) = p(b) = 1/2, p(a,b) = 1/4
            (1, 5, 0.0),
            (1, 2, -1.0),
            // Term 4 does not occur.
            (0, 4, -1.0),
            (4, 4, -1.0),
            // Terms that only occur together.
            (3, 3, 1.0),
        ] {
            let npmi = reference.npmi(a, b);
            assert!((npmi - expected).abs() < 1e-15, "{a}, {b}: {npmi}");
        }
        let coherence = reference.coherence(&[0, 1, 2]).unwrap();
        assert!((coherence - (third(2.0) + third(4.0) - 1.0) / 3.0).abs() < 1e-15);
    }

    #[test]
    fn documents_that_are_left_out_do_not_count() {
        let rows: Vec<&[u32]> = (0..130).map(|n| if n < 65 { &[0, 1][..] } else { &[1] }).collect();
        let presence = presence(&rows, 2);
        // Without the last: p(0) = p(0,1) = 65/129.
        let left = presence.except(&[129]);
        assert_eq!(left.documents(), 129);
        assert!(left.npmi(0, 1).abs() < 1e-15);
        let without: Vec<usize> = (0..65).collect();
        assert_eq!(presence.except(&without).npmi(0, 1), -1.0);
        // In every document that remains.
        let only: Vec<usize> = (65..130).collect();
        assert_eq!(presence.except(&only).npmi(0, 1), 0.0);
    }

    #[test]
    fn without_a_pair_or_a_document_there_is_no_coherence() {
        let presence = presence(&[&[0, 1]], 2);
        assert_eq!(presence.except(&[]).coherence(&[0]), None);
        assert_eq!(presence.except(&[]).coherence(&[]), None);
        assert_eq!(presence.except(&[0]).coherence(&[0, 1]), None);
    }

    proptest! {
        #[test]
        fn npmi_lies_between_its_bounds_whatever_the_documents(
            rows in prop::collection::vec(prop::collection::btree_set(0u32..5, 0..5), 1..100),
            left_out in prop::collection::vec(0usize..100, 0..8),
        ) {
            let rows: Vec<Vec<u32>> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
            let rows: Vec<&[u32]> = rows.iter().map(|row| &row[..]).collect();
            let presence = presence(&rows, 5);
            let left_out: Vec<usize> = left_out.into_iter().filter(|&n| n < rows.len()).collect();
            let reference = presence.except(&left_out);
            for (a, b) in [(0, 1), (2, 4), (3, 3)] {
                let npmi = reference.npmi(a, b);
                prop_assert!((-1.0..=1.0 + 1e-12).contains(&npmi), "{npmi}");
                prop_assert_eq!(npmi, reference.npmi(b, a));
            }
        }
    }
}
