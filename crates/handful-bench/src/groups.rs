//! How well many documents are grouped: exactly, by a sample, and by k-means on the same vectors.

use anyhow::Context;
use clap::Args;
use handful::Model;
use handful::internals::clustering::{Points, nearest_means, ward_and_moves};
use handful::internals::corpus::{ReadDocuments, WordCounts, choose, read_documents};
use handful::internals::evaluate::adjusted_rand_index;
use handful::internals::prior::{FitPrior, Origin, Prior};
use handful::internals::random::{Purpose, stream};
use handful::internals::topic_model::{Sampling, group_many};
use handful::reading::{Content, RawDocument, ReadSettings, read_corpora};
use handful::text::IgnoredWords;
use handful_lab::clustering::{Gram, k_means};
use serde_json::json;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct Settings {
    /// JSON lines with texts and their corpora
    data: PathBuf,
    /// Directory of the model that is asked; without it the built-in one
    #[arg(long)]
    model: Option<PathBuf>,
    /// Mixed sets of documents that are grouped
    #[arg(long, default_value_t = 10)]
    tasks: u64,
    #[arg(long, default_value_t = 5)]
    corpora: usize,
    #[arg(long, default_value_t = 200)]
    documents_per_corpus: usize,
    /// The first words of each text that are read
    #[arg(long, default_value_t = 50)]
    words: usize,
    /// Documents of a set that are compared each with each
    #[arg(long, default_value_t = 250)]
    sample: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Prints the adjusted Rand index of each way to group, for each task.
pub fn print(settings: &Settings) -> anyhow::Result<()> {
    let model = match &settings.model {
        Some(directory) => Model::open(directory)?,
        None => Model::pretrained()?,
    };
    let inputs = [settings.data.clone()];
    let read = read_corpora(&inputs, &ReadSettings::default(), &mut io::empty())?;
    let mut corpora: BTreeMap<String, Vec<RawDocument>> = BTreeMap::new();
    for document in read.documents {
        let corpus = document.corpus.clone().context("every document must have a corpus")?;
        corpora.entry(corpus).or_default().push(document);
    }
    corpora.retain(|_, documents| documents.len() >= settings.documents_per_corpus);
    let corpora: Vec<Vec<RawDocument>> = corpora.into_values().collect();
    anyhow::ensure!(corpora.len() >= settings.corpora, "too few corpora are large enough");
    for task in 0..settings.tasks {
        println!("{}", group(&model, &corpora, settings, task)?);
    }
    Ok(())
}

fn group(
    model: &Model,
    corpora: &[Vec<RawDocument>],
    settings: &Settings,
    task: u64,
) -> anyhow::Result<serde_json::Value> {
    let mut draws = stream(settings.seed, Purpose::MixedHandfuls, task);
    let (mut documents, mut classes) = (Vec::new(), Vec::new());
    let mut drawn = |of: usize, count: usize| {
        let mut chosen = Vec::new();
        choose(of, count, &mut draws, &mut chosen);
        chosen
    };
    for (class, c) in drawn(corpora.len(), settings.corpora).into_iter().enumerate() {
        for n in drawn(corpora[c].len(), settings.documents_per_corpus) {
            documents.push(beginning(&corpora[c][n], settings.words));
            classes.push(class);
        }
    }
    let parts = model.parts();
    let tokenizer = parts.tokenizer("the model", &documents)?;
    let ignored = IgnoredWords::new(&[], &tokenizer);
    let ReadDocuments { vocabulary, counted, .. } =
        read_documents(&documents, &tokenizer, &ignored, &parts.vocabulary, true);
    let new_terms = parts.new_terms(&vocabulary, &counted.counts);
    let asked = FitPrior {
        topics: settings.corpora,
        new_terms: new_terms.as_ref(),
        ..FitPrior::from(&parts.prior)
    };
    let points = points(asked, &counted.counts)?;
    let products: Vec<Vec<f64>> = (0..points.len())
        .map(|a| (0..points.len()).map(|b| points.product(a, b)).collect())
        .collect();
    let exact = ward_and_moves(&products, settings.corpora);
    let by_sample = |documents: usize| -> anyhow::Result<Vec<usize>> {
        let sampling = Sampling { documents, seed: settings.seed };
        let group = group_many(asked, &counted.counts, sampling, &mut |_, _| Ok(()))?;
        group.context("the model does not group documents")
    };
    let gram = Gram::new(points.len(), |a, b| products[a][b]);
    let mut starts = stream(settings.seed, Purpose::Clustering, task);
    let by_k_means = k_means(&gram, settings.corpora, &mut starts);
    let first: Vec<(usize, usize)> = exact.iter().copied().enumerate().collect();
    let settled = nearest_means(&points, settings.corpora, &first, &mut |_, _| Ok(()))?;
    let index = |group: &[usize]| adjusted_rand_index(group, &classes);
    Ok(json!({
        "task": task,
        "documents": points.len(),
        "exact": index(&exact),
        "exact_settled": index(&settled),
        "sample": index(&by_sample(settings.sample)?),
        "k_means": index(&by_k_means),
    }))
}

fn points(asked: FitPrior<'_>, documents: &WordCounts) -> anyhow::Result<Points> {
    let none = &mut |_, _| Ok(());
    let points =
        asked.prior.document_points(documents, asked.new_terms, Origin::Documents, none)?;
    points.context("the model does not group documents")
}

/// A document with its first words alone.
fn beginning(document: &RawDocument, words: usize) -> RawDocument {
    let mut document = document.clone();
    if let Content::Text(text) = &mut document.content {
        *text = text.split_whitespace().take(words).collect::<Vec<_>>().join(" ");
    }
    document
}
