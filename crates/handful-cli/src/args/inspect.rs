//! Flags of `handful inspect`.

use clap::Args;
use std::path::PathBuf;

/// What a model or a fitted topic model is.
#[derive(Debug, Args)]
pub struct InspectArgs {
    /// Directory of a model or of a topic model
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Terms to show of each topic of a topic model
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: usize,
}
