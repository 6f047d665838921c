//! Settings of a fit by Gibbs sampling.

use crate::error::{MOST, expect_within};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// Everything that decides what a fit computes, its stream of random numbers excepted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LdaSettings {
    /// K
    pub topics: usize,
    /// How often every word's topic is drawn anew.
    pub sweeps: usize,
    /// Sweeps before the first that may count.
    pub burn_in: usize,
    /// Sweeps from one sample to the next; θ and φ are means over samples.
    pub sample_every: usize,
    /// Sweeps from one optimisation of α and β to the next; 0 for never.
    pub optimise_every: usize,
    /// α_k of every topic at the start.
    pub alpha: f64,
    /// β of every term at the start.
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
    /// Refuses settings that no fit can have, by name.
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

    /// Whether a sample is taken after the given sweep, numbered from 1.
    pub(super) fn takes_sample(&self, sweep: usize) -> bool {
        sweep > self.burn_in && (sweep - self.burn_in).is_multiple_of(self.sample_every)
    }

    /// Whether α and β are optimised after the given sweep, numbered from 1.
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
    fn samples_are_taken_after_burn_in_only() {
        let settings =
            LdaSettings { sweeps: 30, burn_in: 10, sample_every: 8, ..LdaSettings::default() };
        let taken: Vec<usize> = (1..=30).filter(|&sweep| settings.takes_sample(sweep)).collect();
        assert_eq!(taken, [18, 26]);
    }
}
