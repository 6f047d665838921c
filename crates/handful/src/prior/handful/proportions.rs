//! α: how much of each topic a document is expected to have.

use super::{Handful, HandfulTape, Ingredient};
use crate::corpus::WordCounts;
use crate::em::{Dirichlet, PriorGradient};
use crate::nn::Gradient;
use crate::numeric::{Real, kernels};

/// The logit of a background that is left out: softplus leaves nothing of it.
const NO_BACKGROUND: f64 = -60.0;

impl<R: Real> Handful<R> {
    /// α_nk = softplus(h_n · A t_k / √D + a_k + p [topic k starts from document n])
    pub(super) fn proportions(
        &self,
        support: &WordCounts,
        tape: &mut HandfulTape<R>,
        dirichlet: &mut Dirichlet<R>,
    ) {
        self.topic_heads(tape);
        let Dirichlet { topics, alpha, .. } = dirichlet;
        kernels::reset(alpha, support.documents() * *topics);
        self.affinities_of_documents(tape, alpha);
        let membership = self.parameters[self.membership].values[0];
        for (alpha, &group) in alpha.chunks_exact_mut(*topics).zip(&tape.group) {
            alpha[group] += membership;
        }
        R::softplus(alpha);
    }

    /// A t_k and a_k: all that α takes from a topic.
    pub(super) fn topic_heads(&self, tape: &mut HandfulTape<R>) {
        let HandfulTape { topic_vectors, scratch, affinities, commonness, .. } = tape;
        self.affinity.forward(&self.parameters, topic_vectors, scratch, affinities);
        self.commonness.forward(&self.parameters, topic_vectors, scratch, commonness);
    }

    /// h_n · A t_k / √D + a_k, a row a document.
    pub(super) fn affinities_of_documents(&self, tape: &HandfulTape<R>, logits: &mut [R]) {
        let HandfulTape { affinities, commonness, documents, .. } = tape;
        R::dots(documents, self.settings.dimension, affinities, &[], logits);
        let (scale, topics) = (self.affinity_scale(), commonness.len());
        for logits in logits.chunks_exact_mut(topics) {
            for (logit, &commonness) in logits.iter_mut().zip(commonness) {
                *logit = *logit * scale + commonness;
            }
            if self.lacks(Ingredient::Background) {
                logits[topics - 1] = R::of(NO_BACKGROUND);
            }
        }
    }

    /// Backward pass of [`Self::proportions`]: adds to `tape.topic_gradient`, sets
    /// `tape.document_gradient`.
    pub(super) fn proportions_backward(
        &self,
        support: &WordCounts,
        dirichlet: &Dirichlet<R>,
        gradient: &PriorGradient<R>,
        tape: &mut HandfulTape<R>,
        gradients: &mut [Gradient<R>],
    ) {
        let (dimension, topics) = (self.settings.dimension, dirichlet.topics);
        let parameters = &self.parameters;
        let HandfulTape {
            topic_vectors,
            scratch,
            head_gradient,
            topic_gradient,
            logit_gradient: logits,
            outputs,
            document_gradient,
            affinities,
            documents,
            group,
            ..
        } = &mut *tape;
        logits.clear();
        logits.extend_from_slice(&gradient.log_alpha);
        R::softplus_backward(logits, &dirichlet.alpha);
        if self.lacks(Ingredient::Background) {
            logits.chunks_exact_mut(topics).for_each(|logits| logits[topics - 1] = R::ZERO);
        }
        let of_group = logits.chunks_exact(topics).zip(&*group).map(|(logits, &k)| logits[k]);
        gradients[self.membership].dense(1)[0] = of_group.sum();
        kernels::reset(head_gradient, topics);
        R::add_rows(head_gradient, logits);
        self.commonness.backward(
            parameters,
            topic_vectors,
            head_gradient,
            gradients,
            scratch,
            topic_gradient,
        );
        let scale = self.affinity_scale();
        logits.iter_mut().for_each(|logit| *logit *= scale);
        kernels::reset(outputs, topics * dimension);
        R::combine(documents, dimension, logits, outputs);
        self.affinity.backward(
            parameters,
            topic_vectors,
            outputs,
            gradients,
            scratch,
            topic_gradient,
        );
        kernels::reset(document_gradient, support.documents() * dimension);
        for (gradient, logits) in
            document_gradient.chunks_exact_mut(dimension).zip(logits.chunks_exact(topics))
        {
            for (affinity, &logit) in affinities.chunks_exact(dimension).zip(logits) {
                kernels::add_scaled(gradient, logit, affinity);
            }
        }
    }

    /// 1/√D
    fn affinity_scale(&self) -> R {
        R::of(1.0 / (self.settings.dimension as f64).sqrt())
    }
}
