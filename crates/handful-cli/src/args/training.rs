//! Flags of commands that train.

use super::em::InferenceName;
use clap::{Args, ValueEnum};
use handful::internals::corpus::{EpisodeSettings, SplitUnit};
use handful::internals::nn::{Activation, AdamSettings, DocumentInput};
use handful::internals::prior::IwataSettings;
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
    /// What a step does
    #[arg(long, value_name = "KIND", default_value = "em")]
    inference: InferenceName,
    /// Number of hidden units in a layer of the networks [default: 256]
    #[arg(long, value_name = "N")]
    pub hidden: Option<usize>,
    #[command(flatten)]
    pub networks: NetworkFlags,
}

/// The shape of the paper's networks: f_R and g_R, which represent the corpus, f_A, which gives α, and
/// f_B, which gives β.
#[derive(Debug, Args)]
pub struct NetworkFlags {
    /// Number of layers in a network of the prior `iwata` [default: 3]
    #[arg(long, value_name = "N")]
    layers: Option<usize>,
    /// Number of hidden units in a layer of the network f_R, and of its outputs [default: as --hidden]
    #[arg(long, value_name = "N")]
    hidden_f_r: Option<usize>,
    /// Number of hidden units in a layer of the network g_R [default: as --hidden]
    #[arg(long, value_name = "N")]
    hidden_g_r: Option<usize>,
    /// Number of hidden units in a layer of the network f_A [default: as --hidden]
    #[arg(long, value_name = "N")]
    hidden_f_a: Option<usize>,
    /// Number of hidden units in a layer of the network f_B [default: as --hidden]
    #[arg(long, value_name = "N")]
    hidden_f_b: Option<usize>,
    /// Length of the corpus representation r [default: as --hidden]
    #[arg(long, value_name = "N")]
    representation_size: Option<usize>,
    /// What hidden units of the prior `iwata` make of their inputs [default: relu]
    #[arg(long, value_name = "FUNCTION")]
    activation: Option<ActivationName>,
    /// What networks of the prior `iwata` see of a document [default: counts]
    #[arg(long, value_name = "WHAT")]
    network_input: Option<NetworkInputName>,
}

/// What hidden units make of their inputs.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ActivationName {
    /// max(0, x)
    Relu,
    /// x above 0, and x/100 below
    LeakyRelu,
    /// tanh x
    Tanh,
}

impl From<ActivationName> for Activation {
    fn from(name: ActivationName) -> Self {
        match name {
            ActivationName::Relu => Self::Relu,
            ActivationName::LeakyRelu => Self::LeakyRelu,
            ActivationName::Tanh => Self::Tanh,
        }
    }
}

/// What networks see of a document.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum NetworkInputName {
    /// How often each word occurs
    Counts,
    /// How often each word occurs in a hundred words, so that long documents look like short ones
    Shares,
}

impl From<NetworkInputName> for DocumentInput {
    fn from(name: NetworkInputName) -> Self {
        match name {
            NetworkInputName::Counts => Self::Counts,
            NetworkInputName::Shares => Self::Shares,
        }
    }
}

