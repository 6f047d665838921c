//! Settings of a training run.

use crate::corpus::EpisodeSettings;
use crate::error::{MOST, expect_within};
use crate::nn::AdamSettings;
use crate::prior::{Ingredient, IwataSettings, PriorSettings};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// What an episode's loss is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LossKind {
    /// Mean negative log-likelihood of a query word, so that long documents do not rule.
    Mean,
    /// The paper's formula: the sum over query words.
    Sum,
}

/// The steps in which the learning rate of [`PriorSettings::Handful`] falls to zero.
const HANDFUL_STEPS: u64 = 4000;

/// Everything that decides what a training run computes. Threads and checkpoints do not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainSettings {
    /// Which prior, and its shape.
    pub prior: PriorSettings,
    /// K
    pub topics: usize,
    /// T
    pub em_steps: usize,
    /// Probability of dropping a hidden unit.
    pub dropout: f64,
    /// N and R.
    pub episode: EpisodeSettings,
    /// The optimiser.
    pub adam: AdamSettings,
    /// Episodes whose mean gradient makes a step.
    pub episodes_per_step: usize,
    /// The loss of an episode.
    pub loss: LossKind,
    /// Training ends after so many steps at the latest.
    pub max_steps: u64,
    /// Steps between two validations.
    pub validation_every: u64,
    /// Tasks of a validation.
    pub validation_tasks: usize,
    /// Training ends after so many validations in a row that found nothing better.
    pub patience: usize,
    /// Whether to train for any use: each step with another number of topics, each episode with
    /// another number of documents, rate and length. Validation stays as said.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub vary: bool,
    /// Whether validations look at the mean of the weights over many steps, and the trained prior has
    /// it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub average: bool,
    /// The part of the prior that is left out. For the laboratory: no model is saved without it.
    #[doc(hidden)]
    #[serde(skip)]
    pub without: Option<Ingredient>,
    /// The seed of everything random.
    pub seed: u64,
}

impl Default for TrainSettings {
    fn default() -> Self {
        Self {
            prior: PriorSettings::Iwata(IwataSettings::default()),
            topics: 10,
            em_steps: 10,
            dropout: 0.1,
            episode: EpisodeSettings::default(),
            // Without clipping, 20 Newsgroups' rare huge gradients undo what was learned.
            adam: AdamSettings { clip_norm: Some(1.0), ..AdamSettings::default() },
            episodes_per_step: 1,
            loss: LossKind::Mean,
            max_steps: 20_000,
            validation_every: 200,
            validation_tasks: 100,
            patience: 20,
            vary: false,
            average: false,
            without: None,
            seed: 1,
        }
    }
}

impl TrainSettings {
    /// How a prior is trained unless one says otherwise.
    pub fn of(prior: PriorSettings) -> Self {
        let default = Self { prior, ..Self::default() };
        match prior {
            PriorSettings::Handful(_) => Self {
                dropout: 0.3,
                episodes_per_step: 4,
                average: true,
                max_steps: HANDFUL_STEPS,
                adam: AdamSettings {
                    learning_rate: 2e-3,
                    cosine_steps: Some(HANDFUL_STEPS),
                    ..default.adam
                },
                ..default
            },
            _ => default,
        }
    }

    /// Refuses settings that no run can have, by name.
    pub fn check(&self) -> Result<()> {
        self.prior.check()?;
        self.episode.check()?;
        for (name, value, least) in [
            ("topics", self.topics, 1),
            ("em_steps", self.em_steps, 0),
            ("episodes_per_step", self.episodes_per_step, 1),
            ("validation_tasks", self.validation_tasks, 1),
        ] {
            expect_within(name, value, least, MOST)?;
        }
        self.prior.check_topics(self.topics, self.topics)?;
        if self.vary && !self.prior.gives_any_topics() {
            let expected = "off: only the prior `handful` gives any number of topics";
            return Err(Error::setting("vary", "on", expected));
        }
        if self.average && !self.prior.can_average() {
            let expected = "off: only of the prior `handful` are all weights at hand after a step";
            return Err(Error::setting("average", "on", expected));
        }
        for (name, value) in [
            ("max_steps", self.max_steps),
            ("validation_every", self.validation_every),
            ("patience", self.patience as u64),
        ] {
            if value == 0 {
                return Err(Error::setting(name, value, "at least 1"));
            }
        }
        if !(0.0..1.0).contains(&self.dropout) {
            return Err(Error::setting("dropout", self.dropout, "at least 0 and less than 1"));
        }
        let AdamSettings { learning_rate, clip_norm, cosine_steps, .. } = self.adam;
        if cosine_steps == Some(0) {
            return Err(Error::setting("cosine_steps", 0, "at least 1"));
        }
        for (name, value) in [("learning_rate", Some(learning_rate)), ("clip_norm", clip_norm)] {
            if let Some(value) = value.filter(|value| !(value.is_finite() && *value > 0.0)) {
                return Err(Error::setting(name, value, "a number above 0"));
            }
        }
        Ok(())
    }
}
