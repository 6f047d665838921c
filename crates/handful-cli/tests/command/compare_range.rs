//! `handful compare --range`: one model for every use against models for one.

use crate::support::{TINY, Workspace, counts, documents, lines, timeless};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

/// Why a setting is left out: a corpus has six documents of forty words.
const TOO_SMALL: &str = "left out, because it has 6 documents with 240 words in all";

fn line(out: &str, flags: &str) -> String {
    format!("compare corpora --out {out} {TINY} --tasks 4 --targets elm {flags}")
}

fn outcomes(workspace: &Workspace, out: &str) -> Vec<String> {
    timeless(lines(workspace, &format!("{out}/range.jsonl")))
}

#[test]
fn each_experiment_is_a_line_and_the_tables_are_printed() {
    let workspace = Workspace::with_corpora();
    let flags = "-q --range topics --range documents --methods handful-for-all,handful,smoothed";
    let answer = workspace.run(&line("out", flags)).success();
    assert_eq!(answer.err, "");
    let records = lines(&workspace, "out/range.jsonl");
    assert_eq!(records.len(), 3 * (6 + 4));
    for record in &records {
        assert_eq!((&record["target"], &record["repeat"]), (&"elm".into(), &0.into()));
        let number = |key: &str| record[key].as_f64().unwrap();
        let perplexity = (-number("log_likelihood") / number("query_words")).exp();
        assert!((number("perplexity") - perplexity).abs() < 1e-9 * perplexity);
        let is_trained = record["method"] != "smoothed";
        assert_eq!(record.get("steps").is_some(), is_trained, "{record}");
    }
    for part in [
        "\nAt K=3 and N=3, with documents as they are, `handful-for-all` has ",
        "\n## Perplexity by number of topics K\n",
        "\n| number of documents N | handful-for-all | handful | smoothed | handful-for-all / handful |",
    ] {
        assert!(answer.out.contains(part), "{part} is not in {}", answer.out);
    }
    assert_eq!(
        workspace.names("out"),
        [
            "perplexity-by-documents.csv",
            "perplexity-by-documents.svg",
            "perplexity-by-target.csv",
            "perplexity-by-topics.csv",
            "perplexity-by-topics.svg",
            "range.jsonl",
            "settings.json",
            "tables.md",
            "tasks.jsonl.gz"
        ]
    );
    assert_eq!(answer.out.as_bytes(), workspace.read("out/tables.md"));
    let table = workspace.run("compare --table out").success();
    assert_eq!((table.out, table.err.as_str()), (answer.out, ""));
    let scores = workspace.run("compare --table out --json").success().json();
    let first = &scores["methods"][0];
    assert_eq!((&first["axis"], &first["value"]), (&"topics".into(), &1.into()));
    let of = |method: &str| records.iter().find(|r| r["method"] == method && r["value"] == 1);
    let perplexity = |method: &str| of(method).unwrap()["perplexity"].as_f64().unwrap();
    let ratio = perplexity("handful-for-all") / perplexity("handful");
    assert!((first["ratio_to_handful"].as_f64().unwrap() - ratio).abs() < 1e-12, "{first}");
}

#[test]
fn settings_that_a_target_is_too_small_for_are_left_out_with_a_warning() {
    let workspace = Workspace::with_corpora();
    let flags = "--range topics --range documents --range length --methods smoothed";
    let answer = workspace.run(&line("out", flags)).success();
    let warnings: Vec<&str> =
        answer.err.lines().filter_map(|line| line.strip_prefix("handful: warning: ")).collect();
    assert_eq!(
        warnings,
        [
            format!("corpus elm: N=10, 20, 50 {TOO_SMALL}"),
            format!("corpus elm: documents of 200, 1000, 5000 words {TOO_SMALL}")
        ]
    );
    assert!(answer.err.contains(" smoothed on elm, repeat 0, documents of 5 words: perplexity "));
    let mut values: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for record in lines(&workspace, "out/range.jsonl") {
        let axis = record["axis"].as_str().unwrap().to_owned();
        values.entry(axis).or_default().push(record["value"].as_u64().unwrap());
    }
    values.values_mut().for_each(|values| values.sort_unstable());
    assert_eq!(values["topics"], [1, 2, 5, 10, 20, 50]);
    assert_eq!((&*values["documents"], &*values["length"]), (&[1, 2, 3, 5][..], &[5, 20, 50][..]));
}

/// The words of one of elm's documents.
fn words(id: &str) -> BTreeMap<String, u64> {
    let all = documents();
    let document = all.iter().find(|document| document.corpus == "elm" && document.id == id);
    let counts = counts(&document.unwrap().text).into_iter();
    counts.map(|(term, count)| (term.to_owned(), u64::from(count))).collect()
}

fn add(sum: &mut BTreeMap<String, u64>, counts: &BTreeMap<String, u64>) {
    counts.iter().for_each(|(term, count)| *sum.entry(term.clone()).or_default() += count);
}

