//! What the documents' own held-out words say of their topics.

use super::{DocumentTree, Gain, Granularity, HeldOut, SubjectChoice, TopicModel, choose_topics};
use crate::Result;
use crate::attendance::attended;
use crate::corpus::WordCounts;
use crate::em::EmStop;
use crate::prior::{FitPrior, Prior, TakeGiven};
use crate::storage::{Tensors, TermRows};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// What the documents' own held-out words say of their topics: `evidence` in a topic model's
/// `config.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Assessment {
    /// Numbers of topics that were tried, in increasing order; `None` if one was asked for, and
    /// empty if the documents have too few words to try any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tried: Option<Vec<Tried>>,
    /// Which numbers of topics are likely, if the documents' subjects were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subjects: Option<SubjectChoice>,
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

/// How many topics documents are given, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// K
    pub topics: usize,
    /// Why.
    pub assessment: Assessment,
    /// The tree of the documents, if their subjects were asked.
    pub tree: Option<DocumentTree>,
}

impl Assessment {
    /// Fits documents as [`TopicModel::fit_for_more`] does, and asks in the same pass what held-out words
    /// say of as many topics.
    pub fn with_fit(
        prior: FitPrior<'_>,
        documents: &WordCounts,
        stop: EmStop,
        seed: u64,
    ) -> (TopicModel, Tensors<f32>, Self) {
        if prior.prior.unigram().is_none() {
            let (model, topics) = TopicModel::fit_for_more(prior, documents, stop);
            return (model, topics, Self::default());
        }
        let (held_out, fitted) = (hold_out(prior, documents, seed), OnceLock::new());
        let take: &TakeGiven<'_, f32> = &|_, topics, dirichlet| {
            let model = TopicModel::given(prior, documents, dirichlet, stop);
            assert!(fitted.set((model, topics())).is_ok(), "the documents are fitted once");
        };
        let beside = (documents, prior.request(TermRows::All), take);
        let likelihood =
            &attended(|| held_out.with_topics(prior, &[prior.topics], Some(beside), stop))[0];
        let gain = Gain::of(likelihood, &held_out, prior);
        let (model, topics) = fitted.into_inner().expect("the documents were asked about");
        (model, topics, Self { gain, ..Self::default() })
    }

    /// How many topics the documents are given, and why: as many as they have subjects, or, if the prior
    /// cannot tell subjects, as many as predict held-out words well. The prior must give any number of
    /// topics.
    pub fn choosing(
        prior: FitPrior<'_>,
        documents: &WordCounts,
        stop: EmStop,
        seed: u64,
    ) -> (usize, Self) {
        let granularity = Granularity::default();
        let how = (granularity, seed);
        let chosen = Self::choosing_observed(prior, documents, stop, how, &mut |_, _| Ok(()))
            .expect("nobody ends the choice");
        (chosen.topics, chosen.assessment)
    }

    /// [`Self::choosing`]; `tell` hears before each number of topics how many of how many were tried,
    /// and its error ends the choice.
    pub fn choosing_observed(
        prior: FitPrior<'_>,
        documents: &WordCounts,
        stop: EmStop,
        (granularity, seed): (Granularity, u64),
        tell: &mut dyn FnMut(usize, usize) -> Result<()>,
    ) -> Result<Chosen> {
        tell(0, 1)?;
        let subjects = SubjectChoice::of(prior, documents, granularity, seed);
        if let Some((topics, subjects, tree)) = subjects {
            let assessment = Self { subjects: Some(subjects), ..Self::default() };
            return Ok(Chosen { topics, assessment, tree: Some(tree) });
        }
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
        let assessment = Self { tried: Some(tried), gain, subjects: None };
        Ok(Chosen { topics: choice.topics, assessment, tree: None })
    }
}

fn hold_out(prior: FitPrior<'_>, documents: &WordCounts, seed: u64) -> HeldOut {
    HeldOut::new(documents, prior.prior.terms(), seed)
}
