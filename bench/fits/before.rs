//! Fits of the release before the front door: the steps of its command, called in a loop.
//!
//! `bench/fits/run --before e3fca3e` puts this file into that commit's `handful-bench`.

use handful::corpus::{count_words, with_new_words};
use handful::em::EmStop;
use handful::model_dir::{DocumentRecord, ModelFiles, SavedTopicModel};
use handful::prior::TermRows;
use handful::reading::{RawDocument, ReadSettings, read_documents};
use handful::text::{IgnoredWords, Tokenizer};
use handful::topic_model::{Evidence, TermOrder, TopicModel};
use serde_json::json;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

/// What is timed.
#[derive(Debug, clap::Args)]
pub struct Settings {
    documents: Vec<PathBuf>,
    #[arg(long)]
    topics: Option<usize>,
    #[arg(long)]
    without_held_out_words: bool,
    #[arg(long, default_value_t = 1)]
    threads: usize,
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
}

/// Prints the fits a second, from text to the terms that are shown.
pub fn print(settings: &Settings) -> anyhow::Result<()> {
    let read = read_documents(&settings.documents, &ReadSettings::default(), &mut std::io::empty())?;
    let start = Instant::now();
    let mut fits = 0;
    while start.elapsed().as_secs_f64() < settings.seconds {
        fit(&read.documents, settings)?;
        fits += 1;
    }
    let rate = f64::from(fits) / start.elapsed().as_secs_f64();
    println!("{}", json!({"fits_per_second": rate, "threads": settings.threads}));
    Ok(())
}

fn fit(documents: &[RawDocument], settings: &Settings) -> anyhow::Result<()> {
    let files = ModelFiles::pretrained()?;
    let tokenizer = Tokenizer::new(files.config.text.as_ref().expect("it reads text"));
    let ignored = IgnoredWords::new(&[], &tokenizer);
    let known = files.vocabulary.len();
    let vocabulary = with_new_words(&files.vocabulary, documents, &tokenizer, &ignored);
    let counted = count_words(documents, &tokenizer, &ignored, &vocabulary, known);
    let mut model = files.read(TermRows::Of(counted.counts.terms()))?;
    model.take_new_words(vocabulary, &counted.counts);
    let stop = EmStop::Steps(model.config.em_steps);
    let evidence = match settings.topics {
        None => Evidence::choosing(&mut model.prior, &counted.counts, stop, 1),
        Some(topics) => {
            model.prior.set_topics(topics);
            if settings.without_held_out_words {
                Evidence::default()
            } else {
                Evidence::of_topics(&model.prior, &counted.counts, stop, 1)
            }
        }
    };
    let topic_model = TopicModel::fit(&model.prior, &counted.counts, stop);
    let records = DocumentRecord::all(&counted);
    let name = "the model inside".to_owned();
    let mut saved = SavedTopicModel::new(&model, name, topic_model, records, stop, 1);
    saved.config.evidence = evidence;
    let order = TermOrder::new(&saved.topic_model, None)?;
    for k in 0..saved.topic_model.topics {
        black_box(order.top(&saved.topic_model, k, 10));
    }
    Ok(())
}
