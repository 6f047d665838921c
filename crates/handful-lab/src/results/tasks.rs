//! The tasks of experiments, so that anybody can compute the perplexities again.

use crate::Comparison;
use flate2::Compression;
use flate2::write::GzEncoder;
use handful::Result;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

/// A line of `tasks.jsonl.gz`.
#[derive(Serialize)]
struct TaskLine<'a> {
    target: &'a str,
    repeat: usize,
    task: usize,
    /// The documents' ids.
    documents: Vec<&'a str>,
    /// Of each document, the words held out. All its other words are the support.
    held_out: Vec<BTreeMap<&'a str, u32>>,
}

/// The tasks of the given targets and repeats, a line each.
pub(super) fn bytes(
    comparison: &Comparison<'_>,
    pairs: &BTreeSet<(String, usize)>,
) -> Result<Vec<u8>> {
    let mut out = GzEncoder::new(Vec::new(), Compression::default());
    for (target, repeat) in pairs {
        let experiment = comparison.experiment(target, *repeat)?;
        for (task, episode) in experiment.tasks.iter().enumerate() {
            let query = &episode.query;
            let term = |(term, count)| (comparison.vocabulary.term(term), count);
            let line = TaskLine {
                target,
                repeat: *repeat,
                task,
                documents: episode.documents.iter().map(|&n| &*experiment.target.ids[n]).collect(),
                held_out: (0..query.documents())
                    .map(|n| query.row(n).map(term).collect())
                    .collect(),
            };
            serde_json::to_writer(&mut out, &line).expect("memory takes every line");
            out.write_all(b"\n").expect("memory takes every line");
        }
    }
    Ok(out.finish().expect("memory takes every byte"))
}
