//! The methods that choose the number of topics.

use super::{NumberTask, Trust};
use crate::GivenKind;
use crate::clustering::{Gram, best_silhouette, k_means};
use crate::given::Supplies;
use crate::groups::{GroupingLesson, GroupingRecipe, TRAINING_STREAM, gram_of, largest_topics};
use crate::methods::{self, MODEL};
use handful::internals::random::{Purpose, stream};
use handful::{FitSettings, Result, Topics};

/// A method that chooses the number of topics.
#[derive(Debug, PartialEq)]
pub struct NumberMethod {
    /// The name in the command and in results.
    pub id: &'static str,
    /// How the method works.
    pub design: Counting,
}

/// How to choose the number of topics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// With a model that was trained elsewhere, as [`handful::Model::fit`] has it.
    FinishedModel,
    /// With k-means on tf-idf: the number of groups that has the best mean silhouette.
    Silhouette,
    /// The same on vectors of the documents that were made elsewhere.
    SilhouetteGiven,
    /// Always as many; groups are those of k-means on tf-idf.
    Always(usize),
    /// The number that is right most often for as many documents; groups are those of k-means on
    /// tf-idf.
    BestGuess,
}

/// All methods that choose the number of topics.
pub static NUMBER_METHODS: [NumberMethod; 5] = {
    const fn counting(id: &'static str, design: Counting) -> NumberMethod {
        NumberMethod { id, design }
    }
    [
        counting(MODEL, Counting::FinishedModel),
        counting("silhouette", Counting::Silhouette),
        counting("silhouette-given", Counting::SilhouetteGiven),
        counting("always-3", Counting::Always(3)),
        counting("best-guess", Counting::BestGuess),
    ]
};

/// The most groups that a silhouette is tried for.
const MOST_GROUPS: usize = 10;

/// Returns the method with this name.
pub fn number_method(id: &str) -> Result<&'static NumberMethod> {
    let problem = "there is none of that name that chooses the number of topics";
    methods::by_name(&NUMBER_METHODS, |method| method.id, id, problem, "`all`")
}

impl NumberMethod {
    /// Returns what to learn. Methods with equal recipes share what was learned.
    pub fn recipe(&self) -> GroupingRecipe {
        match self.design {
            Counting::FinishedModel => GroupingRecipe::FinishedModel,
            Counting::SilhouetteGiven => GroupingRecipe::Nothing,
            Counting::Silhouette | Counting::Always(_) | Counting::BestGuess => {
                GroupingRecipe::Vectors { svd: false }
            }
        }
    }

    /// What the method must be given beside the corpora.
    pub fn asks_for(&self) -> Option<GivenKind> {
        self.design.asks_for()
    }
}

impl Counting {
    pub(super) fn asks_for(self) -> Option<GivenKind> {
        match self {
            Self::FinishedModel => Some(GivenKind::Model),
            Self::SilhouetteGiven => Some(GivenKind::PassageVectors),
            _ => None,
        }
    }
}

/// What a method says of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberAnswer {
    /// The number of topics that it chose.
    pub topics: usize,
    /// The group of each document with as many topics.
    pub groups: Vec<usize>,
    /// The group of each document with as many topics as there are subjects.
    pub groups_given: Vec<usize>,
    /// How far the groups are to be trusted, if the method says so.
    pub trust: Option<Trust>,
}

/// What methods answer tasks with.
pub(super) struct Means<'a> {
    /// What was learned.
    pub(super) lesson: &'a GroupingLesson,
    /// The seed of everything random.
    pub(super) seed: u64,
    /// The tasks of the repeat.
    pub(super) tasks: &'a [NumberTask],
    /// What was made elsewhere.
    pub(super) supplies: &'a Supplies,
}

