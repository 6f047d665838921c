//! `handful compare --groups`: mixed handfuls, grouped.

use crate::support::{TINY, Workspace, lines, timeless};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Read;

/// Corpora with words of their own: as many as the defaults need.
const CORPORA: usize = 10;

/// Counts of several corpora, a document of which has most of its corpus's words.
fn counts(sizes: &[usize]) -> String {
    let mut text = String::new();
    for (c, &size) in sizes.iter().enumerate() {
        for n in 0..size {
            let own =
                (0..6).filter(|&i| i != n % 6).map(|i| (format!("w{c}x{i}"), 1 + (i + n) % 3));
            let mut counts: BTreeMap<String, usize> = own.collect();
            counts.insert("common".to_owned(), 3);
            let line = json!({"corpus": format!("c{c}"), "id": n.to_string(), "counts": counts});
            text += &format!("{line}\n");
        }
    }
    text
}

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("counts.jsonl", counts(&[5; CORPORA]));
    workspace
}

/// [`TINY`] without what --groups decides.
fn tiny() -> String {
    TINY.replace("--topics 3", "").replace("--validation-corpora 2", "")
}

fn line(out: &str, flags: &str) -> String {
    format!("compare counts.jsonl --groups --out {out} {} --tasks 4 {flags}", tiny())
}

fn outcomes(workspace: &Workspace, out: &str) -> Vec<String> {
    timeless(lines(workspace, &format!("{out}/groups.jsonl")))
}

