//! The figures of a comparison, computed again from the tasks that were written.

use crate::support::{TINY, Workspace, counts, documents, read_tensors, records};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Read;

type Counts = BTreeMap<String, f64>;

/// A task as the file has it: of each document the words seen and the words held out.
struct Task {
    support: Vec<Counts>,
    query: Vec<Counts>,
}

/// The words of a document of the corpora.
fn words(corpus: &str, id: &str) -> Counts {
    let all = documents();
    let document = all.iter().find(|document| document.corpus == corpus && document.id == id);
    let counts = counts(&document.unwrap().text).into_iter();
    counts.map(|(term, count)| (term.to_owned(), f64::from(count))).collect()
}

fn tasks(workspace: &Workspace) -> Vec<Task> {
    let mut text = String::new();
    let bytes = workspace.read("out/tasks.jsonl.gz");
    GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    let mut tasks = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["task"], number);
        let mut task = Task { support: Vec::new(), query: Vec::new() };
        let ids = line["documents"].as_array().unwrap();
        for (id, held_out) in ids.iter().zip(line["held_out"].as_array().unwrap()) {
            let mut support = words(line["target"].as_str().unwrap(), id.as_str().unwrap());
            let query: Counts = serde_json::from_value(held_out.clone()).unwrap();
            for (term, count) in &query {
                let left = support.get_mut(term).unwrap();
                *left -= count;
                assert!(*left >= 0.0, "{line}");
            }
            support.retain(|_, count| *count > 0.0);
            task.support.push(support);
            task.query.push(query);
        }
        tasks.push(task);
    }
    tasks
}

fn sum(counts: &Counts) -> f64 {
    counts.values().sum()
}

fn compare(workspace: &Workspace, method: &str) -> Value {
    let line = format!("compare corpora --out out -q {TINY} --tasks 8 --targets elm");
    workspace.run(&format!("{line} --methods {method}")).success();
    let mut records = records(workspace, "out");
    assert_eq!(records.len(), 1);
    records.remove(0)
}

/// The record's log-likelihoods and perplexities are those that were computed for each document of its
/// tasks.
fn assert_recomputed(record: &Value, tasks: &[Task], computed: &[Vec<f64>], tolerance: f64) {
    assert_eq!(record["tasks"], tasks.len());
    let perplexity = |log_likelihood: f64, words: f64| (-log_likelihood / words).exp();
    let (mut of_tasks, mut of_documents) = (Vec::new(), Vec::new());
    for (i, task) in tasks.iter().enumerate() {
        let words: f64 = task.query.iter().map(sum).sum();
        assert_eq!(record["task_words"][i].as_f64(), Some(words));
        let written = record["task_log_likelihoods"][i].as_f64().unwrap();
        let log_likelihood: f64 = computed[i].iter().sum();
        assert!((written - log_likelihood).abs() < tolerance * written.abs(), "{i}: {written}");
        of_tasks.push(perplexity(log_likelihood, words));
        for (query, log_likelihood) in task.query.iter().zip(&computed[i]) {
            if sum(query) > 0.0 {
                of_documents.push(perplexity(*log_likelihood, sum(query)));
            }
        }
    }
    let words: f64 = tasks.iter().flat_map(|task| &task.query).map(sum).sum();
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    for (key, expected) in [
        ("perplexity", perplexity(computed.iter().flatten().sum(), words)),
        ("mean_of_tasks", mean(&of_tasks)),
        ("mean_of_documents", mean(&of_documents)),
    ] {
        let written = record[key].as_f64().unwrap();
        assert!((written - expected).abs() < 10.0 * tolerance * expected, "{key}: {written}");
    }
}

