//! Flags of commands that take a handful of documents.

use super::{READING, ReadingFlags};
use clap::builder::Resettable;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The documents, and how to read them.
#[derive(Debug, Args)]
pub struct DocumentFlags {
    /// The documents: files, folders, JSON lines, tables, or `-` for standard input
    #[arg(required = true, value_name = "DOC", help_heading = Resettable::Reset)]
    pub inputs: Vec<PathBuf>,
    /// Make each paragraph of a text a document of its own; blank lines separate paragraphs
    #[arg(long, value_name = "INTO", help_heading = READING)]
    pub split: Option<Split>,
    /// Say which words and sentences decided where the document of this id belongs; repeat it for several
    #[arg(long, value_name = "ID", help_heading = super::SHOWN)]
    pub explain: Vec<String>,
    #[command(flatten)]
    pub reading: ReadingFlags,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Split {
    Paragraphs,
}
