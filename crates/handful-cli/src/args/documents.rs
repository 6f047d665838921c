//! Flags of commands that take a handful of documents.

use super::ReadingFlags;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The documents, and how they are read.
#[derive(Debug, Args)]
pub struct DocumentFlags {
    /// The documents: files, folders, JSON lines, tables, or `-` for standard input
    #[arg(required = true, value_name = "DOC")]
    pub inputs: Vec<PathBuf>,
    /// Make each paragraph of a text, with a blank line between two, a document of its own
    #[arg(long, value_name = "INTO")]
    pub split: Option<Split>,
    #[command(flatten)]
    pub reading: ReadingFlags,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Split {
    Paragraphs,
}
