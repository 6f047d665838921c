//! Handful's own prior: words, documents and topics are vectors in one space.
//!
//! ```text
//! x_n ─ Σ log(1 + x_nj) w_j E_j, length 1 ─▶ u_n ─ f_D ─▶ h_n ─ mean, f_C ─▶ r
//! a topic for each document (or group of documents), and topics of the corpus:
//! context c_k = h_n, or r ─ f_T([c_k, r, s_k]) + c_k ─▶ t_k
//! β_k = exp(concentration of t_k) · softmax(E t_k + b)        α_nk = softplus(h_n A t_k + a of t_k)
//! ```

mod documents;
mod layout;
mod start;
mod tensors;
mod topics;

use super::{Dirichlet, Prior};
use crate::Result;
use crate::corpus::WordCounts;
use crate::em::PriorGradient;
use crate::error::{MOST, expect_within};
use crate::nn::{
    Dropout, Gradient, Linear, Network, NetworkTape, Parameter, Real, TermSoftmax, TermSoftmaxTape,
    kernels,
};
use serde::{Deserialize, Serialize};

/// The shape of the networks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HandfulSettings {
    /// Length of the vectors of words, documents and topics.
    pub dimension: usize,
    /// Hidden units of every network.
    pub hidden: usize,
    /// Share of an episode's words that the networks do not see in training.
    pub word_dropout: f64,
    /// Share of a document's vector that is dropped in training.
    pub input_dropout: f64,
}

impl Default for HandfulSettings {
    fn default() -> Self {
        Self { dimension: 128, hidden: 256, word_dropout: 0.5, input_dropout: 0.3 }
    }
}

impl HandfulSettings {
    /// Refuses shapes that no network can have.
    pub fn check(&self) -> Result<()> {
        expect_within("dimension", self.dimension, 1, MOST)?;
        expect_within("hidden", self.hidden, 1, MOST)
    }
}

/// Vectors of words, documents and topics, with their weights.
#[derive(Clone, Debug)]
pub struct Handful<R> {
    settings: HandfulSettings,
    topics: usize,
    parameters: Vec<Parameter<R>>,
    /// E and b.
    words: TermSoftmax,
    /// w: how much each word counts in its document.
    word_weights: usize,
    /// f_D
    document: Network,
    /// f_C
    corpus: Network,
    /// s: a vector a slot, the first for the topics of documents.
    slots: usize,
    /// f_T
    topic: Network,
    concentration: Linear,
    /// A
    affinity: Linear,
    /// a: how common a topic is whatever the document.
    commonness: Linear,
}

/// What the backward pass of [`Handful`] needs.
#[derive(Clone, Debug, Default)]
pub struct HandfulTape<R> {
    /// The forward pass's [`Dropout::scale`].
    scale: R,
    /// log(1 + x_nj) of every entry of the support that the networks see, else 0.
    entries: Vec<R>,
    /// Length of Σ log(1 + x_nj) w_j E_j of each document.
    lengths: Vec<R>,
    /// u_n before and after input dropout.
    directions: Vec<R>,
    inputs: Vec<R>,
    document: NetworkTape<R>,
    /// h_n
    documents: Vec<R>,
    mean: Vec<R>,
    corpus: NetworkTape<R>,
    /// r
    corpus_vector: Vec<R>,
    /// The topic of each document.
    group: Vec<usize>,
    /// [c_k, r, s_k]
    contexts: Vec<R>,
    topic: NetworkTape<R>,
    /// t_k
    topic_vectors: Vec<R>,
    concentration: Vec<R>,
    words: TermSoftmaxTape<R>,
    /// A t_k
    affinities: Vec<R>,
    commonness: Vec<R>,
    outputs: Vec<R>,
    scratch: Vec<R>,
    /// Gradients on their way back.
    topic_gradient: Vec<R>,
    head_gradient: Vec<R>,
    logit_gradient: Vec<R>,
    context_gradient: Vec<R>,
    document_gradient: Vec<R>,
    corpus_gradient: Vec<R>,
    mean_gradient: Vec<R>,
    input_gradient: Vec<R>,
}

/// Log concentrations stay between these, far outside of what is learned.
const LOG_CONCENTRATION: [f64; 2] = [-10.0, 14.0];

impl<R: Real> Prior<R> for Handful<R> {
    type Tape = HandfulTape<R>;

    fn topics(&self) -> usize {
        self.topics
    }

    fn terms(&self) -> usize {
        self.parameters[self.words.weight].rows
    }

    fn parameters(&self) -> &[Parameter<R>] {
        &self.parameters
    }

