//! `handful fit`: documents in, topics out.

use super::{open_model, overflow, print_topic_model, read_documents, warn_if_not_converged};
use crate::args::{CommonFlags, FitArgs, Topics};
use crate::files::Files;
use crate::fitted::Fitted;
use crate::new_words::NewWords;
use crate::output;
use handful::corpus::{count_words, warn_of_unfamiliar, with_new_words};
use handful::em::EmStop;
use handful::model_dir::{DocumentRecord, ModelConfig, SavedTopicModel, check_output};
use handful::prior::PriorSettings;
use handful::storage::TermRows;
use handful::text::{IgnoredWords, words_of_list};
use handful::topic_model::{Evidence, TopicModel};
use handful::{Error, Result};

/// With more documents than a handful is, no words are held out unless that is asked for: it takes
/// long.
const MOST_DOCUMENTS: usize = 50;

pub fn fit(args: &FitArgs, common: &CommonFlags) -> anyhow::Result<()> {
    // Before any work is done.
    if let Some(out) = &args.out {
        check_output(out, args.force)?;
    }
    let outputs = Files::check(args.files(), args.force)?;
    let (files, place) = open_model(args.model.as_deref())?;
    let number = number_of_topics(args.topics, &files.config)?;
    let ignored_words = args.ignore_words.as_deref().map_or(Ok(Vec::new()), words_of_list)?;
    let text = files.config.text.as_ref();
    let (documents, tokenizer) = read_documents(&args.documents, text, place, common)?;
    let ignored = IgnoredWords::new(&ignored_words, &tokenizer);
    let known = files.vocabulary.len();
    let vocabulary = match files.config.new_words {
        Some(_) => with_new_words(&files.vocabulary, &documents, &tokenizer, &ignored),
        None => files.vocabulary.clone(),
    };
    let counted = count_words(&documents, &tokenizer, &ignored, &vocabulary, known);
    if let Some(warning) = warn_of_unfamiliar(&documents, &counted, text) {
        output::warn(common.quiet, &warning);
    }
    // What is saved serves new documents too, which may have any term.
    let wanted =
        if args.out.is_some() { TermRows::All } else { TermRows::Of(counted.counts.terms()) };
    let mut model = files.read(wanted)?;
    model.take_new_words(vocabulary, &counted.counts);
    let stop = args.em.stop(EmStop::Steps(model.config.em_steps));
    let is_handful =
        counted.counts.documents() <= MOST_DOCUMENTS || matches!(args.topics, Some(Topics::Auto));
    model.prior.set_topics(number.unwrap_or(model.config.topics));
    let evidence = match number {
        None if is_handful => {
            Evidence::choosing(&mut model.prior, &counted.counts, stop, common.seed)
        }
        Some(_) if is_handful => {
            Evidence::of_topics(&model.prior, &counted.counts, stop, common.seed)
        }
        Some(_) => Evidence::default(),
        None => {
            output::warn(common.quiet, &untried(model.config.topics));
            Evidence::default()
        }
    };
    let topic_model = TopicModel::fit(&model.prior, &counted.counts, stop);
    if !topic_model.is_sound() {
        return Err(overflow(place).into());
    }
    warn_if_not_converged(&topic_model, common);
    let name = place.file_name().unwrap_or(place.as_os_str());
    let mut saved = SavedTopicModel::new(
        &model,
        name.to_string_lossy().into_owned(),
        topic_model,
        DocumentRecord::all(&counted),
        stop,
        common.seed,
    );
    saved.config.ignored_words = ignored_words;
    saved.config.evidence = evidence;
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
    let new_words = NewWords::of(&saved, &counted.counts);
    print_topic_model(&saved, fitted.terms, &quotes, Some(&new_words), common)
}

fn untried(topics: usize) -> String {
    format!(
        "more than {MOST_DOCUMENTS} documents: they are given {topics} topics without trying how many \
         they support; --topics auto does so, --topics N gives another number"
    )
}

/// How many topics there are to be; `None` where the documents are to decide it.
fn number_of_topics(asked: Option<Topics>, config: &ModelConfig) -> Result<Option<usize>> {
    let gives_any = matches!(config.prior, PriorSettings::Handful(_));
    match asked {
        Some(Topics::Number(topics)) => {
            config.prior.check_topics(config.topics, topics)?;
            Ok(Some(topics))
        }
        None if !gives_any => Ok(Some(config.topics)),
        Some(Topics::Auto) if !gives_any => {
            let expected = format!("{}, the number the model was trained for", config.topics);
            Err(Error::setting("topics", "auto", expected))
        }
        None | Some(Topics::Auto) => Ok(None),
    }
}
