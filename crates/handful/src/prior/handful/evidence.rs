//! Evidence: how much an occurrence of a word counts.
//!
//! A word that comes in bursts, or that says nothing about a document's subject, is less evidence of
//! its topic than its occurrences are many, and so is its tenth occurrence beside its first. EM
//! weighs counts accordingly.

use super::elementary::sigmoid;
use super::words::WordView;
use crate::corpus::WordCounts;
use crate::em::PriorGradient;
use crate::nn::{Gradient, Parameter};
use crate::numeric::Real;

/// Terms that occur this often in a document, or oftener, share a weight.
pub(super) const MOST_OCCURRENCES: usize = 8;

/// g_j d_x = 2 σ(e_j) 2 σ(f_x) for a term j that occurs x times: each factor is between 0 and 2,
/// and 1 at the start.
#[derive(Clone, Debug)]
pub(super) struct EvidenceStage {
    /// f: how much an occurrence counts, by how many of them the document has.
    pub(super) of_counts: usize,
}

impl EvidenceStage {
    /// g_j d_x of every entry of the support.
    pub(super) fn forward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        words: WordView<'_, R>,
        support: &WordCounts,
        evidence: &mut Vec<R>,
    ) {
        let of_counts = &parameters[self.of_counts].values;
        let entries = support.terms().iter().zip(support.counts());
        evidence.clear();
        evidence.extend(entries.map(|(&term, &count)| {
            twice_sigmoid(words.evidence(term)) * twice_sigmoid(of_counts[row_of(count)])
        }));
    }

    /// From x ∂/∂x of the entries to the gradients of e, parameter `of_terms`, and of f: log 2 σ(e)
    /// has the derivative 1 − σ(e).
    pub(super) fn backward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        of_terms: usize,
        support: &WordCounts,
        gradient: &PriorGradient<R>,
        gradients: &mut [Gradient<R>],
    ) {
        let term_logits = &parameters[of_terms].values;
        let count_logits = &parameters[self.of_counts].values;
        let mut by_count = [R::ZERO; MOST_OCCURRENCES];
        let of_logits = gradients[of_terms].dense(term_logits.len());
        let entries = support.terms().iter().zip(support.counts());
        for ((&term, &count), &log_count) in entries.zip(&gradient.log_counts) {
            let j = term as usize;
            of_logits[j] += log_count * derivative(term_logits[j]);
            by_count[row_of(count)] += log_count;
        }
        let of_logits = gradients[self.of_counts].dense(MOST_OCCURRENCES);
        for ((of_logit, &logit), sum) in of_logits.iter_mut().zip(count_logits).zip(by_count) {
            *of_logit += sum * derivative(logit);
        }
    }
}

/// Which of the weights is for `count` occurrences, of which there is at least one.
fn row_of(count: u32) -> usize {
    (count as usize).min(MOST_OCCURRENCES) - 1
}

fn twice_sigmoid<R: Real>(logit: R) -> R {
    let share = sigmoid(logit);
    share + share
}

/// Of log 2 σ.
fn derivative<R: Real>(logit: R) -> R {
    R::ONE - sigmoid(logit)
}
