//! A fitted topic model as a directory.

use super::config::{self, DirectoryKind, TopicModelConfig, VERSION, config_bytes};
use super::model::{Model, VOCABULARY};
use crate::Result;
use crate::corpus::CountedDocuments;
use crate::em::EmStop;
use crate::storage::{tensor_bytes, write_directory};
use crate::topic_model::TopicModel;
use serde_json::json;
use std::path::Path;

/// What is saved of a fit besides the topic model itself.
#[derive(Clone, Copy, Debug)]
pub struct FittedDocuments<'a> {
    /// The documents.
    pub documents: &'a CountedDocuments,
    /// The model that gave the prior.
    pub model: &'a Model,
    /// The model's name.
    pub model_name: &'a str,
    /// When EM was to stop.
    pub stop: EmStop,
    /// The seed.
    pub seed: u64,
}

/// Writes a topic model, whole or not at all.
pub fn save_topic_model(
    path: &Path,
    topic_model: &TopicModel,
    fitted: FittedDocuments<'_>,
    replace: bool,
) -> Result<()> {
    let FittedDocuments { documents, model, model_name, stop, seed } = fitted;
    let config = TopicModelConfig {
        format: DirectoryKind::TopicModel,
        version: VERSION,
        prior: model.config.prior,
        topics: topic_model.topics,
        em_steps: topic_model.em_steps,
        em_stop: stop,
        converged: topic_model.converged,
        documents: topic_model.documents(),
        weights: topic_model.weights.clone(),
        text: model.config.text.clone(),
        model: model_name.to_owned(),
        seed,
    };
    let (n, k, j) = (topic_model.documents(), topic_model.topics, topic_model.terms);
    let new_documents = model.prior.new_document_tensors(&documents.counts);
    let tensors = [
        ("theta".to_owned(), vec![n, k], &topic_model.proportions[..]),
        ("phi".to_owned(), vec![k, j], &topic_model.word_probabilities[..]),
        ("alpha".to_owned(), vec![n, k], &topic_model.alpha[..]),
    ]
    .into_iter()
    .chain(
        new_documents
            .iter()
            .map(|(name, tensor)| (name.clone(), tensor.shape.clone(), &tensor.values[..])),
    );
    let mut lines = String::new();
    for (i, id) in documents.ids.iter().enumerate() {
        let line = json!({
            "id": id,
            "words": documents.words[i],
            "unknown_words": documents.unknown_words[i],
        });
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    let files = [
        (config::FILE, config_bytes(&config)),
        (VOCABULARY, model.vocabulary.to_text().into_bytes()),
        ("topics.safetensors", tensor_bytes(tensors, None)),
        ("documents.jsonl", lines.into_bytes()),
    ];
    write_directory(path, &files, replace)
}
