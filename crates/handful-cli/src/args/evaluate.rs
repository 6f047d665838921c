//! Flags of `handful evaluate`.

use super::{EmFlags, InferenceName, ReadingFlags};
use clap::Args;
use handful::internals::corpus::EpisodeSettings;
use std::path::PathBuf;

/// Measure the perplexity of held-out words of a corpus, as in the paper.
///
/// Each task takes a few documents of the target corpus, hides some of their words, fits the
/// others, and computes how likely the hidden words are.
#[derive(Debug, Args)]
pub struct EvaluateArgs {
    /// The corpora: folders of folders, JSON lines, or tables
    #[arg(required = true, value_name = "CORPORA")]
    pub corpora: Vec<PathBuf>,
    /// Directory of a trained model [default: the built-in model]
    #[arg(long, value_name = "DIR")]
    pub model: Option<PathBuf>,
    /// The corpus from which tasks are drawn
    #[arg(long, value_name = "NAME")]
    pub target: String,
    /// Number of tasks
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub tasks: usize,
    /// Number of documents in a task
    #[arg(long, value_name = "N", default_value_t = 3)]
    support_size: usize,
    /// Share of a task's words that the model sees
    #[arg(long, allow_negative_numbers = true, value_name = "R", default_value_t = 0.8)]
    support_rate: f64,
    #[command(flatten)]
    pub em: EmFlags,
    /// What a step does [default: what it did when the model was trained]
    #[arg(long, value_name = "KIND")]
    pub inference: Option<InferenceName>,
    #[command(flatten)]
    pub reading: ReadingFlags,
}

impl EvaluateArgs {
    pub fn episode(&self) -> EpisodeSettings {
        EpisodeSettings {
            support_size: self.support_size,
            support_rate: self.support_rate,
            ..EpisodeSettings::default()
        }
    }
}
