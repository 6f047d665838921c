//! `handful fit`: documents in, topics out.

use super::{overflow, print_topic_model, tokenizer};
use crate::args::{CommonFlags, FitArgs};
use crate::output;
use handful::Error;
use handful::corpus::count_words;
use handful::em::EmStop;
use handful::model_dir::{DocumentRecord, ModelFiles, SavedTopicModel, check_output};
use handful::prior::TermRows;
use handful::reading::read_documents;
use handful::topic_model::TopicModel;
use std::io;

pub fn fit(args: &FitArgs, common: &CommonFlags) -> anyhow::Result<()> {
    // Before any work is done.
    if let Some(out) = &args.out {
        check_output(out, args.force)?;
    }
    let files = ModelFiles::open(&args.model)?;
    let topics = args.topics.unwrap_or(files.config.topics);
    files.config.prior.check_topics(files.config.topics, topics)?;
    let reading =
        read_documents(&args.documents, &args.reading.settings(), &mut io::stdin().lock())?;
    reading.warnings.iter().for_each(|warning| output::warn(common.quiet, warning));
    let tokenizer = tokenizer(files.config.text.as_ref(), &args.model, &reading.documents)?;
    let counted = count_words(&reading.documents, &tokenizer, &files.vocabulary);
    if counted.counts.total_words() == 0 {
        return Err(Error::input(
            "the documents",
            "none has a word that the model knows",
            "give documents in the language and field the model was trained on",
        )
        .into());
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
    if topic_model.converged == Some(false) {
        let warning = format!("EM did not converge within {} steps", topic_model.em_steps);
        output::warn(common.quiet, &warning);
    }
    let name = args.model.file_name().unwrap_or(args.model.as_os_str());
    let saved = SavedTopicModel::new(
        &model,
        name.to_string_lossy().into_owned(),
        topic_model,
        DocumentRecord::all(&counted),
        stop,
        common.seed,
    );
    if let Some(out) = &args.out {
        saved.save(out, model.prior.new_document_tensors(&counted.counts), args.force)?;
    }
    print_topic_model(&saved, args.top, common)
}
