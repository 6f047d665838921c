//! A prior as one fit uses it.

use super::{AnyPrior, NewTerms, Prior, Request};
use crate::em::Inference;
use crate::storage::TermRows;

/// A prior, and what one fit asks of it: a number of topics, and new words.
#[derive(Clone, Copy, Debug)]
pub struct FitPrior<'a> {
    /// The prior, which many fits may share.
    pub prior: &'a AnyPrior<f32>,
    /// K
    pub topics: usize,
    /// The new words of the documents.
    pub new_terms: Option<&'a NewTerms>,
    /// The topic that each document starts, if that is known ([`Request::groups`]).
    pub groups: Option<&'a [usize]>,
    /// Whether documents have words of their own beside topics and background.
    pub own_words: bool,
    /// How topics are found from what the prior gives.
    pub inference: Inference,
}

impl<'a> FitPrior<'a> {
    /// The same with another number of topics. What documents start is known for one number only.
    pub fn with_topics(self, topics: usize) -> Self {
        Self { topics, groups: self.groups.filter(|_| topics == self.topics), ..self }
    }

    /// The same with documents that start these topics.
    pub fn with_groups(self, groups: &'a [usize]) -> Self {
        Self { groups: Some(groups), ..self }
    }

    /// The same with documents that have words of their own, if the prior sets a background apart. The
    /// paper's priors predict by topics alone.
    pub fn with_own_words(self) -> Self {
        Self { own_words: self.prior.has_background(), ..self }
    }

    /// The same with topics that are found in this way.
    pub fn with_inference(self, inference: Inference) -> Self {
        Self { inference, ..self }
    }

    /// Number of terms, new ones among them.
    pub fn terms(&self) -> usize {
        self.prior.terms() + self.new_terms.map_or(0, NewTerms::count)
    }

    /// Asks for β of some terms.
    pub fn request<'b>(&self, terms: TermRows<'b>) -> Request<'b>
    where
        'a: 'b,
    {
        Request { topics: self.topics, terms, new_terms: self.new_terms, groups: self.groups }
    }
}

/// The number of topics the prior was trained for, no new words and no own ones, and EM.
impl<'a> From<&'a AnyPrior<f32>> for FitPrior<'a> {
    fn from(prior: &'a AnyPrior<f32>) -> Self {
        Self {
            prior,
            topics: prior.topics(),
            new_terms: None,
            groups: None,
            own_words: false,
            inference: Inference::Em,
        }
    }
}