    fn parameters_mut(&mut self) -> &mut [Parameter<R>] {
        &mut self.parameters
    }

    fn forward(
        &self,
        support: &WordCounts,
        dropout: &mut Dropout<'_>,
        tape: &mut HandfulTape<R>,
        dirichlet: &mut Dirichlet<R>,
    ) {
        let (dimension, topics) = (self.settings.dimension, self.topics);
        let parameters = &self.parameters;
        dirichlet.topics = topics;
        tape.scale = dropout.scale();
        self.read_documents(support, dropout, tape);
        self.topic_vectors(support, dropout, tape);

        let HandfulTape {
            topic_vectors,
            concentration,
            scratch,
            affinities,
            words,
            commonness,
            documents,
            ..
        } = &mut *tape;
        self.concentration.forward(parameters, topic_vectors, scratch, concentration);
        for concentration in concentration.iter_mut() {
            let [least, most] = LOG_CONCENTRATION.map(R::of);
            let log = concentration.at_least(least);
            *concentration = if log > most { most } else { log }.exp();
        }
        let beta = &mut dirichlet.beta;
        self.words.forward(parameters, topic_vectors, concentration, words, beta);
        dirichlet.beta_sum.clear();
        dirichlet.beta_sum.extend_from_slice(concentration);

        self.affinity.forward(parameters, topic_vectors, scratch, affinities);
        self.commonness.forward(parameters, topic_vectors, scratch, commonness);
        let scale = R::of(1.0 / (dimension as f64).sqrt());
        let alpha = &mut dirichlet.alpha;
        kernels::reset(alpha, support.documents() * topics);
        R::dots(documents, dimension, affinities, &[], alpha);
        for alpha in alpha.chunks_exact_mut(topics) {
            for (alpha, &commonness) in alpha.iter_mut().zip(&*commonness) {
                *alpha = *alpha * scale + commonness;
            }
        }
        R::softplus(alpha);
    }

    fn backward(
        &self,
        support: &WordCounts,
        terms: &[u32],
        dirichlet: &Dirichlet<R>,
        gradient: &PriorGradient<R>,
        tape: &mut HandfulTape<R>,
        gradients: &mut Vec<Gradient<R>>,
    ) {
        let (dimension, topics) = (self.settings.dimension, self.topics);
        let parameters = &self.parameters;
        gradients.resize_with(parameters.len(), Gradient::default);
        let documents = support.documents();

        self.words.backward(
            parameters,
            &tape.topic_vectors,
            &tape.concentration,
            &dirichlet.beta,
            terms,
            (&gradient.log_beta, &gradient.beta_sum),
            &mut tape.words,
            gradients,
            &mut tape.topic_gradient,
            &mut tape.head_gradient,
        );
        let bounds = LOG_CONCENTRATION.map(|bound| R::of(bound.exp()));
        for (gradient, &value) in tape.head_gradient.iter_mut().zip(&tape.concentration) {
            if value <= bounds[0] || value >= bounds[1] {
                *gradient = R::ZERO;
            }
        }
        let HandfulTape {
            topic_vectors,
            scratch,
            head_gradient,
            topic_gradient,
            logit_gradient: logits,
            outputs,
            document_gradient,
            affinities,
            documents: vectors,
            ..
        } = &mut *tape;
        self.concentration.backward(
            parameters,
            topic_vectors,
            head_gradient,
            gradients,
            scratch,
            topic_gradient,
        );

        // α_nk = softplus(h_n · A t_k / √D + a_k)
        logits.clear();
        logits.extend_from_slice(&gradient.log_alpha);
        R::softplus_backward(logits, &dirichlet.alpha);
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
        let scale = R::of(1.0 / (dimension as f64).sqrt());
        logits.iter_mut().for_each(|logit| *logit *= scale);
        kernels::reset(outputs, topics * dimension);
        R::combine(vectors, dimension, logits, outputs);
        self.affinity.backward(
            parameters,
            topic_vectors,
            outputs,
            gradients,
            scratch,
            topic_gradient,
        );
        kernels::reset(document_gradient, documents * dimension);
        for (gradient, logits) in
            document_gradient.chunks_exact_mut(dimension).zip(logits.chunks_exact(topics))
        {
            for (affinity, &logit) in affinities.chunks_exact(dimension).zip(logits) {
                kernels::add_scaled(gradient, logit, affinity);
            }
        }
        self.topic_vectors_backward(documents, tape, gradients);
        self.read_documents_backward(support, tape, gradients);
    }
}
