//! When EM stops.

use clap::Args;
use handful::em::EmStop;

/// When EM stops.
#[derive(Debug, Args)]
pub struct EmFlags {
    /// EM steps [default: the model's]
    #[arg(
        long,
        allow_negative_numbers = true,
        value_name = "T",
        conflicts_with = "until_converged"
    )]
    em_steps: Option<usize>,
    /// EM until the posterior stops rising
    #[arg(long)]
    until_converged: bool,
}

impl EmFlags {
    /// What was asked for, or what the model says.
    pub fn stop(&self, of_model: EmStop) -> EmStop {
        if self.until_converged {
            EmStop::converged()
        } else {
            self.em_steps.map_or(of_model, EmStop::Steps)
        }
    }
}