fn tasks(workspace: &Workspace, out: &str) -> Vec<Value> {
    let mut text = String::new();
    let bytes = workspace.read(&format!("{out}/tasks.jsonl.gz"));
    GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_method_and_repeat_is_a_line_and_the_table_is_printed() {
    let workspace = workspace();
    let answer = workspace.run(&line("out", "-q --repeats 2")).success();
    assert_eq!(answer.err, "");
    let records = lines(&workspace, "out/groups.jsonl");
    assert_eq!(records.len(), 9 * 2);
    for record in &records {
        let mean = |key: &str| {
            let values = record[key].as_array().unwrap();
            assert_eq!(values.len(), 4, "{record}");
            values.iter().map(|value| value.as_f64().unwrap()).sum::<f64>() / 4.0
        };
        assert!((record["purity"].as_f64().unwrap() - mean("task_purities")).abs() < 1e-12);
        assert!((record["nmi"].as_f64().unwrap() - mean("task_nmis")).abs() < 1e-12);
        let is_trained = ["iwata", "handful"].contains(&record["method"].as_str().unwrap());
        assert_eq!(record.get("steps").is_some(), is_trained, "{record}");
        if ["k-means", "nmf"].contains(&record["method"].as_str().unwrap()) {
            assert_eq!(record["purity"], 1.0, "{record}");
        }
    }
    assert!(answer.out.contains("\n| k-means | **1.000 ± 0.000** | 0.000 |"), "{}", answer.out);
    assert_eq!(answer.out.as_bytes(), workspace.read("out/tables.md"));
    assert_eq!(
        workspace.names("out"),
        [
            "groups-by-repeat.csv",
            "groups-summary.csv",
            "groups.jsonl",
            "settings.json",
            "tables.md",
            "tasks.jsonl.gz"
        ]
    );
    let table = workspace.run("compare --table out").success();
    assert_eq!((table.out, table.err.as_str()), (answer.out, ""));
    let scores = workspace.run("compare --table out --json").success().json();
    assert_eq!(scores["methods"][4]["method"], "k-means");
    assert_eq!(scores["methods"][4]["purity"]["mean"], 1.0);
    assert_eq!(scores["methods"][4]["tasks"], 8);
}

#[test]
fn the_tasks_that_are_written_are_those_of_the_corpora_held_out() {
    let workspace = workspace();
    workspace.run(&line("out", "-q --methods random --repeats 2")).success();
    let records = lines(&workspace, "out/groups.jsonl");
    let tasks = tasks(&workspace, "out");
    assert_eq!(tasks.len(), 2 * 4);
    for task in &tasks {
        let record = records.iter().find(|record| record["repeat"] == task["repeat"]).unwrap();
        let held_out = record["held_out_corpora"].as_array().unwrap();
        let validation = record["validation_corpora"].as_array().unwrap();
        assert_eq!((held_out.len(), validation.len()), (6, 3));
        assert!(validation.iter().all(|name| !held_out.contains(name)));
        let mut documents: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for document in task["documents"].as_array().unwrap() {
            assert!(held_out.contains(&document["corpus"]), "{task}");
            let corpus = document["corpus"].as_str().unwrap();
            documents.entry(corpus).or_default().push(document["id"].as_str().unwrap());
        }
        assert_eq!(documents.len(), 3, "{task}");
        assert!(documents.values().all(|ids| ids.len() == 2 && ids[0] != ids[1]), "{task}");
    }
}

#[test]
fn the_number_of_threads_changes_no_number_and_the_seed_does() {
    let workspace = workspace();
    for (out, flags) in [("1", "--threads 1"), ("2", "--threads 2"), ("3", "--seed 3")] {
        workspace.run(&line(out, &format!("-q {flags} --repeats 2"))).success();
    }
    assert_eq!(outcomes(&workspace, "1"), outcomes(&workspace, "2"));
    assert_eq!(workspace.read("1/tasks.jsonl.gz"), workspace.read("2/tasks.jsonl.gz"));
    assert_ne!(outcomes(&workspace, "1"), outcomes(&workspace, "3"));
}

#[test]
fn what_was_stopped_goes_on_by_the_same_command() {
    let workspace = workspace();
    let methods = "--methods random,lda-ind,k-means,k-means-both,nmf --repeats 2";
    workspace.run(&line("whole", &format!("-q {methods}"))).success();
    let bytes = workspace.read("whole/groups.jsonl");
    workspace.run(&line("out", "-q --methods random,k-means")).success();
    // As a crash leaves it: some lines, and half of another.
    let whole_lines = workspace.read("out/groups.jsonl");
    workspace.write("out/groups.jsonl", &whole_lines[..whole_lines.len() - 5]);
    let answer = workspace.run(&line("out", methods)).success();
    assert!(answer.err.starts_with("1 of 10 experiments are there already\n"), "{answer:?}");
    assert!(answer.err.contains(" on mixed handfuls, repeat 1: purity "), "{answer:?}");
    assert_eq!(outcomes(&workspace, "out"), outcomes(&workspace, "whole"));
    assert_eq!(workspace.read("out/tasks.jsonl.gz"), workspace.read("whole/tasks.jsonl.gz"));
    // Once more: nothing is left to do.
    workspace.run(&line("whole", &format!("-q {methods}"))).success();
    assert_eq!(workspace.read("whole/groups.jsonl"), bytes);
}

#[test]
fn corpora_that_are_too_few_are_refused() {
    let workspace = Workspace::new();
    workspace.write("counts.jsonl", counts(&[5; CORPORA - 1]));
    let message = workspace.run(&line("out", "-q")).refusal();
    let expected = "the corpora: there are 9, but mixed handfuls need 10: 6 to mix, 3 to validate on \
                    and one to train on; give more corpora or lower --validation-corpora";
    assert_eq!(message, expected);
    // What learns nothing, or needs no validation, is content with fewer.
    workspace.run(&line("out", "-q --methods k-means,random")).success();
    workspace.write("counts.jsonl", counts(&[5; 5]));
    let message = workspace.run(&line("other", "-q --methods random")).refusal();
    assert!(message.starts_with("the corpora: 5 of 5 have at least 2 usable"), "{message}");
    assert!(!workspace.exists("other"));
}

#[test]
fn flags_and_methods_that_do_not_go_with_groups_are_refused() {
    let workspace = workspace();
    for (flags, part) in [
        ("--targets c1", "--targets"),
        ("--sweep topics", "--sweep"),
        ("--topics 4", "--topics"),
        ("--support-size 4", "--support-size"),
        ("--methods k-means,smoothed", "method `smoothed`: there is none of that name that groups"),
        ("--repeats 0", "--repeats is 0; it must be at least 1"),
        ("--tasks 0", "--tasks"),
    ] {
        let message = workspace.run(&line("out", &format!("-q {flags}"))).usage_error();
        assert!(message.contains(part), "{flags}: {message}");
        assert!(!workspace.exists("out"), "{flags}");
    }
}

#[test]
fn a_folder_holds_one_kind_of_experiments() {
    let workspace = workspace();
    workspace.run(&line("groups", "-q --methods random")).success();
    let comparison = format!("compare counts.jsonl {TINY} --methods smoothed --targets c1 -q");
    workspace.run(&format!("{comparison} --out results")).success();
    for line in [format!("{comparison} --out groups"), line("results", "-q --methods random")] {
        let message = workspace.run(&line).refusal();
        assert!(message.contains("/settings.json: is not of a folder of results ("), "{message}");
    }
    let message = workspace.run("compare --table groups --targets c1").refusal();
    assert_eq!(message, "--targets: mixed handfuls have no targets; leave it out");
    let message = workspace.run("compare --table results --groups").refusal();
    assert!(message.starts_with("results/settings.json: is not of a folder"), "{message}");
}

#[test]
fn a_damaged_line_is_named() {
    let workspace = workspace();
    workspace.run(&line("out", "-q --methods random,k-means")).success();
    let text = String::from_utf8(workspace.read("out/groups.jsonl")).unwrap();
    workspace.write("out/groups.jsonl", text.replacen("\"purity\":", "\"purity\":x", 1));
    for line in [&*line("out", "-q --methods random"), "compare --table out"] {
        let message = workspace.run(line).refusal();
        assert!(message.starts_with("out/groups.jsonl, line 1: is no result of an"), "{message}");
    }
    workspace.write("out/groups.jsonl", "");
    let message = workspace.run("compare --table out").refusal();
    assert!(message.starts_with("out: has no finished experiment yet"), "{message}");
}
