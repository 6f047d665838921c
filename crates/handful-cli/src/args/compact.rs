//! Flags of `handful compact`.

use clap::Args;
use std::path::PathBuf;

/// Write a compact copy of a model, a quarter the size, with weights rounded to 4, 8 and 16 bits.
#[derive(Debug, Args)]
pub struct CompactArgs {
    /// Directory of the trained model
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// Directory to write the compact model to
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// File with a description for the model card, in Markdown: sources and licences of the data,
    /// figures [default: the present description]
    #[arg(long, value_name = "FILE")]
    pub about: Option<PathBuf>,
    /// Replace the directory if it exists
    #[arg(long)]
    pub force: bool,
}
