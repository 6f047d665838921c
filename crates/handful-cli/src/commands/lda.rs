//! `handful lda`: documents in, the topics of an LDA out.

use super::fit::Outputs;
use super::{read_documents, warn};
use crate::args::{CommonFlags, LdaArgs};
use crate::progress::FitDisplay;
use handful::Fit;

pub fn lda(args: &LdaArgs, common: &CommonFlags) -> anyhow::Result<()> {
    // Before any work is done.
    let outputs = Outputs::claim(args.out.as_deref(), &args.shown, args.force)?;
    let (settings, sampling) = (args.settings(common.seed)?, args.sampling()?);
    let reading = args.documents.reading.settings();
    let documents = read_documents(&args.documents, &reading, None, common)?;
    let mut display = FitDisplay::new(common);
    let fit = Fit::by_lda(documents, &settings, &sampling, &mut |progress| display.show(progress))?;
    display.finish();
    warn(&fit, common);
    outputs.deliver(fit, &args.documents.explain, &mut display, common)
}
