//! How much a word counts.
//!
//! A word that comes in bursts, or that says nothing about a document's subject, is less evidence of
//! its topic than its occurrences are many. EM weighs counts accordingly.

use super::Handful;
use crate::corpus::WordCounts;
use crate::em::PriorGradient;
use crate::nn::{Gradient, Real};
use crate::prior::Dirichlet;

impl<R: Real> Handful<R> {
    /// g_j = 2 σ(e_j): between 0 and 2, and 1 at the start.
    pub(super) fn evidence(&self, dirichlet: &mut Dirichlet<R>) {
        let logits = &self.parameters[self.evidence].values;
        let two = R::ONE + R::ONE;
        dirichlet.evidence.clear();
        dirichlet.evidence.extend(logits.iter().map(|&logit| two / (R::ONE + (-logit).exp())));
    }

    /// From x ∂/∂x of the entries to the gradient of e: log 2 σ(e) has the derivative 1 − σ(e).
    pub(super) fn evidence_backward(
        &self,
        support: &WordCounts,
        dirichlet: &Dirichlet<R>,
        gradient: &PriorGradient<R>,
        gradients: &mut [Gradient<R>],
    ) {
        let of_logits = gradients[self.evidence].dense(dirichlet.evidence.len());
        let half = R::of(0.5);
        for (&term, &log_count) in support.terms().iter().zip(&gradient.log_counts) {
            let j = term as usize;
            of_logits[j] += log_count * (R::ONE - half * dirichlet.evidence[j]);
        }
    }
}
