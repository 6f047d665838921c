//! `handful compare --passage-vectors`: vectors of the passages of tasks that another program made.

use crate::support::{Workspace, lines};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::io::Read;

const CORPORA: usize = 8;

/// Texts of eight corpora, twelve documents of four hundred words each. The fifth letter of a word tells
/// its corpus.
fn workspace() -> Workspace {
    let letter = |i: usize| char::from(b'a' + (i % 26) as u8);
    let mut texts = String::new();
    for c in 0..CORPORA {
        for n in 0..12 {
            let word = |i: usize| format!("word{}{}", letter(c), letter(i * 5 + n));
            let text: Vec<String> = (0..400).map(word).collect();
            let line =
                json!({"corpus": format!("c{c}"), "id": n.to_string(), "text": text.join(" ")});
            texts += &format!("{line}\n");
        }
    }
    let workspace = Workspace::new();
    workspace.write("texts.jsonl", texts);
    workspace
}

fn line(measure: &str, flags: &str) -> String {
    format!("compare texts.jsonl --{measure} --out out --tasks 8 --min-documents 1 -q {flags}")
}

/// Writes `vectors.jsonl` for the tasks of `out`: how many words of each corpus a passage has.
fn write_vectors(workspace: &Workspace) {
    let mut text = String::new();
    let bytes = workspace.read("out/tasks.jsonl.gz");
    GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    let mut vectors = String::new();
    for task in text.lines() {
        let task: Value = serde_json::from_str(task).unwrap();
        for (n, document) in task["documents"].as_array().unwrap().iter().enumerate() {
            for (i, passage) in document["passages"].as_array().unwrap().iter().enumerate() {
                let mut vector = [0.0; CORPORA];
                for word in passage.as_str().unwrap().split_whitespace() {
                    vector[usize::from(word.as_bytes()[4] - b'a')] += 1.0;
                }
                let place =
                    json!({"task": task["task"], "document": n, "passage": i, "vector": vector});
                vectors += &format!("{place}\n");
            }
        }
    }
    workspace.write("vectors.jsonl", vectors);
}

#[test]
fn passages_of_a_blend_go_to_the_subjects_that_their_vectors_tell() {
    let workspace = workspace();
    workspace.run(&line("blends", "--methods even")).success();
    write_vectors(&workspace);
    let methods = "--methods passages-given,passages-told --passage-vectors vectors.jsonl";
    workspace.run(&line("blends", methods)).success();
    let records = lines(&workspace, "out/blends.jsonl");
    let (even, given): (Vec<_>, Vec<_>) =
        records.iter().partition(|record| record["method"] == "even");
    assert_eq!((even.len(), given.len()), (3, 6));
    for record in given {
        assert_eq!(record["pure_error"], 0.0, "{record}");
        // Some passages have two subjects.
        assert!(record["correlation"].as_f64().unwrap() > 0.5, "{record}");
        let even = even.iter().find(|even| even["subjects"] == record["subjects"]).unwrap();
        for (measure, better) in [("error", -1.0), ("words_placed", 1.0)] {
            let gain = record[measure].as_f64().unwrap() - even[measure].as_f64().unwrap();
            assert!(gain * better > 0.0, "{measure}: {record}");
        }
        assert_eq!(record["given"]["passage_vectors"]["dimensions"], CORPORA, "{record}");
        let alone = record["method"] == "passages-given" && record["subjects"] == 2;
        assert_eq!(!record["words_placed_alone"].is_null(), alone, "{record}");
    }
}

#[test]
fn a_silhouette_counts_the_documents_that_vectors_put_together() {
    let workspace = workspace();
    let tasks = "--documents-per-task 12";
    workspace.run(&line("number", &format!("--methods always-3 {tasks}"))).success();
    write_vectors(&workspace);
    let flags = format!("--methods silhouette-given --passage-vectors vectors.jsonl {tasks}");
    workspace.run(&line("number", &flags)).success();
    let records = lines(&workspace, "out/number.jsonl");
    let record = records.iter().find(|record| record["method"] == "silhouette-given").unwrap();
    let list = |name: &str| record[name].as_array().unwrap().clone();
    let tasks = list("task_subjects").into_iter().zip(list("task_topics"));
    let aris = list("task_aris_given");
    for ((subjects, topics), ari) in tasks.zip(aris) {
        // Two subjects of one document each may be taken for one: alone, they count for nothing.
        if subjects != 1 {
            assert!(topics.as_u64() <= subjects.as_u64() && topics != 1, "{record}");
        }
        assert_eq!(ari, 1.0, "{record}");
    }
}

#[test]
fn vectors_that_are_missing_or_do_not_belong_are_refused() {
    let workspace = workspace();
    workspace.run(&line("blends", "--methods even --corpora-per-task 2")).success();
    write_vectors(&workspace);
    let text = String::from_utf8(workspace.read("vectors.jsonl")).unwrap();
    let fewer: String = text.lines().skip(1).map(|line| format!("{line}\n")).collect();
    workspace.write("fewer.jsonl", fewer);
    workspace.write("broken.jsonl", text.replacen("\"passage\"", "\"page\"", 1));
    for (flags, part) in [
        (
            "--methods passages-given",
            "method `passages-given`: there are no vectors to group; name their file with \
             --passage-vectors",
        ),
        (
            "--methods whole --passage-vectors vectors.jsonl",
            "--passage-vectors: none of --methods asks for it",
        ),
        (
            "--methods passages-given --passage-vectors fewer.jsonl",
            "fewer.jsonl: has no vector of passage 0 of document 0 of task K=2/0/0; make a line for \
             each passage",
        ),
        (
            "--methods passages-given --passage-vectors broken.jsonl",
            "broken.jsonl, line 1: is no vector of a passage (",
        ),
    ] {
        let flags = format!("{flags} --corpora-per-task 2");
        let message = workspace.run(&line("blends", &flags)).usage_error();
        assert!(message.contains(part), "{flags}: {message}");
    }
    let groups = "compare texts.jsonl --groups --out other --passage-vectors vectors.jsonl";
    assert!(workspace.run(groups).usage_error().contains("--blends"));
}
