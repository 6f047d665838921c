//! Warm fits from one loaded model.

use clap::Args;
use handful::reading::{RawDocument, ReadSettings, read_documents};
use handful::views::Shown;
use handful::{FitSettings, Model, Topics};
use serde_json::json;
use std::hint::black_box;
use std::io;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

#[derive(Debug, Args)]
pub struct Settings {
    /// The documents of every fit
    #[arg(required = true)]
    documents: Vec<PathBuf>,
    /// Number of topics; without it the documents choose
    #[arg(long)]
    topics: Option<usize>,
    /// Hold no words out to see what the topics are worth
    #[arg(long, requires = "topics")]
    without_held_out_words: bool,
    /// Threads that fit at the same time, each by itself
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// How long to fit
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
}

/// Prints the fits a second, from text to the terms that are shown.
pub fn print(settings: &Settings) -> anyhow::Result<()> {
    let read = read_documents(&settings.documents, &ReadSettings::default(), &mut io::empty())?;
    let model = Model::pretrained()?;
    let mut fitting = FitSettings::default();
    fitting.topics = settings.topics.map_or(Topics::Auto, Topics::Number);
    fitting.held_out = !settings.without_held_out_words;
    let work = |for_seconds: f64| -> anyhow::Result<usize> {
        let (start, long) = (Instant::now(), Duration::from_secs_f64(for_seconds));
        let mut fits = 0;
        while start.elapsed() < long {
            fit(&model, &read.documents, &fitting)?;
            fits += 1;
        }
        Ok(fits)
    };
    // One pool a thread, so that fits do not help each other.
    let alone = |for_seconds: f64| -> anyhow::Result<usize> {
        rayon::ThreadPoolBuilder::new().num_threads(1).build()?.install(|| work(for_seconds))
    };
    alone(0.5)?;
    let start = Instant::now();
    let fits: usize = thread::scope(|scope| {
        let threads: Vec<_> =
            (0..settings.threads).map(|_| scope.spawn(|| alone(settings.seconds))).collect();
        let done = threads.into_iter().map(|thread| thread.join().expect("no fit panics"));
        done.sum::<anyhow::Result<usize>>()
    })?;
    let rate = fits as f64 / start.elapsed().as_secs_f64();
    println!("{}", json!({"fits_per_second": rate, "threads": settings.threads}));
    Ok(())
}

/// What the command does between reading files and printing.
fn fit(model: &Model, documents: &[RawDocument], settings: &FitSettings) -> anyhow::Result<()> {
    let fit = model.fit(documents, settings)?;
    let shown = Shown::default();
    for topic in fit.topics() {
        black_box(topic.weighted_terms(shown.terms));
    }
    Ok(())
}
