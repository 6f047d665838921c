//! What the episodes of a sampler look like.

use super::Corpus;
use super::length::has_words_for;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// How many documents an episode has, how many of their words the model may see, and how long they
/// are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpisodeSettings {
    /// N: documents of an episode; a corpus that has fewer gives what it has.
    pub support_size: usize,
    /// R: the probability that a word is in the support.
    pub support_rate: f64,
    /// Words of a document, drawn from one of the corpus's documents or, where that is shorter, from
    /// several joined; a corpus that has fewer words gives what it has. `None`: documents as they
    /// are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<usize>,
}

impl Default for EpisodeSettings {
    fn default() -> Self {
        Self { support_size: 3, support_rate: 0.8, length: None }
    }
}

impl EpisodeSettings {
    /// Refuses sizes and rates that leave nothing to learn from.
    pub fn check(&self) -> Result<()> {
        if self.support_size == 0 {
            return Err(Error::setting("support_size", 0, "at least 1"));
        }
        // A rate of 1 leaves no query, so that no episode could ever be drawn.
        if !(0.0..1.0).contains(&self.support_rate) {
            let expected = "at least 0 and less than 1";
            return Err(Error::setting("support_rate", self.support_rate, expected));
        }
        if self.length == Some(0) {
            return Err(Error::setting("length", 0, "at least 1"));
        }
        Ok(())
    }

    /// Whether every episode of a corpus has as many documents and words as these settings say.
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
