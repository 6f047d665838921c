//! Proportions: α, how much of each topic a document is expected to have.

use super::documents::DocumentTape;
use super::topics::TopicTape;
use crate::em::PriorGradient;
use crate::nn::{Gradient, Linear, Parameter};
use crate::numeric::{Real, kernels};

/// The logit of a background that is left out: softplus leaves nothing of it.
const NO_BACKGROUND: f64 = -60.0;

/// α_nk = softplus(h_n · A t_k / √D + a_k + p [topic k starts from document n])
#[derive(Clone, Debug)]
pub(super) struct ProportionStage {
    /// A
    pub(super) affinity: Linear,
    /// a: how common a topic is whatever the document.
    pub(super) commonness: Linear,
    /// p: what a topic that starts from a document has more of it.
    pub(super) membership: usize,
    /// Whether no document has any of the background.
    pub(super) without_background: bool,
}

/// What α takes from the topics.
#[derive(Clone, Debug, Default)]
pub(super) struct TopicHeads<R> {
    /// A t_k
    pub(super) affinities: Vec<R>,
    /// a_k
    pub(super) commonness: Vec<R>,
}

/// What the backward pass of [`ProportionStage`] needs.
#[derive(Clone, Debug, Default)]
pub(super) struct ProportionTape<R> {
    pub(super) heads: TopicHeads<R>,
    scratch: Vec<R>,
    of_logits: Vec<R>,
    of_commonness: Vec<R>,
    of_affinities: Vec<R>,
}

impl ProportionStage {
    /// α of documents, the background's last in each row.
    pub(super) fn forward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        documents: &DocumentTape<R>,
        topics: &TopicTape<R>,
        tape: &mut ProportionTape<R>,
        alpha: &mut Vec<R>,
    ) {
        let ProportionTape { heads: TopicHeads { affinities, commonness }, scratch, .. } = tape;
        self.affinity.forward(parameters, &topics.vectors, scratch, affinities);
        self.commonness.forward(parameters, &topics.vectors, scratch, commonness);
        kernels::reset(alpha, topics.group.len() * (topics.topics + 1));
        self.logits(&tape.heads, &documents.vectors, alpha);
        let membership = parameters[self.membership].values[0];
        for (alpha, &group) in alpha.chunks_exact_mut(topics.topics + 1).zip(&topics.group) {
            alpha[group] += membership;
        }
        R::softplus(alpha);
    }

    /// h_n · A t_k / √D + a_k, a row a document.
    pub(super) fn logits<R: Real>(&self, heads: &TopicHeads<R>, documents: &[R], logits: &mut [R]) {
        let TopicHeads { affinities, commonness } = heads;
        let topics = commonness.len();
        let dimension = affinities.len() / topics;
        R::dots(documents, dimension, affinities, &[], logits);
        let scale = affinity_scale::<R>(dimension);
        for logits in logits.chunks_exact_mut(topics) {
            for (logit, &commonness) in logits.iter_mut().zip(commonness) {
                *logit = *logit * scale + commonness;
            }
            if self.without_background {
                logits[topics - 1] = R::of(NO_BACKGROUND);
            }
        }
    }

    /// Backward pass of [`Self::forward`]: adds to `topics.of_vectors`, sets `documents.of_vectors`.
    #[expect(clippy::too_many_arguments, reason = "the tapes of three stages meet here")]
    pub(super) fn backward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        alpha: &[R],
        gradient: &PriorGradient<R>,
        tape: &mut ProportionTape<R>,
        topics: &mut TopicTape<R>,
        documents: &mut DocumentTape<R>,
        gradients: &mut [Gradient<R>],
    ) {
        let (dimension, count) = (topics.dimension(), topics.topics + 1);
        let ProportionTape { heads, scratch, of_logits: logits, of_commonness, of_affinities } =
            tape;
        logits.clear();
        logits.extend_from_slice(&gradient.log_alpha);
        R::softplus_backward(logits, alpha);
        if self.without_background {
            logits.chunks_exact_mut(count).for_each(|logits| logits[count - 1] = R::ZERO);
        }
        let of_group = logits.chunks_exact(count).zip(&topics.group).map(|(logits, &k)| logits[k]);
        gradients[self.membership].dense(1)[0] = of_group.sum();
        kernels::reset(of_commonness, count);
        R::add_rows(of_commonness, logits);
        self.commonness.backward(
            parameters,
            &topics.vectors,
            of_commonness,
            gradients,
            scratch,
            &mut topics.of_vectors,
        );
        let scale = affinity_scale::<R>(dimension);
        logits.iter_mut().for_each(|logit| *logit *= scale);
        kernels::reset(of_affinities, count * dimension);
        R::combine(&documents.vectors, dimension, logits, of_affinities);
        self.affinity.backward(
            parameters,
            &topics.vectors,
            of_affinities,
            gradients,
            scratch,
            &mut topics.of_vectors,
        );
        kernels::reset(&mut documents.of_vectors, documents.vectors.len());
        for (gradient, logits) in
            documents.of_vectors.chunks_exact_mut(dimension).zip(logits.chunks_exact(count))
        {
            for (affinity, &logit) in heads.affinities.chunks_exact(dimension).zip(logits) {
                kernels::add_scaled(gradient, logit, affinity);
            }
        }
    }
}

/// 1/√D
fn affinity_scale<R: Real>(dimension: usize) -> R {
    R::of(1.0 / (dimension as f64).sqrt())
}
