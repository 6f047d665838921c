//! What a step does, and when EM stops.

use clap::{Args, ValueEnum};
use handful::internals::em::{EmStop, Inference};

/// What a step does.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum InferenceName {
    /// EM: the mode of the posterior
    Em,
    /// Variational Bayes: the mean of an approximate posterior
    Vb,
}

impl From<InferenceName> for Inference {
    fn from(name: InferenceName) -> Self {
        match name {
            InferenceName::Em => Self::Em,
            InferenceName::Vb => Self::Vb,
        }
    }
}

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
    /// Run EM until the posterior, or the evidence lower bound, stops rising
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
