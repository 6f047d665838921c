//! `handful infer`: new documents in, their topic proportions out.

use super::{print_fit, read_documents, warn};
use crate::args::{CommonFlags, InferArgs};
use handful::Fit;

pub fn infer(args: &InferArgs, common: &CommonFlags) -> anyhow::Result<()> {
    let fit = Fit::open(&args.topic_model)?;
    let config = &fit.saved().config;
    let documents = read_documents(
        &args.documents,
        &args.documents.reading.settings(),
        config.text.as_ref(),
        common,
    )?;
    let inferred = fit.infer_until(documents, args.em.stop().unwrap_or(config.em_stop))?;
    warn(&inferred, common);
    print_fit(&inferred, &args.terms.shown(), &args.documents.explain, common)
}
