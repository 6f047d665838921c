//! What the documents' own held-out words say of their topics.

use super::{Gain, HeldOut, choose_topics};
use crate::Result;
use crate::corpus::WordCounts;
use crate::em::EmStop;
use crate::prior::{FitPrior, Prior};
use serde::{Deserialize, Serialize};

/// What the documents' own held-out words say of their topics: `evidence` in a topic model's
/// `config.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Assessment {
    /// Numbers of topics that were tried, in increasing order; `None` if one was asked for, and
    /// empty if the documents have too few words to try any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tried: Option<Vec<Tried>>,
    /// What the topics gain over none, if it can be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain: Option<Gain>,
}

/// A number of topics, and how well it predicts held-out words.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// K
    pub topics: usize,
    /// Of the held-out words.
    pub perplexity: f64,
}

impl Assessment {
    /// What held-out words say of as many topics as the prior is asked for.
    pub fn of_topics(prior: FitPrior<'_>, documents: &WordCounts, stop: EmStop, seed: u64) -> Self {
        if prior.prior.unigram().is_none() {
            return Self::default();
        }
        let held_out = hold_out(prior, documents, seed);
        let likelihood = &held_out.with_topics(prior, stop);
        Self { tried: None, gain: Gain::of(likelihood, &held_out, prior) }
    }

    /// How many topics the documents support, and why. The prior must give any number of topics.
    pub fn choosing(
        prior: FitPrior<'_>,
        documents: &WordCounts,
        stop: EmStop,
        seed: u64,
    ) -> (usize, Self) {
        Self::choosing_observed(prior, documents, stop, seed, &mut |_, _| Ok(()))
            .expect("nobody ends the choice")
    }

    /// [`Self::choosing`]; `tell` hears before each number of topics how many of how many were tried,
    /// and its error ends the choice.
    pub fn choosing_observed(
        prior: FitPrior<'_>,
        documents: &WordCounts,
        stop: EmStop,
        seed: u64,
        tell: &mut dyn FnMut(usize, usize) -> Result<()>,
    ) -> Result<(usize, Self)> {
        let held_out = hold_out(prior, documents, seed);
        let choice = choose_topics(prior, &held_out, stop, tell)?;
        // If no word was held out there is no perplexity.
        let tried = choice
            .candidates
            .iter()
            .map(|candidate| Tried {
                topics: candidate.topics,
                perplexity: candidate.likelihood.perplexity(),
            })
            .filter(|tried| tried.perplexity.is_finite())
            .collect();
        let gain = Gain::of(choice.likelihood(), &held_out, prior);
        Ok((choice.topics, Self { tried: Some(tried), gain }))
    }
}

fn hold_out(prior: FitPrior<'_>, documents: &WordCounts, seed: u64) -> HeldOut {
    HeldOut::new(documents, prior.prior.terms(), seed)
}
