//! How much better the documents' own words are predicted with topics than without.

use super::held_out::{HeldOut, HeldOutLikelihood, SEEN, SPLITS};
use crate::prior::{FitPrior, Prior};
use serde::{Deserialize, Serialize};

/// How well held-out words are predicted with topics, and by a smoothed unigram, which has none.
///
/// The rival mixes the frequencies of the document, of all documents and of the training corpora. It is
/// favoured: its weights are the best there are for the very words it is asked for, where of the fit
/// only the number of topics may have been chosen by them. Words outside the vocabulary are counted
/// by neither.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gain {
    /// The perplexity of held-out words by the fit.
    pub perplexity: f64,
    /// By the smoothed unigram.
    pub smoothed_unigram: f64,
    /// Whether the difference is more than the luck of the splits.
    pub clear: bool,
}

impl Gain {
    /// What was gained over the smoothed unigram; `None` where no word was held out, or where the
    /// prior does not know the words of its training corpora: without them the rival would be too
    /// weak to tell anything.
    pub fn of(
        with_topics: &HeldOutLikelihood,
        held_out: &HeldOut,
        asked: FitPrior<'_>,
    ) -> Option<Self> {
        let training = asked.prior.unigram()?;
        let gain = Self::between(with_topics, &held_out.without_topics(training, asked.terms()));
        gain.lower_by().is_finite().then_some(gain)
    }

    fn between(with_topics: &HeldOutLikelihood, without_topics: &HeldOutLikelihood) -> Self {
        Self {
            perplexity: with_topics.perplexity(),
            smoothed_unigram: without_topics.perplexity(),
            clear: is_clear(with_topics, without_topics),
        }
    }

    /// By what share of it the perplexity is lower than the rival's; negative where it is higher.
    pub fn lower_by(&self) -> f64 {
        1.0 - self.perplexity / self.smoothed_unigram
    }
}

/// Whether the difference of two predictions is more than the luck of the splits, in a two-sided
/// t-test at 5%.
///
/// Splits share words, so that their losses are not independent. The variance of a mean over m
/// splits is taken as (1/m + held out / seen) σ², not σ²/m (Nadeau and Bengio, "Inference for the
/// Generalization Error", 2003).
fn is_clear(some: &HeldOutLikelihood, other: &HeldOutLikelihood) -> bool {
    /// The 97.5% quantile of Student's distribution with SPLITS − 1 degrees of freedom.
    const QUANTILE: f64 = 2.262;
    let shared = 1.0 + SPLITS as f64 * (1.0 - SEEN) / SEEN;
    let error = shared.sqrt() * some.error_beside(other);
    (some.loss() - other.loss()).abs() > QUANTILE * error
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gain(with_topics: &[f64], without_topics: &[f64]) -> Gain {
        let [with_topics, without_topics] =
            [with_topics, without_topics].map(HeldOutLikelihood::of_losses);
        Gain::between(&with_topics, &without_topics)
    }

    #[test]
    fn a_gain_is_a_share_of_the_rivals_perplexity() {
        let gain = gain(&[600f64.ln(); 10], &[800f64.ln(); 10]);
        assert!((gain.lower_by() - 0.25).abs() < 1e-12);
        assert!((gain.perplexity - 600.0).abs() < 1e-9);
    }

    #[test]
    fn a_gain_is_clear_where_it_is_the_same_in_most_splits() {
        // Gaps of mean m and standard deviation √(10/9) s: clear where m > 2.262 √0.35 √(10/9) s = 1.411 s.
        let rival = [7.0; 10];
        let around = |mean: f64, s: f64| {
            let losses = [7.0 + mean + s, 7.0 + mean - s].repeat(5);
            gain(&losses, &rival)
        };
        assert!(around(-0.142, 0.1).clear && around(-0.142, 0.1).lower_by() > 0.0);
        assert!(around(0.142, 0.1).clear && around(0.142, 0.1).lower_by() < 0.0);
        assert!(!around(-0.140, 0.1).clear && !around(0.140, 0.1).clear);
        // Nothing is clear from nothing.
        assert!(!gain(&[7.0; 10], &rival).clear);
        assert!(!gain(&[6.0], &[7.0]).clear);
    }
}
