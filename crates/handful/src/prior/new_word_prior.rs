//! What is expected of words that a model does not know.

use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// What is expected of new words, learned by hiding known ones: `new_words` in a model's
/// `config.json`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewWordPrior {
    /// a: how many more words will be new, in proportion to those that were seen once.
    pub novelty: f64,
    /// b: what every topic has seen of a new word of the documents before it reads any.
    pub occurrences: f64,
    /// e: the logit of how much a new word counts for EM.
    pub evidence: f64,
    /// r: how much more a new word is expected for a word of the same spelling.
    pub kinship: f64,
}

/// More than anything that is learned.
const MOST: f64 = 1e6;

impl NewWordPrior {
    /// Refuses numbers that no expectation can have.
    pub fn check(&self) -> Result<()> {
        let Self { novelty, occurrences, evidence, kinship } = *self;
        let fits = |x: f64| (0.0..=MOST).contains(&x);
        if [novelty, occurrences, kinship].into_iter().all(fits) && evidence.is_finite() {
            return Ok(());
        }
        let expected = format!("numbers from 0 to {MOST}");
        Err(Error::setting("new_words", format!("{self:?}"), expected))
    }
}

impl Default for NewWordPrior {
    fn default() -> Self {
        Self { novelty: 0.5, occurrences: 0.1, evidence: 0.0, kinship: 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_make_no_sense_are_refused() {
        let usual = NewWordPrior::default();
        let wrong = [
            NewWordPrior { novelty: -1.0, ..usual },
            NewWordPrior { occurrences: f64::NAN, ..usual },
            NewWordPrior { kinship: f64::INFINITY, ..usual },
            NewWordPrior { evidence: f64::INFINITY, ..usual },
        ];
        assert!(usual.check().is_ok());
        assert!(wrong.iter().all(|wrong| wrong.check().is_err()));
    }
}
