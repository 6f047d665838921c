//! Flags of `handful fit`.

use super::{DocumentFlags, EmFlags, InferenceName, READING, ShownFlags, WordFlags};
use clap::{ArgGroup, Args, ValueEnum};
use handful::fit::{Granularity, Inference};
use handful::reading::ReadSettings;
use handful::{FitSettings, Result, Topics};
use std::path::PathBuf;
use std::str::FromStr;

/// Find the topics of a few documents with a trained model.
///
/// Documents are files of text or HTML, folders of them, JSON lines or tables with a document per
/// row, or `-` for standard input.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("outputs").multiple(true)))]
pub struct FitArgs {
    /// Directory of a trained model [default: the built-in model]
    #[arg(long, value_name = "DIR")]
    pub model: Option<PathBuf>,
    /// Number of topics, from 1 to 50, or `auto`: as many as the documents have subjects [default: auto;
    /// the model's number with models of other kinds than `handful`]
    #[arg(long, allow_negative_numbers = true, value_name = "K")]
    topics: Option<TopicsFlag>,
    /// How finely the documents are told apart if they choose the number of topics
    #[arg(long, value_enum, default_value_t = GranularityFlag::Medium, value_name = "HOW")]
    granularity: GranularityFlag,
    #[command(flatten)]
    em: EmFlags,
    /// What a step does [default: what it did when the model was trained]
    #[arg(long, value_name = "KIND")]
    inference: Option<InferenceName>,
    /// Directory to write the topic model to; with --group-column a .parquet, .jsonl or .csv file
    #[arg(long, value_name = "DIR", group = "outputs")]
    pub out: Option<PathBuf>,
    /// Replace outputs that exist
    #[arg(long, requires = "outputs")]
    pub force: bool,
    #[command(flatten)]
    pub shown: ShownFlags,
    #[command(flatten)]
    words: WordFlags,
    /// Fit each group of documents by itself: those with the same value in this column or field. --out names
    /// the file for the results
    #[arg(long, value_name = "NAME", requires = "out", help_heading = READING)]
    #[arg(conflicts_with_all = ["names", "relevance", "all", "words", "sentences", "explain"])]
    #[arg(conflicts_with_all = ["report", "csv_topics", "csv_proportions", "pyldavis", "octis"])]
    pub group_column: Option<String>,
    #[command(flatten)]
    pub documents: DocumentFlags,
}

impl FitArgs {
    pub fn settings(&self, seed: u64) -> Result<FitSettings> {
        let mut settings = self.words.settings(seed)?;
        settings.em_stop = self.em.stop();
        settings.inference = self.inference.map(Inference::from);
        settings.topics = match self.topics {
            None => Topics::Usual,
            Some(TopicsFlag::Auto) => Topics::Auto,
            Some(TopicsFlag::Number(topics)) => Topics::Number(topics),
        };
        settings.granularity = self.granularity.into();
        Ok(settings)
    }

    /// How to read the documents.
    pub fn reading(&self) -> ReadSettings {
        ReadSettings {
            group_column: self.group_column.clone(),
            ..self.documents.reading.settings()
        }
    }
}

/// How finely documents are told apart.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum GranularityFlag {
    /// Fewer topics than there probably are subjects
    Coarse,
    /// As many topics as there probably are subjects
    Medium,
    /// More topics than there probably are subjects
    Fine,
}

impl From<GranularityFlag> for Granularity {
    fn from(flag: GranularityFlag) -> Self {
        match flag {
            GranularityFlag::Coarse => Self::Coarse,
            GranularityFlag::Medium => Self::Medium,
            GranularityFlag::Fine => Self::Fine,
        }
    }
}

/// How many topics to find.
#[derive(Clone, Copy, Debug)]
enum TopicsFlag {
    /// As many as the documents support.
    Auto,
    /// This many.
    Number(usize),
}

impl FromStr for TopicsFlag {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let number = text.parse().map(Self::Number);
        number.map_err(|_| "it must be a number from 1 to 50, or auto".to_owned())
    }
}
