//! The arrays of pyLDAvis.

use crate::Result;
use crate::fit::Fit;
use serde::Serialize;

/// The arguments of `pyLDAvis.prepare`, by their names.
///
/// The vocabulary is the model's, all of it: a topic's probabilities sum to 1 over that. A background
/// is no topic and is left out, as it is wherever topics are shown.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PyLdavis<'a> {
    /// φ: a row a topic.
    pub topic_term_dists: Vec<Vec<f32>>,
    /// θ: a row a document.
    pub doc_topic_dists: Vec<&'a [f32]>,
    /// The number of words of each document.
    pub doc_lengths: Vec<u64>,
    /// The terms.
    pub vocab: Vec<&'a str>,
    /// How often the documents have each term.
    pub term_frequency: Vec<u64>,
}

impl Fit {
    /// The arrays that `pyLDAvis.prepare` takes. They need the documents, which a fit that was opened
    /// from a directory does not have.
    pub fn pyldavis(&self) -> Result<PyLdavis<'_>> {
        self.expect_whole("pyLDAvis")?;
        let (model, counts) = (self.topic_model(), self.counts());
        let mut term_frequency = vec![0; model.terms];
        for (&term, &count) in counts.terms().iter().zip(counts.counts()) {
            term_frequency[term as usize] += u64::from(count);
        }
        Ok(PyLdavis {
            topic_term_dists: (0..model.topics).map(|k| model.topic(k).collect()).collect(),
            doc_topic_dists: (0..model.documents()).map(|n| model.proportions_of(n)).collect(),
            doc_lengths: (0..model.documents()).map(|n| counts.words(n)).collect(),
            vocab: self.saved().vocabulary.terms(),
            term_frequency,
        })
    }
}
