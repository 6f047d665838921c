//! The methods. Each is a recipe for learning something that predicts held-out words.

mod ablation;
mod discounted;
mod finished_model;
mod lda;
mod prior_and_em;
mod smoothed_unigram;

pub use ablation::Ablation;
pub use finished_model::ModelOverTerms;
pub use prior_and_em::{LearnedPrior, PriorAndEm, PriorKind, PriorRecipe, TrainingCourse};

use crate::{Given, GivenKind, Material, Settings, Sweep};
use discounted::Discounted;
use finished_model::AskedModel;
use handful::internals::corpus::{Episode, WordCounts};
use handful::internals::em::{EmStop, Likelihood};
use handful::internals::prior::Ingredient;
use handful::internals::topic_model::TopicModel;
use handful::{Error, Result};
use lda::{LdaAll, LdaIndividual, SmoothedLda};

/// A method of the comparison.
#[derive(Debug, PartialEq)]
pub struct Method {
    /// The name in the command and in results.
    pub id: &'static str,
    /// The name in the paper, if it is there.
    pub paper: Option<&'static str>,
    /// How the method works.
    pub design: Design,
}

/// How a method works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Design {
    /// A trained prior, then EM steps.
    PriorAndEm(PriorAndEm),
    /// LDA of the task's support alone.
    LdaIndividual,
    /// LDA of all training documents, with the task folded in.
    LdaAll,
    /// A mixture of the words of the document, of the task and of all training documents.
    SmoothedUnigram,
    /// The same mixture, with the prediction of LDA of all training documents as a further part.
    SmoothedLda,
    /// The words of the document, discounted in favour of those of the task, and those in favour of all
    /// training documents'.
    Discounted,
    /// The same, with the prediction of LDA beside all training documents'.
    DiscountedLda,
    /// A model that was trained elsewhere, asked as it is.
    FinishedModel,
}

/// The name of Handful's own prior.
pub const OWN: &str = "handful";
/// The name of Handful's own prior, trained for any number of topics and documents.
pub(crate) const OWN_FOR_ALL: &str = "handful-auto";
/// The name of a model that was trained elsewhere.
pub(crate) const MODEL: &str = "model";

/// All methods. Those in the paper are in the order of its table. The last ones are `handful` with
/// one ingredient left out.
pub static METHODS: [Method; 33] = {
    const R: PriorKind = PriorKind::Networks { corpus_representation: true };
    const NN: PriorKind = PriorKind::Networks { corpus_representation: false };
    const DIR: PriorKind = PriorKind::Free;
    const MAML: PriorKind = PriorKind::Maml;
    const fn without(id: &'static str, ablation: Ablation) -> Method {
        let prior = PriorKind::Handful { without: Some(ablation) };
        Method { id, paper: None, design: Design::PriorAndEm(PriorAndEm::new(prior, true, true)) }
    }
    const fn part(id: &'static str, ingredient: Ingredient) -> Method {
        without(id, Ablation::Ingredient(ingredient))
    }
    const HANDFUL: PriorKind = PriorKind::Handful { without: None };
    const fn trained(id: &'static str, paper: &'static str, design: PriorAndEm) -> Method {
        Method { id, paper: Some(paper), design: Design::PriorAndEm(design) }
    }
    [
        Method {
            id: OWN,
            paper: None,
            design: Design::PriorAndEm(PriorAndEm::new(HANDFUL, true, true)),
        },
        Method {
            id: OWN_FOR_ALL,
            paper: None,
            design: Design::PriorAndEm(PriorAndEm::new(PriorKind::HandfulForAll, true, true)),
        },
        Method { id: MODEL, paper: None, design: Design::FinishedModel },
        trained("iwata", "Ours", PriorAndEm::new(R, true, true)),
        Method { id: "lda-ind", paper: Some("LDAind"), design: Design::LdaIndividual },
        Method { id: "lda-all", paper: Some("LDAall"), design: Design::LdaAll },
        trained("maml", "MAML", PriorAndEm::new(MAML, false, false)),
        trained("nn", "NN", PriorAndEm::new(NN, false, false)),
        trained("nn-r", "NN-R", PriorAndEm::new(R, false, false)),
        trained("nn-f", "NN-F", PriorAndEm::new(NN, false, true)),
        trained("nn-rf", "NN-RF", PriorAndEm::new(R, false, true)),
        trained("nn-e", "NN-E", PriorAndEm::new(NN, true, true)),
        trained("dir", "Dir", PriorAndEm::new(DIR, false, false)),
        trained("dir-f", "Dir-F", PriorAndEm::new(DIR, false, true)),
        trained("dir-e", "Dir-E", PriorAndEm::new(DIR, true, true)),
        Method { id: "smoothed", paper: None, design: Design::SmoothedUnigram },
        Method { id: "smoothed-lda", paper: None, design: Design::SmoothedLda },
        Method { id: "discounted", paper: None, design: Design::Discounted },
        Method { id: "discounted-lda", paper: None, design: Design::DiscountedLda },
        part("no-themes", Ingredient::Themes),
        part("no-folding", Ingredient::Folding),
        part("no-word-vectors", Ingredient::WordVectors),
        part("no-vector-start", Ingredient::VectorStart),
        part("no-document-topics", Ingredient::DocumentTopics),
        part("no-background", Ingredient::Background),
        part("no-term-evidence", Ingredient::TermEvidence),
        part("no-count-evidence", Ingredient::CountEvidence),
        without("no-word-dropout", Ablation::WordDropout),
        without("no-input-dropout", Ablation::InputDropout),
        without("no-hidden-dropout", Ablation::HiddenDropout),
        without("no-average", Ablation::Average),
        without("no-cosine", Ablation::Cosine),
        without("no-batch", Ablation::Batch),
    ]
};

