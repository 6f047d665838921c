//! The prior of a model, whichever it is: everything is handed on to its kind.

use super::new_document::ReadsNewDocuments;
use super::{
    Free, FreeSettings, FreeTape, Handful, HandfulSettings, HandfulTape, Ingredient, Iwata,
    IwataSettings, IwataTape, KnownTerms, Maml, MamlSettings, MamlTape, NewTerms, Origin,
    PassageTopics, Prior, PriorShape, Request, StartObserver, SubjectCut, SubjectCuts, TakeGiven,
    Unigram,
};
use crate::clustering::Points;
use crate::corpus::{Corpus, Passages, WordCounts};
use crate::em::{Dirichlet, EmStop, Inference, PriorGradient};
use crate::nn::{Dropout, Gradient, Parameter};
use crate::numeric::Real;
use crate::storage::{CompactTensors, TensorSource, Tensors};
use crate::{Error, Result};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Declares [`PriorSettings`], [`AnyPrior`] and [`AnyTape`], and how each hands on to the kinds
/// listed: a new kind of prior is a line here.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident($settings:ident, $prior:ident, $its_tape_type:ty) = $name:literal;)*) => {
        /// Which prior, and its shape: `prior` in a model's `config.json`.
        #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "kind", rename_all = "snake_case")]
        pub enum PriorSettings {
            $($(#[$doc])* $kind($settings),)*
        }

        /// Any of the priors.
        #[derive(Clone, Debug)]
        pub enum AnyPrior<R> {
            $($(#[$doc])* $kind(Box<$prior<R>>),)*
        }

        /// The tape of [`AnyPrior`]: that of the kind it was last used for.
        #[derive(Clone, Debug, Default)]
        pub enum AnyTape<R> {
            /// Not used yet.
            #[default]
            Blank,
            $($(#[$doc])* $kind(Box<$its_tape_type>),)*
        }

        impl PriorSettings {
            /// The kind's name, as in `config.json`.
            pub fn kind(&self) -> &'static str {
                match self { $(Self::$kind(_) => $name,)* }
            }
        }

        /// Hands on to the settings of the kind at hand.
        macro_rules! of_settings {
            ($self:expr, $it:ident => $call:expr) => {
                match $self { $(PriorSettings::$kind($it) => $call,)* }
            };
            (wrap $self:expr, $it:ident => $call:expr) => {
                match $self { $(PriorSettings::$kind($it) => AnyPrior::$kind(Box::new($call)),)* }
            };
            (wrap some $self:expr, $it:ident => $call:expr) => {
                match $self {
                    $(PriorSettings::$kind($it) => $call.map(|it| AnyPrior::$kind(Box::new(it))),)*
                }
            };
        }

        /// Hands on to the prior of the kind at hand.
        macro_rules! of_prior {
            ($self:expr, $it:ident => $call:expr) => {
                match $self { $(AnyPrior::$kind($it) => $call,)* }
            };
            (wrap some $self:expr, $it:ident => $call:expr) => {
                match $self {
                    $(AnyPrior::$kind($it) => $call.map(|it| AnyPrior::$kind(Box::new(it))),)*
                }
            };
            (wrap first $self:expr, $it:ident => $call:expr) => {
                match $self {
                    $(AnyPrior::$kind($it) => {
                        $call.map(|(it, rest)| (AnyPrior::$kind(Box::new(it)), rest))
                    })*
                }
            };
            ($self:expr, $tape:expr, $it:ident, $its_tape:ident => $call:expr) => {
                match $self {
                    $(AnyPrior::$kind($it) => {
                        let tape = $tape;
                        if !matches!(tape, AnyTape::$kind(_)) {
                            *tape = AnyTape::$kind(Box::default());
                        }
                        let AnyTape::$kind($its_tape) = tape else { unreachable!("set above") };
                        $call
                    })*
                }
            };
            (read $self:expr, $tape:expr, $it:ident, $its_tape:ident => $call:expr) => {
                match ($self, $tape) {
                    $((AnyPrior::$kind($it), AnyTape::$kind($its_tape)) => $call,)*
                    _ => unreachable!("the tape is of another prior's forward pass"),
                }
            };
        }
    };
}

kinds! {
    /// Vectors of words, documents and topics.
    Handful(HandfulSettings, Handful, HandfulTape<R>) = "handful";
    /// The paper's networks.
    Iwata(IwataSettings, Iwata, IwataTape<R>) = "iwata";
    /// One learned α and β for every corpus.
    Free(FreeSettings, Free, FreeTape) = "free";
    /// Gradient steps from one learned α and β.
    Maml(MamlSettings, Maml, MamlTape<R>) = "maml";
}

impl PriorSettings {
    /// Refuses shapes that no prior can have.
    pub fn check(&self) -> Result<()> {
        of_settings!(self, shape => PriorShape::<f32>::check(shape))
    }

    /// Refuses a number of topics that a prior trained for `own` topics cannot give.
    pub fn check_topics(&self, own: usize, topics: usize) -> Result<()> {
        of_settings!(self, shape => PriorShape::<f32>::check_topics(shape, own, topics))
    }

    /// Refuses variational Bayes where there is none: without a step, and for the prior `maml`.
    pub fn check_inference(&self, inference: Inference, stop: EmStop) -> Result<()> {
        if inference == Inference::Vb {
            if matches!(self, Self::Maml(_)) {
                let expected = "em: the inner steps of the prior maml are those of a mode";
                return Err(Error::setting("inference", "vb", expected));
            }
            if stop == EmStop::Steps(0) {
                return Err(Error::setting("em_steps", 0, "at least 1 with variational Bayes"));
            }
        }
        Ok(())
    }

    /// Whether such a prior gives any number of topics, not only the one it was trained for.
    pub fn gives_any_topics(&self) -> bool {
        of_settings!(self, shape => PriorShape::<f32>::gives_any_topics(shape))
    }

    /// Whether topic models of such a prior have a background.
    pub fn makes_background(&self) -> bool {
        of_settings!(self, shape => PriorShape::<f32>::makes_background(shape))
    }

    /// Whether the mean of the weights can be kept in training.
    pub fn can_average(&self) -> bool {
        of_settings!(self, shape => PriorShape::<f32>::can_average(shape))
    }

    /// The prior in a few words, for a model's card.
    pub fn describe(&self) -> String {
        of_settings!(self, shape => PriorShape::<f32>::describe(shape))
    }

    pub(super) fn read_new_document_prior(
        &self,
        terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<f32>,
        wanted: &[u32],
    ) -> Result<Box<dyn ReadsNewDocuments<f32>>> {
        of_settings!(self, shape => {
            PriorShape::<f32>::read_new_document_prior(shape, terms, topics, tensors, wanted)
        })
    }
}

impl<R: Real> AnyPrior<R> {
    /// A prior with random weights, drawn from `stream`.
    pub fn random(
        settings: PriorSettings,
        terms: usize,
        topics: usize,
        stream: &mut ChaCha8Rng,
    ) -> Self {
        of_settings!(wrap settings, shape => shape.random(terms, topics, stream))
    }

    /// A prior with first weights that may know the training corpora; `None` if the observer ended
    /// the work. `without` leaves out a part of it.
    pub fn start(
        settings: PriorSettings,
        without: Option<Ingredient>,
        size: (KnownTerms<'_>, usize),
        corpora: &[&Corpus],
        stream: &mut ChaCha8Rng,
        observer: &mut StartObserver<'_>,
    ) -> Result<Option<Self>> {
        Ok(of_settings!(wrap some settings, shape => {
            shape.start(without, size, corpora, stream, observer)?
        }))
    }

    /// A prior with the weights of a model file.
    pub fn from_tensors(
        settings: PriorSettings,
        terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<R>,
    ) -> Result<Self> {
        Ok(of_settings!(wrap settings, shape => shape.read(terms, topics, tensors)?))
    }
}

impl<R: Real> Prior<R> for AnyPrior<R> {
    type Tape = AnyTape<R>;

    fn topics(&self) -> usize {
        of_prior!(self, prior => prior.topics())
    }

    fn has_background(&self) -> bool {
        of_prior!(self, prior => prior.has_background())
    }

    fn terms(&self) -> usize {
        of_prior!(self, prior => prior.terms())
    }

    fn takes_new_words(&self) -> bool {
        of_prior!(self, prior => prior.takes_new_words())
    }

    fn unigram(&self) -> Option<&Unigram<R>> {
        of_prior!(self, prior => prior.unigram())
    }

    fn with_fewer_terms(&self, most: usize) -> Option<(Self, Vec<u32>)> {
        of_prior!(wrap first self, prior => prior.with_fewer_terms(most))
    }

    fn over_terms(&self, kept: &[u32]) -> Option<Self> {
        of_prior!(wrap some self, prior => Prior::over_terms(&**prior, kept))
    }

    fn leave_out(&mut self, ingredient: Ingredient) {
        of_prior!(self, prior => prior.leave_out(ingredient));
    }

    fn settle(&mut self, corpora: &[&Corpus], seed: u64) {
        of_prior!(self, prior => prior.settle(corpora, seed));
    }

    fn tells_subjects(&self) -> bool {
        of_prior!(self, prior => prior.tells_subjects())
    }

    fn subject_cuts(
        &self,
        documents: &WordCounts,
        new_terms: Option<&NewTerms>,
    ) -> Option<SubjectCuts> {
        of_prior!(self, prior => prior.subject_cuts(documents, new_terms))
    }

    fn subject_groups(
        &self,
        documents: &WordCounts,
        new_terms: Option<&NewTerms>,
        topics: usize,
    ) -> Option<Vec<usize>> {
        of_prior!(self, prior => prior.subject_groups(documents, new_terms, topics))
    }

    fn document_products(
        &self,
        documents: &WordCounts,
        new_terms: Option<&NewTerms>,
    ) -> Option<Vec<Vec<f64>>> {
        of_prior!(self, prior => prior.document_products(documents, new_terms))
    }

    fn document_points(
        &self,
        documents: &WordCounts,
        new_terms: Option<&NewTerms>,
        origin: Origin,
        tell: &mut dyn FnMut(usize, usize) -> Result<()>,
    ) -> Result<Option<Points>> {
        of_prior!(self, prior => prior.document_points(documents, new_terms, origin, tell))
    }

    fn passage_cuts(
        &self,
        passages: &WordCounts,
        new_terms: Option<&NewTerms>,
    ) -> Option<Vec<SubjectCut>> {
        of_prior!(self, prior => prior.passage_cuts(passages, new_terms))
    }

    fn parameters(&self) -> &[Parameter<R>] {
        of_prior!(self, prior => prior.parameters())
    }

    fn parameters_mut(&mut self) -> &mut [Parameter<R>] {
        of_prior!(self, prior => prior.parameters_mut())
    }

    fn to_tensors(&self) -> Tensors<R> {
        of_prior!(self, prior => prior.to_tensors())
    }

    fn to_compact_tensors(&self) -> CompactTensors<R> {
        of_prior!(self, prior => prior.to_compact_tensors())
    }

    fn fixed_tensors(&self) -> Tensors<R> {
        of_prior!(self, prior => prior.fixed_tensors())
    }

    fn take_fixed_tensors(&mut self, tensors: &dyn TensorSource<R>) -> Result<()> {
        of_prior!(self, prior => prior.take_fixed_tensors(tensors))
    }

    fn forward(
        &self,
        support: &WordCounts,
        request: Request<'_>,
        dropout: &mut Dropout<'_>,
        tape: &mut AnyTape<R>,
        dirichlet: &mut Dirichlet<R>,
    ) {
        of_prior!(self, tape, prior, tape => {
            prior.forward(support, request, dropout, tape, dirichlet)
        });
    }

    fn forward_each(&self, tasks: &[(&WordCounts, Request<'_>)], take: &TakeGiven<'_, R>) {
        of_prior!(self, prior => prior.forward_each(tasks, take));
    }

    fn passage_topics(
        &self,
        passages: &Passages,
        documents: &WordCounts,
        request: Request<'_>,
    ) -> Option<PassageTopics> {
        of_prior!(self, prior => prior.passage_topics(passages, documents, request))
    }

    fn backward(
        &self,
        support: &WordCounts,
        terms: &[u32],
        dirichlet: &Dirichlet<R>,
        gradient: &PriorGradient<R>,
        tape: &mut AnyTape<R>,
        gradients: &mut Vec<Gradient<R>>,
    ) {
        of_prior!(read self, tape, prior, tape => {
            prior.backward(support, terms, dirichlet, gradient, tape, gradients)
        });
    }

    fn topic_tensors(&self, tape: &AnyTape<R>) -> Tensors<R> {
        of_prior!(read self, tape, prior, tape => prior.topic_tensors(tape))
    }

    fn new_document_tensors(
        &self,
        new_terms: Option<&NewTerms>,
        topics: &Tensors<R>,
    ) -> Tensors<R> {
        of_prior!(self, prior => prior.new_document_tensors(new_terms, topics))
    }

    fn new_document_prior(
        &self,
        new_terms: Option<&NewTerms>,
        topics: &Tensors<R>,
        wanted: &[u32],
    ) -> Result<Box<dyn ReadsNewDocuments<R>>> {
        of_prior!(self, prior => prior.new_document_prior(new_terms, topics, wanted))
    }
}
