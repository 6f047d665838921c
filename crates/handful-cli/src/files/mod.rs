//! Files that a fit writes besides what it prints.

mod csv;
mod octis;
mod pyldavis;

use crate::fitted::Fitted;
use crate::page;
use handful::storage::{check_file, replace_file};
use handful::{Error, Result};
use std::path::Path;

/// Sentences a topic in a report, unless told otherwise.
const SENTENCES: usize = 3;

/// What such a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A page to look at.
    Report,
    /// The terms of topics, as a table.
    TopicsCsv,
    /// The proportions of documents, as a table.
    ProportionsCsv,
    /// What `pyLDAvis.prepare` takes.
    PyLdavis,
    /// What OCTIS's measures take.
    Octis,
}

/// The files that were asked for.
#[derive(Debug)]
pub struct Files<'a>(Vec<(FileKind, &'a Path)>);

impl<'a> Files<'a> {
    /// Files that can be written: none exists, or it is to be replaced.
    pub fn check(files: Vec<(FileKind, &'a Path)>, replace: bool) -> Result<Self> {
        for (i, (_, path)) in files.iter().enumerate() {
            check_file(path, replace)?;
            if files[..i].iter().any(|(_, other)| other == path) {
                let remedy = "name another file for one of them";
                return Err(Error::bad_setting(
                    path.display().to_string(),
                    "is named for two outputs",
                    remedy,
                ));
            }
        }
        Ok(Self(files))
    }

    /// What a user should hear of files about so many topics.
    pub fn warning(&self, topics: usize) -> Option<&'static str> {
        let is_pyldavis = |(kind, _): &(FileKind, &Path)| *kind == FileKind::PyLdavis;
        (topics == 1 && self.0.iter().any(is_pyldavis))
            .then_some("pyLDAvis cannot draw a single topic; ask for two or more with --topics")
    }

    /// Writes them. All are made before the first is written.
    pub fn write(&self, fitted: &Fitted<'_>, sentences: Option<usize>) -> anyhow::Result<()> {
        let content = |kind: FileKind| -> anyhow::Result<Vec<u8>> {
            Ok(match kind {
                FileKind::Report => {
                    let sentences = sentences.unwrap_or(SENTENCES);
                    page::html(fitted, sentences)?.into_bytes()
                }
                FileKind::TopicsCsv => csv::topics(fitted)?,
                FileKind::ProportionsCsv => csv::proportions(fitted)?,
                FileKind::PyLdavis => serde_json::to_vec(&pyldavis::arrays(fitted))?,
                FileKind::Octis => serde_json::to_vec(&octis::output(fitted))?,
            })
        };
        let contents =
            self.0.iter().map(|&(kind, _)| content(kind)).collect::<anyhow::Result<Vec<_>>>()?;
        for ((_, path), content) in self.0.iter().zip(contents) {
            replace_file(path, &content)?;
        }
        Ok(())
    }
}
