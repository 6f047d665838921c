//! What each command does.

mod compact;
mod compare;
mod evaluate;
mod fit;
mod infer;
mod inspect;
mod train;

pub use compact::compact;
pub use compare::compare;
pub use evaluate::evaluate;
pub use fit::fit;
pub use infer::infer;
pub use inspect::inspect;
pub use train::train;

use crate::args::{CommonFlags, DocumentFlags, ReadingFlags, Split};
use crate::evidence::ShownEvidence;
use crate::fitted::{Quote, ShownTerms};
use crate::new_words::NewWords;
use crate::{output, report};
use handful::model_dir::{ModelFiles, PRETRAINED, SavedTopicModel};
use handful::reading::{self, Content, RawDocument};
use handful::text::{TextSettings, Tokenizer};
use handful::topic_model::TopicModel;
use handful::{Error, Result};
use std::io;
use std::path::{Path, PathBuf};

/// The model of a directory, or the one that is inside, its weights not read yet, and its name.
fn open_model(directory: Option<&Path>) -> Result<(ModelFiles, &Path)> {
    let name = directory.unwrap_or(Path::new(PRETRAINED));
    Ok((ModelFiles::open_or_pretrained(directory)?, name))
}

/// Reads corpora, and says what a user should hear of.
fn read_corpora(
    inputs: &[PathBuf],
    flags: &ReadingFlags,
    common: &CommonFlags,
) -> Result<Vec<RawDocument>> {
    let reading = reading::read_corpora(inputs, &flags.settings(), &mut io::stdin().lock())?;
    reading.warnings.iter().for_each(|warning| output::warn(common.quiet, warning));
    Ok(reading.documents)
}

/// Reads the documents of a fit, or of an inference on one, with the model's tokenizer.
fn read_documents(
    flags: &DocumentFlags,
    text: Option<&TextSettings>,
    model: &Path,
    common: &CommonFlags,
) -> Result<(Vec<RawDocument>, Tokenizer)> {
    let settings = flags.reading.settings();
    let reading = reading::read_documents(&flags.inputs, &settings, &mut io::stdin().lock())?;
    reading.warnings.iter().for_each(|warning| output::warn(common.quiet, warning));
    let tokenizer = tokenizer(text, model, &reading.documents)?;
    let documents = match flags.split {
        None => reading.documents,
        Some(Split::Paragraphs) => reading::split_paragraphs(reading.documents, &tokenizer),
    };
    Ok((documents, tokenizer))
}

/// Prints a topic model, for people or for programs.
fn print_topic_model(
    saved: &SavedTopicModel,
    terms: &ShownTerms,
    quotes: &[Vec<Quote<'_>>],
    new_words: Option<&NewWords<'_>>,
    common: &CommonFlags,
) -> anyhow::Result<()> {
    if common.json {
        let mut json = report::json(saved, terms, quotes);
        if !saved.config.ignored_words.is_empty() {
            for (n, document) in saved.documents.iter().enumerate() {
                json["documents"][n]["ignored_words"] = document.ignored_words.into();
            }
        }
        if let Some(new_words) = new_words.filter(|new| !new.is_empty()) {
            json["new_words"] = new_words.json();
        }
        ShownEvidence::of(&saved.config).add_to(&mut json);
        output::print_json(&json)
    } else {
        let mut text = report::text(saved, terms, quotes);
        text.push_str(&new_words.map_or_else(String::new, NewWords::text));
        text.push_str(&ShownEvidence::of(&saved.config).text());
        output::print_styled(&text)
    }
}

/// The names of the documents' corpora, sorted.
fn corpus_names(documents: &[RawDocument]) -> Vec<&str> {
    let mut names: Vec<&str> =
        documents.iter().filter_map(|document| document.corpus.as_deref()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The model's tokenizer. A model without text settings can only take counts.
fn tokenizer(
    text: Option<&TextSettings>,
    path: &Path,
    documents: &[RawDocument],
) -> Result<Tokenizer> {
    if let Some(text) = text {
        return Ok(Tokenizer::new(text));
    }
    let text = documents.iter().find(|document| matches!(document.content, Content::Text(_)));
    match text {
        None => Ok(Tokenizer::new(&TextSettings::default())),
        Some(document) => Err(Error::input(
            format!("document {}", document.id),
            format!("is text, but the model {} was trained on word counts", path.display()),
            "give JSON lines with counts, or a model that was trained on text",
        )),
    }
}

/// A warning where EM was to converge and did not.
fn warn_if_not_converged(topic_model: &TopicModel, common: &CommonFlags) {
    if topic_model.converged == Some(false) {
        let warning = format!("EM did not converge within {} steps", topic_model.em_steps);
        output::warn(common.quiet, &warning);
    }
}

/// The error for a model that gives no numbers for good documents.
fn overflow(model: &Path) -> Error {
    Error::damaged(
        model.display().to_string(),
        "its weights are so large that numbers overflow",
        "train it again with a lower learning rate or a clipping norm",
    )
}
