//! Early stopping: tracks the best weights so far, and how long ago they were found.

use serde::{Deserialize, Serialize};

/// One validation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Validation {
    /// The number of steps trained before it.
    pub step: u64,
    /// The mean training loss since the previous validation.
    pub training_loss: f64,
    /// The perplexity of the validation tasks, weighted as in the loss: equally if the loss is a
    /// mean over words, by their number of words if it is a sum.
    pub perplexity: f64,
    /// The perplexity of all held-out words of the validation tasks, pooled.
    pub pooled_perplexity: f64,
}

/// The history of validations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EarlyStopping {
    /// All validations.
    pub validations: Vec<Validation>,
    /// The validation with the lowest perplexity.
    pub best: Option<Validation>,
    /// The number of validations since the best.
    pub since_best: usize,
}

impl EarlyStopping {
    /// Records a validation. Returns whether it is the best so far.
    ///
    /// A perplexity that is not a number is never better than one that is.
    pub fn note(&mut self, validation: Validation) -> bool {
        self.validations.push(validation);
        let better =
            self.best.is_none_or(|best| validation.perplexity.total_cmp(&best.perplexity).is_lt());
        if better {
            self.best = Some(validation);
            self.since_best = 0;
        } else {
            self.since_best += 1;
        }
        better
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_lower_perplexity_is_better() {
        let mut stopping = EarlyStopping::default();
        let mut note = |step, perplexity| {
            stopping.note(Validation {
                step,
                training_loss: 0.0,
                perplexity,
                pooled_perplexity: perplexity,
            })
        };
        assert!(note(1, 50.0));
        assert!(!note(2, 50.0));
        assert!(!note(3, f64::NAN));
        assert!(note(4, 49.0));
        assert!(!note(5, 51.0));
        assert_eq!(stopping.since_best, 1);
        assert_eq!(stopping.best.map(|best| best.step), Some(4));
    }
}