/// Returns the method with this name.
pub fn method(id: &str) -> Result<&'static Method> {
    let groups = "`all`, all that lack nothing; or `ablations`, the others";
    by_name(&METHODS, |method| method.id, id, "there is none of that name", groups)
}

/// Returns the method with the name `id`. If there is none, the error lists all methods and the
/// names in `groups`.
pub(crate) fn by_name<M>(
    all: &'static [M],
    name: fn(&M) -> &'static str,
    id: &str,
    problem: &str,
    groups: &str,
) -> Result<&'static M> {
    all.iter().find(|method| name(method) == id).ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(name).collect();
        let remedy = format!("the methods are {} (or {groups})", known.join(", "));
        Error::unknown("method", id, problem, remedy)
    })
}

impl Method {
    /// Whether it is `handful` with an ingredient left out.
    pub fn is_ablation(&self) -> bool {
        matches!(self.prior(), Some(PriorKind::Handful { without: Some(_) }))
    }

    /// Whether it uses Handful's own prior, in any form.
    pub fn is_own(&self) -> bool {
        self.is_finished()
            || matches!(self.prior(), Some(PriorKind::Handful { .. } | PriorKind::HandfulForAll))
    }

    /// Whether one training serves any number of topics and documents.
    pub fn is_for_all(&self) -> bool {
        self.is_finished() || self.chooses_topics()
    }

    /// Whether it is a model that was trained elsewhere.
    fn is_finished(&self) -> bool {
        self.design == Design::FinishedModel
    }

    /// Whether the documents of a task choose the number of topics.
    fn chooses_topics(&self) -> bool {
        self.prior() == Some(PriorKind::HandfulForAll)
    }

    /// What the method must be given beside the corpora.
    pub fn asks_for(&self) -> Option<GivenKind> {
        self.is_finished().then_some(GivenKind::Model)
    }

    fn prior(&self) -> Option<PriorKind> {
        match self.design {
            Design::PriorAndEm(PriorAndEm { prior, .. }) => Some(prior),
            _ => None,
        }
    }

    /// Returns what to learn for K topics and T EM steps. Methods with equal recipes share what was
    /// learned.
    pub fn recipe(&self, settings: &Settings, topics: usize, em_steps: usize) -> Recipe {
        match &self.design {
            Design::PriorAndEm(design) => Recipe::Prior(design.recipe(settings, topics, em_steps)),
            Design::LdaIndividual => Recipe::LdaIndividual { topics },
            Design::LdaAll => Recipe::LdaAll { topics },
            Design::SmoothedUnigram => Recipe::SmoothedUnigram,
            Design::SmoothedLda => Recipe::SmoothedLda,
            Design::Discounted => Recipe::Discounted,
            Design::DiscountedLda => Recipe::DiscountedLda,
            Design::FinishedModel => Recipe::FinishedModel { topics },
        }
    }

    /// The number of topics when K are asked for. `None` if the method has no topics, or chooses
    /// their number for each task.
    pub fn topics(&self, topics: usize) -> Option<usize> {
        match self.design {
            Design::PriorAndEm(_) => (!self.chooses_topics()).then_some(topics),
            Design::LdaIndividual | Design::LdaAll | Design::FinishedModel => Some(topics),
            Design::SmoothedUnigram
            | Design::SmoothedLda
            | Design::Discounted
            | Design::DiscountedLda => None,
        }
    }

    /// The number of EM steps on a task when T are asked for. `None` if there is no EM.
    pub fn em_steps(&self, em_steps: usize) -> Option<usize> {
        match &self.design {
            Design::PriorAndEm(design) => Some(if design.em_at_test { em_steps } else { 0 }),
            Design::FinishedModel => Some(em_steps),
            _ => None,
        }
    }