impl NetworkFlags {
    /// Each flag, and whether it is given.
    pub fn given(&self) -> [(&'static str, bool); 8] {
        [
            ("layers", self.layers.is_some()),
            ("hidden-f-r", self.hidden_f_r.is_some()),
            ("hidden-g-r", self.hidden_g_r.is_some()),
            ("hidden-f-a", self.hidden_f_a.is_some()),
            ("hidden-f-b", self.hidden_f_b.is_some()),
            ("representation-size", self.representation_size.is_some()),
            ("activation", self.activation.is_some()),
            ("network-input", self.network_input.is_some()),
        ]
    }
}

impl ShapeFlags {
    /// The shape of the paper's networks.
    pub fn iwata(&self) -> IwataSettings {
        let (default, networks) = (IwataSettings::default(), &self.networks);
        IwataSettings {
            hidden: self.hidden.unwrap_or(default.hidden),
            layers: networks.layers.unwrap_or(default.layers),
            corpus_representation: default.corpus_representation,
            hidden_f_r: networks.hidden_f_r,
            hidden_g_r: networks.hidden_g_r,
            hidden_f_a: networks.hidden_f_a,
            hidden_f_b: networks.hidden_f_b,
            representation_size: networks.representation_size,
            activation: networks.activation.map_or(default.activation, Activation::from),
            input: networks.network_input.map_or(default.input, DocumentInput::from),
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
    /// Scale down gradients with a larger norm; 0 for never [default: 1; 0 with `compare --protocol
    /// paper`]
    #[arg(long, allow_negative_numbers = true, value_name = "NORM")]
    clip_norm: Option<f64>,
    /// Number of episodes whose mean gradient makes a step [default: 4; 1 with other priors than
    /// `handful`]
    #[arg(long, value_name = "N")]
    episodes_per_step: Option<usize>,
    /// Loss of an episode: the mean over its held-out words, or their sum as in the paper [default:
    /// mean; sum with `compare --protocol paper`]
    #[arg(long, value_name = "KIND")]
    loss: Option<LossName>,
    /// What goes as a whole to the words that the model sees or to those that it must predict: each
    /// word, or all words of a document that are the same term
    #[arg(long, value_name = "WHAT", default_value = "words")]
    held_out: SplitUnitName,
}

/// When to end the training.
#[derive(Debug, Args)]
#[command(next_help_heading = "Early stopping")]
pub struct StoppingFlags {
    /// Number of steps between two validations [default: 200; 20 with `compare --protocol paper`]
    #[arg(long, value_name = "N")]
    validation_every: Option<u64>,
    /// Number of tasks in a validation
    #[arg(long, value_name = "N", default_value_t = TrainSettings::default().validation_tasks)]
    validation_tasks: usize,
    /// Stop after this many validations in a row without improvement [default: 20; 50 with
    /// `--protocol paper`]
    #[arg(long, value_name = "N")]
    patience: Option<usize>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SplitUnitName {
    Words,
    Terms,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LossName {
    Mean,
    Sum,
}

/// Converts the flags into the library's settings, without checking them. What no flag says is as in
/// `default`.
pub fn train_settings(
    default: TrainSettings,
    (shape, optimiser, stopping): (&ShapeFlags, &OptimiserFlags, &StoppingFlags),
    max_steps: Option<u64>,
    vary: bool,
    seed: u64,
) -> TrainSettings {
    let max_steps = max_steps.unwrap_or(default.max_steps);
    TrainSettings {
        prior: default.prior,
        topics: shape.topics,
        em_steps: shape.em_steps,
        inference: shape.inference.into(),
        dropout: optimiser.dropout.unwrap_or(default.dropout),
        episode: EpisodeSettings {
            support_size: optimiser.support_size,
            support_rate: optimiser.support_rate,
            length: None,
            split_unit: match optimiser.held_out {
                SplitUnitName::Words => SplitUnit::Words,
                SplitUnitName::Terms => SplitUnit::Terms,
            },
        },
        adam: AdamSettings {
            learning_rate: optimiser.learning_rate.unwrap_or(default.adam.learning_rate),
            clip_norm: match optimiser.clip_norm {
                None => default.adam.clip_norm,
                Some(norm) => Some(norm).filter(|&norm| norm != 0.0),
            },
            cosine_steps: default.adam.cosine_steps.map(|_| max_steps),
            ..default.adam
        },
        episodes_per_step: optimiser.episodes_per_step.unwrap_or(default.episodes_per_step),
        loss: match optimiser.loss {
            None => default.loss,
            Some(LossName::Mean) => LossKind::Mean,
            Some(LossName::Sum) => LossKind::Sum,
        },
        max_steps,
        validation_every: stopping.validation_every.unwrap_or(default.validation_every),
        validation_tasks: stopping.validation_tasks,
        patience: stopping.patience.unwrap_or(default.patience),
        vary,
        average: default.average,
        word_vectors: None,
        without: None,
        seed,
    }
}
