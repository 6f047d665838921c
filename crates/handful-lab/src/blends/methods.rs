//! The methods that find the subjects of blends.

use super::{Answer, BlendTask, Composed, SourcedWord};
use crate::clustering::{Gram, k_means, nmf};
use crate::given::Supplies;
use crate::groups::{GroupingLesson, GroupingRecipe, TRAINING_STREAM, gram_of};
use crate::methods::{self, MODEL, Method};
use crate::{GivenKind, Settings};
use handful::internals::random::{Purpose, stream};
use handful::internals::topic_model::TopicModel;
use handful::{Fit, FitSettings, Result};
use rand::Rng;
use std::collections::HashMap;

/// A method that finds the subjects of blends.
#[derive(Debug, PartialEq)]
pub struct BlendMethod {
    /// The name in the command and in results.
    pub id: &'static str,
    /// How the method works.
    pub design: Blending,
}

/// How to find the subjects of blends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blending {
    /// With a model that was trained elsewhere, as [`handful::Model::fit`] has it.
    FinishedModel,
    /// The same, told which documents are pure: it fits those, and infers the blends.
    FinishedModelTold,
    /// With the topics of the comparison's method of the same name.
    Topics,
    /// With a non-negative factorisation of tf-idf.
    Nmf,
    /// Each document as a whole, with k-means on tf-idf.
    Whole,
    /// Each passage as a whole, with k-means on vectors that were made elsewhere.
    Passages,
    /// The same, told which documents are pure: k-means groups the passages of those, and each other
    /// passage goes with the nearest mean.
    PassagesTold,
    /// All alike.
    Even,
}

/// All methods that find the subjects of blends.
pub static BLEND_METHODS: [BlendMethod; 9] = {
    const fn blending(id: &'static str, design: Blending) -> BlendMethod {
        BlendMethod { id, design }
    }
    [
        blending(MODEL, Blending::FinishedModel),
        blending("model-told", Blending::FinishedModelTold),
        blending("iwata", Blending::Topics),
        blending("lda-ind", Blending::Topics),
        blending("nmf", Blending::Nmf),
        blending("whole", Blending::Whole),
        blending("passages-given", Blending::Passages),
        blending("passages-told", Blending::PassagesTold),
        blending("even", Blending::Even),
    ]
};

/// Returns the method with this name.
pub fn blend_method(id: &str) -> Result<&'static BlendMethod> {
    let problem = "there is none of that name for blends";
    methods::by_name(&BLEND_METHODS, |method| method.id, id, problem, "`all`")
}

impl BlendMethod {
    /// Returns what to learn for tasks of K subjects. Methods with equal recipes share what was
    /// learned.
    pub fn recipe(&self, settings: &Settings, subjects: usize) -> GroupingRecipe {
        match self.design {
            Blending::FinishedModel | Blending::FinishedModelTold => GroupingRecipe::FinishedModel,
            Blending::Passages | Blending::PassagesTold | Blending::Even => GroupingRecipe::Nothing,
            Blending::Nmf | Blending::Whole => GroupingRecipe::Vectors { svd: false },
            Blending::Topics => {
                let method: &Method = methods::method(self.id).expect("the comparison has it");
                GroupingRecipe::of_topics(method, settings, subjects)
            }
        }
    }

    /// What the method must be given beside the corpora.
    pub fn asks_for(&self) -> Option<GivenKind> {
        self.design.asks_for()
    }
}

impl Blending {
    pub(super) fn asks_for(self) -> Option<GivenKind> {
        match self {
            Self::FinishedModel | Self::FinishedModelTold => Some(GivenKind::Model),
            Self::Passages | Self::PassagesTold => Some(GivenKind::PassageVectors),
            _ => None,
        }
    }

    /// Whether the method can do without pure documents.
    pub(super) fn answers_alone(self) -> bool {
        !matches!(self, Self::FinishedModelTold | Self::PassagesTold)
    }
}

