//! Flags of `handful fit`.

use super::{DocumentFlags, EmFlags};
use clap::Args;
use std::path::PathBuf;

/// Topics of a few documents, with a trained model.
///
/// Documents are files of text or HTML, folders of them, JSON lines or tables with a document a row,
/// or `-` for standard input.
#[derive(Debug, Args)]
pub struct FitArgs {
    /// Directory of the trained model
    #[arg(long, value_name = "DIR")]
    pub model: PathBuf,
    /// Number of topics: any from 1 to 50 with a model of kind `handful`; the others have their own
    #[arg(long, allow_negative_numbers = true, value_name = "K")]
    pub topics: Option<usize>,
    #[command(flatten)]
    pub em: EmFlags,
    /// Directory to write the topic model to
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace the directory if it exists
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Terms to show of each topic
    #[arg(long, allow_negative_numbers = true, value_name = "N", default_value_t = 10)]
    pub top: usize,
    /// Words to leave out of the documents: a list with commas, or @FILE with a word a line
    #[arg(long, value_name = "LIST")]
    pub ignore_words: Option<String>,
    #[command(flatten)]
    pub documents: DocumentFlags,
}
