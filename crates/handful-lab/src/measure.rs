//! What comes of an experiment of the comparison.

use crate::Experiment;
use crate::cpu_clock::CpuClock;
use crate::methods::{Lesson, Recipe};
use crate::results::{Key, Record};
use crate::topics_shown::{TaskTopics, TopicJudge, TopicsShown};
use handful::corpus::Episode;
use handful::topic_model::{TopicModel, largest};
use handful::train::Likelihood;
use handful::{Error, Result};

impl Experiment<'_> {
    /// Learns once, and asks the tasks for every key.
    pub(crate) fn conduct(&self, recipe: &Recipe, keys: &[Key]) -> Result<Vec<Record>> {
        let clock = CpuClock::start();
        let lesson = recipe.learn(&self.material)?;
        let train_seconds = clock.seconds();
        let judge = TopicJudge::new(self);
        let measure = |key: &Key| self.measure(&lesson, &judge, key, train_seconds);
        keys.iter().map(measure).collect()
    }

    fn measure(
        &self,
        lesson: &Lesson,
        judge: &TopicJudge,
        key: &Key,
        train_seconds: f64,
    ) -> Result<Record> {
        let Lesson { learned, training, weights } = lesson;
        let em_steps = key.em_steps.unwrap_or(0);
        let clock = CpuClock::start();
        let likelihood = |(number, task): (usize, &Episode)| Likelihood {
            log_likelihood: learned.log_likelihood(task, number, em_steps),
            words: task.query.total_words(),
        };
        let tasks: Vec<Likelihood> = self.tasks.iter().enumerate().map(likelihood).collect();
        let fit_seconds = clock.seconds() / tasks.len() as f64;
        let pooled: Likelihood = tasks.iter().copied().sum();
        if !pooled.log_likelihood.is_finite() {
            let number = tasks.iter().position(|task| !task.log_likelihood.is_finite());
            let episode = format!("task {}", number.unwrap_or(0));
            return Err(Error::NotFinite { episode, corpus: key.target.clone() });
        }
        let mut record = Record {
            key: key.clone(),
            seed: self.material.seed,
            perplexity: pooled.perplexity(),
            log_likelihood: pooled.log_likelihood,
            query_words: pooled.words,
            tasks: tasks.len(),
            train_seconds,
            fit_seconds,
            training: training.clone(),
            weights: weights.clone(),
            validation_corpora: self.material.validation_names(),
            task_log_likelihoods: tasks.iter().map(|task| task.log_likelihood).collect(),
            task_words: tasks.iter().map(|task| task.words).collect(),
            top_terms: Vec::new(),
            topics_shown: None,
        };
        let mut judged: Vec<TaskTopics> = Vec::new();
        for (number, task) in self.tasks.iter().enumerate() {
            let Some(model) = learned.topic_model(&task.support, number, em_steps)? else { break };
            if number == 0 {
                record.top_terms = self.in_words(&model);
            }
            judged.push(judge.task(&model, task));
        }
        record.topics_shown = TopicsShown::mean(&judged);
        Ok(record)
    }

    /// The largest topics by their likeliest terms.
    fn in_words(&self, model: &TopicModel) -> Vec<Vec<String>> {
        const TOPICS: usize = 3;
        const TERMS: usize = 10;
        let vocabulary = self.comparison.vocabulary;
        let topic = |k: u32| {
            let terms = model.top_terms(k as usize, TERMS);
            terms.iter().map(|top| vocabulary.term(top.term).to_owned()).collect()
        };
        largest(&model.weights, TOPICS).into_iter().map(topic).collect()
    }
}
