//! How the methods that are based on LDA sample.

use handful::internals::lda::LdaSettings;
use handful::{Error, Result};
use serde::{Deserialize, Serialize};

/// How the methods that are based on LDA sample, whatever their number of topics.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LdaSampling {
    /// How often the topic of every word is drawn.
    pub sweeps: usize,
    /// The number of sweeps to discard at the start.
    pub burn_in: usize,
    /// The number of sweeps from one optimisation of α and β to the next; 0 for never.
    pub optimise_every: usize,
    /// The initial α_k of every topic.
    pub alpha: f64,
    /// The initial β of every term.
    pub beta: f64,
}

impl Default for LdaSampling {
    fn default() -> Self {
        let LdaSettings { optimise_every, alpha, beta, .. } = LdaSettings::default();
        Self { sweeps: 500, burn_in: 250, optimise_every, alpha, beta }
    }
}

impl LdaSampling {
    /// Whether it is the usual one, which files do not name.
    pub(crate) fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the sampler's settings for K topics.
    pub(crate) fn settings(&self, topics: usize) -> LdaSettings {
        let Self { sweeps, burn_in, optimise_every, alpha, beta } = *self;
        LdaSettings {
            topics,
            sweeps,
            burn_in,
            optimise_every,
            alpha,
            beta,
            ..LdaSettings::default()
        }
        .with_samples()
    }

    /// Refuses settings outside their range, by name.
    pub(crate) fn check(&self) -> Result<()> {
        let named = |error| match error {
            Error::Setting { name, value, expected } => {
                let name = match name {
                    "sweeps" => "lda_sweeps",
                    "burn_in" => "lda_burn_in",
                    "alpha" => "lda_alpha",
                    "beta" => "lda_beta",
                    other => other,
                };
                Error::Setting { name, value, expected }
            }
            other => other,
        };
        self.settings(1).check().map_err(named)
    }
}
