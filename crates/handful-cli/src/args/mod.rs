//! What the user typed. Each group of flags knows how to become the library's settings.

mod compact;
mod compare;
mod documents;
mod em;
mod evaluate;
mod fit;
mod infer;
mod inspect;
mod lda;
mod name;
mod reading;
mod rivals;
mod shown;
mod sweep;
mod train;
mod training;
mod unseen;
mod words;

pub use compact::CompactArgs;
pub use compare::CompareArgs;
pub use documents::{DocumentFlags, Split};
pub use em::{EmFlags, InferenceName};
pub use evaluate::EvaluateArgs;
pub use fit::FitArgs;
pub use infer::InferArgs;
pub use inspect::InspectArgs;
pub use lda::LdaArgs;
pub use name::{NameArgs, TopicName};
pub use reading::{READING, ReadingFlags, TextFlags};
pub use shown::{SHOWN, ShownFlags, TermFlags};
pub use train::TrainArgs;
pub use words::WordFlags;

use clap::{Args, Parser, Subcommand};

/// Topic models from a handful of documents.
#[derive(Debug, Parser)]
#[command(name = "handful", version, about, propagate_version = true, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub common: CommonFlags,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find the topics of a few documents with a trained model
    Fit(Box<FitArgs>),
    /// Find the topics of documents by LDA, without a trained model
    Lda(Box<LdaArgs>),
    /// Find the topic proportions of new documents in a fitted topic model
    Infer(InferArgs),
    /// Name the topics of a fitted topic model
    Name(NameArgs),
    /// Train a model on many corpora
    Train(Box<TrainArgs>),
    /// Measure the perplexity of held-out words of a corpus, as in the paper
    Evaluate(EvaluateArgs),
    /// Compare methods as in the paper, with tables and figures
    Compare(Box<CompareArgs>),
    /// Write a compact copy of a model, a quarter the size
    Compact(CompactArgs),
    /// Describe a model or a fitted topic model
    Inspect(InspectArgs),
    /// Say what the program is made of, and on which terms
    Licenses,
}

impl Command {
    /// Whether the command's result goes to standard output, as text or as JSON.
    pub fn prints(&self, json: bool) -> bool {
        match self {
            Self::Train(_) => json,
            Self::Compact(_) => false,
            _ => true,
        }
    }
}

/// More threads than any machine has cores.
const MOST_THREADS: i64 = 1024;

/// Flags of every command.
#[derive(Debug, Args)]
pub struct CommonFlags {
    /// Seed of all random numbers
    #[arg(long, global = true, default_value_t = 1, value_name = "N")]
    pub seed: u64,
    /// Number of threads, which does not affect the results [default: all cores]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    pub threads: Option<u16>,
    /// Print JSON on standard output
    #[arg(long, global = true)]
    pub json: bool,
    /// Show no progress and no warnings
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say more on standard error
    #[arg(short, long, global = true)]
    pub verbose: bool,
}
