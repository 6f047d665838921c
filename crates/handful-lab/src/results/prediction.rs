//! How well held-out words of tasks were predicted.

use crate::cpu_clock::CpuClock;
use crate::methods::{Lesson, TrainingCourse};
use crate::{Given, Material};
use handful::internals::corpus::{Corpus, Episode};
use handful::internals::em::{EmStop, Likelihood};
use handful::internals::evaluate::{Perplexities, PerplexityMean};
use handful::{Error, Result};
use serde::{Deserialize, Serialize};

/// How well a method predicts the held-out words of a target's tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// The experiment's own seed.
    pub seed: u64,
    /// exp(−log-likelihood / words), pooled over all tasks.
    pub perplexity: f64,
    /// The mean over tasks of each task's perplexity. `None` in results that lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_of_tasks: Option<f64>,
    /// The mean over documents of each document's perplexity. `None` in results that lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_of_documents: Option<f64>,
    /// The log-likelihood of all tasks' held-out words.
    pub log_likelihood: f64,
    /// The number of held-out words.
    pub query_words: u64,
    /// The number of tasks.
    pub tasks: usize,
    /// The CPU seconds to learn.
    pub train_seconds: f64,
    /// The mean CPU seconds to fit a task and predict its held-out words.
    pub fit_seconds: f64,
    /// For a trained prior, the record of its training.
    #[serde(flatten)]
    pub training: Option<TrainingCourse>,
    /// Of a mixture, its tuned weights.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<f64>,
    /// What the method was given beside the corpora.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<Given>,
    /// The validation corpora. The corpora that are neither these nor the target were trained on.
    pub validation_corpora: Vec<String>,
    /// The log-likelihood of each task's held-out words.
    pub task_log_likelihoods: Vec<f64>,
    /// The number of each task's held-out words.
    pub task_words: Vec<u64>,
}

impl Prediction {
    /// Predicts the held-out words of the tasks with `lesson`, which was learned from `material` in
    /// `train_seconds`.
    pub(crate) fn of(
        lesson: &Lesson,
        train_seconds: f64,
        material: &Material<'_>,
        target: &Corpus,
        tasks: &[Episode],
        stop: EmStop,
    ) -> Result<Self> {
        let Lesson { learned, training, weights, given } = lesson;
        let clock = CpuClock::start();
        let likelihoods =
            |(number, task): (usize, &Episode)| learned.likelihoods(task, number, stop);
        let documents: Vec<Vec<Likelihood>> = tasks.iter().enumerate().map(likelihoods).collect();
        let fit_seconds = clock.seconds() / tasks.len() as f64;
        let perplexities = Perplexities::of(&documents);
        let tasks: Vec<Likelihood> =
            documents.iter().map(|task| task.iter().copied().sum()).collect();
        let pooled: Likelihood = tasks.iter().copied().sum();
        if !pooled.log_likelihood.is_finite() {
            let number = tasks.iter().position(|task| !task.log_likelihood.is_finite());
            let episode = format!("task {}", number.unwrap_or(0));
            return Err(Error::NotFinite { episode, corpus: target.name.clone() });
        }
        Ok(Self {
            seed: material.seed,
            perplexity: perplexities.pooled,
            mean_of_tasks: Some(perplexities.mean_of_tasks),
            mean_of_documents: Some(perplexities.mean_of_documents),
            log_likelihood: pooled.log_likelihood,
            query_words: pooled.words,
            tasks: tasks.len(),
            train_seconds,
            fit_seconds,
            training: training.clone(),
            weights: weights.clone(),
            given: *given,
            validation_corpora: material.validation_names(),
            task_log_likelihoods: tasks.iter().map(|task| task.log_likelihood).collect(),
            task_words: tasks.iter().map(|task| task.words).collect(),
        })
    }

    /// The perplexity by a mean. `None` in results that lack it.
    pub fn perplexity_by(&self, mean: PerplexityMean) -> Option<f64> {
        match mean {
            PerplexityMean::Words => Some(self.perplexity),
            PerplexityMean::Tasks => self.mean_of_tasks.or_else(|| self.recomputed_mean_of_tasks()),
            PerplexityMean::Documents => self.mean_of_documents,
        }
    }

    fn recomputed_mean_of_tasks(&self) -> Option<f64> {
        let tasks = self.task_log_likelihoods.iter().zip(&self.task_words);
        let likelihood =
            |(&log_likelihood, &words): (&f64, &u64)| vec![Likelihood { log_likelihood, words }];
        let tasks: Vec<Vec<Likelihood>> = tasks.map(likelihood).collect();
        (!tasks.is_empty()).then(|| Perplexities::of(&tasks).mean_of_tasks)
    }

    /// The CPU seconds to learn and to predict.
    pub fn seconds(&self) -> f64 {
        self.train_seconds + self.fit_seconds * self.tasks as f64
    }

    /// Returns the perplexity as text.
    pub(crate) fn in_words(&self) -> String {
        format!("perplexity {:.1}", self.perplexity)
    }
}
