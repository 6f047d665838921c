//! Flags of `handful inspect`.

use super::TermFlags;
use clap::Args;
use std::path::PathBuf;

/// Describe a model or a fitted topic model.
#[derive(Debug, Args)]
pub struct InspectArgs {
    /// Directory of a model or of a topic model [default: the built-in model]
    #[arg(value_name = "DIR")]
    pub directory: Option<PathBuf>,
    #[command(flatten)]
    pub terms: TermFlags,
}
