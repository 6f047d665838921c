//! The prior of a model, whichever it is.

use crate::em::{Dirichlet, PriorGradient};

use super::{
    Free, FreeTape, Handful, HandfulSettings, HandfulTape, Iwata, IwataSettings, IwataTape, Maml,
    MamlSettings, MamlTape, NewWords, Prior, StartObserver,
};

use crate::corpus::{Corpus, WordCounts};
use crate::nn::{Dropout, Gradient, Parameter};
use crate::numeric::Real;
use crate::storage::{Tensor, TensorSource, Tensors, TermRows};
use crate::text::Relative;
use crate::{Error, Result};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Which prior, and its shape: `prior` in a model's `config.json`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PriorSettings {
    /// Vectors of words, documents and topics.
    Handful(HandfulSettings),
    /// The paper's networks.
    Iwata(IwataSettings),
    /// One learned α and β for every corpus.
    Free,
    /// Gradient steps from one learned α and β.
    Maml(MamlSettings),
}

impl PriorSettings {
    /// Refuses shapes that no prior can have.
    pub fn check(&self) -> Result<()> {
        match self {
            Self::Handful(settings) => settings.check(),
            Self::Iwata(settings) => settings.check(),
            Self::Free => Ok(()),
            Self::Maml(settings) => settings.check(),
        }
    }

    /// Refuses a number of topics that a prior trained for `own` cannot give.
    pub fn check_topics(&self, own: usize, topics: usize) -> Result<()> {
        match self {
            Self::Handful(_) => HandfulSettings::check_topics(topics),
            _ if topics == own => Ok(()),
            _ => {
                let expected = format!("{own}, the number the model was trained for");
                Err(Error::setting("topics", topics, expected))
            }
        }
    }

    /// The kind's name, as in `config.json`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Handful(_) => "handful",
            Self::Iwata(_) => "iwata",
            Self::Free => "free",
            Self::Maml(_) => "maml",
        }
    }
}

/// Any of the priors.
#[derive(Clone, Debug)]
pub enum AnyPrior<R> {
    /// Vectors of words, documents and topics.
    Handful(Box<Handful<R>>),
    /// The paper's networks.
    Iwata(Box<Iwata<R>>),
    /// One learned α and β for every corpus.
    Free(Free<R>),
    /// Gradient steps from one learned α and β.
    Maml(Maml<R>),
}

/// The tape of [`AnyPrior`].
#[derive(Clone, Debug, Default)]
pub struct AnyTape<R> {
    handful: HandfulTape<R>,
    iwata: IwataTape<R>,
    free: FreeTape,
    maml: MamlTape<R>,
}

impl<R: Real> AnyPrior<R> {
    /// A prior with random weights, drawn from `stream`.
    pub fn random(
        settings: PriorSettings,
        terms: usize,
        topics: usize,
        stream: &mut ChaCha8Rng,
    ) -> Self {
        match settings {
            PriorSettings::Handful(settings) => {
                Self::Handful(Box::new(Handful::random(settings, terms, topics, stream)))
            }
            PriorSettings::Iwata(settings) => {
                Self::Iwata(Box::new(Iwata::random(settings, terms, topics, stream)))
            }
            PriorSettings::Free => Self::Free(Free::random(terms, topics, stream)),
            PriorSettings::Maml(settings) => {
                Self::Maml(Maml::random(settings, terms, topics, stream))
            }
        }
    }

    /// A prior with first weights that may know the training corpora; `None` where the observer ended
    /// the work.
    pub fn start(
        settings: PriorSettings,
        terms: usize,
        topics: usize,
        corpora: &[&Corpus],
        stream: &mut ChaCha8Rng,
        observer: &mut StartObserver<'_>,
    ) -> Result<Option<Self>> {
        Ok(match settings {
            PriorSettings::Handful(settings) => {
                Handful::start(settings, terms, topics, corpora, stream, observer)?
                    .map(|prior| Self::Handful(Box::new(prior)))
            }
            _ => Some(Self::random(settings, terms, topics, stream)),
        })
    }

    /// What the start found and training leaves as it is, as a model file has it.
    pub fn fixed_tensors(&self) -> Tensors<R> {
        match self {
            Self::Handful(prior) => prior.fixed_tensors(),
            _ => Tensors::new(),
        }
    }

    /// Takes from a file what [`Self::fixed_tensors`] gave to it.
    pub fn take_fixed_tensors(&mut self, tensors: &dyn TensorSource<R>) -> Result<()> {
        match self {
            Self::Handful(prior) => prior.take_fixed_tensors(tensors),
            _ => Ok(()),
        }
    }

    /// A prior with the weights of a model file, to be asked about the wanted terms.
    pub fn from_tensors(
        settings: PriorSettings,
        terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<R>,
        wanted: TermRows<'_>,
    ) -> Result<Self> {
        Ok(match settings {
            PriorSettings::Handful(settings) => Self::Handful(Box::new(Handful::from_tensors(
                settings, terms, topics, tensors, wanted,
            )?)),
            PriorSettings::Iwata(settings) => Self::Iwata(Box::new(Iwata::from_tensors(
                settings, terms, topics, tensors, wanted,
            )?)),
            PriorSettings::Free => Self::Free(Free::from_tensors(terms, topics, tensors)?),
            PriorSettings::Maml(settings) => {
                Self::Maml(Maml::from_tensors(settings, terms, topics, tensors)?)
            }
        })
    }

