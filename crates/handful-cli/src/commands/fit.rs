//! `handful fit`: documents in, topics out.

use super::{open_model, print_fit, read_documents, warn};
use crate::args::{CommonFlags, FitArgs};
use crate::files::Files;
use crate::progress::FitDisplay;
use handful::internals::model_dir::claim_output;

pub fn fit(args: &FitArgs, common: &CommonFlags) -> anyhow::Result<()> {
    // Before any work is done.
    let out = args.out.as_deref().map(|out| claim_output(out, args.force)).transpose()?;
    let files = Files::claim(args.files(), args.force)?;
    let model = open_model(args.model.as_deref())?;
    let settings = args.settings(common.seed)?;
    let documents = read_documents(&args.documents, model.parts().config.text.as_ref(), common)?;
    let mut display = FitDisplay::new(common);
    let mut fit =
        model.fit_observed(documents, &settings, &mut |progress| display.show(progress))?;
    display.finish();
    warn(&fit, common);
    args.names.iter().try_for_each(|name| name.give(&mut fit))?;
    if let Some(out) = &out {
        fit.save_claimed(out)?;
    }
    let shown = args.shown();
    files.write(&fit, &shown, &mut |progress| display.show(progress))?;
    display.finish();
    files.warn(&fit, common);
    print_fit(&fit, &shown, &args.documents.explain, common)
}
