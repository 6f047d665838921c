//! Handful's own prior: words, documents and topics are vectors in one space.
//!
//! ```text
//! x_n ─ Σ log(1 + x_nj) w_j E_j, length 1 ─▶ u_n ─ f_D ─▶ h_n ─ mean, f_C ─▶ r
//! a topic for each document (or group of documents), and topics of the corpus:
//! context c_k = h_n, or r ─ f_T([c_k, r, s_k]) + c_k ─▶ t_k
//! a background, the words of all training corpora, with a vector t_K
//! themes m⁰_k = softmax(U t_k), corrected by the documents' words to m_k
//! β_k = c_k ((1 − γ_k) softmax(E t_k + b) + γ_k Σ_l m_kl Ψ_l)     α_nk = softplus(h_n A t_k + a of t_k + p [k starts from n])
//! ```
//!
//! The themes Ψ are topics that LDA found in the training corpora; they are not trained further. The
//! background is a topic that the documents do not move; it is kept apart from those that are shown.

mod clustering;
mod documents;
mod evidence;
mod folding;
mod grouping;
mod hiding;
mod ingredients;
mod layout;
mod new_document;
mod new_words;
mod proportions;
mod shapes;
mod start;
mod tensors;
#[cfg(test)]
mod tests;
mod themes;
mod topics;

use crate::em::{Dirichlet, PriorGradient};

use super::Prior;

use crate::Result;
use crate::corpus::WordCounts;
use crate::error::{MOST, expect_within};
use crate::nn::{
    Dropout, Gradient, Linear, Network, NetworkTape, Parameter, StoredRows, TermSoftmax,
    TermSoftmaxTape,
};
use crate::numeric::Real;
use crate::storage::TermRows;
use folding::FoldingTape;
use grouping::Metric;
pub use ingredients::Ingredient;
use layout::MOST_TOPICS;
pub(super) use new_document::HandfulNewDocument;
use new_words::NewTerms;
pub use new_words::NewWords;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use themes::{Themes, ThemesTape};

/// The shape of the networks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HandfulSettings {
    /// Length of the vectors of words, documents and topics.
    pub dimension: usize,
    /// Hidden units of every network.
    pub hidden: usize,
    /// L, the themes that LDA finds in the training corpora; best a multiple of 16, so that they fill
    /// registers.
    pub themes: usize,
    /// Share of an episode's words that the networks do not see in training.
    pub word_dropout: f64,
    /// Share of a document's vector that is dropped in training.
    pub input_dropout: f64,
    /// What is left out, to see what it is worth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without: Option<Ingredient>,
}

impl Default for HandfulSettings {
    fn default() -> Self {
        Self {
            dimension: 128,
            hidden: 256,
            themes: 384,
            word_dropout: 0.5,
            input_dropout: 0.3,
            without: None,
        }
    }
}

impl HandfulSettings {
    /// Refuses shapes that no network can have.
    pub fn check(&self) -> Result<()> {
        expect_within("dimension", self.dimension, 1, MOST)?;
        expect_within("hidden", self.hidden, 1, MOST)?;
        expect_within("themes", self.themes, 1, MOST)
    }

    /// Refuses numbers of topics that there are no slots for.
    pub(super) fn check_topics(topics: usize) -> Result<()> {
        expect_within("topics", topics, 1, MOST_TOPICS)
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
    /// E, where the parameter has but the rows of the documents' terms.
    stored_words: Option<Arc<dyn StoredRows<R>>>,
    /// w: how much each word counts in its document.
    word_weights: usize,
    /// e: how much each word counts for EM.
    evidence: usize,
    /// f: how much an occurrence counts for EM where there are so many in a document.
    count_evidence: usize,
    /// f_D
    document: Network,
    /// f_C
    corpus: Network,
    /// s: a vector a slot, the first for the topics of documents. There are more than topics, so that
    /// any number of them can be asked for.
    slots: usize,
    /// f_T
    topic: Network,
    /// t_K: the background's vector.
    background: usize,
    /// log c
    concentration: Linear,
    /// The logit of γ.
    theme_share: Linear,
    /// The logits of m.
    theme_choice: Linear,
    /// A
    affinity: Linear,
    /// a: how common a topic is whatever the document.
    commonness: Linear,
    /// p: what a topic that starts from a document has more of it.
    membership: usize,
    /// p_j: how frequent each word is in the training corpora.
    unigram: Vec<R>,
    /// Ψ
    themes: Themes<R>,
    /// What tells documents of different corpora apart.
    metric: Metric<R>,
    /// Which terms are new, where there are any.
    new_terms: Option<NewTerms>,
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
    /// t_k, the background's last
    topic_vectors: Vec<R>,
    /// c, and its logarithm within its bounds
    concentration: Vec<R>,
    log_concentration: Vec<R>,
    /// γ, and its logit within its bounds
    theme_share: Vec<R>,
    share_logit: Vec<R>,
    /// m⁰ and m
    choice: Vec<R>,
    mixtures: Vec<R>,
    folding: FoldingTape<R>,
    /// c (1 − γ) and c γ
    own_scale: Vec<R>,
    theme_scale: Vec<R>,
    /// The two parts of β, a row for each wanted term.
    own: Vec<R>,
    themed: Vec<R>,
    words: TermSoftmaxTape<R>,
    themes: ThemesTape<R>,
    /// A t_k
    affinities: Vec<R>,
    commonness: Vec<R>,
    outputs: Vec<R>,
    scratch: Vec<R>,
    /// Gradients on their way back.
    own_log: Vec<R>,
    themed_log: Vec<R>,
    of_beta: Vec<R>,
    themed_sum: Vec<R>,
    mixture_gradient: Vec<R>,
    topic_gradient: Vec<R>,
    head_gradient: Vec<R>,
    logit_gradient: Vec<R>,
    context_gradient: Vec<R>,
    document_gradient: Vec<R>,
    corpus_gradient: Vec<R>,
    mean_gradient: Vec<R>,
    input_gradient: Vec<R>,
}

impl<R> Handful<R> {
    /// Asks for another number of topics from now on.
    pub(super) fn set_topics(&mut self, topics: usize) {
        self.topics = topics;
    }
}

impl<R: Real> Prior<R> for Handful<R> {
    type Tape = HandfulTape<R>;

    fn topics(&self) -> usize {
        self.topics
    }

    fn has_background(&self) -> bool {
        true
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
        wanted: TermRows<'_>,
        dropout: &mut Dropout<'_>,
        tape: &mut HandfulTape<R>,
        dirichlet: &mut Dirichlet<R>,
    ) {
        dirichlet.topics = self.topics + 1;
        tape.scale = dropout.scale();
        self.read_documents(support, dropout, tape);
        self.topic_vectors(support, dropout, tape);
        self.mixtures(support, tape);
        self.shapes(wanted, tape, dirichlet);
        self.shapes_of_new_words(support, wanted, tape, dirichlet);
        self.evidence(support, dirichlet);
        self.proportions(support, tape, dirichlet);
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
        gradients.resize_with(self.parameters.len(), Gradient::default);
        self.shapes_backward(terms, gradient, tape, gradients);
        self.proportions_backward(support, dirichlet, gradient, tape, gradients);
        self.evidence_backward(support, gradient, gradients);
        self.topic_vectors_backward(support.documents(), tape, gradients);
        self.read_documents_backward(support, tape, gradients);
    }
}
