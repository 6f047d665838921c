//! Files that a fit writes besides what it prints.

use crate::args::CommonFlags;
use crate::output;
use handful::fit::ProgressObserver;
use handful::internals::storage::{Claim, claim_file};
use handful::views::Shown;
use handful::{Error, Fit, Result};
use std::path::Path;

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

/// The files that were asked for. No other process writes them in the meantime.
#[derive(Debug)]
pub struct Files(Vec<(FileKind, Claim)>);

impl Files {
    /// Files that can be written: none exists, or it is to be replaced.
    pub fn claim(files: Vec<(FileKind, &Path)>, replace: bool) -> Result<Self> {
        for (i, (_, path)) in files.iter().enumerate() {
            if files[..i].iter().any(|(_, other)| other == path) {
                let remedy = "name another file for one of them";
                return Err(Error::input(
                    path.display().to_string(),
                    "is named for two outputs",
                    remedy,
                ));
            }
        }
        let claim = |(kind, path)| Ok((kind, claim_file(path, replace)?));
        files.into_iter().map(claim).collect::<Result<_>>().map(Self)
    }

    /// Writes them. All are made before the first is written.
    pub fn write(
        &self,
        fit: &Fit,
        shown: &Shown,
        observer: &mut ProgressObserver<'_>,
    ) -> anyhow::Result<()> {
        let mut contents = Vec::with_capacity(self.0.len());
        for (kind, _) in &self.0 {
            contents.push(match kind {
                FileKind::Report => {
                    fit.report_observed(shown, observer)?.html().as_bytes().to_vec()
                }
                FileKind::TopicsCsv => fit.topics_csv(shown)?,
                FileKind::ProportionsCsv => fit.documents_csv(),
                FileKind::PyLdavis => serde_json::to_vec(&fit.pyldavis()?)?,
                FileKind::Octis => serde_json::to_vec(&fit.octis(shown)?)?,
            });
        }
        for ((_, claim), content) in self.0.iter().zip(contents) {
            claim.write_file(&content)?;
        }
        Ok(())
    }

    /// Says what a user should hear of the files.
    pub fn warn(&self, fit: &Fit, common: &CommonFlags) {
        let is_pyldavis = |(kind, _): &(FileKind, Claim)| *kind == FileKind::PyLdavis;
        if fit.topics().len() == 1 && self.0.iter().any(is_pyldavis) {
            let warning = "pyLDAvis cannot draw a single topic; ask for two or more with --topics";
            output::warn(common.quiet, warning);
        }
    }
}
