//! Flags of commands that train.

use clap::{Args, ValueEnum};
use handful::internals::corpus::EpisodeSettings;
use handful::internals::nn::AdamSettings;
use handful::internals::prior::{IwataSettings, PriorSettings};
use handful::internals::train::{LossKind, TrainSettings};

/// The shape of a model.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub struct ShapeFlags {
    /// Number of topics
    #[arg(long, allow_negative_numbers = true, value_name = "K", default_value_t = 10)]
    topics: usize,
    /// Number of EM steps
    #[arg(long, allow_negative_numbers = true, value_name = "T", default_value_t = 10)]
    em_steps: usize,
    /// Number of hidden units in a layer of the networks [default: 256]
    #[arg(long, value_name = "N")]
    pub hidden: Option<usize>,
    /// Number of layers in a network of the prior `iwata` [default: 3]
    #[arg(long, value_name = "N")]
    pub layers: Option<usize>,
}

impl ShapeFlags {
    /// The shape of the paper's networks.
    pub fn iwata(&self) -> IwataSettings {
        let default = IwataSettings::default();
        IwataSettings {
            hidden: self.hidden.unwrap_or(default.hidden),
            layers: self.layers.unwrap_or(default.layers),
            ..default
        }
    }
}

/// How to train the weights.
#[derive(Debug, Args)]
#[command(next_help_heading = "Training")]
pub struct OptimiserFlags {
    /// Number of documents in an episode
    #[arg(long, value_name = "N", default_value_t = 3)]
    support_size: usize,
    /// Share of an episode's words that the model sees; it must predict the others
    #[arg(long, allow_negative_numbers = true, value_name = "R", default_value_t = 0.8)]
    support_rate: f64,
    /// Probability of dropping a hidden unit [default: 0.3; 0.1 with other priors than `handful`]
    #[arg(long, allow_negative_numbers = true, value_name = "P")]
    dropout: Option<f64>,
    /// Adam's learning rate [default: 0.002, falling to 0; 0.001 with other priors than `handful`]
    #[arg(long, allow_negative_numbers = true, value_name = "RATE")]
    learning_rate: Option<f64>,
    /// Scale down gradients with a larger norm; 0 for never
    #[arg(long, allow_negative_numbers = true, value_name = "NORM", default_value_t = 1.0)]
    clip_norm: f64,
    /// Number of episodes whose mean gradient makes a step [default: 4; 1 with other priors than
    /// `handful`]
    #[arg(long, value_name = "N")]
    episodes_per_step: Option<usize>,
    /// Loss of an episode: the mean over its held-out words, or their sum as in the paper
    #[arg(long, value_name = "KIND", default_value = "mean")]
    loss: LossName,
}

/// When to end the training.
#[derive(Debug, Args)]
#[command(next_help_heading = "Early stopping")]
pub struct StoppingFlags {
    /// Number of steps between two validations
    #[arg(long, value_name = "N", default_value_t = TrainSettings::default().validation_every)]
    validation_every: u64,
    /// Number of tasks in a validation
    #[arg(long, value_name = "N", default_value_t = TrainSettings::default().validation_tasks)]
    validation_tasks: usize,
    /// Stop after this many validations in a row without improvement
    #[arg(long, value_name = "N", default_value_t = TrainSettings::default().patience)]
    patience: usize,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LossName {
    Mean,
    Sum,
}

/// Converts the flags into the library's settings, without checking them.
pub fn train_settings(
    prior: PriorSettings,
    (shape, optimiser, stopping): (&ShapeFlags, &OptimiserFlags, &StoppingFlags),
    max_steps: Option<u64>,
    vary: bool,
    seed: u64,
) -> TrainSettings {
    let default = TrainSettings::of(prior);
    let max_steps = max_steps.unwrap_or(default.max_steps);
    TrainSettings {
        prior,
        topics: shape.topics,
        em_steps: shape.em_steps,
        dropout: optimiser.dropout.unwrap_or(default.dropout),
        episode: EpisodeSettings {
            support_size: optimiser.support_size,
            support_rate: optimiser.support_rate,
            length: None,
        },
        adam: AdamSettings {
            learning_rate: optimiser.learning_rate.unwrap_or(default.adam.learning_rate),
            clip_norm: Some(optimiser.clip_norm).filter(|&norm| norm != 0.0),
            cosine_steps: default.adam.cosine_steps.map(|_| max_steps),
            ..default.adam
        },
        episodes_per_step: optimiser.episodes_per_step.unwrap_or(default.episodes_per_step),
        loss: match optimiser.loss {
            LossName::Mean => LossKind::Mean,
            LossName::Sum => LossKind::Sum,
        },
        max_steps,
        validation_every: stopping.validation_every,
        validation_tasks: stopping.validation_tasks,
        patience: stopping.patience,
        vary,
        average: default.average,
        word_vectors: None,
        without: None,
        seed,
    }
}
