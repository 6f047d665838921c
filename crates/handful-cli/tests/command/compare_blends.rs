//! `handful compare --blends`: documents of several subjects.

use crate::support::{Workspace, lines, timeless};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::io::Read;

/// Texts of seven corpora with words of their own, six documents of 90 words each.
fn workspace() -> Workspace {
    let letter = |i: usize| char::from(b'a' + (i % 26) as u8);
    let mut lines = String::new();
    for c in 0..7 {
        for n in 0..6 {
            let word = |i: usize| format!("word{}{}", letter(c), letter(i * 5 + n));
            let text: Vec<String> = (0..90).map(word).collect();
            let line =
                json!({"corpus": format!("c{c}"), "id": n.to_string(), "text": text.join(" ")});
            lines += &format!("{line}\n");
        }
    }
    let workspace = Workspace::new();
    workspace.write("texts.jsonl", lines);
    workspace
}

fn line(out: &str, flags: &str) -> String {
    format!("compare texts.jsonl --blends --out {out} --tasks 3 --min-documents 1 -q {flags}")
}

fn outcomes(workspace: &Workspace, out: &str) -> Vec<String> {
    timeless(lines(workspace, &format!("{out}/blends.jsonl")))
}

fn tasks(workspace: &Workspace, out: &str) -> Vec<Value> {
    let mut text = String::new();
    let bytes = workspace.read(&format!("{out}/tasks.jsonl.gz"));
    GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const METHODS: &str = "--methods lda-ind,nmf,whole,even";

#[test]
fn each_method_repeat_and_number_of_subjects_is_a_line_and_tables_are_printed() {
    let workspace = workspace();
    let answer = workspace.run(&line("out", &format!("{METHODS} --repeats 2"))).success();
    let records = lines(&workspace, "out/blends.jsonl");
    assert_eq!(records.len(), 4 * 2 * 3);
    for record in &records {
        assert_eq!(record["task_errors"].as_array().unwrap().len(), 3, "{record}");
        assert_eq!(record["words_placed_alone"].is_null(), record["subjects"] != 2, "{record}");
    }
    for part in ["\n## K=2\n", "\n## K=3\n", "\n## K=4\n", "\n| nmf | ", "\n| even | "] {
        assert!(answer.out.contains(part), "{part}: {}", answer.out);
    }
    assert_eq!(answer.out.as_bytes(), workspace.read("out/tables.md"));
    let table = workspace.run("compare --table out").success();
    assert_eq!(table.out, answer.out);
    let json = workspace.run("compare --table out --json").success().json();
    let even = json["methods"].as_array().unwrap().iter().find(|row| row["method"] == "even");
    let even = even.unwrap();
    assert_eq!((&even["setting"], &even["repeats"]), (&json!("K=2"), &json!(2)));
    assert_eq!(even["measures"]["words_placed"]["mean"], 0.5);
    assert_eq!(even["measures"]["correlation"], json!(null));
}

#[test]
fn the_tasks_that_are_written_join_parts_of_documents_that_are_not_pure() {
    let workspace = workspace();
    workspace.run(&line("out", "--methods even --corpora-per-task 3")).success();
    let tasks = tasks(&workspace, "out");
    assert_eq!(tasks.len(), 3);
    for (number, task) in tasks.iter().enumerate() {
        assert_eq!(task["task"], format!("K=3/0/{number}"));
        let documents = task["documents"].as_array().unwrap();
        let (pure, blends): (Vec<_>, Vec<_>) =
            documents.iter().partition(|d| d["pieces"].as_array().unwrap().len() == 1);
        assert_eq!((pure.len(), blends.len()), (6, 2), "{task}");
        let source = |piece: &Value| (piece["corpus"].to_string(), piece["id"].to_string());
        let pure: Vec<_> = pure.iter().map(|document| source(&document["pieces"][0])).collect();
        for blend in blends {
            for piece in blend["pieces"].as_array().unwrap() {
                assert!(!pure.contains(&source(piece)), "{piece}");
            }
            let passages = blend["passages"].as_array().unwrap().iter();
            let text: String = passages.map(|passage| passage.as_str().unwrap()).collect();
            let words: u64 = blend["pieces"]
                .as_array()
                .unwrap()
                .iter()
                .map(|p| p["words"][1].as_u64().unwrap() - p["words"][0].as_u64().unwrap())
                .sum();
            assert_eq!(text.split_whitespace().count() as u64, words);
        }
    }
}

#[test]
fn the_number_of_threads_changes_no_number_and_what_was_stopped_goes_on() {
    let workspace = workspace();
    for (out, flags) in [("1", "--threads 1"), ("2", "--threads 2"), ("3", "--seed 3")] {
        workspace.run(&line(out, &format!("{METHODS} {flags} --repeats 2"))).success();
    }
    assert_eq!(outcomes(&workspace, "1"), outcomes(&workspace, "2"));
    assert_ne!(outcomes(&workspace, "1"), outcomes(&workspace, "3"));
    workspace.run(&line("out", "--methods even,nmf --corpora-per-task 2,4")).success();
    // As a crash leaves it: some lines, and half of another.
    let bytes = workspace.read("out/blends.jsonl");
    workspace.write("out/blends.jsonl", &bytes[..bytes.len() - 5]);
    workspace.run(&line("out", &format!("{METHODS} --repeats 2"))).success();
    assert_eq!(outcomes(&workspace, "out"), outcomes(&workspace, "1"));
    assert_eq!(workspace.read("out/tasks.jsonl.gz"), workspace.read("1/tasks.jsonl.gz"));
}

#[test]
fn a_model_is_asked_with_and_without_being_told_which_documents_are_pure() {
    let workspace = workspace();
    let train = "train texts.jsonl -o model -q --min-documents 1 --max-steps 20 \
                 --validation-every 10 --validation-tasks 3 --validation-corpora 2";
    workspace.run(train).success();
    let flags = "--methods model,model-told --model model --corpora-per-task 2";
    workspace.run(&line("out", flags)).success();
    let records = lines(&workspace, "out/blends.jsonl");
    assert_eq!(records.len(), 2);
    for record in records {
        assert!(record["given"]["model"]["terms"].as_u64().unwrap() > 0, "{record}");
        for measure in ["error", "pure_error", "words_placed"] {
            assert!((0.0..=1.0).contains(&record[measure].as_f64().unwrap()), "{record}");
        }
        let alone = !record["words_placed_alone"].is_null();
        assert_eq!(alone, record["method"] == "model", "{record}");
    }
}

#[test]
fn what_cannot_be_done_is_refused_in_a_sentence() {
    let workspace = workspace();
    let counts = json!({"corpus": "a", "id": "1", "counts": {"moon": 3}});
    workspace.write("counts.jsonl", format!("{counts}\n"));
    let counted = line("out", METHODS).replace("texts.jsonl", "counts.jsonl");
    let message = workspace.run(&counted).refusal();
    let expected = "document 1: is word counts, but blends join parts of texts; give the documents \
                    as text";
    assert_eq!(message, expected);
    for (flags, part) in [
        ("--targets c1", "--targets"),
        ("--groups", "--groups"),
        ("--topics 4", "--topics"),
        ("--methods k-means", "method `k-means`: there is none of that name for blends"),
        ("--methods model", "method `model`: there is no model to ask; name its directory with"),
        ("--methods even --corpora-per-task 1", "--corpora-per-task is 1; it must be at least 2"),
        ("--methods even --corpora-per-task 7", "--corpora-per-task is 7; it must be at most 6"),
        ("--methods even --repeats 0", "--repeats is 0; it must be at least 1"),
        (
            "--methods iwata",
            "the corpora: there are 7, but blends need 10: 6 to mix, 3 to validate",
        ),
    ] {
        let message = workspace.run(&line("out", flags)).usage_error();
        assert!(message.contains(part), "{flags}: {message}");
        assert!(!workspace.exists("out"), "{flags}");
    }
    let groups = "compare texts.jsonl --groups --corpora-per-task 2,3 --out out -q";
    let message = workspace.run(groups).refusal();
    let expected =
        "--corpora-per-task: --groups and --telling have one number of corpora in a task; name one";
    assert_eq!(message, expected);
}
