//! How much an occurrence of a word counts.
//!
//! A word that comes in bursts, or that says nothing about a document's subject, is less evidence of
//! its topic than its occurrences are many, and so is its tenth occurrence beside its first. EM
//! weighs counts accordingly.

use super::Handful;
use super::shapes::sigmoid;
use crate::corpus::WordCounts;
use crate::em::{Dirichlet, PriorGradient};
use crate::nn::Gradient;
use crate::numeric::Real;

/// Terms that occur so often in a document, or oftener, share a weight.
pub(super) const MOST_OCCURRENCES: usize = 8;

impl<R: Real> Handful<R> {
    /// g_j d_x = 2 σ(e_j) 2 σ(f_x) for a term j that occurs x times: each factor is between 0 and 2,
    /// and 1 at the start.
    pub(super) fn evidence(&self, support: &WordCounts, dirichlet: &mut Dirichlet<R>) {
        let of_terms = &self.parameters[self.evidence].values;
        let of_counts = &self.parameters[self.count_evidence].values;
        let entries = support.terms().iter().zip(support.counts());
        dirichlet.evidence.clear();
        dirichlet.evidence.extend(entries.map(|(&term, &count)| {
            twice_sigmoid(of_terms[term as usize]) * twice_sigmoid(of_counts[row_of(count)])
        }));
    }

    /// From x ∂/∂x of the entries to the gradients of e and f: log 2 σ(e) has the derivative
    /// 1 − σ(e).
    pub(super) fn evidence_backward(
        &self,
        support: &WordCounts,
        gradient: &PriorGradient<R>,
        gradients: &mut [Gradient<R>],
    ) {
        let of_terms = &self.parameters[self.evidence].values;
        let of_counts = &self.parameters[self.count_evidence].values;
        let mut by_count = [R::ZERO; MOST_OCCURRENCES];
        let of_logits = gradients[self.evidence].dense(of_terms.len());
        let entries = support.terms().iter().zip(support.counts());
        for ((&term, &count), &log_count) in entries.zip(&gradient.log_counts) {
            let j = term as usize;
            of_logits[j] += log_count * derivative(of_terms[j]);
            by_count[row_of(count)] += log_count;
        }
        let of_logits = gradients[self.count_evidence].dense(MOST_OCCURRENCES);
        for ((of_logit, &logit), sum) in of_logits.iter_mut().zip(of_counts).zip(by_count) {
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
