//! The methods that group documents.

use super::vectors::{DocumentVectors, TRAINING_STREAM, gram_of};
use super::{Draw, MixedHandful};
use crate::clustering::{Gram, k_means, nmf};
use crate::methods::{self, Lesson, MODEL, Method, OWN, Recipe, TrainingCourse};
use crate::unseen::Needs;
use crate::{GivenKind, Material, Settings};
use handful::internals::clustering::ward;
use handful::internals::corpus::WordCounts;
use handful::internals::em::EmStop;
use handful::internals::numeric::largest;
use handful::internals::random::{Purpose, stream};
use handful::internals::topic_model::TopicModel;
use handful::{Error, Result};
use rand::RngExt;

/// A method that groups documents.
#[derive(Debug, PartialEq)]
pub struct GroupingMethod {
    /// The name in the command and in results.
    pub id: &'static str,
    /// How the method groups.
    pub design: Grouping,
}

/// How to group documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// At random, each independently.
    Random,
    /// By each document's largest topic, with the comparison's method of the same name.
    LargestTopic,
    /// By each document's largest topic, with a model that was trained elsewhere.
    FinishedModel,
    /// With k-means.
    KMeans(Features),
    /// With Ward's clustering.
    Ward(Features),
    /// By each document's largest component in a non-negative factorisation of tf-idf.
    Nmf,
}

/// The features of a document for k-means and Ward's clustering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Features {
    /// The tf-idf weights of its words.
    TfIdf,
    /// Its projection by a truncated singular value decomposition of the training documents.
    Svd,
    /// Both, concatenated.
    Both,
    /// A vector that was made elsewhere, scaled to length 1.
    Given,
    /// That vector and the tf-idf weights, concatenated.
    GivenAndTfIdf,
}

/// All methods that group documents.
pub static GROUPING_METHODS: [GroupingMethod; 14] = {
    const fn grouping(id: &'static str, design: Grouping) -> GroupingMethod {
        GroupingMethod { id, design }
    }
    [
        grouping(OWN, Grouping::LargestTopic),
        grouping(MODEL, Grouping::FinishedModel),
        grouping("iwata", Grouping::LargestTopic),
        grouping("lda-ind", Grouping::LargestTopic),
        grouping("lda-all", Grouping::LargestTopic),
        grouping("k-means", Grouping::KMeans(Features::TfIdf)),
        grouping("k-means-svd", Grouping::KMeans(Features::Svd)),
        grouping("k-means-both", Grouping::KMeans(Features::Both)),
        grouping("k-means-given", Grouping::KMeans(Features::Given)),
        grouping("k-means-given-tfidf", Grouping::KMeans(Features::GivenAndTfIdf)),
        grouping("ward-given", Grouping::Ward(Features::Given)),
        grouping("ward-given-tfidf", Grouping::Ward(Features::GivenAndTfIdf)),
        grouping("nmf", Grouping::Nmf),
        grouping("random", Grouping::Random),
    ]
};

/// Returns the grouping method with this name.
pub fn grouping_method(id: &str) -> Result<&'static GroupingMethod> {
    let problem = "there is none of that name that groups";
    methods::by_name(&GROUPING_METHODS, |method| method.id, id, problem, "`all`")
}

impl GroupingMethod {
    /// Returns what to learn. Methods with equal recipes share what was learned.
    pub fn recipe(&self, settings: &Settings) -> GroupingRecipe {
        match self.design {
            Grouping::Random
            | Grouping::KMeans(Features::Given)
            | Grouping::Ward(Features::Given) => GroupingRecipe::Nothing,
            Grouping::FinishedModel => GroupingRecipe::FinishedModel,
            Grouping::LargestTopic => {
                GroupingRecipe::of_topics(self.topics(), settings, settings.training.topics)
            }
            Grouping::KMeans(features) | Grouping::Ward(features) => {
                let svd = matches!(features, Features::Svd | Features::Both);
                GroupingRecipe::Vectors { svd }
            }
            Grouping::Nmf => GroupingRecipe::Vectors { svd: false },
        }
    }

    /// What the method must be given beside the corpora.
    pub fn asks_for(&self) -> Option<GivenKind> {
        self.design.asks_for()
    }

    /// Returns the comparison's method of the same name.
    fn topics(&self) -> &'static Method {
        methods::method(self.id).expect("the comparison has it")
    }
}

impl Grouping {
    pub(super) fn asks_for(self) -> Option<GivenKind> {
        match self {
            Self::FinishedModel => Some(GivenKind::Model),
            Self::KMeans(Features::Given | Features::GivenAndTfIdf)
            | Self::Ward(Features::Given | Features::GivenAndTfIdf) => {
                Some(GivenKind::DocumentVectors)
            }
            _ => None,
        }
    }
}

/// What to learn before documents are grouped.
#[derive(Clone, Debug, PartialEq)]
pub enum GroupingRecipe {
    /// Nothing.
    Nothing,
    /// Nothing: a model that was trained elsewhere is asked.
    FinishedModel,
    /// Topics, as in the comparison.
    Topics {
        /// What to learn.
        recipe: Recipe,
        /// When EM ends on a task, if there is EM.
        stop: EmStop,
    },
    /// Weights of terms.
    Vectors {
        /// Whether to decompose the training documents as well.
        svd: bool,
    },
}

