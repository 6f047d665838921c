//! Handful's own prior: words, documents and topics are vectors in one space.
//!
//! ```text
//! documents    x_n ─ Σ log(1 + x_nj) w_j E_j, length 1 ─▶ u_n ─ f_D ─▶ h_n ─ mean, f_C ─▶ r
//! topics       a topic for each document (or group of documents), and topics of the corpus:
//!              context c_k = h_n, or r ─ f_T([c_k, r, s_k]) + c_k ─▶ t_k; the background has a t_K, too
//! mixtures     themes m⁰_k = softmax(U t_k), corrected by the documents' words to m_k
//! shapes       β_k = c_k ((1 − γ_k) softmax(E t_k + b) + γ_k Σ_l m_kl Ψ_l)
//! proportions  α_nk = softplus(h_n A t_k + a of t_k + p [k starts from n])
//! evidence     2 σ(e_j) 2 σ(f_x): how much each of x occurrences of term j counts for EM
//! ```
//!
//! Each line is a stage: a type with its forward pass, its backward pass and the tape that joins them.
//!
//! The themes Ψ are topics that LDA found in the training corpora; they are not trained further. The
//! background is a topic that the documents do not move; it is kept apart from those that are shown.

mod blends;
mod document_points;
mod documents;
mod elementary;
mod evidence;
mod first_vectors;
mod forward_each;
mod grouping;
mod hiding;
mod ingredients;
mod layout;
mod metric;
mod mixtures;
mod new_document;
mod new_words;
mod proportions;
mod shapes;
mod start;
mod subjects;
mod tensors;
#[cfg(test)]
mod tests;
mod theme_tensors;
mod themes;
mod topics;
mod words;

use super::{
    KnownTerms, NewTerms, Origin, PassageTopics, Prior, PriorShape, ReadsNewDocuments, Request,
    StartObserver, SubjectCut, SubjectCuts, TakeGiven, Unigram,
};
use crate::clustering::Points;
use crate::corpus::{Corpus, Passages, WordCounts};
use crate::em::{Dirichlet, PriorGradient};
use crate::error::{MOST, expect_within};
use crate::nn::{Dropout, Gradient, Parameter};
use crate::numeric::Real;
use crate::storage::{CompactTensors, TensorSource, Tensors};
use crate::{Error, Result};
use documents::{DocumentStage, DocumentTape};
use evidence::EvidenceStage;
pub use ingredients::Ingredient;
use layout::MOST_TOPICS;
use metric::Metric;
use mixtures::{MixtureStage, MixtureTape};
use proportions::{ProportionStage, ProportionTape};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use shapes::{ShapeStage, ShapeTape};
use std::borrow::Cow;
use subjects::Subjects;
use themes::Themes;
use topics::{TopicStage, TopicTape};
use words::{WordView, Words};

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
    /// The learning rate of word vectors, in units of the networks'.
    #[serde(default = "slow_words", skip_serializing_if = "are_slow_words")]
    pub word_rate: f64,
}

/// Words learn slower than networks: their first values are good already, and there are many of them.
const SLOW_WORDS: f64 = 0.1;

/// A larger learning rate of words, in units of the networks', learns nothing.
const MOST_RATE: f64 = 1000.0;

fn slow_words() -> f64 {
    SLOW_WORDS
}

fn are_slow_words(rate: &f64) -> bool {
    *rate == SLOW_WORDS
}

impl Default for HandfulSettings {
    fn default() -> Self {
        Self {
            dimension: 128,
            hidden: 256,
            themes: 384,
            word_dropout: 0.5,
            input_dropout: 0.3,
            word_rate: SLOW_WORDS,
        }
    }
}

impl<R: Real> PriorShape<R> for HandfulSettings {
    type Prior = Handful<R>;

    fn check(&self) -> Result<()> {
        expect_within("dimension", self.dimension, 1, MOST)?;
        expect_within("hidden", self.hidden, 1, MOST)?;
        expect_within("themes", self.themes, 1, MOST)?;
        let dropouts = [("word_dropout", self.word_dropout), ("input_dropout", self.input_dropout)];
        for (name, share) in dropouts {
            if !(0.0..1.0).contains(&share) {
                return Err(Error::setting(name, share, "at least 0 and less than 1"));
            }
        }
        if !(0.0..=MOST_RATE).contains(&self.word_rate) {
            return Err(Error::setting(
                "word_rate",
                self.word_rate,
                format!("from 0 to {MOST_RATE}"),
            ));
        }
        Ok(())
    }

