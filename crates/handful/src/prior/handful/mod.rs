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
mod settings;
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
    NewTerms, Origin, PassageTopics, Prior, ReadsNewDocuments, Request, SubjectCut, SubjectCuts,
    TakeGiven, Unigram,
};
use crate::Result;
use crate::clustering::Points;
use crate::corpus::{Corpus, Passages, WordCounts};
use crate::em::{Dirichlet, PriorGradient};
use crate::nn::{Dropout, Gradient, Parameter};
use crate::numeric::Real;
use crate::storage::{CompactTensors, TensorSource, Tensors};
use documents::{DocumentStage, DocumentTape};
use evidence::EvidenceStage;
pub use ingredients::Ingredient;
use metric::Metric;
use mixtures::{MixtureStage, MixtureTape};
use proportions::{ProportionStage, ProportionTape};
pub use settings::HandfulSettings;
use shapes::{ShapeStage, ShapeTape};
use std::borrow::Cow;
use subjects::Subjects;
use themes::Themes;
use topics::{TopicStage, TopicTape};
use words::{WordView, Words};

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
