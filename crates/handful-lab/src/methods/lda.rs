//! The methods that rest on latent Dirichlet allocation, whoever samples it: they join
//! [`METHODS`](super::METHODS) as designs of their own, with a [`Sampler`] that draws.

use super::mixture::{MixtureWords, mix};
use super::smoothed_unigram::{self, background, for_each_word};
use super::{Learned, Lesson};
use crate::Experiment;
use handful::Result;
use handful::corpus::{Corpus, Episode, WordCounts};

/// What the methods ask of a sampler.
pub trait Sampler: Clone + 'static {
    /// The topics it finds.
    type Topics: Topics + 'static;

    /// Topics of documents over J terms with K topics, and the documents' proportions θ (documents ×
    /// topics). Random numbers come from a stream: a seed and a number.
    fn fit(
        &self,
        documents: &WordCounts,
        size: (usize, usize),
        stream: (u64, u64),
    ) -> (Self::Topics, Vec<f64>);
}

/// Topics φ that new documents can be folded into.
pub trait Topics {
    /// φ_kj of all topics k for a term j.
    fn word_probabilities(&self, term: u32) -> &[f64];

    /// θ of new documents: documents × topics.
    fn proportions(&self, documents: &WordCounts, stream: (u64, u64)) -> Vec<f64>;
}

/// The stream of the fit to all training documents; that of task n is the n-th after it.
const TRAINING_STREAM: u64 = 0;

fn task_stream(seed: u64, number: usize) -> (u64, u64) {
    (seed, TRAINING_STREAM + 1 + number as u64)
}

/// Topics of a task, and how its documents mix them.
struct TaskTopics<'a, T> {
    topics: &'a T,
    theta: Vec<f64>,
}

impl<T: Topics> TaskTopics<'_, T> {
    /// Σ_k θ_nk φ_kj
    fn probability(&self, n: usize, term: u32) -> f64 {
        let phi = self.topics.word_probabilities(term);
        mix(&self.theta[n * phi.len()..(n + 1) * phi.len()], phi)
    }

    fn log_likelihood(&self, query: &WordCounts) -> f64 {
        let document = |n| {
            let word = move |(term, count)| f64::from(count) * self.probability(n, term).ln();
            query.row(n).map(word).sum::<f64>()
        };
        (0..query.documents()).map(document).sum()
    }

    /// See [`Learned::top_terms`].
    fn top_terms(&self, support: &WordCounts, terms: usize, size: (usize, usize)) -> Vec<Vec<u32>> {
        let topics = self.topics.word_probabilities(0).len();
        let weight = |k: usize| -> f64 {
            let words = |n: usize| support.words(n) as f64 * self.theta[n * topics + k];
            (0..support.documents()).map(words).sum()
        };
        let mut order: Vec<usize> = (0..topics).collect();
        order.sort_by(|&a, &b| weight(b).total_cmp(&weight(a)));
        let top = |&k: &usize| {
            let probability = |term: u32| self.topics.word_probabilities(term)[k];
            let mut all: Vec<u32> = (0..terms as u32).collect();
            all.sort_by(|&a, &b| probability(b).total_cmp(&probability(a)).then(a.cmp(&b)));
            all.truncate(size.1);
            all
        };
        order.iter().take(size.0).map(top).collect()
    }
}

/// LDAind: topics of the task's support alone.
#[derive(Clone, Debug)]
pub struct Individual<S> {
    sampler: S,
    terms: usize,
    topics: usize,
    seed: u64,
}

impl<S: Sampler> Individual<S> {
    /// Nothing is learned before the task is seen.
    pub fn learn(experiment: &Experiment<'_>, sampler: &S, topics: usize) -> Lesson {
        let (terms, seed) = (experiment.terms(), experiment.seed);
        let learned = Box::new(Self { sampler: sampler.clone(), terms, topics, seed });
        Lesson { learned, training: None, weights: Vec::new() }
    }

    fn fit(&self, task: &Episode, number: usize) -> (S::Topics, Vec<f64>) {
        let stream = task_stream(self.seed, number);
        self.sampler.fit(&task.support, (self.terms, self.topics), stream)
    }
}

impl<S: Sampler> Learned for Individual<S> {
    fn log_likelihood(&self, task: &Episode, number: usize, _: usize) -> f64 {
        let (topics, theta) = self.fit(task, number);
        TaskTopics { topics: &topics, theta }.log_likelihood(&task.query)
    }

