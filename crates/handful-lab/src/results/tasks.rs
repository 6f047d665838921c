//! Writes the tasks of experiments, so that anybody can recompute the perplexities.

use crate::Experiment;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

/// A line of `tasks.jsonl.gz`.
#[derive(Serialize)]
struct TaskLine<'a> {
    target: &'a str,
    repeat: usize,
    task: usize,
    /// The documents' ids.
    documents: Vec<&'a str>,
    /// For each document, the held-out words. All its other words are the support.
    held_out: Vec<BTreeMap<&'a str, u32>>,
}

/// Writes the tasks of an experiment, one per line.
pub(crate) fn write_tasks(experiment: &Experiment<'_>, repeat: usize, out: &mut dyn Write) {
    let vocabulary = experiment.comparison.vocabulary;
    for (task, episode) in experiment.tasks.iter().enumerate() {
        let query = &episode.query;
        let term = |(term, count)| (vocabulary.term(term), count);
        let line = TaskLine {
            target: &experiment.target.name,
            repeat,
            task,
            documents: episode.documents.iter().map(|&n| &*experiment.target.ids[n]).collect(),
            held_out: (0..query.documents()).map(|n| query.row(n).map(term).collect()).collect(),
        };
        write_line(&line, out);
    }
}

/// Writes a line of JSON. `out` must be in memory, since a failure panics.
pub(crate) fn write_line(line: &impl Serialize, out: &mut dyn Write) {
    serde_json::to_writer(&mut *out, line).expect("memory takes every line");
    out.write_all(b"\n").expect("memory takes every line");
}
