//! The methods that group documents.

use super::vectors::{DocumentVectors, TRAINING_STREAM};
use super::{CORPORA_OF_TASK, MixedHandful};
use crate::clustering::{k_means, nmf};
use crate::methods::{self, Lesson, Method, OWN, Recipe, TrainingCourse};
use crate::{Material, Settings};
use handful::internals::numeric::largest;
use handful::internals::random::{Purpose, stream};
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
    /// With k-means.
    KMeans(Features),
    /// By each document's largest component in a non-negative factorisation of tf-idf.
    Nmf,
}

/// The features of a document for k-means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Features {
    /// The tf-idf weights of its words.
    TfIdf,
    /// Its projection by a truncated singular value decomposition of the training documents.
    Svd,
    /// Both, concatenated.
    Both,
}

/// All methods that group documents.
pub static GROUPING_METHODS: [GroupingMethod; 9] = {
    const fn grouping(id: &'static str, design: Grouping) -> GroupingMethod {
        GroupingMethod { id, design }
    }
    [
        grouping(OWN, Grouping::LargestTopic),
        grouping("iwata", Grouping::LargestTopic),
        grouping("lda-ind", Grouping::LargestTopic),
        grouping("lda-all", Grouping::LargestTopic),
        grouping("k-means", Grouping::KMeans(Features::TfIdf)),
        grouping("k-means-svd", Grouping::KMeans(Features::Svd)),
        grouping("k-means-both", Grouping::KMeans(Features::Both)),
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
            Grouping::Random => GroupingRecipe::Nothing,
            Grouping::LargestTopic => {
                let training = &settings.training;
                let topics = self.topics();
                let recipe = topics.recipe(settings, training.topics, training.em_steps);
                let em_steps = topics.em_steps(training.em_steps).unwrap_or(0);
                GroupingRecipe::Topics { recipe, em_steps }
            }
            Grouping::KMeans(Features::TfIdf) | Grouping::Nmf => {
                GroupingRecipe::Vectors { svd: false }
            }
            Grouping::KMeans(_) => GroupingRecipe::Vectors { svd: true },
        }
    }

    /// Returns the comparison's method of the same name.
    fn topics(&self) -> &'static Method {
        methods::method(self.id).expect("the comparison has it")
    }
}

/// What to learn before documents are grouped.
#[derive(Clone, Debug, PartialEq)]
pub enum GroupingRecipe {
    /// Nothing.
    Nothing,
    /// Topics, as in the comparison.
    Topics {
        /// What to learn.
        recipe: Recipe,
        /// The number of EM steps on a task, if there is EM.
        em_steps: usize,
    },
    /// Weights of terms.
    Vectors {
        /// Whether to decompose the training documents as well.
        svd: bool,
    },
}

/// What was learned.
pub(super) enum GroupingLesson {
    Nothing,
    Topics { lesson: Lesson, em_steps: usize },
    Vectors(DocumentVectors),
}

impl GroupingRecipe {
    pub(super) fn learn(&self, material: &Material<'_>) -> Result<GroupingLesson> {
        Ok(match self {
            Self::Nothing => GroupingLesson::Nothing,
            Self::Topics { recipe, em_steps } => {
                GroupingLesson::Topics { lesson: recipe.learn(material)?, em_steps: *em_steps }
            }
            Self::Vectors { svd } => {
                GroupingLesson::Vectors(DocumentVectors::learn(material, *svd))
            }
        })
    }
}

impl GroupingLesson {
    /// Of a trained prior, the course of training.
    pub(super) fn training(&self) -> Option<&TrainingCourse> {
        match self {
            Self::Topics { lesson, .. } => lesson.training.as_ref(),
            _ => None,
        }
    }

    /// Returns the group of each document of task `number`.
    pub(super) fn groups(
        &self,
        design: Grouping,
        task: &MixedHandful,
        number: usize,
        seed: u64,
    ) -> Result<Vec<usize>> {
        let mut stream = stream(seed, Purpose::Clustering, TRAINING_STREAM + 1 + number as u64);
        Ok(match (self, design) {
            (Self::Topics { lesson, em_steps }, _) => {
                let model = lesson.learned.topic_model(&task.words, number, *em_steps)?;
                let model = model.expect("a method without topics does not group by them");
                if !model.is_sound() {
                    let corpus = "a mixed handful".to_owned();
                    return Err(Error::NotFinite { episode: format!("task {number}"), corpus });
                }
                let largest_topic = |n: usize| largest(model.proportions_of(n), 1)[0] as usize;
                (0..model.documents()).map(largest_topic).collect()
            }
            (Self::Vectors(vectors), Grouping::KMeans(features)) => {
                k_means(&vectors.gram(task, features), CORPORA_OF_TASK, &mut stream)
            }
            (Self::Vectors(vectors), _) => {
                nmf(&vectors.matrix(task), CORPORA_OF_TASK, &mut stream).largest()
            }
            (Self::Nothing, _) => {
                task.classes.iter().map(|_| stream.random_range(0..CORPORA_OF_TASK)).collect()
            }
        })
    }
}
