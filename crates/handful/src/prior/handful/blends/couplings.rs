//! Passages of one document pull each other to one topic if they are alike, and apart if not.

use super::views::Views;
use crate::prior::handful::elementary::softmax;
use std::ops::Range;

/// What the products of words, directions and themes say of whether two passages of a document are
/// about one subject: a logistic regression on joined documents of free texts, rounded.
const PRODUCTS: [f64; 3] = [2.0, 5.4, 5.7];

/// The evidence with which two passages neither pull nor push. It is more than none, for passages of one
/// document share names and style whatever they are about.
const NEUTRAL: f64 = 0.5;

/// No pair pulls or pushes more than this, so that no two passages decide for their document.
const MOST_EVIDENCE: f64 = 3.0;

/// The weight of a pull beside what a passage itself says.
const STRENGTH: f64 = 0.5;

/// All passages of a document together pull as much as this many, so that long documents can mix, too.
const MOST_PULLING: f64 = 4.0;

/// v is the evidence that a fifth of a document's pairs fall short of: about as many pairs are apart if a
/// tenth of the passages is about something else.
const WEAK: f64 = 0.2;

/// v of a document of one passage, which has no pairs: more than any pair has.
const NO_PAIRS: f64 = 9.0;

/// Rounds of the mean field; each goes half of the way.
const ROUNDS: usize = 6;

/// The pulls between the passages of one document.
#[derive(Clone, Debug)]
pub(super) struct Couplings {
    /// Number of passages.
    pub(super) passages: usize,
    /// v: the evidence of the pairs that are least alike.
    pub(super) weak: f64,
    /// J: passages × passages
    pulls: Vec<f64>,
}

impl Couplings {
    /// Of the passages of one document, by the evidence
    /// J⁰_pq = 2 S^words_pq + 5.4 S^directions_pq + 5.7 S^themes_pq.
    pub(super) fn of(views: &Views, document: Range<usize>) -> Self {
        let (first, passages) = (document.start, document.len());
        let mut evidence = Vec::with_capacity(passages * passages.saturating_sub(1) / 2);
        for q in 1..passages {
            for p in 0..q {
                let (p, q) = (first + p, first + q);
                let products = [
                    views.words.product(p, q),
                    views.directions.product(p, q),
                    views.themes.product(p, q),
                ];
                evidence.push(PRODUCTS.iter().zip(products).map(|(w, s)| w * s).sum::<f64>());
            }
        }
        Self::by(evidence, passages)
    }

    /// By the evidence J⁰_pq that each two of n passages are about one subject, for pairs p < q, in the
    /// order of q, then of p. They pull J_pq = 0.5 min(1, 4 / (n − 1)) (J⁰_pq − 0.5), brought between −3
    /// and 3 before it is scaled.
    pub(super) fn by(mut evidence: Vec<f64>, passages: usize) -> Self {
        let scale = STRENGTH * (MOST_PULLING / (passages as f64 - 1.0)).min(1.0);
        let mut pulls = vec![0.0; passages * passages];
        let mut next = evidence.iter();
        for q in 1..passages {
            for p in 0..q {
                let evidence = next.next().expect("one for each pair") - NEUTRAL;
                let pull = scale * evidence.clamp(-MOST_EVIDENCE, MOST_EVIDENCE);
                pulls[p * passages + q] = pull;
                pulls[q * passages + p] = pull;
            }
        }
        let weak = if evidence.is_empty() { NO_PAIRS } else { quantile(&mut evidence, WEAK) };
        Self { passages, weak, pulls }
    }

    /// The topics of passages that pull each other: m = softmax(B), and then six times
    /// m ← (m + softmax(B + J m)) / 2. B and m are passages × topics.
    pub(super) fn mean_field(&self, field: &[f64], topics: usize) -> Vec<f64> {
        let mut shares = field.to_vec();
        shares.chunks_exact_mut(topics).for_each(softmax);
        let mut pulled = vec![0.0; field.len()];
        for _ in 0..ROUNDS {
            pulled.copy_from_slice(field);
            let rows = pulled.chunks_exact_mut(topics).zip(self.pulls.chunks_exact(self.passages));
            for (row, pulls) in rows {
                for (pull, shares) in pulls.iter().zip(shares.chunks_exact(topics)) {
                    row.iter_mut().zip(shares).for_each(|(sum, share)| *sum += pull * share);
                }
                softmax(row);
            }
            shares.iter_mut().zip(&pulled).for_each(|(share, x)| *share = 0.5 * (*share + x));
        }
        shares
    }
}

/// The number that a share of some numbers fall short of, between two of them in proportion.
pub(super) fn quantile(numbers: &mut [f64], share: f64) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    let place = share * (numbers.len() - 1) as f64;
    let (below, part) = (numbers[place as usize], place.fract());
    let above = numbers[(place as usize + 1).min(numbers.len() - 1)];
    below + part * (above - below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_lies_between_two_numbers_in_proportion() {
        assert_eq!(quantile(&mut [3.0], 0.2), 3.0);
        assert_eq!(quantile(&mut [4.0, 1.0, 2.0], 0.5), 2.0);
        assert!((quantile(&mut [4.0, 1.0, 2.0], 0.2) - 1.4).abs() < 1e-12);
        assert!((quantile(&mut [5.0, 4.0, 3.0, 2.0, 1.0, 0.0], 0.2) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_passage_follows_those_that_it_is_coupled_to() {
        // Two passages know their topics; a third knows nothing, and is coupled to the first alone.
        let mut pulls = vec![0.0; 9];
        (pulls[2], pulls[6]) = (1.0, 1.0);
        let couplings = Couplings { passages: 3, weak: 0.0, pulls };
        let shares = couplings.mean_field(&[3.0, 0.0, 0.0, 3.0, 0.0, 0.0], 2);
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        // Literally: the difference of the two topics' shares in the first and the third passage.
        let (mut first, mut third) = (2.0 * sigmoid(3.0) - 1.0, 0.0);
        for _ in 0..ROUNDS {
            let next = (2.0 * sigmoid(3.0 + third) - 1.0, 2.0 * sigmoid(first) - 1.0);
            (first, third) = (0.5 * (first + next.0), 0.5 * (third + next.1));
        }
        for (p, difference) in [(0, first), (1, 1.0 - 2.0 * sigmoid(3.0)), (2, third)] {
            assert!((shares[2 * p] - shares[2 * p + 1] - difference).abs() < 1e-12, "{p}");
        }
        assert!(third > 0.4);
    }
}