#[test]
fn the_smoothed_unigram_can_be_computed_again_from_the_tasks() {
    let workspace = Workspace::with_corpora();
    let record = compare(&workspace, "smoothed");
    let validation: Vec<&str> =
        record["validation_corpora"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let weight = |i: usize| record["weights"][i].as_f64().unwrap();
    let mut training = Counts::new();
    let mut vocabulary = std::collections::BTreeSet::new();
    for document in documents() {
        let words = words(document.corpus, &document.id);
        vocabulary.extend(words.keys().cloned());
        if document.corpus != "elm" && !validation.contains(&document.corpus) {
            words.iter().for_each(|(term, n)| *training.entry(term.clone()).or_default() += n);
        }
    }
    let all = sum(&training) + 0.5 * vocabulary.len() as f64;
    let tasks = tasks(&workspace);
    let log_likelihood = |task: &Task| {
        let of_task: f64 = task.support.iter().map(sum).sum();
        let of_document = |(support, query): (&Counts, &Counts)| {
            let mut total = 0.0;
            for (term, count) in query {
                let of = |counts: &Counts| counts.get(term).copied().unwrap_or(0.0);
                let own = of(support) / sum(support);
                let task = task.support.iter().map(of).sum::<f64>() / of_task;
                let general = (of(&training) + 0.5) / all;
                total += count * (weight(0) * own + weight(1) * task + weight(2) * general).ln();
            }
            total
        };
        task.support.iter().zip(&task.query).map(of_document).collect()
    };
    let computed: Vec<Vec<f64>> = tasks.iter().map(log_likelihood).collect();
    assert_recomputed(&record, &tasks, &computed, 1e-12);
}

#[test]
fn a_trained_method_can_be_made_again_by_the_other_commands() {
    let workspace = Workspace::with_corpora();
    let record = compare(&workspace, "iwata");
    let seed = &record["seed"];
    let line = format!(
        "train corpora --prior iwata -o model -q {TINY} --exclude elm --seed {seed} --json"
    );
    let trained = workspace.run(&line).success().json();
    for key in ["steps", "best_step", "validation_perplexity", "validation_corpora"] {
        assert_eq!(trained[key], record[key], "{key}");
    }
    let line = format!("evaluate corpora --model model --target elm --tasks 8 --seed {seed}");
    let evaluated = workspace.run(&format!("{line} --json")).success().json();
    for key in ["perplexity", "mean_of_tasks", "mean_of_documents", "log_likelihood", "query_words"]
    {
        assert_eq!(evaluated[key], record[key], "{key}");
    }
    // And from the written tasks: Σ x' log Σ_k θ_nk φ_kj, with θ and φ of `fit`.
    let vocabulary = String::from_utf8(workspace.read("model/vocabulary.txt")).unwrap();
    let terms: Vec<&str> = vocabulary.lines().collect();
    let tasks = tasks(&workspace);
    let log_likelihood = |task: &Task| {
        let lines = task.support.iter().map(|support| {
            let counts: BTreeMap<&String, u64> =
                support.iter().map(|(term, &count)| (term, count as u64)).collect();
            format!("{}\n", json!({ "counts": counts }))
        });
        workspace.write("support.jsonl", lines.collect::<String>());
        workspace.run("fit support.jsonl --model model --out topics --force -q").success();
        let tensors = read_tensors(&workspace, "topics/topics.safetensors");
        let ((theta_shape, theta), (_, phi)) = (&tensors["theta"], &tensors["phi"]);
        let topics = theta_shape[1];
        let of_document = |(n, query): (usize, &Counts)| {
            let mut total = 0.0;
            for (term, count) in query {
                let j = terms.iter().position(|known| known == term).unwrap();
                let topic = |k: usize| theta[n * topics + k] * phi[k * terms.len() + j];
                total += count * f64::from((0..topics).map(topic).sum::<f32>()).ln();
            }
            total
        };
        task.query.iter().enumerate().map(of_document).collect()
    };
    let computed: Vec<Vec<f64>> = tasks.iter().map(log_likelihood).collect();
    assert_recomputed(&record, &tasks, &computed, 1e-5);
}
