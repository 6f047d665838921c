//! Many handfuls, each fitted by itself, on all threads: what the Python package is held against.

use clap::Args;
use handful::views::Shown;
use handful::{FitSettings, Model, Topics};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::fs;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

#[derive(Debug, Args)]
pub struct Settings {
    /// JSON lines, each a list of texts
    handfuls: PathBuf,
    /// Number of topics; without it the documents choose
    #[arg(long)]
    topics: Option<usize>,
    /// Hold no words out to see what the topics are worth
    #[arg(long)]
    without_held_out_words: bool,
}

/// Prints how long all fits took, from texts in memory to the terms that are shown.
pub fn print(settings: &Settings) -> anyhow::Result<()> {
    let lines = fs::read_to_string(&settings.handfuls)?;
    let texts = |line: &str| -> anyhow::Result<Vec<String>> {
        let list: Value = serde_json::from_str(line)?;
        Ok(serde_json::from_value(list)?)
    };
    let handfuls = lines.lines().map(texts).collect::<anyhow::Result<Vec<_>>>()?;
    let model = Model::pretrained()?;
    let mut fitting = FitSettings::default();
    fitting.topics = settings.topics.map_or(Topics::Usual, Topics::Number);
    fitting.held_out = !settings.without_held_out_words;
    let start = Instant::now();
    let topics = handfuls
        .par_iter()
        .map(|texts| {
            let fit = model.fit(texts, &fitting)?;
            for topic in fit.topics() {
                black_box(topic.weighted_terms(Shown::default().terms));
            }
            Ok(fit.topics().len())
        })
        .collect::<handful::Result<Vec<usize>>>()?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{}",
        json!({"handfuls": topics.len(), "topics": topics.iter().sum::<usize>(), "seconds": seconds})
    );
    Ok(())
}
