//! Flags of `handful infer`.

use super::{DocumentFlags, EmFlags, TermFlags};
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
    #[command(flatten)]
    pub terms: TermFlags,
    #[command(flatten)]
    pub documents: DocumentFlags,
}
