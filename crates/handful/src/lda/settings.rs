//! Settings of a fit by Gibbs sampling.

use crate::error::{MOST, expect_within};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// Everything that determines the result of a fit, except its stream of random numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LdaSettings {
    /// K
    pub topics: usize,
    /// How often the topic of every word is drawn.
    pub sweeps: usize,
    /// The number of sweeps to discard at the start.
    pub burn_in: usize,
    /// The number of sweeps from one sample to the next. θ and φ are means over samples.
    pub sample_every: usize,
    /// The number of sweeps from one optimisation of α and β to the next; 0 for never.
    pub optimise_every: usize,
    /// The initial α_k of every topic.
    pub alpha: f64,
    /// The initial β of every term.
    pub beta: f64,
}

/// How an LDA was sampled, and what became of α and β.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LdaRecord {
    /// The settings, with the α and β that sampling started with.
    pub settings: LdaSettings,
    /// α after the last sweep, one per topic.
    pub alpha: Vec<f64>,
    /// β after the last sweep, the same for all terms.
    pub beta: f64,
}

impl Default for LdaSettings {
    fn default() -> Self {
        Self {
            topics: 10,
            sweeps: 1000,
            burn_in: 500,
            sample_every: 10,
            optimise_every: 10,
            alpha: 0.1,
            beta: 0.01,
        }
    }
}

impl LdaSettings {
    /// Refuses settings outside their range, by name.
    pub fn check(&self) -> Result<()> {
        expect_within("topics", self.topics, 1, MOST)?;
        for (name, value) in [("sweeps", self.sweeps), ("sample_every", self.sample_every)] {
            if value == 0 {
                return Err(Error::setting(name, value, "at least 1"));
            }
        }
        // Without a sample there is no result.
        let most = self.sweeps.saturating_sub(self.sample_every);
        if self.burn_in > most || self.sample_every > self.sweeps {
            let expected = "so small that a sample is taken before the last sweep ends";
            return Err(Error::setting("burn_in", self.burn_in, expected));
        }
        for (name, value) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(value.is_finite() && value > 0.0) {
                return Err(Error::setting(name, value, "a number above 0"));
            }
        }
        Ok(())
    }

    /// With samples so close to each other that a short run has one after its burn-in.
    pub fn with_samples(self) -> Self {
        let left = self.sweeps.saturating_sub(self.burn_in).max(1);
        Self { sample_every: self.sample_every.min(left), ..self }
    }

    /// Whether a sample is taken after `sweep`, counted from 1.
    pub(super) fn takes_sample(&self, sweep: usize) -> bool {
        sweep > self.burn_in && (sweep - self.burn_in).is_multiple_of(self.sample_every)
    }

    /// Whether α and β are optimised after `sweep`, counted from 1.
    pub(super) fn optimises(&self, sweep: usize) -> bool {
        self.optimise_every > 0 && sweep.is_multiple_of(self.optimise_every)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_give_no_result_are_refused_by_name() {
        let refused = |settings: LdaSettings| settings.check().unwrap_err().to_string();
        let default = LdaSettings::default;
        assert!(refused(LdaSettings { topics: 0, ..default() }).starts_with("topics is 0"));
        assert!(refused(LdaSettings { sweeps: 0, ..default() }).starts_with("sweeps is 0"));
        assert!(refused(LdaSettings { burn_in: 991, ..default() }).starts_with("burn_in is 991"));
        assert!(refused(LdaSettings { alpha: 0.0, ..default() }).starts_with("alpha is 0"));
        assert!(refused(LdaSettings { beta: f64::NAN, ..default() }).starts_with("beta is NaN"));
        assert!(LdaSettings { burn_in: 990, ..default() }.check().is_ok());
    }

    #[test]
    fn a_short_run_has_a_sample() {
        let short = |sweeps, burn_in| {
            LdaSettings { sweeps, burn_in, ..LdaSettings::default() }.with_samples()
        };
        assert_eq!(short(1000, 500), LdaSettings::default());
        for (sweeps, burn_in, every) in [(3, 1, 2), (1, 0, 1), (25, 10, 10)] {
            assert_eq!(short(sweeps, burn_in).sample_every, every);
            assert!(short(sweeps, burn_in).check().is_ok());
        }
        assert!(short(5, 5).check().is_err());
    }

    #[test]
    fn samples_are_taken_after_burn_in_only() {
        let settings =
            LdaSettings { sweeps: 30, burn_in: 10, sample_every: 8, ..LdaSettings::default() };
        let taken: Vec<usize> = (1..=30).filter(|&sweep| settings.takes_sample(sweep)).collect();
        assert_eq!(taken, [18, 26]);
    }
}
