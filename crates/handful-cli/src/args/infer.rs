//! Flags of `handful infer`.

use super::{DocumentFlags, EmFlags};
use clap::Args;
use std::path::PathBuf;

/// Proportions of new documents on a fitted topic model.
///
/// The topics stay as `handful fit --out` wrote them; each document is looked at by itself. Text is
/// read as the fit read it, and words that it ignored are ignored again.
#[derive(Debug, Args)]
pub struct InferArgs {
    /// Directory of the fitted topic model
    #[arg(long, value_name = "DIR")]
    pub topic_model: PathBuf,
    #[command(flatten)]
    pub em: EmFlags,
    /// Terms to show of each topic
    #[arg(long, allow_negative_numbers = true, value_name = "N", default_value_t = 10)]
    pub top: usize,
    #[command(flatten)]
    pub documents: DocumentFlags,
}