/// What methods answer tasks with.
pub(super) struct Means<'a> {
    /// What was learned.
    pub(super) lesson: &'a GroupingLesson,
    /// The seed of everything random.
    pub(super) seed: u64,
    /// What was made elsewhere.
    pub(super) supplies: &'a Supplies,
}

impl Means<'_> {
    /// Answers a task, which has random streams of this number.
    pub(super) fn answer(
        &self,
        design: Blending,
        task: &BlendTask,
        number: usize,
    ) -> Result<Answer> {
        let topics = task.subjects();
        let mut stream =
            stream(self.seed, Purpose::Clustering, TRAINING_STREAM + 1 + number as u64);
        Ok(match design {
            Blending::FinishedModel => {
                let documents: Vec<&Composed> = task.documents.iter().collect();
                let (shares, words) = of_fit(&self.fit(&documents, topics)?, &documents);
                Answer { shares, words }
            }
            Blending::FinishedModelTold => self.told(task)?,
            Blending::Topics => {
                of_topic_model(&self.lesson.topic_model(&task.counts, number)?, task)
            }
            Blending::Nmf => {
                let (terms, matrix) = self.lesson.vectors().matrix(&task.counts);
                let factors = nmf(&matrix, topics, &mut stream);
                let word = |n: usize, term: u32| {
                    let column = terms.binary_search(&term).expect("it occurs");
                    factors.shares_of_entry(n, column)
                };
                Answer { shares: factors.shares(), words: words_of(task, word) }
            }
            Blending::Whole => {
                let documents = self.lesson.vectors().tf_idf_gram(&task.counts);
                Answer::whole(task, &k_means(&documents, topics, &mut stream))
            }
            Blending::Passages => {
                let passages = self.passages(task)?;
                by_passage(task, &k_means(&passages, topics, &mut stream))
            }
            Blending::PassagesTold => {
                by_passage(task, &told_groups(task, &self.passages(task)?, &mut stream))
            }
            Blending::Even => Answer::even(task),
        })
    }

    /// Returns the inner products of the vectors of all passages, document by document.
    fn passages(&self, task: &BlendTask) -> Result<Gram> {
        let vectors = self.supplies.vectors("passages-given")?;
        let mut rows = Vec::new();
        for (document, &place) in task.documents.iter().zip(&task.places) {
            for passage in 0..document.passages.len() {
                rows.push(vectors.of(&task.key, place, passage)?);
            }
        }
        Ok(gram_of(&rows))
    }

    /// Fits documents as users do.
    fn fit(&self, documents: &[&Composed], topics: usize) -> Result<Fit> {
        let settings = FitSettings::default().with_topics(topics).without_held_out_words();
        self.supplies.model()?.model.fit(texts(documents), &settings)
    }

    /// Fits the pure documents, and infers the others.
    fn told(&self, task: &BlendTask) -> Result<Answer> {
        let (pure, blends): (Vec<&Composed>, Vec<&Composed>) =
            task.documents.iter().partition(|document| document.is_pure());
        let fit = self.fit(&pure, task.subjects())?;
        let mut pure = of_fit(&fit, &pure);
        let mut blends = of_fit(&fit.infer(texts(&blends))?, &blends);
        let mut answer = Answer { shares: Vec::new(), words: Vec::new() };
        for document in task.documents.iter().rev() {
            let (shares, words) = if document.is_pure() { &mut pure } else { &mut blends };
            answer.shares.extend(shares.pop());
            answer.words.extend(words.pop());
        }
        answer.shares.reverse();
        answer.words.reverse();
        Ok(answer)
    }
}

