//! `handful fit`: documents in, topics out.

use super::fit_groups::fit_every_group;
use super::{open_model, print_fit, read_documents, warn};
use crate::args::{CommonFlags, FitArgs, ShownFlags};
use crate::files::Files;
use crate::progress::FitDisplay;
use handful::internals::model_dir::claim_output;
use handful::internals::storage::Claim;
use handful::reading::RawDocument;
use handful::{Fit, Model, Result};
use std::path::Path;

pub fn fit(args: &FitArgs, common: &CommonFlags) -> anyhow::Result<()> {
    if let (Some(_), Some(out)) = (&args.group_column, &args.out) {
        return fit_every_group(args, out, common);
    }
    // Before any work is done.
    let outputs = Outputs::claim(args.out.as_deref(), &args.shown, args.force)?;
    let model = open_model(args.model.as_deref())?;
    let settings = args.settings(common.seed)?;
    let documents = documents_of(args, &model, common)?;
    let mut display = FitDisplay::new(common);
    let fit = model.fit_observed(documents, &settings, &mut |progress| display.show(progress))?;
    display.finish();
    warn(&fit, common);
    outputs.deliver(fit, &args.documents.explain, &mut display, common)
}

/// Where a fit goes. No other process writes there in the meantime.
pub(super) struct Outputs<'a> {
    directory: Option<Claim>,
    files: Files,
    shown: &'a ShownFlags,
}

impl<'a> Outputs<'a> {
    /// A directory and files that can be written: none exists, or it is to be replaced.
    pub(super) fn claim(
        directory: Option<&Path>,
        shown: &'a ShownFlags,
        replace: bool,
    ) -> Result<Self> {
        let directory = directory.map(|out| claim_output(out, replace)).transpose()?;
        Ok(Self { directory, files: Files::claim(shown.files(), replace)?, shown })
    }

    /// Writes and prints a fit, and why some of its documents are where they are.
    pub(super) fn deliver(
        &self,
        mut fit: Fit,
        explained: &[String],
        display: &mut FitDisplay<'_>,
        common: &CommonFlags,
    ) -> anyhow::Result<()> {
        self.shown.names.iter().try_for_each(|name| name.give(&mut fit))?;
        if self.shown.no_text {
            fit.forget_texts();
        }
        if let Some(directory) = &self.directory {
            fit.save_claimed(directory)?;
        }
        let shown = self.shown.shown();
        self.files.write(&fit, &shown, &mut |progress| display.show(progress))?;
        display.finish();
        self.files.warn(&fit, common);
        print_fit(&fit, &shown, explained, common)
    }
}

/// Reads the documents that are to be fitted with a model.
pub(super) fn documents_of(
    args: &FitArgs,
    model: &Model,
    common: &CommonFlags,
) -> Result<Vec<RawDocument>> {
    let text = model.parts().config.text.as_ref();
    read_documents(&args.documents, &args.reading(), text, common)
}
