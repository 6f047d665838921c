//! Flags of `handful lda`.

use super::{DocumentFlags, ShownFlags, WordFlags};
use clap::{ArgGroup, Args};
use handful::internals::lda::LdaSettings;
use handful::{FitSettings, Result};
use std::path::PathBuf;

/// Find the topics of documents by LDA, without a trained model.
///
/// Latent Dirichlet allocation learns topics from these documents alone, by collapsed Gibbs sampling: a
/// baseline for a handful of documents, and good for many. Documents and results are those of `handful
/// fit`.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("outputs").multiple(true)))]
pub struct LdaArgs {
    /// Number of topics
    #[arg(long, allow_negative_numbers = true, value_name = "K", default_value_t = 10)]
    topics: usize,
    /// Directory to write the topic model to
    #[arg(long, value_name = "DIR", group = "outputs")]
    pub out: Option<PathBuf>,
    /// Replace outputs that exist
    #[arg(long, requires = "outputs")]
    pub force: bool,
    #[command(flatten)]
    sampling: SamplingFlags,
    #[command(flatten)]
    pub shown: ShownFlags,
    #[command(flatten)]
    words: WordFlags,
    #[command(flatten)]
    pub documents: DocumentFlags,
}

/// How topics are sampled.
#[derive(Debug, Args)]
#[command(next_help_heading = "Sampling")]
struct SamplingFlags {
    /// Number of sweeps: how often the topic of every word is drawn
    #[arg(long, allow_negative_numbers = true, value_name = "N", default_value_t = LdaSettings::default().sweeps)]
    sweeps: usize,
    /// Number of sweeps to discard at the start [default: half of them]
    #[arg(long, allow_negative_numbers = true, value_name = "N")]
    burn_in: Option<usize>,
    /// The α of every topic that sampling starts with
    #[arg(long, allow_negative_numbers = true, value_name = "A", default_value_t = LdaSettings::default().alpha)]
    alpha: f64,
    /// The β of every term that sampling starts with
    #[arg(long, allow_negative_numbers = true, value_name = "B", default_value_t = LdaSettings::default().beta)]
    beta: f64,
    /// Number of sweeps from one optimisation of α and β to the next; 0 to keep them as they are
    #[arg(long, value_name = "N", default_value_t = LdaSettings::default().optimise_every)]
    optimise_every: usize,
}

impl LdaArgs {
    pub fn settings(&self, seed: u64) -> Result<FitSettings> {
        self.words.settings(seed)
    }

    /// The sampler's settings. Refuses those that give no result.
    pub fn sampling(&self) -> Result<LdaSettings> {
        let SamplingFlags { sweeps, burn_in, alpha, beta, optimise_every } = self.sampling;
        let (topics, burn_in) = (self.topics, burn_in.unwrap_or(sweeps / 2));
        let settings = LdaSettings {
            topics,
            sweeps,
            burn_in,
            alpha,
            beta,
            optimise_every,
            ..LdaSettings::default()
        }
        .with_samples();
        settings.check()?;
        Ok(settings)
    }
}
