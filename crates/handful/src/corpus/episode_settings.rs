//! Settings of episodes.

use super::Corpus;
use super::length::has_words_for;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// What goes to the support or to the query as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SplitUnit {
    /// Each word by itself, as in Algorithm 2: a document may have a term in both.
    #[default]
    Words,
    /// All words of a document that are the same term: the query has only terms that its document's
    /// support lacks.
    Terms,
}

impl SplitUnit {
    /// Whether it is the usual one, which settings do not name.
    pub(super) fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// The number of documents in an episode, the share of their words in the support, and their
/// length.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpisodeSettings {
    /// N: the number of documents in an episode. A corpus with fewer documents gives all it has.
    pub support_size: usize,
    /// R: the probability that a word goes to the support.
    pub support_rate: f64,
    /// The number of words in a document. They are drawn from one document of the corpus, or from
    /// several joined ones if it is too short. A corpus with fewer words gives all it has. `None`
    /// keeps documents as they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<usize>,
    /// What is held out as a whole.
    #[serde(default, skip_serializing_if = "SplitUnit::is_usual")]
    pub split_unit: SplitUnit,
}

impl Default for EpisodeSettings {
    fn default() -> Self {
        Self { support_size: 3, support_rate: 0.8, length: None, split_unit: SplitUnit::Words }
    }
}

impl EpisodeSettings {
    /// Refuses sizes and rates that leave nothing to learn from.
    pub fn check(&self) -> Result<()> {
        if self.support_size == 0 {
            return Err(Error::setting("support_size", 0, "at least 1"));
        }
        // A rate of 1 leaves no query, so no episode could be drawn.
        if !(0.0..1.0).contains(&self.support_rate) {
            let expected = "at least 0 and less than 1";
            return Err(Error::setting("support_rate", self.support_rate, expected));
        }
        if self.length == Some(0) {
            return Err(Error::setting("length", 0, "at least 1"));
        }
        Ok(())
    }

    /// Whether every episode of the corpus has the full number of documents and words.
    pub fn suits(&self, corpus: &Corpus) -> bool {
        let Self { support_size, length, .. } = *self;
        corpus.documents.documents() >= support_size
            && length.is_none_or(|length| has_words_for(&corpus.documents, support_size, length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_support_rate_that_leaves_no_query_is_refused() {
        for support_rate in [1.0, 1.5, -0.1, f64::NAN] {
            let settings = EpisodeSettings { support_rate, ..EpisodeSettings::default() };
            assert!(settings.check().is_err(), "{support_rate}");
        }
    }

    #[test]
    fn documents_without_words_are_refused() {
        let settings = EpisodeSettings { length: Some(0), ..EpisodeSettings::default() };
        assert_eq!(settings.check().unwrap_err().to_string(), "length is 0; it must be at least 1");
    }
}
