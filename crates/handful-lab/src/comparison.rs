//! The protocol: which corpora learn, which validate, and which tasks are asked of every method.

use handful::corpus::{Corpus, Episode};
use handful::error::{MOST, expect_within};
use handful::evaluate::draw_tasks;
use handful::prior::{IwataSettings, PriorSettings};
use handful::random::{Purpose, stream};
use handful::text::Vocabulary;
use handful::train::{
    TrainSettings, TrainingCorpora, ValidationChoice, expect_known, validation_tasks,
};
use handful::{Error, Result};
use rand::Rng;
use serde::{Deserialize, Serialize};

/// Everything that decides what an experiment computes, apart from its method, target and repeat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The settings of `iwata`. Other methods have other priors and EM steps, and all else alike.
    pub training: TrainSettings,
    /// Corpora held back for validation in each experiment.
    pub validation_corpora: usize,
    /// Tasks drawn from the target in each experiment.
    pub tasks: usize,
}

impl Default for Settings {
    fn default() -> Self {
        // Early stopping is to end a training, not the maximum.
        let training = TrainSettings { max_steps: 100_000, ..TrainSettings::default() };
        Self { training, validation_corpora: 3, tasks: 100 }
    }
}

impl Settings {
    /// Refuses settings that no comparison can have, by name.
    pub fn check(&self) -> Result<()> {
        self.training.check()?;
        expect_within("validation-corpora", self.validation_corpora, 1, MOST)?;
        expect_within("tasks", self.tasks, 1, MOST)
    }

    /// The shape of the networks, whatever they read.
    pub fn networks(&self) -> IwataSettings {
        match self.training.prior {
            PriorSettings::Iwata(shape) => shape,
            // `iwata` is what the settings are of; whoever says otherwise gets the paper's shape.
            _ => IwataSettings::default(),
        }
    }
}

/// Corpora that methods are compared on.
#[derive(Clone, Debug)]
pub struct Comparison<'a> {
    /// What the experiments have in common.
    pub settings: Settings,
    /// The corpora, sorted by name.
    pub corpora: &'a [Corpus],
    /// The terms of all corpora.
    pub vocabulary: &'a Vocabulary,
}

impl<'a> Comparison<'a> {
    /// Refuses corpora that are too few or too small.
    pub fn new(
        settings: Settings,
        corpora: &'a [Corpus],
        vocabulary: &'a Vocabulary,
    ) -> Result<Self> {
        settings.check()?;
        let least = settings.validation_corpora + 2;
        if corpora.len() < least {
            return Err(Error::input(
                "the corpora",
                format!(
                    "there are {}, but a comparison needs {least}: a target, {} to validate on and \
                     one to train on",
                    corpora.len(),
                    settings.validation_corpora
                ),
                "give more corpora or lower --validation-corpora",
            ));
        }
        let size = settings.training.episode.support_size;
        if let Some(small) = corpora.iter().find(|corpus| corpus.ids.len() < size) {
            return Err(Error::input(
                format!("corpus {}", small.name),
                format!("has {} usable documents, but a task needs {size}", small.ids.len()),
                "give it more documents, leave it out, or lower --support-size",
            ));
        }
        Ok(Self { settings, corpora, vocabulary })
    }

    /// The `repeat`-th experiment on a target.
    pub fn experiment(&self, target: &str, repeat: usize) -> Result<Experiment<'_>> {
        let Settings { training, validation_corpora, tasks } = &self.settings;
        let known: Vec<&str> = self.corpora.iter().map(|corpus| &*corpus.name).collect();
        expect_known("target", target, &known)?;
        let index = known.iter().position(|&name| name == target).expect("it is known");
        let number = ((index as u64) << 32) + repeat as u64;
        // 32 bits: every reader of JSON gets them right.
        let seed = u64::from(stream(training.seed, Purpose::Experiment, number).next_u32());
        let choice = ValidationChoice::Drawn(*validation_corpora);
        let roles = TrainingCorpora::choose(self.corpora, &[target.to_owned()], &choice, seed)?;
        let tasks = draw_tasks(&self.corpora[index], training.episode, *tasks, seed)?;
        Ok(Experiment { comparison: self, target: &self.corpora[index], seed, roles, tasks })
    }
}

/// One target and repeat: what every method learns from and is asked.
#[derive(Clone, Debug)]
pub struct Experiment<'a> {
    /// What it is part of.
    pub comparison: &'a Comparison<'a>,
    /// The corpus that nothing is learned from.
    pub target: &'a Corpus,
    /// The seed of everything random in it: `handful train --exclude` and `handful evaluate` with it
    /// do the same.
    pub seed: u64,
    /// Which corpora are trained on, and which validate.
    pub roles: TrainingCorpora<'a>,
    /// The target's tasks; the first is what the paper takes.
    pub tasks: Vec<Episode>,
}

impl Experiment<'_> {
    /// J
    pub fn terms(&self) -> usize {
        self.comparison.vocabulary.len()
    }

    /// The tasks that every method's choices are made on.
    pub fn validation_tasks(&self) -> Result<Vec<Episode>> {
        let common = &self.comparison.settings.training;
        validation_tasks(&self.roles, &TrainSettings { seed: self.seed, ..common.clone() })
    }

    /// The settings of a training in this experiment.
    pub fn training(&self, prior: PriorSettings, topics: usize, em_steps: usize) -> TrainSettings {
        let common = self.comparison.settings.training.clone();
        TrainSettings { prior, topics, em_steps, seed: self.seed, ..common }
    }
}
