//! What each command does.

mod evaluate;
mod fit;
mod inspect;
mod train;

pub use evaluate::evaluate;
pub use fit::fit;
pub use inspect::inspect;
pub use train::train;

use handful::model_dir::ModelConfig;
use handful::reading::{Content, RawDocument};
use handful::text::Tokenizer;
use handful::{Error, Result};
use std::path::Path;

/// The names of the documents' corpora, sorted.
fn corpus_names(documents: &[RawDocument]) -> Vec<&str> {
    let mut names: Vec<&str> =
        documents.iter().filter_map(|document| document.corpus.as_deref()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The model's tokenizer. A model without text settings can only take counts.
fn tokenizer(model: &ModelConfig, path: &Path, documents: &[RawDocument]) -> Result<Tokenizer> {
    if let Some(text) = &model.text {
        return Ok(Tokenizer::new(text));
    }
    let text = documents.iter().find(|document| matches!(document.content, Content::Text(_)));
    match text {
        None => Ok(Tokenizer::new(&handful::text::TextSettings::default())),
        Some(document) => Err(Error::input(
            format!("document {}", document.id),
            format!("is text, but the model {} was trained on word counts", path.display()),
            "give JSON lines with counts, or a model that was trained on text",
        )),
    }
}

/// The error for a model that gives no numbers for good documents.
fn overflow(model: &Path) -> Error {
    Error::input(
        model.display().to_string(),
        "its weights are so large that numbers overflow",
        "train it again with a lower learning rate or a clipping norm",
    )
}