    /// Asks for another number of topics from now on; only [`Handful`] can give any that
    /// [`PriorSettings::check_topics`] allows, the others keep theirs.
    pub fn set_topics(&mut self, topics: usize) {
        if let Self::Handful(prior) = self {
            prior.set_topics(topics);
        }
    }

    /// How many of the terms are new words.
    pub fn new_terms(&self) -> usize {
        match self {
            Self::Handful(prior) => prior.terms() - prior.known_terms(),
            _ => 0,
        }
    }

    /// Takes new words for terms after all others, in the place of those that were taken before; each is
    /// known by the terms that are spelled like it. Only [`Handful`] does so, and cannot be trained then.
    pub fn take_new_words(&mut self, expected: NewWords, relatives: &[Vec<Relative>]) {
        if let Self::Handful(prior) = self {
            prior.take_new_words(expected, relatives);
        }
    }

    /// The prior over its most frequent terms, as if it had never seen the others, and which they
    /// are; `None` for a prior that cannot take new words.
    pub fn with_fewer_terms(&self, most: usize) -> Option<(Self, Vec<u32>)> {
        let Self::Handful(prior) = self else { return None };
        let kept = prior.frequent_terms(most);
        Some((Self::Handful(Box::new(prior.over_terms(&kept))), kept))
    }

    /// How probable each term is in the training corpora, where the prior knows it; new words are as
    /// probable as rare ones.
    pub fn unigram(&self) -> Option<&[R]> {
        match self {
            Self::Handful(prior) => Some(prior.unigram()),
            _ => None,
        }
    }

    /// What α of a new document needs, once the documents of a topic model are known
    /// ([`NewDocumentPrior`](super::NewDocumentPrior) reads it): the weights of f_A and the corpus
    /// representation `r`; the words' and the topics' vectors; or the one α that all documents have
    /// or start from, as `a`.
    pub fn new_document_tensors(&self, documents: &WordCounts) -> Tensors<R> {
        if let Self::Handful(prior) = self {
            return prior.new_document_tensors(documents);
        }
        let mut tensors = self.to_tensors();
        if let Self::Iwata(prior) = self {
            tensors.retain(|name, _| name.starts_with("f_a."));
            if let Some(r) = prior.representation(documents) {
                tensors.insert("r".to_owned(), Tensor::vector(&r));
            }
        } else {
            tensors.retain(|name, _| name == "a");
        }
        tensors
    }

    /// The weights as a model file has them.
    pub fn to_tensors(&self) -> Tensors<R> {
        match self {
            Self::Handful(prior) => prior.to_tensors(),
            Self::Iwata(prior) => prior.to_tensors(),
            Self::Free(prior) => prior.to_tensors(),
            Self::Maml(prior) => prior.to_tensors(),
        }
    }
}

macro_rules! delegate {
    ($self:expr, $prior:ident => $call:expr) => {
        match $self {
            AnyPrior::Handful($prior) => $call,
            AnyPrior::Iwata($prior) => $call,
            AnyPrior::Free($prior) => $call,
            AnyPrior::Maml($prior) => $call,
        }
    };
}

impl<R: Real> Prior<R> for AnyPrior<R> {
    type Tape = AnyTape<R>;

    fn topics(&self) -> usize {
        delegate!(self, prior => prior.topics())
    }

    fn has_background(&self) -> bool {
        delegate!(self, prior => prior.has_background())
    }

    fn terms(&self) -> usize {
        delegate!(self, prior => prior.terms())
    }

    fn parameters(&self) -> &[Parameter<R>] {
        delegate!(self, prior => prior.parameters())
    }

    fn parameters_mut(&mut self) -> &mut [Parameter<R>] {
        delegate!(self, prior => prior.parameters_mut())
    }

    fn forward(
        &self,
        support: &WordCounts,
        wanted: TermRows<'_>,
        dropout: &mut Dropout<'_>,
        tape: &mut AnyTape<R>,
        dirichlet: &mut Dirichlet<R>,
    ) {
        match self {
            Self::Handful(prior) => {
                prior.forward(support, wanted, dropout, &mut tape.handful, dirichlet);
            }
            Self::Iwata(prior) => {
                prior.forward(support, wanted, dropout, &mut tape.iwata, dirichlet);
            }
            Self::Free(prior) => prior.forward(support, wanted, dropout, &mut tape.free, dirichlet),
            Self::Maml(prior) => prior.forward(support, wanted, dropout, &mut tape.maml, dirichlet),
        }
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
        match self {
            Self::Handful(prior) => {
                prior.backward(support, terms, dirichlet, gradient, &mut tape.handful, gradients);
            }
            Self::Iwata(prior) => {
                prior.backward(support, terms, dirichlet, gradient, &mut tape.iwata, gradients);
            }
            Self::Free(prior) => {
                prior.backward(support, terms, dirichlet, gradient, &mut tape.free, gradients);
            }
            Self::Maml(prior) => {
                prior.backward(support, terms, dirichlet, gradient, &mut tape.maml, gradients);
            }
        }
    }
}
