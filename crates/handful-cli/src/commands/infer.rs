//! `handful infer`: new documents in, their proportions of fitted topics out.

use super::{print_topic_model, read_documents, warn_if_not_converged};
use crate::args::{CommonFlags, InferArgs};
use crate::new_words::NewWords;
use crate::output;
use handful::Error;
use handful::corpus::{count_words, warn_of_unfamiliar};
use handful::model_dir::{DocumentRecord, SavedTopicModel};
use handful::text::IgnoredWords;

pub fn infer(args: &InferArgs, common: &CommonFlags) -> anyhow::Result<()> {
    let path = &args.topic_model;
    let fitted = SavedTopicModel::load(path)?;
    let text = fitted.config.text.as_ref();
    let (documents, tokenizer) = read_documents(&args.documents, text, path, common)?;
    let ignored = IgnoredWords::new(&fitted.config.ignored_words, &tokenizer);
    let vocabulary = &fitted.vocabulary;
    let counted = count_words(&documents, &tokenizer, &ignored, vocabulary, vocabulary.len());
    if let Some(warning) = warn_of_unfamiliar(&documents, &counted, text) {
        output::warn(common.quiet, &warning);
    }
    let prior = fitted.new_document_prior(path, &counted.counts)?;
    let stop = args.em.stop(fitted.config.em_stop);
    let topic_model = fitted.topic_model.infer(&prior, &counted.counts, stop);
    if !topic_model.is_sound() {
        return Err(Error::damaged(
            path.display().to_string(),
            "has numbers that are not finite or so large that others overflow",
            "copy the directory again or fit the documents anew",
        )
        .into());
    }
    warn_if_not_converged(&topic_model, common);
    let inferred = fitted.with_documents(topic_model, DocumentRecord::all(&counted), stop);
    let terms = args.terms.of(&inferred.topic_model)?;
    let new_words = NewWords::of(&inferred, &counted.counts);
    print_topic_model(&inferred, &terms, &[], Some(&new_words), common)
}
