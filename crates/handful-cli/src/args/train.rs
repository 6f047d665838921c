//! Flags of `handful train`.

use super::{ReadingFlags, TextFlags};
use clap::{Args, ValueEnum};
use handful::corpus::EpisodeSettings;
use handful::nn::AdamSettings;
use handful::prior::{IwataSettings, MamlSettings, PriorSettings};
use handful::train::{CheckpointPlan, LossKind, TrainSettings, ValidationChoice};
use handful::{Error, Result};
use std::path::{Path, PathBuf};

/// Train a model on many corpora.
///
/// Corpora are folders of folders (a folder a corpus, a file a document), JSON lines with
/// `corpus`, `id` and `text` or `counts`, or CSV and TSV with such columns; each may be gzipped.
#[derive(Debug, Args)]
pub struct TrainArgs {
    /// Where the corpora are
    #[arg(required = true, value_name = "CORPORA")]
    pub corpora: Vec<PathBuf>,
    /// Directory to write the model to
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// Replace the directory if it exists
    #[arg(long)]
    pub force: bool,
    /// Leave a corpus out, so that it can be evaluated on honestly (repeatable)
    #[arg(long, value_name = "NAME")]
    pub exclude: Vec<String>,
    /// Go on from the checkpoint of a run that was stopped
    #[arg(long)]
    pub resume: bool,
    /// Steps between two checkpoints
    #[arg(long, value_name = "N", default_value_t = 1000)]
    checkpoint_every: u64,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    optimiser: OptimiserFlags,
    #[command(flatten)]
    validation: ValidationFlags,
    #[command(flatten)]
    pub text: TextFlags,
    #[command(flatten)]
    pub reading: ReadingFlags,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
struct ModelFlags {
    /// What gives the Dirichlet priors
    #[arg(long, value_name = "KIND", default_value = "iwata")]
    prior: PriorName,
    /// Number of topics
    #[arg(long, allow_negative_numbers = true, value_name = "K", default_value_t = 10)]
    topics: usize,
    /// EM steps
    #[arg(long, allow_negative_numbers = true, value_name = "T", default_value_t = 10)]
    em_steps: usize,
    /// Hidden units of a layer
    #[arg(long, value_name = "N", default_value_t = 256)]
    hidden: usize,
    /// Layers of a network
    #[arg(long, value_name = "N", default_value_t = 3)]
    layers: usize,
    /// Networks that do not see the corpus as a whole, only each document
    #[arg(long)]
    no_corpus_representation: bool,
    /// Gradient steps of `--prior maml` on the documents at hand
    #[arg(long, value_name = "N", default_value_t = MamlSettings::default().inner_steps)]
    inner_steps: usize,
    /// Learning rate of those steps
    #[arg(
        long,
        allow_negative_numbers = true,
        value_name = "RATE",
        default_value_t = MamlSettings::default().inner_rate
    )]
    inner_rate: f64,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Training")]
