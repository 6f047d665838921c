//! `handful fit`: documents in, topics out.

use super::fit_groups::fit_every_group;
use super::{open_model, print_fit, read_documents, warn};
use crate::args::{CommonFlags, FitArgs};
use crate::files::Files;
use crate::progress::FitDisplay;
use handful::Model;
use handful::internals::model_dir::claim_output;
use handful::reading::RawDocument;

pub fn fit(args: &FitArgs, common: &CommonFlags) -> anyhow::Result<()> {
    if let (Some(_), Some(out)) = (&args.group_column, &args.out) {
        return fit_every_group(args, out, common);
    }
    // Before any work is done.
    let out = args.out.as_deref().map(|out| claim_output(out, args.force)).transpose()?;
    let files = Files::claim(args.files(), args.force)?;
    let model = open_model(args.model.as_deref())?;
    let settings = args.settings(common.seed)?;
    let documents = documents_of(args, &model, common)?;
    let mut display = FitDisplay::new(common);
    let mut fit =
        model.fit_observed(documents, &settings, &mut |progress| display.show(progress))?;
    display.finish();
    warn(&fit, common);
    args.names.iter().try_for_each(|name| name.give(&mut fit))?;
    if args.no_text {
        fit.forget_texts();
    }
    if let Some(out) = &out {
        fit.save_claimed(out)?;
    }
    let shown = args.shown();
    files.write(&fit, &shown, &mut |progress| display.show(progress))?;
    display.finish();
    files.warn(&fit, common);
    print_fit(&fit, &shown, &args.documents.explain, common)
}

/// Reads the documents that are to be fitted with a model.
pub(super) fn documents_of(
    args: &FitArgs,
    model: &Model,
    common: &CommonFlags,
) -> handful::Result<Vec<RawDocument>> {
    let text = model.parts().config.text.as_ref();
    read_documents(&args.documents, &args.reading(), text, common)
}
