//! Flags of single methods of a comparison.

use clap::Args;
use handful_lab::{InnerSteps, LdaSampling};

/// The flags of `handful compare` that ask for other experiments than the paper's.
pub const OTHER_PROTOCOLS: [&str; 5] = ["groups", "blends", "number", "telling", "range"];

/// How `maml` adapts to a task.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub struct MamlFlags {
    /// Number of gradient steps that `maml` takes on a task [default: 5]
    #[arg(long, value_name = "N", conflicts_with_all = OTHER_PROTOCOLS)]
    inner_steps: Option<usize>,
    /// Learning rates of those gradient steps to try, separated by commas; the best on validation is
    /// kept [default: 0.3,1]
    #[arg(long, allow_negative_numbers = true, value_name = "A,B", value_delimiter = ',')]
    #[arg(conflicts_with_all = OTHER_PROTOCOLS)]
    inner_rate: Vec<f64>,
}

impl MamlFlags {
    pub fn inner_steps(&self) -> InnerSteps {
        let usual = InnerSteps::default();
        let rates = if self.inner_rate.is_empty() { usual.rates } else { self.inner_rate.clone() };
        InnerSteps { steps: self.inner_steps.unwrap_or(usual.steps), rates }
    }
}

/// How the methods that are based on LDA sample.
#[derive(Debug, Args)]
#[command(next_help_heading = "LDA")]
pub struct LdaFlags {
    /// Number of sweeps of Gibbs sampling: how often the topic of every word is drawn [default: 500]
    #[arg(long, value_name = "N")]
    lda_sweeps: Option<usize>,
    /// Number of sweeps to discard at the start [default: half of them]
    #[arg(long, value_name = "N")]
    lda_burn_in: Option<usize>,
    /// The α of every topic that sampling starts with
    #[arg(long, allow_negative_numbers = true, value_name = "A", default_value_t = LdaSampling::default().alpha)]
    lda_alpha: f64,
    /// The β of every term that sampling starts with
    #[arg(long, allow_negative_numbers = true, value_name = "B", default_value_t = LdaSampling::default().beta)]
    lda_beta: f64,
    /// Number of sweeps from one optimisation of α and β to the next; 0 to keep them as they are
    #[arg(long, value_name = "N", default_value_t = LdaSampling::default().optimise_every)]
    lda_optimise_every: usize,
}

impl LdaFlags {
    pub fn sampling(&self) -> LdaSampling {
        let sweeps = self.lda_sweeps.unwrap_or(LdaSampling::default().sweeps);
        LdaSampling {
            sweeps,
            burn_in: self.lda_burn_in.unwrap_or(sweeps / 2),
            optimise_every: self.lda_optimise_every,
            alpha: self.lda_alpha,
            beta: self.lda_beta,
        }
    }
}
