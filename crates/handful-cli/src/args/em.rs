//! When EM stops.

use clap::Args;
use handful::internals::em::EmStop;

/// When EM stops.
#[derive(Debug, Args)]
pub struct EmFlags {
    /// Number of EM steps [default: the model's]
    #[arg(
        long,
        allow_negative_numbers = true,
        value_name = "T",
        conflicts_with = "until_converged"
    )]
    em_steps: Option<usize>,
    /// Run EM until the posterior stops rising
    #[arg(long)]
    until_converged: bool,
}

impl EmFlags {
    /// What was asked for, if anything was.
    pub fn stop(&self) -> Option<EmStop> {
        if self.until_converged {
            Some(EmStop::converged())
        } else {
            self.em_steps.map(EmStop::Steps)
        }
    }
}
