//! The methods that rest on latent Dirichlet allocation.

use super::mixture::{MixtureWords, mix};
use super::smoothed_unigram::{self, background, for_each_word};
use super::{Learned, Lesson};
use crate::Experiment;
use handful::Result;
use handful::corpus::{Corpus, Episode, WordCounts};
use handful::lda::{Lda, LdaFit, LdaSettings};
use handful::random::{Purpose, stream};
use handful::topic_model::largest;

/// The sampler's settings for K topics.
fn settings(topics: usize) -> LdaSettings {
    LdaSettings { topics, sweeps: 500, burn_in: 250, ..LdaSettings::default() }
}

/// The stream of the fit to all training documents; that of task n is the n-th after it.
const TRAINING_STREAM: u64 = 0;

/// LDAind: topics of the task's support alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct LdaIndividual {
    terms: usize,
    topics: usize,
    seed: u64,
}

impl LdaIndividual {
    /// Nothing is learned before the task is seen.
    pub(super) fn learn(experiment: &Experiment<'_>, topics: usize) -> Lesson {
        let learned = Self { terms: experiment.terms(), topics, seed: experiment.seed };
        Lesson { learned: Box::new(learned), training: None, weights: Vec::new() }
    }

    fn fit(&self, task: &Episode, number: usize) -> Result<LdaFit> {
        let stream = stream(self.seed, Purpose::Lda, TRAINING_STREAM + 1 + number as u64);
        LdaFit::new(&task.support, self.terms, &settings(self.topics), stream)
    }
}

impl Learned for LdaIndividual {
    fn log_likelihood(&self, task: &Episode, number: usize, _: usize) -> f64 {
        // A task of too many words to sample has no likelihood, which is an error to whoever asks.
        self.fit(task, number)
            .map_or(f64::NAN, |fit| fit.model.log_likelihood(&fit.proportions, &task.query))
    }

    fn top_terms(&self, task: &Episode, _: usize, topics: usize, terms: usize) -> Vec<Vec<u32>> {
        self.fit(task, 0).map_or_else(
            |_| Vec::new(),
            |fit| top_terms(&fit.model, &fit.proportions, &task.support, (topics, terms)),
        )
    }
}

/// LDAall: topics of all training documents; only the task's proportions are its own.
#[derive(Clone, Debug)]
pub(super) struct LdaAll(Lda);

impl LdaAll {
    /// Fits the documents of all training corpora.
    pub(super) fn learn(experiment: &Experiment<'_>, topics: usize) -> Result<Lesson> {
        let learned = Box::new(Self::fit(experiment, topics)?);
        Ok(Lesson { learned, training: None, weights: Vec::new() })
    }

    fn fit(experiment: &Experiment<'_>, topics: usize) -> Result<Self> {
        let documents = all_documents(&experiment.roles.training);
        let stream = stream(experiment.seed, Purpose::Lda, TRAINING_STREAM);
        let fit = LdaFit::new(&documents, experiment.terms(), &settings(topics), stream)?;
        Ok(Self(fit.model))
    }
}

impl Learned for LdaAll {
    fn log_likelihood(&self, task: &Episode, _: usize, _: usize) -> f64 {
        self.0.log_likelihood(&self.0.proportions(&task.support), &task.query)
    }

    fn top_terms(&self, task: &Episode, _: usize, topics: usize, terms: usize) -> Vec<Vec<u32>> {
        let proportions = self.0.proportions(&task.support);
        top_terms(&self.0, &proportions, &task.support, (topics, terms))
    }
}

/// The smoothed unigram with LDAall's prediction as a fourth part.
#[derive(Clone, Debug)]
pub(super) struct SmoothedLda {
    lda: Lda,
    background: Vec<f64>,
    weights: Vec<f64>,
}

const PARTS: usize = smoothed_unigram::PARTS + 1;

/// The numbers of topics to try.
const TOPICS: [usize; 2] = [50, 100];

impl SmoothedLda {
    /// Fits the training documents, and tunes the weights, and the number of topics, on the
    /// validation tasks.
    pub(super) fn learn(experiment: &Experiment<'_>) -> Result<Lesson> {
        let background = background(&experiment.roles.training, experiment.terms());
        let tasks = experiment.validation_tasks()?;
        let mut best: Option<(f64, Self)> = None;
        for topics in TOPICS {
            let LdaAll(lda) = LdaAll::fit(experiment, topics)?;
            let mut learned = Self { lda, background: background.clone(), weights: Vec::new() };
            let mut words = MixtureWords::new(PARTS);
            for task in &tasks {
                learned.for_each_word(task, |parts, count| words.push(&parts, count));
            }
            learned.weights = words.best_weights();
            let likelihood = words.log_likelihood(&learned.weights);
            if best.as_ref().is_none_or(|(best, _)| likelihood > *best) {
                best = Some((likelihood, learned));
            }
        }
        let (_, learned) = best.expect("one is tried");
        let weights = learned.weights.clone();
        Ok(Lesson { learned: Box::new(learned), training: None, weights })
    }

    fn for_each_word(&self, task: &Episode, mut visit: impl FnMut([f64; PARTS], u32)) {
        let proportions = self.lda.proportions(&task.support);
        let topics = self.lda.topics;
        for_each_word(task, &self.background, |n, term, [document, of_task, general], count| {
            let of_topics = self.lda.probability(&proportions[n * topics..(n + 1) * topics], term);
            visit([document, of_task, general, of_topics], count);
        });
    }
}

impl Learned for SmoothedLda {
    fn log_likelihood(&self, task: &Episode, _: usize, _: usize) -> f64 {
        let mut sum = 0.0;
        self.for_each_word(task, |parts, count| {
            sum += f64::from(count) * mix(&self.weights, &parts).ln();
        });
        sum
    }

    fn top_terms(&self, _: &Episode, _: usize, _: usize, _: usize) -> Vec<Vec<u32>> {
        Vec::new()
    }
}

/// See [`Learned::top_terms`].
fn top_terms(
    lda: &Lda,
    proportions: &[f64],
    support: &WordCounts,
    (most_topics, most_terms): (usize, usize),
) -> Vec<Vec<u32>> {
    let weight = |k: usize| -> f64 {
        let words = |n: usize| support.words(n) as f64 * proportions[n * lda.topics + k];
        (0..support.documents()).map(words).sum()
    };
    let weights: Vec<f64> = (0..lda.topics).map(weight).collect();
    let top = |k: u32| largest(&lda.topic(k as usize), most_terms);
    largest(&weights, most_topics).into_iter().map(top).collect()
}

fn all_documents(corpora: &[&Corpus]) -> WordCounts {
    let mut all = WordCounts::new();
    for corpus in corpora {
        (0..corpus.documents.documents()).for_each(|n| all.push_row(corpus.documents.row(n)));
    }
    all
}
