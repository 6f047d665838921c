//! `handful fit`: documents in, topics out.

use super::{overflow, print_topic_model, read_documents, warn_if_not_converged};
use crate::args::{CommonFlags, FitArgs};
use crate::files::Files;
use crate::fitted::Fitted;
use crate::output;
use handful::corpus::{count_words, warn_of_unfamiliar};
use handful::em::EmStop;
use handful::model_dir::{DocumentRecord, ModelFiles, SavedTopicModel, check_output};
use handful::prior::TermRows;
use handful::text::{IgnoredWords, words_of_list};
use handful::topic_model::TopicModel;

pub fn fit(args: &FitArgs, common: &CommonFlags) -> anyhow::Result<()> {
    // Before any work is done.
    if let Some(out) = &args.out {
        check_output(out, args.force)?;
    }
    let outputs = Files::check(args.files(), args.force)?;
    let files = ModelFiles::open(&args.model)?;
    let topics = args.topics.unwrap_or(files.config.topics);
    files.config.prior.check_topics(files.config.topics, topics)?;
    let ignored_words = args.ignore_words.as_deref().map_or(Ok(Vec::new()), words_of_list)?;
    let text = files.config.text.as_ref();
    let (documents, tokenizer) = read_documents(&args.documents, text, &args.model, common)?;
    let ignored = IgnoredWords::new(&ignored_words, &tokenizer);
    let counted = count_words(&documents, &tokenizer, &ignored, &files.vocabulary);
    if let Some(warning) = warn_of_unfamiliar(&documents, &counted, text) {
        output::warn(common.quiet, &warning);
    }
    // What is saved serves new documents too, which may have any term.
    let wanted =
        if args.out.is_some() { TermRows::All } else { TermRows::Of(counted.counts.terms()) };
    let mut model = files.read(wanted)?;
    model.prior.set_topics(topics);
    let stop = args.em.stop(EmStop::Steps(model.config.em_steps));
    let topic_model = TopicModel::fit(&model.prior, &counted.counts, stop);
    if !topic_model.is_sound() {
        return Err(overflow(&args.model).into());
    }
    warn_if_not_converged(&topic_model, common);
    let name = args.model.file_name().unwrap_or(args.model.as_os_str());
    let mut saved = SavedTopicModel::new(
        &model,
        name.to_string_lossy().into_owned(),
        topic_model,
        DocumentRecord::all(&counted),
        stop,
        common.seed,
    );
    saved.config.ignored_words = ignored_words;
    if let Some(out) = &args.out {
        saved.save(out, model.prior.new_document_tensors(&counted.counts), args.force)?;
    }
    let fitted = Fitted {
        saved: &saved,
        documents: &documents,
        counts: &counted.counts,
        tokenizer: &tokenizer,
        ignored: &ignored,
        terms: &args.terms.of(&saved.topic_model)?,
    };
    outputs.write(&fitted, args.sentences)?;
    if let Some(warning) = outputs.warning(saved.topic_model.topics) {
        output::warn(common.quiet, warning);
    }
    let quotes = match args.sentences {
        None | Some(0) => Vec::new(),
        Some(most) => fitted.quotes(&fitted.texts(), most),
    };
    print_topic_model(&saved, fitted.terms, &quotes, common)
}