/// Groups the passages of the pure documents, and gives every other passage to the nearest mean.
fn told_groups(task: &BlendTask, passages: &Gram, stream: &mut impl Rng) -> Vec<usize> {
    let is_pure = |document: &Composed| vec![document.is_pure(); document.passages.len()];
    let is_pure: Vec<bool> = task.documents.iter().flat_map(is_pure).collect();
    let pure: Vec<usize> = (0..is_pure.len()).filter(|&i| is_pure[i]).collect();
    let among = Gram::new(pure.len(), |i, j| passages.product(pure[i], pure[j]));
    let groups = k_means(&among, task.subjects(), stream);
    let members = |group: usize| -> Vec<usize> {
        let pairs = pure.iter().zip(&groups).filter(|(_, of)| **of == group);
        pairs.map(|(i, _)| *i).collect()
    };
    let means = (0..task.subjects()).map(members).filter(|members| !members.is_empty());
    let means: Vec<_> = means.map(|members| passages.mean(members)).collect();
    let nearest = |i: usize| {
        let distances = means.iter().map(|mean| mean.distance(i)).enumerate();
        distances.min_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(0, |(group, _)| group)
    };
    (0..is_pure.len()).map(nearest).collect()
}

/// Gives each passage, and all terms in it, to its group. A document's shares are those of its terms.
fn by_passage(task: &BlendTask, groups: &[usize]) -> Answer {
    let mut answer = Answer { shares: Vec::new(), words: Vec::new() };
    let mut start = 0;
    for document in &task.documents {
        let of_word = |word: &SourcedWord| {
            let group = groups[start + document.passage_at(word.start)];
            (0..task.subjects()).map(|k| if k == group { 1.0 } else { 0.0 }).collect::<Vec<f64>>()
        };
        let words: Vec<Vec<f64>> = document.words.iter().map(of_word).collect();
        let share = |k: usize| words.iter().map(|word| word[k]).sum::<f64>();
        answer.shares.push((0..task.subjects()).map(share).collect());
        answer.words.push(words);
        start += document.passages.len();
    }
    answer
}

fn texts<'a>(documents: &[&'a Composed]) -> Vec<&'a str> {
    documents.iter().map(|document| &*document.text).collect()
}

/// The shares of documents and of the terms of blends in a fit. The fit reads the texts in its own
/// way: a term that it does not have is shared like nothing at all.
fn of_fit(fit: &Fit, documents: &[&Composed]) -> (Vec<Vec<f64>>, Vec<Vec<Vec<f64>>>) {
    let shares = fit.documents().iter().map(|document| wide(document.topics)).collect();
    let words = |(n, document): (usize, &&Composed)| -> Vec<Vec<f64>> {
        if document.is_pure() {
            return Vec::new();
        }
        let places = fit.words(n).unwrap_or_default();
        let by_start: HashMap<usize, &[f64]> =
            places.iter().map(|place| (place.range.start, &*place.topics)).collect();
        let of_word = |start: usize| by_start.get(&start).map_or_else(Vec::new, |s| s.to_vec());
        document.words.iter().map(|word| of_word(word.start)).collect()
    };
    (shares, documents.iter().enumerate().map(words).collect())
}

/// The shares of documents and of the terms of blends in a topic model.
fn of_topic_model(model: &TopicModel, task: &BlendTask) -> Answer {
    let word = |n: usize, term: u32| {
        let shares = model.responsibilities(n, [term]);
        shares.of(term).map_or_else(Vec::new, |shares| shares.topics.to_vec())
    };
    let shares = (0..model.documents()).map(|n| wide(model.proportions_of(n))).collect();
    Answer { shares, words: words_of(task, word) }
}

/// Asks for the shares of each term of each blend.
fn words_of(task: &BlendTask, word: impl Fn(usize, u32) -> Vec<f64>) -> Vec<Vec<Vec<f64>>> {
    let of_document = |(n, document): (usize, &Composed)| match document.is_pure() {
        true => Vec::new(),
        false => document.words.iter().map(|of| word(n, of.term)).collect(),
    };
    task.documents.iter().enumerate().map(of_document).collect()
}

fn wide(shares: &[f32]) -> Vec<f64> {
    shares.iter().map(|&share| f64::from(share)).collect()
}
