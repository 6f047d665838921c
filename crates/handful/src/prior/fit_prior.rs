//! A prior as one fit uses it.

use super::{AnyPrior, NewTerms, Prior, Request};
use crate::em::{Dirichlet, Inference};
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
    /// The factor of α and β. Without EM it changes nothing, because only their ratios count.
    pub weight: f32,
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

    /// The same with α and β that weigh this much beside the words of documents.
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    /// Makes of what the prior gave what the fit asks for.
    pub fn apply(&self, dirichlet: &mut Dirichlet<f32>) {
        dirichlet.inference = self.inference;
        if self.weight != 1.0 {
            let Dirichlet { alpha, beta, beta_sum, .. } = dirichlet;
            for value in alpha.iter_mut().chain(beta).chain(beta_sum) {
                *value *= self.weight;
            }
        }
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
            weight: 1.0,
        }
    }
}
