//! What gives Dirichlet parameters to documents: networks that read them, one fixed guess,
//! or gradient steps from it.
//!
//! A prior is never changed by being asked: the number of topics, the terms of interest and the new
//! words of the documents are a [`Request`]. So one prior serves many fits at a time.

mod any;
mod fit_prior;
mod free;
mod handful;
mod iwata;
mod maml;
mod new_document;
mod new_word_prior;
mod passage_topics;
mod request;
mod starting;
mod subject_cut;
mod unigram;

pub use any::{AnyPrior, AnyTape, PriorSettings};
pub use fit_prior::FitPrior;
pub use free::{Free, FreeSettings, FreeTape};
pub use handful::{Handful, HandfulSettings, HandfulTape, Ingredient};
pub use iwata::{Iwata, IwataSettings, IwataTape};
pub use maml::{Maml, MamlSettings, MamlTape};
pub use new_document::{NewDocumentPrior, ReadsNewDocuments};
pub use new_word_prior::NewWordPrior;
pub use passage_topics::PassageTopics;
pub use request::{NewTerms, Request};
pub use starting::{KnownTerms, StartObserver, StartPart, Starting, TermVectors};
pub use subject_cut::{Origin, SubjectCut, SubjectCuts};
pub use unigram::Unigram;

use crate::clustering::Points;
use crate::corpus::{Corpus, Passages, WordCounts};
use crate::em::{Dirichlet, PriorGradient};
use crate::nn::{Dropout, Gradient, Parameter};
use crate::numeric::Real;
use crate::storage::{CompactTensors, TensorSource, Tensors};
use crate::{Error, Result};
use rand_chacha::ChaCha8Rng;

/// The settings of a kind of prior: its shape, and what can be said of it before there are weights.
pub trait PriorShape<R: Real>: Copy {
    /// The prior of this shape.
    type Prior: Prior<R>;

    /// Refuses a shape that no prior can have.
    fn check(&self) -> Result<()>;

    /// Whether a prior of this shape gives any number of topics, not only the one it was trained for.
    fn gives_any_topics(&self) -> bool {
        false
    }

    /// Refuses a number of topics that a prior trained for `own` topics cannot give.
    fn check_topics(&self, own: usize, topics: usize) -> Result<()> {
        if topics == own {
            return Ok(());
        }
        let expected = format!("{own}, the number the model was trained for");
        Err(Error::setting("topics", topics, expected))
    }

    /// Whether topic models of such a prior have a background.
    fn makes_background(&self) -> bool {
        false
    }

    /// Whether every weight is up to date after a step, so that the mean of the weights can be kept.
    fn can_average(&self) -> bool {
        false
    }

    /// The prior in a few words, for a model's card.
    fn describe(&self) -> String;

    /// A prior with random weights, drawn from `stream`.
    fn random(&self, terms: usize, topics: usize, stream: &mut ChaCha8Rng) -> Self::Prior;

    /// A prior whose first weights may know the training corpora; `None` if the observer ended the
    /// work. `without` leaves out a part of the prior, for the laboratory.
    fn start(
        &self,
        _without: Option<Ingredient>,
        (terms, topics): (KnownTerms<'_>, usize),
        _corpora: &[&Corpus],
        stream: &mut ChaCha8Rng,
        _observer: &mut StartObserver<'_>,
    ) -> Result<Option<Self::Prior>> {
        Ok(Some(self.random(terms.count, topics, stream)))
    }

    /// A prior with the weights of a model file.
    fn read(
        &self,
        terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<R>,
    ) -> Result<Self::Prior>;

    /// What reads new documents of a topic model with `topics` topics over `terms` terms. It reads
    /// what [`Prior::new_document_tensors`] gave, for documents that have the terms `wanted`.
    fn read_new_document_prior(
        &self,
        terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<R>,
        wanted: &[u32],
    ) -> Result<Box<dyn ReadsNewDocuments<R>>>;
}

/// Takes what a prior gives for a task: the task's number, what makes its [`Prior::topic_tensors`], and
/// its α and β.
pub type TakeGiven<'a, R> = dyn Fn(usize, &dyn Fn() -> Tensors<R>, &mut Dirichlet<R>) + Sync + 'a;

/// A map from documents to Dirichlet parameters, with weights Ψ that can be learned.
pub trait Prior<R: Real>: Send + Sync {
    /// What the backward pass needs of a forward pass; kept and reused.
    type Tape: Default + Send;

    /// K: the number of topics it was trained for.
    fn topics(&self) -> usize;
    /// Whether α and β have one topic more, the last: a background that is kept apart.
    fn has_background(&self) -> bool {
        false
    }
    /// J: the terms it knows.
    fn terms(&self) -> usize;
    /// Whether documents may have new words: terms after its own ([`Request::new_terms`]).
    fn takes_new_words(&self) -> bool {
        false
    }
    /// How probable each term is in the training corpora, if the prior knows it.
    fn unigram(&self) -> Option<&Unigram<R>> {
        None
    }
    /// The prior over its `most` frequent terms, as if it had never seen the others, and which terms
    /// these are; `None` for a prior that takes no new words.
    fn with_fewer_terms(&self, _most: usize) -> Option<(Self, Vec<u32>)>
    where
        Self: Sized,
    {
        None
    }

    /// The prior over some of its terms, in their order here, as if it had never seen the others;
    /// `None` for a prior that cannot forget any.
    fn over_terms(&self, _kept: &[u32]) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Leaves out a part of Handful's own prior, for the laboratory; others have no such parts.
    #[doc(hidden)]
    fn leave_out(&mut self, _ingredient: Ingredient) {}

