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
    /// Replace the directory if it exists
    #[arg(long)]
    pub force: bool,
}