    /// Whether the method takes EM steps on a task.
    pub fn has_em(&self) -> bool {
        self.em_steps(1) == Some(1)
    }

    /// Whether EM follows on a task a prior that was trained without it: the paper's fine-tuning.
    pub fn fine_tunes(&self) -> bool {
        matches!(self.design, Design::PriorAndEm(design) if design.em_at_test && !design.em_in_training)
    }

    /// When EM ends on a task if T steps are asked for.
    pub fn em_stop(&self, settings: &Settings, em_steps: usize) -> EmStop {
        match self.has_em() {
            true => settings.em_stop(em_steps),
            false => EmStop::Steps(0),
        }
    }

    /// Whether the method depends on the setting that is varied. If EM on tasks goes on until it
    /// converges, T matters in training only.
    pub fn varies_with(&self, sweep: Sweep, until_converged: bool) -> bool {
        match sweep {
            Sweep::EmSteps if until_converged => {
                matches!(self.design, Design::PriorAndEm(design) if design.em_in_training)
            }
            Sweep::EmSteps => self.has_em(),
            Sweep::Topics => self.topics(1).is_some(),
        }
    }
}

/// What to learn from training and validation corpora.
#[derive(Clone, Debug, PartialEq)]
pub enum Recipe {
    /// Trains a prior.
    Prior(PriorRecipe),
    /// Learns nothing: topics come from the task.
    LdaIndividual {
        /// K
        topics: usize,
    },
    /// Learns the topics of all training documents.
    LdaAll {
        /// K
        topics: usize,
    },
    /// Counts words and tunes the weights of the mixture.
    SmoothedUnigram,
    /// Learns topics, counts words, and tunes the weights of the mixture.
    SmoothedLda,
    /// Counts words, and tunes discounts.
    Discounted,
    /// Learns topics, counts words, and tunes discounts.
    DiscountedLda,
    /// Learns nothing: asks a model that was trained elsewhere.
    FinishedModel {
        /// K
        topics: usize,
    },
}

impl Recipe {
    /// Refuses a number of topics that what is learned, or a finished model, cannot give.
    pub(crate) fn check_topics(&self, model: Option<&ModelOverTerms>) -> Result<()> {
        match self {
            Self::Prior(PriorRecipe { candidates, topics, .. }) => {
                candidates.iter().try_for_each(|prior| prior.check_topics(*topics, *topics))
            }
            Self::FinishedModel { topics } => {
                model.map_or(Ok(()), |model| model.check_topics(*topics))
            }
            _ => Ok(()),
        }
    }

    /// Learns from the training and validation corpora of an experiment.
    pub fn learn(&self, material: &Material<'_>) -> Result<Lesson> {
        match self {
            Self::Prior(recipe) => recipe.learn(material),
            Self::LdaIndividual { topics } => Ok(LdaIndividual::learn(material, *topics)),
            Self::LdaAll { topics } => LdaAll::learn(material, *topics),
            Self::SmoothedUnigram => smoothed_unigram::learn(material),
            Self::SmoothedLda => SmoothedLda::learn(material),
            Self::Discounted => Discounted::learn(material),
            Self::DiscountedLda => Discounted::learn_with_topics(material),
            Self::FinishedModel { topics } => AskedModel::learn(material, *topics),
        }
    }
}

/// What was learned, with a record of the learning.
pub struct Lesson {
    /// The predictor.
    pub learned: Box<dyn Learned>,
    /// Of a trained prior, the course of training.
    pub training: Option<TrainingCourse>,
    /// Of a mixture, its tuned weights.
    pub weights: Vec<f64>,
    /// What the method was given beside the corpora.
    pub given: Option<Given>,
}

/// Something learned from corpora that predicts the held-out words of tasks.
pub trait Learned {
    /// Returns the likelihood of each document's query in task `number` given the support. If there
    /// is EM, it ends at `stop`.
    fn likelihoods(&self, task: &Episode, number: usize, stop: EmStop) -> Vec<Likelihood>;

    /// Returns the log-likelihood of the whole query.
    fn log_likelihood(&self, task: &Episode, number: usize, stop: EmStop) -> f64 {
        self.likelihoods(task, number, stop).into_iter().sum::<Likelihood>().log_likelihood
    }

    /// Sets the number of topics from now on, if any number is possible.
    fn set_topics(&mut self, _topics: usize) {}

    /// Returns the topics of the support of task `number`. If there is EM, it ends at `stop`.
    /// Returns `None` if the method has no topics.
    fn topic_model(
        &self,
        _support: &WordCounts,
        _number: usize,
        _stop: EmStop,
    ) -> Result<Option<TopicModel>> {
        Ok(None)
    }
}