    /// Learns what depends on the trained weights and has no gradient, from the training corpora.
    fn settle(&mut self, _corpora: &[&Corpus], _seed: u64) {}

    /// Whether the prior can tell how many subjects documents have.
    fn tells_subjects(&self) -> bool {
        false
    }

    /// Groups documents into one group, two, three, ..., each with the probability that the documents have
    /// as many subjects; `None` for a prior that cannot tell.
    fn subject_cuts(
        &self,
        _documents: &WordCounts,
        _new_terms: Option<&NewTerms>,
    ) -> Option<SubjectCuts> {
        None
    }

    /// Puts documents into `topics` groups by what they are about: the group of each; `None` for a prior that
    /// cannot tell subjects, for a single group, and where there are no more documents with words than groups.
    fn subject_groups(
        &self,
        _documents: &WordCounts,
        _new_terms: Option<&NewTerms>,
        _topics: usize,
    ) -> Option<Vec<usize>> {
        None
    }

    /// The inner product of each two documents, by which [`Self::subject_cuts`] groups them; `None` for a
    /// prior that cannot tell subjects.
    fn document_products(
        &self,
        _documents: &WordCounts,
        _new_terms: Option<&NewTerms>,
    ) -> Option<Vec<Vec<f64>>> {
        None
    }

    /// Documents as points, so that as many as there may be can be grouped; `None` for a prior whose topics
    /// do not start from groups of documents, or that does not know the origin. `tell` hears how many pieces
    /// of how many are read; its error ends the work.
    fn document_points(
        &self,
        _documents: &WordCounts,
        _new_terms: Option<&NewTerms>,
        _origin: Origin,
        _tell: &mut dyn FnMut(usize, usize) -> Result<()>,
    ) -> Result<Option<Points>> {
        Ok(None)
    }

    /// Groups the passages of one text, in their order, into one group, two, three, ..., each with the
    /// probability that the text has as many subjects; `None` for a prior that cannot tell.
    fn passage_cuts(
        &self,
        _passages: &WordCounts,
        _new_terms: Option<&NewTerms>,
    ) -> Option<Vec<SubjectCut>> {
        None
    }

    /// The weights Ψ.
    fn parameters(&self) -> &[Parameter<R>];
    /// The weights Ψ, to be changed.
    fn parameters_mut(&mut self) -> &mut [Parameter<R>];

    /// The weights as a model file has them.
    fn to_tensors(&self) -> Tensors<R>;
    /// The weights as a model file with fewer bits has them.
    fn to_compact_tensors(&self) -> CompactTensors<R> {
        self.to_tensors().into()
    }
    /// What the start found and training leaves alone, as a model file has it.
    fn fixed_tensors(&self) -> Tensors<R> {
        Tensors::new()
    }
    /// Takes what [`Self::fixed_tensors`] gave from a file.
    fn take_fixed_tensors(&mut self, _tensors: &dyn TensorSource<R>) -> Result<()> {
        Ok(())
    }

    /// α and the evidence of the support, and β of the terms that the request names; rows of other
    /// terms are left open.
    fn forward(
        &self,
        support: &WordCounts,
        request: Request<'_>,
        dropout: &mut Dropout<'_>,
        tape: &mut Self::Tape,
        dirichlet: &mut Dirichlet<R>,
    );

    /// [`Self::forward`] without dropout for several supports, each with its request. Hands what it
    /// gives for each task to `take`, in any order and from several threads. The numbers are those of
    /// [`Self::forward`]; work may be shared among the tasks.
    fn forward_each(&self, tasks: &[(&WordCounts, Request<'_>)], take: &TakeGiven<'_, R>) {
        let (mut tape, mut dirichlet) = (Self::Tape::default(), Dirichlet::default());
        for (i, &(support, request)) in tasks.iter().enumerate() {
            self.forward(support, request, &mut Dropout::off(), &mut tape, &mut dirichlet);
            take(i, &|| self.topic_tensors(&tape), &mut dirichlet);
        }
    }

    /// How much the passages of some documents have of each topic, so that a document may mix topics;
    /// `None` if it is not for the passages to say: a prior that does not read them, or documents that
    /// have too few. β is not asked for.
    fn passage_topics(
        &self,
        _passages: &Passages,
        _documents: &WordCounts,
        _request: Request<'_>,
    ) -> Option<PassageTopics> {
        None
    }

    /// From the gradient with respect to α and β to that of the weights, one [`Gradient`] a
    /// parameter.
    ///
    /// `terms` are the vocabulary's indices of the local terms that `gradient` speaks of: those that the
    /// forward pass was asked for.
    fn backward(
        &self,
        support: &WordCounts,
        terms: &[u32],
        dirichlet: &Dirichlet<R>,
        gradient: &PriorGradient<R>,
        tape: &mut Self::Tape,
        gradients: &mut Vec<Gradient<R>>,
    );

    /// What α of a new document takes from the documents of a fit, after their forward pass: little,
    /// and different from fit to fit.
    fn topic_tensors(&self, tape: &Self::Tape) -> Tensors<R>;

    /// All that α of a new document needs, for a file: the weights that read documents, with
    /// `new_terms` among the terms, and the fit's `topics` ([`Self::topic_tensors`]).
    fn new_document_tensors(&self, new_terms: Option<&NewTerms>, topics: &Tensors<R>)
    -> Tensors<R>;

    /// What reads new documents that have the terms `wanted`, without a way through a file.
    fn new_document_prior(
        &self,
        new_terms: Option<&NewTerms>,
        topics: &Tensors<R>,
        wanted: &[u32],
    ) -> Result<Box<dyn ReadsNewDocuments<R>>>;
}
