//! The output of a model of OCTIS.

use super::Shown;
use crate::Result;
use crate::fit::Fit;
use serde::Serialize;

/// OCTIS's dictionary of what a topic model gives, which its measures take. The vocabulary, which
/// says what the columns of the words' matrix are, OCTIS keeps elsewhere.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Octis<'a> {
    topics: Vec<Vec<&'a str>>,
    topic_word_matrix: Vec<Vec<f32>>,
    topic_document_matrix: Vec<Vec<f32>>,
    vocabulary: Vec<&'a str>,
}

impl Fit {
    /// The dictionary that OCTIS's measures take.
    pub fn octis(&self, shown: &Shown) -> Result<Octis<'_>> {
        let (model, order) = (self.topic_model(), self.order(shown.relevance)?);
        let shares = |k: usize| -> Vec<f32> {
            (0..model.documents()).map(|n| model.proportions_of(n)[k]).collect()
        };
        Ok(Octis {
            topics: self
                .topics()
                .into_iter()
                .map(|topic| topic.shown_terms(&order, shown.terms))
                .map(|terms| terms.into_iter().map(|term| term.term).collect())
                .collect(),
            topic_word_matrix: (0..model.topics).map(|k| model.topic(k).collect()).collect(),
            topic_document_matrix: (0..model.topics).map(shares).collect(),
            vocabulary: self.saved().vocabulary.terms(),
        })
    }
}
