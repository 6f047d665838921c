//! The commands.

mod compact;
mod compare;
mod evaluate;
mod fit;
mod fit_groups;
mod infer;
mod inspect;
mod lda;
mod licenses;
mod name;
mod train;

pub use compact::compact;
pub use compare::compare;
pub use evaluate::evaluate;
pub use fit::fit;
pub use infer::infer;
pub use inspect::inspect;
pub use lda::lda;
pub use licenses::licenses;
pub use name::name;
pub use train::train;

use crate::args::{CommonFlags, DocumentFlags, ReadingFlags, Split};
use crate::{flags, output};
use handful::reading::{self, RawDocument, ReadSettings, Reading};
use handful::text::{TextSettings, Tokenizer};
use handful::views::{MOST_DOCUMENTS, Shown};
use handful::{Fit, Model, Result};
use std::io;
use std::path::{Path, PathBuf};

/// The model of a directory, or the built-in one.
fn open_model(directory: Option<&Path>) -> Result<Model> {
    directory.map_or_else(Model::pretrained, Model::open)
}

/// Reads corpora, and prints the warnings.
fn read_corpora(
    inputs: &[PathBuf],
    flags: &ReadingFlags,
    common: &CommonFlags,
) -> Result<Vec<RawDocument>> {
    let reading = reading::read_corpora(inputs, &flags.settings(), &mut io::stdin().lock())?;
    reading.warnings.iter().for_each(|warning| output::warn(common.quiet, warning));
    Ok(reading.documents)
}

/// Reads the documents of a fit, or of an inference on one, whose model reads text like this.
fn read_documents(
    flags: &DocumentFlags,
    settings: &ReadSettings,
    text: Option<&TextSettings>,
    common: &CommonFlags,
) -> Result<Vec<RawDocument>> {
    let reading = read_inputs(&flags.inputs, settings)?;
    reading.warnings.iter().for_each(|warning| output::warn(common.quiet, warning));
    Ok(match flags.split {
        None => reading.documents,
        Some(Split::Paragraphs) => {
            let tokenizer = Tokenizer::new(&text.cloned().unwrap_or_default());
            reading::split_paragraphs(reading.documents, &tokenizer)
        }
    })
}

/// Reads inputs in their order: Parquet here, all else by the library.
#[cfg(feature = "parquet")]
fn read_inputs(inputs: &[PathBuf], settings: &ReadSettings) -> Result<Reading> {
    use crate::parquet_documents::{files_of, read};
    let mut all = Reading { documents: Vec::new(), warnings: Vec::new() };
    let mut add = |one: Reading| {
        all.documents.extend(one.documents);
        all.warnings.extend(one.warnings);
    };
    let mut left = settings.max_input_size;
    let is_parquet = |input: &PathBuf| settings.format.is_none() && files_of(input).is_some();
    for some in inputs.chunk_by(|one, next| !is_parquet(one) && !is_parquet(next)) {
        match files_of(&some[0]).filter(|_| is_parquet(&some[0])) {
            Some(files) => {
                for file in files {
                    add(read(&file, settings, &mut left)?);
                }
            }
            None => add(reading::read_documents(some, settings, &mut io::stdin().lock())?),
        }
    }
    Ok(all)
}

/// Reads inputs. Parquet takes a feature that this build does not have.
#[cfg(not(feature = "parquet"))]
fn read_inputs(inputs: &[PathBuf], settings: &ReadSettings) -> Result<Reading> {
    reading::read_documents(inputs, settings, &mut io::stdin().lock())
}

/// Says what a person should know of a fit.
fn warn(fit: &Fit, common: &CommonFlags) {
    for warning in fit.warnings() {
        output::warn(common.quiet, &flags::translated(warning));
    }
}

/// Prints a fit, for people or for programs, and why some of its documents are where they are.
fn print_fit(
    fit: &Fit,
    shown: &Shown,
    explained: &[String],
    common: &CommonFlags,
) -> anyhow::Result<()> {
    let explanations = explained.iter().map(|id| fit.explain(id)).collect::<Result<Vec<_>>>()?;
    if common.json {
        let mut summary = fit.summary(shown)?;
        summary.explanations = explanations;
        return output::print_json(&summary);
    }
    let shown = if common.verbose { shown.with_details() } else { *shown };
    let mut text = fit.to_text(&shown)?;
    explanations.iter().for_each(|one| text += &fit.explanation_text(one));
    output::print_styled(&text)?;
    if fit.documents().len() > MOST_DOCUMENTS && !shown.all_documents && !common.quiet {
        output::say("handful: --all shows every document");
    }
    Ok(())
}

/// Returns the names of the documents' corpora, sorted.
fn corpus_names(documents: &[RawDocument]) -> Vec<&str> {
    let mut names: Vec<&str> =
        documents.iter().filter_map(|document| document.corpus.as_deref()).collect();
    names.sort_unstable();
    names.dedup();
    names
}
