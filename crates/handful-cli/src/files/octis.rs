//! The output of a model of OCTIS.

use crate::fitted::Fitted;
use serde::Serialize;

/// OCTIS's dictionary of what a topic model gives, which its measures take. The vocabulary, which
/// says what the columns of the words' matrix are, OCTIS keeps elsewhere.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Output<'a> {
    topics: Vec<Vec<&'a str>>,
    topic_word_matrix: Vec<Vec<f32>>,
    topic_document_matrix: Vec<Vec<f32>>,
    vocabulary: Vec<&'a str>,
}

pub fn output<'a>(fitted: &Fitted<'a>) -> Output<'a> {
    let (saved, model) = (fitted.saved, &fitted.saved.topic_model);
    let terms = |k: usize| -> Vec<&'a str> {
        fitted.terms.of(saved, k).iter().map(|top| saved.vocabulary.term(top.term)).collect()
    };
    let shares = |k: usize| -> Vec<f32> {
        (0..model.documents()).map(|n| model.proportions_of(n)[k]).collect()
    };
    Output {
        topics: (0..model.topics).map(terms).collect(),
        topic_word_matrix: (0..model.topics).map(|k| model.topic(k).collect()).collect(),
        topic_document_matrix: (0..model.topics).map(shares).collect(),
        vocabulary: saved.vocabulary.terms(),
    }
}
