//! The arrays of pyLDAvis.

use crate::fitted::Fitted;
use serde::Serialize;

/// The arguments of `pyLDAvis.prepare`, by their names.
///
/// The vocabulary is the model's, all of it: a topic's probabilities sum to 1 over that. A background
/// is no topic and is left out, as it is wherever topics are shown.
#[derive(Debug, Serialize)]
pub struct Arrays<'a> {
    topic_term_dists: Vec<Vec<f32>>,
    doc_topic_dists: Vec<&'a [f32]>,
    doc_lengths: Vec<u64>,
    vocab: Vec<&'a str>,
    term_frequency: Vec<u64>,
}

pub fn arrays<'a>(fitted: &Fitted<'a>) -> Arrays<'a> {
    let model = &fitted.saved.topic_model;
    let mut term_frequency = vec![0; model.terms];
    for (&term, &count) in fitted.counts.terms().iter().zip(fitted.counts.counts()) {
        term_frequency[term as usize] += u64::from(count);
    }
    Arrays {
        topic_term_dists: (0..model.topics).map(|k| model.topic(k).collect()).collect(),
        doc_topic_dists: (0..model.documents()).map(|n| model.proportions_of(n)).collect(),
        doc_lengths: (0..model.documents()).map(|n| fitted.counts.words(n)).collect(),
        vocab: fitted.saved.vocabulary.terms(),
        term_frequency,
    }
}