    fn gives_any_topics(&self) -> bool {
        true
    }

    /// Refuses numbers of topics that there are no slots for.
    fn check_topics(&self, _own: usize, topics: usize) -> Result<()> {
        expect_within("topics", topics, 1, MOST_TOPICS)
    }

    fn makes_background(&self) -> bool {
        true
    }

    fn can_average(&self) -> bool {
        true
    }

    fn describe(&self) -> String {
        let Self { dimension, hidden, .. } = self;
        format!(
            "words, documents and topics as vectors of length {dimension}, networks with {hidden} \
             hidden units"
        )
    }

    fn random(&self, terms: usize, topics: usize, stream: &mut ChaCha8Rng) -> Handful<R> {
        Handful::random(*self, terms, topics, stream)
    }

    fn start(
        &self,
        without: Option<Ingredient>,
        size: (KnownTerms<'_>, usize),
        corpora: &[&Corpus],
        stream: &mut ChaCha8Rng,
        observer: &mut StartObserver<'_>,
    ) -> Result<Option<Handful<R>>> {
        Handful::start(*self, without, size, corpora, stream, observer)
    }

    fn read(
        &self,
        terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<R>,
    ) -> Result<Handful<R>> {
        Handful::from_tensors(*self, terms, topics, tensors)
    }

    fn read_new_document_prior(
        &self,
        terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<R>,
        wanted: &[u32],
    ) -> Result<Box<dyn ReadsNewDocuments<R>>> {
        new_document::from_tensors(*self, terms, topics, tensors, wanted)
    }
}

/// Vectors of words, documents and topics, with their weights.
#[derive(Clone, Debug)]
pub struct Handful<R> {
    settings: HandfulSettings,
    /// The number of topics it was trained for; any other can be asked for.
    topics: usize,
    parameters: Vec<Parameter<R>>,
    words: Words<R>,
    document_stage: DocumentStage,
    topic_stage: TopicStage,
    mixture_stage: MixtureStage,
    shape_stage: ShapeStage,
    proportion_stage: ProportionStage,
    evidence_stage: EvidenceStage,
    /// p_j: how frequent each word is in the training corpora.
    unigram: Unigram<R>,
    /// Ψ
    themes: Themes<R>,
    /// What tells documents of different corpora apart.
    metric: Metric<R>,
    /// How many subjects documents have; `None` before it is learned.
    subjects: Option<Subjects<R>>,
    /// The part that is left out, to see what it is worth.
    without: Option<Ingredient>,
}

/// What the backward pass of [`Handful`] needs: a tape a stage.
#[derive(Clone, Debug, Default)]
pub struct HandfulTape<R> {
    documents: DocumentTape<R>,
    topics: TopicTape<R>,
    mixtures: MixtureTape<R>,
    shapes: ShapeTape<R>,
    proportions: ProportionTape<R>,
}

impl<R: Real> Handful<R> {
    fn view(&self, new_terms: Option<&NewTerms>) -> WordView<'_, R> {
        self.words.view(&self.parameters, new_terms)
    }

