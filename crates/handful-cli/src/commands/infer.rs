//! `handful infer`: new documents in, their proportions of fitted topics out.

use super::{overflow, print_topic_model, tokenizer};
use crate::args::{CommonFlags, InferArgs};
use crate::output;
use handful::corpus::count_words;
use handful::model_dir::{DocumentRecord, SavedTopicModel};
use handful::reading::read_documents;
use std::io;

pub fn infer(args: &InferArgs, common: &CommonFlags) -> anyhow::Result<()> {
    let fitted = SavedTopicModel::load(&args.topic_model)?;
    let reading =
        read_documents(&args.documents, &args.reading.settings(), &mut io::stdin().lock())?;
    reading.warnings.iter().for_each(|warning| output::warn(common.quiet, warning));
    let text = fitted.config.text.as_ref();
    let tokenizer = tokenizer(text, &args.topic_model, &reading.documents)?;
    let counted = count_words(&reading.documents, &tokenizer, &fitted.vocabulary);
    let prior = fitted.new_document_prior(&args.topic_model, &counted.counts)?;
    let stop = args.em.stop(fitted.config.em_stop);
    let topic_model = fitted.topic_model.infer(&prior, &counted.counts, stop);
    if !topic_model.is_sound() {
        return Err(overflow(&args.topic_model).into());
    }
    let inferred = fitted.with_documents(topic_model, DocumentRecord::all(&counted), stop);
    print_topic_model(&inferred, args.top, common)
}