impl Means<'_> {
    /// Answers task `number` of the repeat.
    pub(super) fn answer(&self, design: Counting, number: usize) -> Result<NumberAnswer> {
        let task = &self.tasks[number];
        match design {
            Counting::FinishedModel => self.fits(task),
            Counting::Silhouette => Ok(self.by_silhouette(&self.tf_idf(task), number)),
            Counting::SilhouetteGiven => Ok(self.by_silhouette(&self.given(task)?, number)),
            Counting::Always(topics) => Ok(self.grouped(&self.tf_idf(task), topics, number)),
            Counting::BestGuess => {
                let subjects: Vec<usize> = self.tasks.iter().map(NumberTask::subjects).collect();
                Ok(self.grouped(&self.tf_idf(task), most_often_right(&subjects), number))
            }
        }
    }

    fn tf_idf(&self, task: &NumberTask) -> Gram {
        self.lesson.vectors().tf_idf_gram(&task.counts)
    }

    /// Returns the inner products of the vectors that were given for the documents, each of which is
    /// one passage.
    fn given(&self, task: &NumberTask) -> Result<Gram> {
        let vectors = self.supplies.vectors("silhouette-given")?;
        let rows = (0..task.classes.len()).map(|n| vectors.of(&task.key, n, 0));
        Ok(gram_of(&rows.collect::<Result<Vec<&[f64]>>>()?))
    }

    /// Fits the documents as users do: once with a choice of the number, and once with the number.
    fn fits(&self, task: &NumberTask) -> Result<NumberAnswer> {
        let model = self.supplies.model()?;
        let auto = FitSettings::default().with_topics(Topics::Auto);
        let given = FitSettings::default().with_topics(task.subjects()).without_held_out_words();
        let (auto, given) =
            (model.model.fit(task.documents(), &auto)?, model.model.fit(task.documents(), &given)?);
        Ok(NumberAnswer {
            topics: auto.topics().len(),
            groups: largest_topics(auto.topic_model()),
            groups_given: largest_topics(given.topic_model()),
            trust: Some(Trust::of(&auto)),
        })
    }

    /// Groups points with k-means for every number of groups from 2, and takes that with the best
    /// silhouette.
    fn by_silhouette(&self, points: &Gram, number: usize) -> NumberAnswer {
        let most = MOST_GROUPS.min(points.size() - 1);
        let groups = best_silhouette(points, 2..=most, |k| self.k_means(points, k, number));
        let topics = groups.iter().max().map_or(1, |last| last + 1);
        let groups_given = self.k_means(points, self.tasks[number].subjects(), number);
        NumberAnswer { topics, groups, groups_given, trust: None }
    }

    fn grouped(&self, points: &Gram, topics: usize, number: usize) -> NumberAnswer {
        let given = self.tasks[number].subjects();
        NumberAnswer {
            topics,
            groups: self.k_means(points, topics, number),
            groups_given: self.k_means(points, given, number),
            trust: None,
        }
    }

    /// Groups points. The stream is of the task and of the number of groups, so that the same question
    /// has the same answer.
    fn k_means(&self, points: &Gram, groups: usize, number: usize) -> Vec<usize> {
        let number = (number * points.size().max(MOST_GROUPS) + groups) as u64;
        let mut stream = stream(self.seed, Purpose::Clustering, TRAINING_STREAM + 1 + number);
        k_means(points, groups, &mut stream)
    }
}

/// Returns the number that is most often that of the tasks' subjects. Of several, it is the one that
/// is most often within one, and then the lowest.
fn most_often_right(subjects: &[usize]) -> usize {
    let times = |k: usize, distance: usize| {
        subjects.iter().filter(|other| other.abs_diff(k) <= distance).count()
    };
    let candidates = subjects.iter().copied();
    let value = |k: usize| (times(k, 0), times(k, 1), std::cmp::Reverse(k));
    candidates.max_by_key(|&k| value(k)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_guess_is_right_most_often_and_then_nearly_right_most_often() {
        assert_eq!(most_often_right(&[1, 5, 2, 5]), 5);
        assert_eq!(most_often_right(&[1, 3, 4, 6]), 3);
        assert_eq!(most_often_right(&[1, 4, 5, 5, 1, 6]), 5);
    }
}