    /// Documents as the networks read them: phrases in their words.
    fn as_words<'d>(
        &self,
        documents: &'d WordCounts,
        new_terms: Option<&NewTerms>,
    ) -> Cow<'d, WordCounts> {
        match new_terms {
            Some(new_terms) => new_terms.as_words(documents, self.unigram.words.len()),
            None => Cow::Borrowed(documents),
        }
    }

    /// The stages before the softmax over all terms: documents, topics and mixtures.
    fn read(
        &self,
        support: &WordCounts,
        request: Request<'_>,
        dropout: &mut Dropout<'_>,
        tape: &mut HandfulTape<R>,
    ) {
        let support = &self.as_words(support, request.new_terms);
        let words = self.view(request.new_terms);
        self.document_stage.forward(&self.parameters, words, support, dropout, &mut tape.documents);
        self.mix(support, request, dropout, tape);
    }

    /// Topics and mixtures of documents that were read.
    fn mix(
        &self,
        support: &WordCounts,
        request: Request<'_>,
        dropout: &mut Dropout<'_>,
        tape: &mut HandfulTape<R>,
    ) {
        let parameters = &self.parameters;
        let words = self.view(request.new_terms);
        let HandfulTape { documents, topics, mixtures, .. } = tape;
        let fixed = (&self.metric, &self.themes);
        let similarity = || grouping::similarity(support, words, fixed, &documents.directions);
        topics.topics = request.topics;
        topics.groups = self.groups(support.documents(), request.topics);
        match request.groups {
            Some(groups) => groups.clone_into(&mut topics.group),
            None => grouping::group(support, request.topics, similarity, &mut topics.group),
        }
        self.topic_stage.forward(parameters, documents, dropout, topics);
        let (themes, entries) = (&self.themes, &documents.entries);
        self.mixture_stage.forward(parameters, themes, words, support, entries, topics, mixtures);
    }

    /// How many of `topics` topics start from documents.
    fn groups(&self, documents: usize, topics: usize) -> usize {
        if self.lacks(Ingredient::DocumentTopics) { 0 } else { documents.min(topics) }
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
        self.unigram.words.len()
    }

    fn takes_new_words(&self) -> bool {
        true
    }

    fn unigram(&self) -> Option<&Unigram<R>> {
        Some(&self.unigram)
    }

    fn with_fewer_terms(&self, most: usize) -> Option<(Self, Vec<u32>)> {
        let kept = self.frequent_terms(most);
        Some((self.with_terms(&kept), kept))
    }

    fn over_terms(&self, kept: &[u32]) -> Option<Self> {
        Some(self.with_terms(kept))
    }

    fn leave_out(&mut self, ingredient: Ingredient) {
        self.leave_out_part(ingredient);
    }

    fn settle(&mut self, corpora: &[&Corpus], seed: u64) {
        self.learn_metric(corpora);
        self.subjects = self.learn_subjects(corpora, seed);
    }

    fn tells_subjects(&self) -> bool {
        self.subjects.is_some()
    }

    fn subject_cuts(
        &self,
        documents: &WordCounts,
        new_terms: Option<&NewTerms>,
    ) -> Option<SubjectCuts> {
        let documents = &self.as_words(documents, new_terms);
        self.cuts_by_subject(documents, new_terms)
    }

    fn subject_groups(
        &self,
        documents: &WordCounts,
        new_terms: Option<&NewTerms>,
        topics: usize,
    ) -> Option<Vec<usize>> {
        let documents = &self.as_words(documents, new_terms);
        self.groups_by_subject(documents, new_terms, topics)
    }

    fn document_products(
        &self,
        documents: &WordCounts,
        new_terms: Option<&NewTerms>,
    ) -> Option<Vec<Vec<f64>>> {
        let documents = &self.as_words(documents, new_terms);
        self.products_by_subject(documents, new_terms)
    }

    fn document_points(
        &self,
        documents: &WordCounts,
        new_terms: Option<&NewTerms>,
        origin: Origin,
        tell: &mut dyn FnMut(usize, usize) -> Result<()>,
    ) -> Result<Option<Points>> {
        let documents = &self.as_words(documents, new_terms);
        self.points_of(documents, new_terms, origin, tell)
    }

    fn passage_cuts(
        &self,
        passages: &WordCounts,
        new_terms: Option<&NewTerms>,
    ) -> Option<Vec<SubjectCut>> {
        let passages = &self.as_words(passages, new_terms);
        self.cuts_of_text(passages, new_terms)
    }

    fn parameters(&self) -> &[Parameter<R>] {
        &self.parameters
    }

    fn parameters_mut(&mut self) -> &mut [Parameter<R>] {
        &mut self.parameters
    }

    fn to_tensors(&self) -> Tensors<R> {
        self.tensors()
    }

    fn to_compact_tensors(&self) -> CompactTensors<R> {
        self.compact_tensors()
    }

    fn fixed_tensors(&self) -> Tensors<R> {
        self.tensors_of_start()
    }

    fn take_fixed_tensors(&mut self, tensors: &dyn TensorSource<R>) -> Result<()> {
        self.take_tensors_of_start(tensors)
    }

    fn forward(
        &self,
        support: &WordCounts,
        request: Request<'_>,
        dropout: &mut Dropout<'_>,
        tape: &mut HandfulTape<R>,
        dirichlet: &mut Dirichlet<R>,
    ) {
        self.read(support, request, dropout, tape);
        let stored = self.words.stored.as_deref();
        let softmax = &mut tape.shapes.softmax;
        self.words.softmax.forward(&self.parameters, stored, tape.topics.shown(), softmax);
        self.give(support, request, None, tape, dirichlet);
    }

    fn forward_each(&self, tasks: &[(&WordCounts, Request<'_>)], take: &TakeGiven<'_, R>) {
        self.forward_together(tasks, take);
    }

    fn passage_topics(
        &self,
        passages: &Passages,
        documents: &WordCounts,
        request: Request<'_>,
    ) -> Option<PassageTopics> {
        self.blend(passages, documents, request)
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
        let parameters = &self.parameters;
        gradients.resize_with(parameters.len(), Gradient::default);
        let HandfulTape { documents, topics, mixtures, shapes, proportions } = tape;
        let fixed = (&self.words, &self.themes);
        self.shape_stage
            .backward(parameters, fixed, terms, gradient, shapes, mixtures, topics, gradients);
        self.mixture_stage.backward(parameters, &self.themes, mixtures, topics, gradients);
        self.shape_stage.heads_backward(parameters, gradient, shapes, topics, gradients);
        // The background's vector has no part in β.
        topics.of_vectors.resize(topics.vectors.len(), R::ZERO);
        self.proportion_stage.backward(
            parameters,
            &dirichlet.alpha,
            gradient,
            proportions,
            topics,
            documents,
            gradients,
        );
        let Words { softmax, importance, evidence, .. } = &self.words;
        self.evidence_stage.backward(parameters, *evidence, support, gradient, gradients);
        self.topic_stage.backward(parameters, topics, documents, gradients);
        let of_words = (softmax.weight, *importance);
        self.document_stage.backward(parameters, of_words, support, documents, gradients);
    }

    fn topic_tensors(&self, tape: &HandfulTape<R>) -> Tensors<R> {
        let HandfulTape { documents, topics, proportions, .. } = tape;
        let mut tensors = new_document::topic_tensors(&proportions.heads, documents, topics);
        tensors.extend(self.centre_tensors(documents, topics));
        tensors
    }

    fn new_document_tensors(
        &self,
        new_terms: Option<&NewTerms>,
        topics: &Tensors<R>,
    ) -> Tensors<R> {
        self.reading_tensors(new_terms, topics)
    }

    fn new_document_prior(
        &self,
        new_terms: Option<&NewTerms>,
        topics: &Tensors<R>,
        wanted: &[u32],
    ) -> Result<Box<dyn ReadsNewDocuments<R>>> {
        new_document::from_prior(self, new_terms, topics, wanted)
    }
}

impl<R: Real> Handful<R> {
    /// The stages after the softmax over all terms: shapes, evidence and proportions. The softmax is
    /// the tape's own, or one that several tasks share, where this one's topics begin at a number.
    fn give(
        &self,
        support: &WordCounts,
        request: Request<'_>,
        shared: Option<(&crate::nn::TermSoftmaxTape<R>, usize)>,
        tape: &mut HandfulTape<R>,
        dirichlet: &mut Dirichlet<R>,
    ) {
        let parameters = &self.parameters;
        let HandfulTape { documents, topics, mixtures, shapes, proportions } = tape;
        dirichlet.topics = request.topics + 1;
        let known = request.terms.below(self.unigram.words.len());
        let softmax = shared.map_or((None, 0), |(softmax, first)| (Some(softmax), first));
        self.shape_stage.forward(
            parameters,
            (&self.themes, &self.unigram),
            softmax,
            topics,
            mixtures,
            known.rows(),
            shapes,
            dirichlet,
        );
        if let Some(new_terms) = request.new_terms.filter(|new| new.count() > 0) {
            new_words::shapes(new_terms, &self.unigram, support, request.terms, topics, dirichlet);
        }
        let words = self.view(request.new_terms);
        self.evidence_stage.forward(parameters, words, support, &mut dirichlet.evidence);
        let alpha = &mut dirichlet.alpha;
        self.proportion_stage.forward(parameters, documents, topics, proportions, alpha);
    }
}
