//! Flags of `handful infer`.

use super::{DocumentFlags, EmFlags, TermFlags};
use clap::Args;
use std::path::PathBuf;

/// Find the topic proportions of new documents in a fitted topic model.
///
/// The topics stay as `handful fit --out` wrote them, and each document is treated independently.
/// Text is read as in the fit, and words ignored there are ignored again.
#[derive(Debug, Args)]
pub struct InferArgs {
    /// Directory of the fitted topic model
    #[arg(long, value_name = "DIR")]
    pub topic_model: PathBuf,
    #[command(flatten)]
    pub em: EmFlags,
    #[command(flatten)]
    pub terms: TermFlags,
    #[command(flatten)]
    pub documents: DocumentFlags,
}