/// What was learned.
pub(crate) enum GroupingLesson {
    Nothing,
    Topics { lesson: Lesson, stop: EmStop },
    Vectors(DocumentVectors),
}

impl GroupingRecipe {
    /// What a method of the comparison learns for K topics.
    pub(crate) fn of_topics(method: &Method, settings: &Settings, topics: usize) -> Self {
        let em_steps = settings.training.em_steps;
        let recipe = method.recipe(settings, topics, em_steps);
        Self::Topics { recipe, stop: method.em_stop(settings, em_steps) }
    }

    /// Which corpora are needed to learn it.
    pub fn needs(&self) -> Needs {
        match self {
            Self::Nothing | Self::FinishedModel => Needs::Nothing,
            Self::Topics { recipe: Recipe::LdaIndividual { .. }, .. } => Needs::Nothing,
            Self::Topics { recipe: Recipe::LdaAll { .. }, .. } => Needs::Training,
            Self::Topics { .. } => Needs::Validation,
            Self::Vectors { .. } => Needs::Training,
        }
    }

    pub(crate) fn learn(&self, material: &Material<'_>) -> Result<GroupingLesson> {
        Ok(match self {
            Self::Nothing | Self::FinishedModel => GroupingLesson::Nothing,
            Self::Topics { recipe, stop } => {
                GroupingLesson::Topics { lesson: recipe.learn(material)?, stop: *stop }
            }
            Self::Vectors { svd } => {
                GroupingLesson::Vectors(DocumentVectors::learn(material, *svd))
            }
        })
    }
}

impl GroupingLesson {
    /// Of a trained prior, the course of training.
    pub(crate) fn training(&self) -> Option<&TrainingCourse> {
        match self {
            Self::Topics { lesson, .. } => lesson.training.as_ref(),
            _ => None,
        }
    }

    /// Returns the group of each document of task `number` of a draw.
    pub(super) fn groups(
        &self,
        design: Grouping,
        draw: &Draw<'_>,
        task: &MixedHandful,
        number: usize,
    ) -> Result<Vec<usize>> {
        let (seed, groups) = (draw.material.seed, draw.shape.corpora);
        let mut stream = stream(seed, Purpose::Clustering, TRAINING_STREAM + 1 + number as u64);
        Ok(match design {
            Grouping::Random => {
                task.classes.iter().map(|_| stream.random_range(0..groups)).collect()
            }
            Grouping::LargestTopic => largest_topics(&self.topic_model(&task.words, number)?),
            Grouping::FinishedModel => {
                let model = draw.model.ok_or_else(|| GivenKind::Model.missing(MODEL))?;
                model.groups(&task.words, draw.vocabulary, (groups, draw.stop))?
            }
            Grouping::KMeans(features) => {
                k_means(&self.gram(features, draw, task)?, groups, &mut stream)
            }
            Grouping::Ward(features) => ward(&self.gram(features, draw, task)?.rows(), groups),
            Grouping::Nmf => {
                nmf(&self.vectors().matrix(&task.words).1, groups, &mut stream).largest()
            }
        })
    }

    /// Returns the topics of the documents of task `number`.
    pub(crate) fn topic_model(&self, words: &WordCounts, number: usize) -> Result<TopicModel> {
        let Self::Topics { lesson, stop } = self else { unreachable!("its recipe learns topics") };
        let model = lesson.learned.topic_model(words, number, *stop)?;
        let model = model.expect("a method without topics is not asked for them");
        if !model.is_sound() {
            let corpus = "a task of several corpora".to_owned();
            return Err(Error::NotFinite { episode: format!("task {number}"), corpus });
        }
        Ok(model)
    }

    pub(crate) fn vectors(&self) -> &DocumentVectors {
        match self {
            Self::Vectors(vectors) => vectors,
            _ => unreachable!("its recipe learns the weights of terms"),
        }
    }

    /// Returns the inner products of a task's documents.
    fn gram(&self, features: Features, draw: &Draw<'_>, task: &MixedHandful) -> Result<Gram> {
        Ok(match features {
            Features::TfIdf => self.vectors().tf_idf_gram(&task.words),
            Features::Svd => self.vectors().svd_gram(&task.words),
            Features::Both => self
                .vectors()
                .tf_idf_gram(&task.words)
                .beside(&self.vectors().svd_gram(&task.words)),
            Features::Given => given_gram(draw, task)?,
            Features::GivenAndTfIdf => {
                self.vectors().tf_idf_gram(&task.words).beside(&given_gram(draw, task)?)
            }
        })
    }
}

/// Returns the largest topic of each document.
pub(crate) fn largest_topics(model: &TopicModel) -> Vec<usize> {
    let largest_topic = |n: usize| largest(model.proportions_of(n), 1)[0] as usize;
    (0..model.documents()).map(largest_topic).collect()
}

/// Returns the inner products of the vectors that were given for a task's documents.
fn given_gram(draw: &Draw<'_>, task: &MixedHandful) -> Result<Gram> {
    let missing = || GivenKind::DocumentVectors.missing("k-means-given");
    let vectors = draw.vectors.ok_or_else(missing)?;
    let vector = |(&class, &n): (&usize, &usize)| {
        let vector = vectors.of(&draw.held_out[class].name, n);
        vector.expect("vectors that lack one are refused before the start")
    };
    let rows: Vec<&[f64]> = task.classes.iter().zip(&task.documents).map(vector).collect();
    Ok(gram_of(&rows))
}
