//! Flags of `handful compact`.

use clap::Args;
use std::path::PathBuf;

/// Write a model again in a quarter of the space, its weights rounded to 8 and 16 bits.
#[derive(Debug, Args)]
pub struct CompactArgs {
    /// Directory of the trained model
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// Directory to write the compact model to
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// File with what the model card is to say of the model, in Markdown: sources and licences of its
    /// data, figures [default: what it says already]
    #[arg(long, value_name = "FILE")]
    pub about: Option<PathBuf>,
    /// Replace the directory if it exists
    #[arg(long)]
    pub force: bool,
}
