//! Early stopping: the best weights so far, and whether it is time to give up on better ones.

use serde::{Deserialize, Serialize};

/// One validation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Validation {
    /// Steps trained before it.
    pub step: u64,
    /// Mean training loss since the validation before.
    pub training_loss: f64,
    /// Perplexity of the validation tasks, each weighing as it does in the loss: the same where
    /// the loss is a mean over words, by its words where it is a sum.
    pub perplexity: f64,
    /// Perplexity of all held-out words of the validation tasks together.
    pub pooled_perplexity: f64,
}

/// The course of validations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EarlyStopping {
    /// All of them.
    pub validations: Vec<Validation>,
    /// The one with the lowest perplexity.
    pub best: Option<Validation>,
    /// Validations since the best.
    pub since_best: usize,
}

impl EarlyStopping {
    /// Takes note of a validation; true where it is the best so far.
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
