//! How probable it is that a document mixes topics.

use super::couplings::{Couplings, quantile};
use crate::numeric::Real;
use crate::prior::handful::elementary::sigmoid;

/// What speaks for a mixed document before topics are known: v, one over its passages, and one. A
/// logistic regression, as [`AFTER`].
const BEFORE: [f64; 3] = [-1.719, 10.931, -1.621];

/// What speaks for a mixed document: v, one over its passages, the gain and the spread of its logits,
/// the medians of v and of the spread over the documents, and one. A logistic regression on documents
/// of free texts, of which the built-in model learned, too; of six or eight documents two were joined.
const AFTER: [f64; 7] = [-1.306, 8.806, 1.515, 0.706, 0.443, -1.071, -1.941];

/// What the regression's logits are multiplied by, so that fewer documents are half mixed and half whole.
const SHARPNESS: f64 = 1.5;

/// What a document counts at least in the topics' first means, however mixed it looks.
const LEAST_WEIGHT: f64 = 0.3;

/// What the logits of a document's passages say of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Evidence {
    /// M_nk: the mean of L_pk by the words of the passages.
    pub(super) mean: Vec<f64>,
    /// δ: how much better the passages suit each its best topic than the document one.
    pub(super) gain: f64,
    /// How far the passages are from the document's mean.
    pub(super) spread: f64,
}

impl Evidence {
    /// δ = mean of max_k L_pk − max_k M_nk and √(mean of Σ_k (L_pk − M_nk)²), means by words, of one
    /// document's logits (passages × topics).
    pub(super) fn of(logits: &[f64], lengths: &[f64], topics: usize) -> Self {
        let all: f64 = lengths.iter().sum();
        let rows = || logits.chunks_exact(topics).zip(lengths.iter().map(|length| length / all));
        let mut mean = vec![0.0; topics];
        for (row, share) in rows() {
            mean.iter_mut().zip(row).for_each(|(mean, logit)| *mean += share * logit);
        }
        let best: f64 = rows().map(|(row, share)| share * largest(row)).sum();
        let square = |row: &[f64]| -> f64 {
            row.iter().zip(&mean).map(|(x, mean)| (x - mean).powi(2)).sum()
        };
        let variance: f64 = rows().map(|(row, share)| share * square(row)).sum();
        Self { gain: best - largest(&mean), spread: variance.max(0.0).sqrt(), mean }
    }
}

/// What each document counts in the topics' first means: less, the more mixed it looks.
pub(super) fn first_weights(couplings: &[Couplings]) -> Vec<f64> {
    let weight = |it: &Couplings| {
        let logit = dot(&BEFORE, &[it.weak, 1.0 / it.passages as f64, 1.0]);
        (1.0 - sigmoid(logit)).max(LEAST_WEIGHT)
    };
    couplings.iter().map(weight).collect()
}

/// How probable it is that each document mixes topics. One of a single passage does not, and one that
/// is alone does: else there were nothing to tell.
pub(super) fn probabilities(couplings: &[Couplings], evidence: &[Evidence]) -> Vec<f64> {
    if couplings.len() == 1 {
        return vec![1.0];
    }
    let several = || couplings.iter().zip(evidence).filter(|(it, _)| it.passages > 1);
    let median = |numbers: Vec<f64>| match numbers {
        none if none.is_empty() => 0.0,
        mut numbers => quantile(&mut numbers, 0.5),
    };
    let usual_weak = median(several().map(|(it, _)| it.weak).collect());
    let usual_spread = median(several().map(|(_, evidence)| evidence.spread).collect());
    let probability = |(it, evidence): (&Couplings, &Evidence)| {
        if it.passages < 2 {
            return 0.0;
        }
        let &Evidence { gain, spread, .. } = evidence;
        let part = 1.0 / it.passages as f64;
        let features = [it.weak, part, gain, spread, usual_weak, usual_spread, 1.0];
        sigmoid(SHARPNESS * dot(&AFTER, &features))
    };
    couplings.iter().zip(evidence).map(probability).collect()
}

pub(super) fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(f64::NEG_INFINITY, |most, &x| most.at_least(x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_of_two_kinds_of_passages_has_a_gain_and_a_spread() {
        let whole = Evidence::of(&[3.0, -3.0, 3.0, -3.0], &[20.0, 20.0], 2);
        assert_eq!((whole.gain, whole.spread, &whole.mean[..]), (0.0, 0.0, &[3.0, -3.0][..]));
        let mixed = Evidence::of(&[3.0, -3.0, -3.0, 3.0], &[30.0, 10.0], 2);
        // The means are 3/4 of 3 less 1/4 of 3; the squares 3/4 of 2 · 1.5² and 1/4 of 2 · 4.5².
        assert_eq!((mixed.gain, &mixed.mean[..]), (1.5, &[1.5, -1.5][..]));
        assert!((mixed.spread - (0.75 * 4.5 + 0.25 * 40.5f64).sqrt()).abs() < 1e-12);
    }
}
