//! LDA: sweeps on demand, and a fit whose θ and φ others can evaluate.

use crate::worker::serve;
use clap::Args;
use handful::internals::corpus::{Corpus, WordCounts};
use handful::internals::lda::{LdaFit, LdaSettings, Sampler};
use handful::internals::random::{Purpose, stream};
use handful::internals::storage::{replace_file, tensor_bytes};
use serde_json::json;
use std::path::PathBuf;

/// The work's size.
#[derive(Debug, Args)]
pub struct Settings {
    /// JSON lines with word counts
    data: PathBuf,
    #[arg(long, default_value_t = 10)]
    topics: usize,
    /// Sweeps before the clock runs
    #[arg(long, default_value_t = 20)]
    warmup: usize,
    /// Sampling takes one thread; the flag is there for the driver, which gives it to all workers
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// A fit to be evaluated.
#[derive(Debug, Args)]
pub struct FitSettings {
    /// JSON lines with word counts
    data: PathBuf,
    #[arg(long, default_value_t = 10)]
    topics: usize,
    #[arg(long)]
    sweeps: usize,
    #[arg(long)]
    burn_in: usize,
    #[arg(long)]
    sample_every: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Safetensors file for `theta` (documents × topics) and `phi` (terms × topics); documents are
    /// in the file's order if they are of one corpus, terms sorted
    #[arg(long)]
    out: PathBuf,
}

/// A unit is a sweep over all documents, with α and β optimised as often as in a fit.
pub fn sweeps(settings: &Settings) -> anyhow::Result<()> {
    let (corpora, terms) = crate::data::read(&settings.data)?;
    let documents = all(&corpora);
    let lda = LdaSettings { topics: settings.topics, ..LdaSettings::default() };
    let mut sampler = Sampler::new(&documents, terms, &lda, stream(1, Purpose::Lda, 0))?;
    for _ in 0..settings.warmup {
        sampler.advance();
    }
    let facts = json!({
        "terms": terms,
        "words": documents.total_words(),
        "documents": documents.documents(),
        "threads": settings.threads,
    });
    serve(facts, |units| {
        for _ in 0..units {
            sampler.advance();
        }
        Ok(units)
    })
}

/// Fits, and writes θ and φ.
pub fn fit(settings: &FitSettings) -> anyhow::Result<()> {
    let (corpora, terms) = crate::data::read(&settings.data)?;
    let lda = LdaSettings {
        topics: settings.topics,
        sweeps: settings.sweeps,
        burn_in: settings.burn_in,
        sample_every: settings.sample_every,
        ..LdaSettings::default()
    };
    let documents = all(&corpora);
    let fit = LdaFit::new(&documents, terms, &lda, stream(settings.seed, Purpose::Lda, 0))?;
    let narrow = |values: &[f64]| values.iter().map(|&value| value as f32).collect::<Vec<_>>();
    let (theta, phi) = (narrow(&fit.proportions), narrow(&fit.model.word_probabilities));
    let tensors = [
        ("theta".to_owned(), vec![documents.documents(), lda.topics], &theta[..]),
        ("phi".to_owned(), vec![terms, lda.topics], &phi[..]),
    ];
    replace_file(&settings.out, &tensor_bytes(tensors, None))?;
    println!("{}", json!({"alpha": fit.model.alpha, "beta": fit.model.beta}));
    Ok(())
}

/// The documents of all corpora.
fn all(corpora: &[Corpus]) -> WordCounts {
    let mut all = WordCounts::new();
    for documents in corpora.iter().map(|corpus| &corpus.documents) {
        for n in 0..documents.documents() {
            all.push_row(documents.row(n));
        }
    }
    all
}
