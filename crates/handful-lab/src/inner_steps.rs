//! How the method `maml` moves its start towards a task.

use handful::internals::prior::{MamlSettings, PriorSettings};
use handful::{Error, Result};
use serde::{Deserialize, Serialize};

/// The inner steps of the method `maml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InnerSteps {
    /// The number of gradient steps on a task.
    pub steps: usize,
    /// The learning rates to try. The best on validation is kept.
    pub rates: Vec<f64>,
}

impl Default for InnerSteps {
    /// Each rate is trained to the end, because after a fifth of the training the smaller one is often
    /// ahead. In 69 experiments on Debian's descriptions, 0.1 never won.
    fn default() -> Self {
        Self { steps: MamlSettings::default().inner_steps, rates: vec![0.3, 1.0] }
    }
}

impl InnerSteps {
    /// Whether they are the usual ones, which files do not name.
    pub(crate) fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// Returns a prior for each of the rates.
    pub(crate) fn candidates(&self) -> Vec<PriorSettings> {
        let of_rate = |&inner_rate: &f64| {
            PriorSettings::Maml(MamlSettings { inner_steps: self.steps, inner_rate })
        };
        self.rates.iter().map(of_rate).collect()
    }

    /// Refuses steps that cannot be taken, by the names that they have in a training.
    pub(crate) fn check(&self) -> Result<()> {
        if self.rates.is_empty() {
            return Err(Error::setting("inner_rate", "no number", "a number above 0"));
        }
        self.candidates().iter().try_for_each(PriorSettings::check)
    }
}
