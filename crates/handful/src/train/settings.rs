//! Settings of a training run.

use crate::corpus::EpisodeSettings;
use crate::em::{EmStop, Inference};
use crate::error::{MOST, expect_within};
use crate::nn::AdamSettings;
use crate::prior::{Ingredient, IwataSettings, PriorSettings};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// How to compute an episode's loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LossKind {
    /// The mean negative log-likelihood per query word, so that long documents do not dominate.
    Mean,
    /// The sum over query words, as in the paper.
    Sum,
}

/// Identifies word vectors that were learned elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VectorsIdentity {
    /// The number of words that have a vector.
    pub words: usize,
    /// The CRC-32 of the file's text.
    pub checksum: u32,
}

/// The number of steps after which the learning rate of [`PriorSettings::Handful`] is zero.
const HANDFUL_STEPS: u64 = 4000;

/// Everything that determines the result of a training run. Threads and checkpoints do not affect
/// it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainSettings {
    /// The kind of prior, and its shape.
    pub prior: PriorSettings,
    /// K
    pub topics: usize,
    /// T
    pub em_steps: usize,
    /// What a step does.
    #[serde(default, skip_serializing_if = "Inference::is_usual")]
    pub inference: Inference,
    /// The probability of dropping a hidden unit.
    pub dropout: f64,
    /// N and R.
    pub episode: EpisodeSettings,
    /// The optimiser.
    pub adam: AdamSettings,
    /// The number of episodes whose mean gradient makes a step.
    pub episodes_per_step: usize,
    /// How to compute the loss of an episode.
    pub loss: LossKind,
    /// The maximum number of steps.
    pub max_steps: u64,
    /// The number of steps between two validations.
    pub validation_every: u64,
    /// The number of tasks in a validation.
    pub validation_tasks: usize,
    /// How many validations in a row may fail to improve before training ends.
    pub patience: usize,
    /// Whether to train for any use. The number of topics then varies from step to step. The number
    /// of documents, the support rate and the length vary from episode to episode. Validation still
    /// follows the settings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub vary: bool,
    /// Whether to average the weights over many steps. Validations and the trained prior then use
    /// the mean.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub average: bool,
    /// The word vectors to start from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub word_vectors: Option<VectorsIdentity>,
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
            inference: Inference::Em,
            dropout: 0.1,
            episode: EpisodeSettings::default(),
            // Without clipping, the rare huge gradients of 20 Newsgroups undo what was learned.
            adam: AdamSettings { clip_norm: Some(1.0), ..AdamSettings::default() },
            episodes_per_step: 1,
            loss: LossKind::Mean,
            max_steps: 20_000,
            validation_every: 200,
            validation_tasks: 100,
            patience: 20,
            vary: false,
            average: false,
            word_vectors: None,
            without: None,
            seed: 1,
        }
    }
}

impl TrainSettings {
    /// Returns the default settings for a kind of prior.
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

    /// Refuses settings outside their range, by name.
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
        self.prior.check_inference(self.inference, EmStop::Steps(self.em_steps))?;
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
