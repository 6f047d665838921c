//! What the documents' own held-out words say of their topics.

use super::{Gain, HeldOut, choose_topics};
use crate::corpus::WordCounts;
use crate::em::EmStop;
use crate::prior::{AnyPrior, Prior};
use serde::{Deserialize, Serialize};

/// What the documents' own held-out words say of their topics.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// Numbers of topics that were tried, in increasing order; `None` where one was asked for, and
    /// empty where the documents have too few words to try any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tried: Option<Vec<Tried>>,
    /// What the topics gain over none, where it can be told.
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

impl Evidence {
    /// What held-out words say of as many topics as the prior gives.
    pub fn of_topics(
        prior: &AnyPrior<f32>,
        documents: &WordCounts,
        stop: EmStop,
        seed: u64,
    ) -> Self {
        if prior.unigram().is_none() {
            return Self::default();
        }
        let held_out = hold_out(prior, documents, seed);
        let gain = Gain::of(&held_out.with_topics(prior, stop), &held_out, prior);
        Self { tried: None, gain }
    }

    /// Asks the prior for as many topics as the documents support from now on, and says why.
    pub fn choosing(
        prior: &mut AnyPrior<f32>,
        documents: &WordCounts,
        stop: EmStop,
        seed: u64,
    ) -> Self {
        let held_out = hold_out(prior, documents, seed);
        let choice = choose_topics(prior, &held_out, stop);
        // Where no word was held out there is no perplexity.
        let tried = choice
            .candidates
            .iter()
            .map(|candidate| Tried {
                topics: candidate.topics,
                perplexity: candidate.prediction.perplexity(),
            })
            .filter(|tried| tried.perplexity.is_finite())
            .collect();
        Self { tried: Some(tried), gain: Gain::of(choice.prediction(), &held_out, prior) }
    }
}

fn hold_out(prior: &AnyPrior<f32>, documents: &WordCounts, seed: u64) -> HeldOut {
    HeldOut::new(documents, prior.terms() - prior.new_terms(), seed)
}