struct OptimiserFlags {
    /// Documents of an episode
    #[arg(long, value_name = "N", default_value_t = 3)]
    support_size: usize,
    /// Share of an episode's words that the model sees; the others it has to predict
    #[arg(long, allow_negative_numbers = true, value_name = "R", default_value_t = 0.8)]
    support_rate: f64,
    /// Probability of dropping a hidden unit
    #[arg(long, allow_negative_numbers = true, value_name = "P", default_value_t = 0.1)]
    dropout: f64,
    /// Adam's learning rate
    #[arg(long, allow_negative_numbers = true, value_name = "RATE", default_value_t = 1e-3)]
    learning_rate: f64,
    /// Scale gradients down whose norm is larger; 0 for never
    #[arg(long, allow_negative_numbers = true, value_name = "NORM", default_value_t = 1.0)]
    clip_norm: f64,
    /// Episodes whose mean gradient makes a step
    #[arg(long, value_name = "N", default_value_t = 1)]
    episodes_per_step: usize,
    /// Loss of an episode: mean over its held-out words, or their sum as in the paper
    #[arg(long, value_name = "KIND", default_value = "mean")]
    loss: LossName,
    /// Stop after so many steps at the latest
    #[arg(long, value_name = "N", default_value_t = TrainSettings::default().max_steps)]
    max_steps: u64,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Early stopping")]
struct ValidationFlags {
    /// Corpus to validate on (repeatable)
    #[arg(long, value_name = "NAME", conflicts_with = "validation_corpora")]
    validation: Vec<String>,
    /// Number of corpora to draw for validation; 0 for none
    #[arg(long, value_name = "N", default_value_t = 3)]
    validation_corpora: usize,
    /// Steps between two validations
    #[arg(long, value_name = "N", default_value_t = TrainSettings::default().validation_every)]
    validation_every: u64,
    /// Tasks of a validation
    #[arg(long, value_name = "N", default_value_t = TrainSettings::default().validation_tasks)]
    validation_tasks: usize,
    /// Stop after so many validations in a row without a better one
    #[arg(long, value_name = "N", default_value_t = TrainSettings::default().patience)]
    patience: usize,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PriorName {
    /// The paper's networks
    Iwata,
    /// One learned prior for every corpus
    Free,
    /// One learned prior that gradient steps adapt to the documents at hand
    Maml,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LossName {
    Mean,
    Sum,
}

impl TrainArgs {
    pub fn settings(&self, seed: u64) -> Result<TrainSettings> {
        let settings = TrainSettings {
            prior: match self.model.prior {
                PriorName::Iwata => PriorSettings::Iwata(IwataSettings {
                    hidden: self.model.hidden,
                    layers: self.model.layers,
                    corpus_representation: !self.model.no_corpus_representation,
                }),
                PriorName::Free => PriorSettings::Free,
                PriorName::Maml => PriorSettings::Maml(MamlSettings {
                    inner_steps: self.model.inner_steps,
                    inner_rate: self.model.inner_rate,
                }),
            },
            topics: self.model.topics,
            em_steps: self.model.em_steps,
            dropout: self.optimiser.dropout,
            episode: EpisodeSettings {
                support_size: self.optimiser.support_size,
                support_rate: self.optimiser.support_rate,
            },
            adam: AdamSettings {
                learning_rate: self.optimiser.learning_rate,
                clip_norm: Some(self.optimiser.clip_norm).filter(|&norm| norm != 0.0),
                ..AdamSettings::default()
            },
            episodes_per_step: self.optimiser.episodes_per_step,
            loss: match self.optimiser.loss {
                LossName::Mean => LossKind::Mean,
                LossName::Sum => LossKind::Sum,
            },
            max_steps: self.optimiser.max_steps,
            validation_every: self.validation.validation_every,
            validation_tasks: self.validation.validation_tasks,
            patience: self.validation.patience,
            seed,
        };
        settings.check()?;
        Ok(settings)
    }

    pub fn validation(&self) -> ValidationChoice {
        if self.validation.validation.is_empty() {
            ValidationChoice::Drawn(self.validation.validation_corpora)
        } else {
            ValidationChoice::Named(self.validation.validation.clone())
        }
    }

    /// Checkpoints go beside the model: `DIR.checkpoint`.
    pub fn checkpoints(&self) -> Result<CheckpointPlan> {
        if self.checkpoint_every == 0 {
            return Err(Error::setting("checkpoint-every", 0, "at least 1"));
        }
        let name = self.out.file_name().ok_or_else(|| {
            let remedy = "name a directory to be made";
            Error::input(self.out.display().to_string(), "is no name for a model", remedy)
        })?;
        let mut name = name.to_owned();
        name.push(".checkpoint");
        Ok(CheckpointPlan {
            path: Path::new(&self.out).with_file_name(name),
            every: self.checkpoint_every,
            resume: self.resume,
        })
    }
}
