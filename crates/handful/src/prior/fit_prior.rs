//! A prior as one fit uses it.

use super::{AnyPrior, NewTerms, Prior, Request};
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
}

impl<'a> FitPrior<'a> {
    /// The same with another number of topics.
    pub fn with_topics(self, topics: usize) -> Self {
        Self { topics, ..self }
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
        Request { topics: self.topics, terms, new_terms: self.new_terms }
    }
}

/// The number of topics the prior was trained for, and no new words.
impl<'a> From<&'a AnyPrior<f32>> for FitPrior<'a> {
    fn from(prior: &'a AnyPrior<f32>) -> Self {
        Self { prior, topics: prior.topics(), new_terms: None }
    }
}