    fn top_terms(&self, task: &Episode, _: usize, topics: usize, terms: usize) -> Vec<Vec<u32>> {
        let (found, theta) = self.fit(task, 0);
        let fitted = TaskTopics { topics: &found, theta };
        fitted.top_terms(&task.support, self.terms, (topics, terms))
    }
}

/// LDAall: topics of all training documents; only the task's proportions are its own.
#[derive(Clone, Debug)]
pub struct All<T> {
    topics: T,
    terms: usize,
    seed: u64,
}

impl<T: Topics + 'static> All<T> {
    /// Fits the documents of all training corpora.
    pub fn learn<S: Sampler<Topics = T>>(
        experiment: &Experiment<'_>,
        sampler: &S,
        topics: usize,
    ) -> Lesson {
        let learned = Box::new(Self::fit(experiment, sampler, topics));
        Lesson { learned, training: None, weights: Vec::new() }
    }

    fn fit<S: Sampler<Topics = T>>(
        experiment: &Experiment<'_>,
        sampler: &S,
        topics: usize,
    ) -> Self {
        let (terms, seed) = (experiment.terms(), experiment.seed);
        let documents = all_documents(&experiment.roles.training);
        let (topics, _) = sampler.fit(&documents, (terms, topics), (seed, TRAINING_STREAM));
        Self { topics, terms, seed }
    }

    fn task(&self, task: &Episode, number: usize) -> TaskTopics<'_, T> {
        let theta = self.topics.proportions(&task.support, task_stream(self.seed, number));
        TaskTopics { topics: &self.topics, theta }
    }
}

impl<T: Topics + 'static> Learned for All<T> {
    fn log_likelihood(&self, task: &Episode, number: usize, _: usize) -> f64 {
        self.task(task, number).log_likelihood(&task.query)
    }

    fn top_terms(&self, task: &Episode, _: usize, topics: usize, terms: usize) -> Vec<Vec<u32>> {
        self.task(task, 0).top_terms(&task.support, self.terms, (topics, terms))
    }
}

/// The smoothed unigram with LDAall's prediction as a fourth part.
#[derive(Clone, Debug)]
pub struct Smoothed<T> {
    lda: All<T>,
    background: Vec<f64>,
    weights: Vec<f64>,
}

const PARTS: usize = smoothed_unigram::PARTS + 1;

impl<T: Topics + 'static> Smoothed<T> {
    /// Fits the training documents, and tunes the weights on the validation tasks.
    pub fn learn<S: Sampler<Topics = T>>(
        experiment: &Experiment<'_>,
        sampler: &S,
        topics: usize,
    ) -> Result<Lesson> {
        let background = background(&experiment.roles.training, experiment.terms());
        let lda = All::fit(experiment, sampler, topics);
        let mut learned = Self { lda, background, weights: Vec::new() };
        let mut words = MixtureWords::new(PARTS);
        for (number, task) in experiment.validation_tasks()?.iter().enumerate() {
            learned.for_each_word(task, number, |parts, count| words.push(&parts, count));
        }
        let weights = words.best_weights();
        learned.weights.clone_from(&weights);
        Ok(Lesson { learned: Box::new(learned), training: None, weights })
    }

    fn for_each_word(
        &self,
        task: &Episode,
        number: usize,
        mut visit: impl FnMut([f64; PARTS], u32),
    ) {
        let topics = self.lda.task(task, number);
        for_each_word(task, &self.background, |n, term, [document, of_task, general], count| {
            visit([document, of_task, general, topics.probability(n, term)], count);
        });
    }
}

impl<T: Topics + 'static> Learned for Smoothed<T> {
    fn log_likelihood(&self, task: &Episode, number: usize, _: usize) -> f64 {
        let mut sum = 0.0;
        self.for_each_word(task, number, |parts, count| {
            sum += f64::from(count) * mix(&self.weights, &parts).ln();
        });
        sum
    }

    fn top_terms(&self, _: &Episode, _: usize, _: usize, _: usize) -> Vec<Vec<u32>> {
        Vec::new()
    }
}

fn all_documents(corpora: &[&Corpus]) -> WordCounts {
    let mut all = WordCounts::new();
    for corpus in corpora {
        (0..corpus.documents.documents()).for_each(|n| all.push_row(corpus.documents.row(n)));
    }
    all
}
