//! The methods, and how each is a recipe for learning something that predicts held-out words.

mod ablation;
mod lda;
mod prior_and_em;
mod smoothed_unigram;

pub use ablation::Ablation;
pub use prior_and_em::{LearnedPrior, PriorAndEm, PriorKind, PriorRecipe, TrainingCourse};

use crate::{Material, Settings, Sweep};
use handful::corpus::{Episode, WordCounts};
use handful::prior::Ingredient;
use handful::topic_model::TopicModel;
use handful::{Error, Result};
use lda::{LdaAll, LdaIndividual, SmoothedLda};

/// A method of the comparison.
#[derive(Debug, PartialEq)]
pub struct Method {
    /// Its name for the command and in results.
    pub id: &'static str,
    /// Its name in the paper, if it is there.
    pub paper: Option<&'static str>,
    /// What it does.
    pub design: Design,
}

/// What a method does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Design {
    /// A prior that was trained, then some EM steps.
    PriorAndEm(PriorAndEm),
    /// LDA of the task's support alone.
    LdaIndividual,
    /// LDA of all training documents, into which the task is folded.
    LdaAll,
    /// The words of the document, of the task and of all training documents, mixed.
    SmoothedUnigram,
    /// The same with what LDA of all training documents predicts.
    SmoothedLda,
}

/// The name of Handful's own prior.
pub const OWN: &str = "handful";
/// The name of the same, trained for any number of topics and documents.
pub(crate) const OWN_FOR_ALL: &str = "handful-auto";

/// All methods, in the order of the paper's table; those after them are not in the paper, the last are
/// `handful` without one of its ingredients each.
pub static METHODS: [Method; 30] = {
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

/// The method of that name.
pub fn method(id: &str) -> Result<&'static Method> {
    let groups = "`all`, all that lack nothing; or `ablations`, the others";
    by_name(&METHODS, |method| method.id, id, "there is none of that name", groups)
}

/// The one of some methods that has a name; where none has it, an error that lists them, and the names
/// of `groups` of them.
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
    /// Whether it is another method without one of its ingredients.
    pub fn is_ablation(&self) -> bool {
        matches!(self.prior(), Some(PriorKind::Handful { without: Some(_) }))
    }

    /// Whether it is Handful's own prior in any shape.
    pub fn is_own(&self) -> bool {
        matches!(self.prior(), Some(PriorKind::Handful { .. } | PriorKind::HandfulForAll))
    }

    /// Whether one training serves any number of topics and documents.
    pub fn is_for_all(&self) -> bool {
        self.prior() == Some(PriorKind::HandfulForAll)
    }

    fn prior(&self) -> Option<PriorKind> {
        match self.design {
            Design::PriorAndEm(PriorAndEm { prior, .. }) => Some(prior),
            _ => None,
        }
    }

    /// What is to be learned for this method with K topics and T EM steps. Methods with equal
    /// recipes share what was learned.
    pub fn recipe(&self, settings: &Settings, topics: usize, em_steps: usize) -> Recipe {
        match &self.design {
            Design::PriorAndEm(design) => Recipe::Prior(design.recipe(settings, topics, em_steps)),
            Design::LdaIndividual => Recipe::LdaIndividual { topics },
            Design::LdaAll => Recipe::LdaAll { topics },
            Design::SmoothedUnigram => Recipe::SmoothedUnigram,
            Design::SmoothedLda => Recipe::SmoothedLda,
        }
    }

    /// The number of topics, of K asked for; `None` where there are none, or each task has its own.
    pub fn topics(&self, topics: usize) -> Option<usize> {
        match self.design {
            Design::PriorAndEm(_) => (!self.is_for_all()).then_some(topics),
            Design::LdaIndividual | Design::LdaAll => Some(topics),
            Design::SmoothedUnigram | Design::SmoothedLda => None,
        }
    }

    /// The EM steps on a task, of T asked for; `None` where there is no EM.
    pub fn em_steps(&self, em_steps: usize) -> Option<usize> {
        match &self.design {
            Design::PriorAndEm(design) => Some(if design.em_at_test { em_steps } else { 0 }),
            _ => None,
        }
    }

    /// Whether what is varied makes a difference to the method.
    pub fn varies_with(&self, sweep: Sweep) -> bool {
        match sweep {
            Sweep::EmSteps => self.em_steps(1) == Some(1),
            Sweep::Topics => self.topics(1).is_some(),
        }
    }
}

/// How something is learned from training and validation corpora.
#[derive(Clone, Debug, PartialEq)]
pub enum Recipe {
    /// Train a prior.
    Prior(PriorRecipe),
    /// Nothing: topics are those of the task.
    LdaIndividual {
        /// K
        topics: usize,
    },
    /// Find the topics of all training documents.
    LdaAll {
        /// K
        topics: usize,
    },
    /// Count words, and tune the weights of the mixture.
    SmoothedUnigram,
    /// Find topics, count words, and tune the weights of the mixture.
    SmoothedLda,
}

impl Recipe {
    /// Learns from the training and validation corpora of an experiment.
    pub fn learn(&self, material: &Material<'_>) -> Result<Lesson> {
        match self {
            Self::Prior(recipe) => recipe.learn(material),
            Self::LdaIndividual { topics } => Ok(LdaIndividual::learn(material, *topics)),
            Self::LdaAll { topics } => LdaAll::learn(material, *topics),
            Self::SmoothedUnigram => smoothed_unigram::learn(material),
            Self::SmoothedLda => SmoothedLda::learn(material),
        }
    }
}

/// What was learned, and how that went.
pub struct Lesson {
    /// What predicts.
    pub learned: Box<dyn Learned>,
    /// Of a trained prior, the course of training.
    pub training: Option<TrainingCourse>,
    /// Of a mixture, its tuned weights.
    pub weights: Vec<f64>,
}

/// What was learned from corpora: it predicts the held-out words of tasks.
pub trait Learned {
    /// The log-likelihood of the query of task `number`, given its support, after `em_steps` EM
    /// steps where there is EM.
    fn log_likelihood(&self, task: &Episode, number: usize, em_steps: usize) -> f64;

    /// Asks for another number of topics from now on, where any can be given.
    fn set_topics(&mut self, _topics: usize) {}

    /// The topics of task `number`'s support, likewise; `None` where there are no topics.
    fn topic_model(
        &self,
        _support: &WordCounts,
        _number: usize,
        _em_steps: usize,
    ) -> Result<Option<TopicModel>> {
        Ok(None)
    }
}
