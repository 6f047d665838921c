//! `handful compare --number`: how many topics there are.

use crate::support::{Workspace, lines, timeless};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::io::Read;

/// Eight corpora with words of their own, each of so many documents of forty words: as texts, and as
/// counts.
fn workspace(documents: usize) -> Workspace {
    let letter = |i: usize| char::from(b'a' + (i % 26) as u8);
    let (mut texts, mut counts) = (String::new(), String::new());
    for c in 0..8 {
        for n in 0..documents {
            let word = |i: usize| format!("word{}{}", letter(c), letter(i));
            let text: Vec<String> = (0..40).map(|i| word((i * 3 + n) % 10)).collect();
            let (corpus, id) = (format!("c{c}"), n.to_string());
            let text = text.join(" ");
            texts += &format!("{}\n", json!({"corpus": corpus, "id": id, "text": text}));
            let words: serde_json::Map<String, Value> =
                (0..10).map(|i| (word(i), json!(4))).collect();
            counts += &format!("{}\n", json!({"corpus": corpus, "id": id, "counts": words}));
        }
    }
    let workspace = Workspace::new();
    workspace.write("texts.jsonl", texts);
    workspace.write("counts.jsonl", counts);
    workspace
}

fn line(input: &str, out: &str, flags: &str) -> String {
    format!("compare {input}.jsonl --number --out {out} --tasks 6 --min-documents 1 {flags}")
}

fn outcomes(workspace: &Workspace, out: &str) -> Vec<String> {
    timeless(lines(workspace, &format!("{out}/number.jsonl")))
}

#[test]
fn each_method_repeat_and_number_of_documents_is_a_line_for_texts_and_for_counts() {
    let workspace = workspace(12);
    for input in ["texts", "counts"] {
        let answer = workspace
            .run(&line(input, input, "-q --repeats 2 --documents-per-task 6,12"))
            .success();
        let records = lines(&workspace, &format!("{input}/number.jsonl"));
        assert_eq!(records.len(), 3 * 2 * 2);
        for record in &records {
            assert_eq!(record["task_topics"].as_array().unwrap().len(), 6, "{record}");
        }
        for part in ["\n## All\n", "\n## N=6\n", "\n## N=12\n", "\n| always-3 | "] {
            assert!(answer.out.contains(part), "{part}: {}", answer.out);
        }
        let table = workspace.run(&format!("compare --table {input}")).success();
        assert_eq!(table.out, answer.out);
        let json = workspace.run(&format!("compare --table {input} --json")).success().json();
        assert_eq!(json["methods"][1]["method"], "always-3");
        assert_eq!(json["methods"][1]["measures"]["topics"]["mean"], 3.0);
    }
}

#[test]
fn tasks_are_written_with_all_documents_short_or_long() {
    let workspace = workspace(12);
    workspace.run(&line("texts", "out", "-q --methods always-3 --documents-per-task 6")).success();
    let mut text = String::new();
    let bytes = workspace.read("out/tasks.jsonl.gz");
    GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    assert_eq!(text.lines().count(), 6);
    for task in text.lines() {
        let task: Value = serde_json::from_str(task).unwrap();
        let documents = task["documents"].as_array().unwrap();
        assert_eq!(documents.len(), 6);
        for document in documents {
            let words = document["passages"][0].as_str().unwrap().split_whitespace().count();
            assert_eq!(words, if task["short"] == true { 30 } else { 40 }, "{task}");
        }
    }
}

#[test]
fn the_number_of_threads_changes_no_number_and_what_was_stopped_goes_on() {
    let workspace = workspace(12);
    let flags = "-q --repeats 2 --documents-per-task 6,12";
    for (out, threads) in [("1", 1), ("2", 2)] {
        workspace.run(&line("texts", out, &format!("{flags} --threads {threads}"))).success();
    }
    assert_eq!(outcomes(&workspace, "1"), outcomes(&workspace, "2"));
    workspace
        .run(&line("texts", "out", "-q --documents-per-task 12 --methods silhouette"))
        .success();
    let bytes = workspace.read("out/number.jsonl");
    workspace.write("out/number.jsonl", [&bytes, &bytes[..20]].concat());
    workspace.run(&line("texts", "out", flags)).success();
    assert_eq!(outcomes(&workspace, "out"), outcomes(&workspace, "1"));
    assert_eq!(workspace.read("out/tasks.jsonl.gz"), workspace.read("1/tasks.jsonl.gz"));
}

#[test]
fn a_model_chooses_the_number_and_one_of_a_fixed_number_is_refused() {
    let workspace = workspace(6);
    let train = "--min-documents 1 --max-steps 20 --validation-every 10 --validation-tasks 3 \
                 --validation-corpora 2";
    workspace.run(&format!("train texts.jsonl -o model -q {train}")).success();
    let asked = |model: &str| {
        let flags = format!("-q --methods model --model {model} --documents-per-task 6");
        workspace.run(&line("texts", "out", &flags))
    };
    let answer = asked("model").success();
    assert!(answer.out.contains("\n## Trust\n"), "{}", answer.out);
    let record = &lines(&workspace, "out/number.jsonl")[0];
    assert_eq!(record["task_trust"].as_array().unwrap().len(), 6, "{record}");
    assert!(record["given"]["model"]["terms"].as_u64().unwrap() > 0, "{record}");
    let topics = record["task_topics"].as_array().unwrap();
    assert!(topics.iter().all(|topics| (1..=50).contains(&topics.as_u64().unwrap())), "{record}");
    workspace.run(&format!("train texts.jsonl --prior iwata -o fixed -q {train}")).success();
    let message = asked("fixed").refusal();
    let expected = "the model: fixed has a fixed number of topics; give one that chooses it with \
                    --model";
    assert_eq!(message, expected);
}

#[test]
fn what_cannot_be_done_is_refused_or_warned_of_in_a_sentence() {
    let workspace = workspace(6);
    let answer = workspace.run(&line("texts", "out", "--methods always-3")).success();
    for part in [
        "N=12 is left out: 0 of 8 have at least 12 documents of 30 words",
        "N=24 is left out: 0 of 8 have at least 24 documents of 30 words",
    ] {
        assert!(answer.err.contains(part), "{part}: {answer:?}");
    }
    for (flags, part) in [
        ("--documents-per-task 24", "the corpora: 0 of 8 have at least 24 documents of 30 words"),
        ("--documents-per-task 1", "--documents-per-task is 1; it must be at least 2"),
        ("--methods even", "method `even`: there is none of that name that chooses the number"),
        ("--corpora-per-task 3", "--corpora-per-task"),
        ("--blends", "--blends"),
        ("--methods model", "method `model`: there is no model to ask"),
    ] {
        let message = workspace.run(&line("texts", "other", &format!("-q {flags}"))).usage_error();
        assert!(message.contains(part), "{flags}: {message}");
        assert!(!workspace.exists("other"), "{flags}");
    }
    let message = workspace.run("compare --table out --targets c1").refusal();
    assert_eq!(message, "--targets: numbers of topics have no targets; leave it out");
}