#[test]
fn the_tasks_that_are_written_have_documents_of_the_length_that_is_asked_for() {
    let workspace = Workspace::with_corpora();
    workspace.run(&line("out", "-q --range length --methods smoothed")).success();
    let mut text = String::new();
    let bytes = workspace.read("out/tasks.jsonl.gz");
    GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    let tasks: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // N = 1, 2, 3, 5, and documents of 5, 20 and 50 words.
    assert_eq!(tasks.len(), 7 * 4);
    for task in &tasks {
        let length = task["length"].as_u64();
        let documents = task["documents"].as_array().unwrap();
        assert_eq!(Some(documents.len() as u64), task["support_size"].as_u64());
        let mut all_ids = BTreeSet::new();
        for (n, ids) in documents.iter().enumerate() {
            let mut left = BTreeMap::new();
            for id in ids.as_array().unwrap() {
                assert!(all_ids.insert(id.as_str().unwrap()), "{task}");
                add(&mut left, &words(id.as_str().unwrap()));
            }
            let mut drawn = serde_json::from_value(task["held_out"][n].clone()).unwrap();
            if length.is_some() {
                add(&mut drawn, &serde_json::from_value(task["seen"][n].clone()).unwrap());
                assert_eq!(Some(drawn.values().sum()), length, "{task}");
            }
            let joined = ids.as_array().unwrap().len();
            assert_eq!(joined, if length == Some(50) { 2 } else { 1 }, "{task}");
            assert!(drawn.iter().all(|(term, &count)| count <= left[term]), "{task}");
        }
    }
}

#[test]
fn the_number_of_threads_changes_no_number_and_the_seed_does() {
    let workspace = Workspace::with_corpora();
    for (out, flags) in [("1", "--threads 1"), ("2", "--threads 2"), ("3", "--seed 3")] {
        workspace.run(&line(out, &format!("-q --range documents {flags}"))).success();
    }
    assert_eq!(outcomes(&workspace, "1"), outcomes(&workspace, "2"));
    assert_eq!(workspace.read("1/tasks.jsonl.gz"), workspace.read("2/tasks.jsonl.gz"));
    assert_ne!(outcomes(&workspace, "1"), outcomes(&workspace, "3"));
}

#[test]
fn what_was_stopped_goes_on_by_the_same_command_and_axes_can_be_added() {
    let workspace = Workspace::with_corpora();
    let methods = "--methods handful-for-all,smoothed,smoothed-lda --repeats 2";
    let both = format!("--range documents --range length {methods}");
    workspace.run(&line("whole", &format!("-q {both}"))).success();
    workspace.run(&line("out", &format!("-q --range documents {methods}"))).success();
    // As a crash leaves it: some lines, and half of another.
    let bytes = workspace.read("out/range.jsonl");
    workspace.write("out/range.jsonl", &bytes[..bytes.len() - 5]);
    let answer = workspace.run(&line("out", &both)).success();
    assert!(answer.err.contains("\n23 of 42 experiments are there already\n"), "{answer:?}");
    assert_eq!(outcomes(&workspace, "out"), outcomes(&workspace, "whole"));
    assert_eq!(workspace.read("out/tasks.jsonl.gz"), workspace.read("whole/tasks.jsonl.gz"));
    // Once more: nothing is left to do.
    let bytes = workspace.read("whole/range.jsonl");
    workspace.run(&line("whole", &format!("-q {both}"))).success();
    assert_eq!(workspace.read("whole/range.jsonl"), bytes);
}

#[test]
fn flags_and_methods_that_do_not_go_with_a_range_are_refused() {
    let workspace = Workspace::with_corpora();
    for (flags, part) in [
        ("--range moons", "'moons'"),
        ("--range topics --sweep topics", "--sweep"),
        ("--range topics --groups", "--groups"),
        ("--range topics --table out", "--table"),
        (
            "--range topics --methods iwata",
            "method `iwata`: there is none of that name for a range",
        ),
        ("--range topics --targets elk", "did you mean `elm`?"),
        ("--range topics --repeats 0", "--repeats is 0; it must be at least 1"),
        ("--range topics --topics 0", "--topics is 0; it must be at least 1"),
    ] {
        let line = format!("compare corpora --out out -q {flags}");
        let message = workspace.run(&line).usage_error();
        assert!(message.contains(part), "{flags}: {message}");
        assert!(!workspace.exists("out"), "{flags}");
    }
}

#[test]
fn a_folder_of_other_settings_or_of_another_kind_is_refused() {
    let workspace = Workspace::with_corpora();
    let range = line("range", "-q --range topics --methods smoothed");
    workspace.run(&range).success();
    let message = workspace.run(&range.replace("--tasks 4", "--tasks 5")).refusal();
    let expected = "range: has results of other settings: tasks was 4 and is now 5; ";
    assert!(message.starts_with(expected), "{message}");
    workspace.run(&line("results", "-q --methods smoothed")).success();
    for line in [
        line("range", "-q --methods smoothed"),
        line("results", "-q --range topics --methods smoothed"),
        "compare --table range --groups".to_owned(),
    ] {
        let message = workspace.run(&line).refusal();
        assert!(message.contains("/settings.json: is not of a folder of results ("), "{message}");
    }
    let message = workspace.run("compare --table range --targets elm").refusal();
    let expected = "--targets: the tables of a range of settings show no topics; leave it out";
    assert_eq!(message, expected);
}

#[test]
fn a_damaged_line_is_named() {
    let workspace = Workspace::with_corpora();
    let range = line("out", "-q --range topics --methods smoothed");
    workspace.run(&range).success();
    let text = String::from_utf8(workspace.read("out/range.jsonl")).unwrap();
    workspace.write("out/range.jsonl", text.replacen("\"value\":", "\"value\":x", 1));
    for line in [&*range, "compare --table out"] {
        let message = workspace.run(line).refusal();
        assert!(message.starts_with("out/range.jsonl, line 1: is no result of an"), "{message}");
    }
    workspace.write("out/range.jsonl", "");
    let message = workspace.run("compare --table out").refusal();
    assert!(message.starts_with("out: has no finished experiment yet"), "{message}");
}
