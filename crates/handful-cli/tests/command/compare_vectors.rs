//! `handful compare --groups --document-vectors`: vectors that another program made.

use crate::support::{Workspace, lines};
use serde_json::json;
use std::collections::BTreeMap;

/// Corpora whose documents have the same words, and `vectors.jsonl`, which tells them apart.
fn workspace() -> Workspace {
    let (mut counts, mut vectors) = (String::new(), String::new());
    for c in 0..7 {
        for n in 0..4 {
            let words: BTreeMap<String, usize> =
                (0..6).map(|i| (format!("w{i}"), 1 + (i + n) % 3)).collect();
            let (corpus, id) = (format!("c{c}"), n.to_string());
            let mut vector = [0.1 * n as f64; 7];
            vector[c] = 3.0;
            counts += &format!("{}\n", json!({"corpus": corpus, "id": id, "counts": words}));
            vectors += &format!("{}\n", json!({"corpus": corpus, "id": id, "vector": vector}));
        }
    }
    let workspace = Workspace::new();
    workspace.write("counts.jsonl", counts);
    workspace.write("vectors.jsonl", vectors);
    workspace
}

fn line(flags: &str) -> String {
    format!("compare counts.jsonl --groups --out out --tasks 4 -q {flags}")
}

const METHODS: &str =
    "--methods k-means-given,k-means-given-tfidf,ward-given,ward-given-tfidf,k-means";

#[test]
fn documents_are_grouped_by_the_vectors_of_a_file() {
    let workspace = workspace();
    workspace.run(&line(&format!("{METHODS} --document-vectors vectors.jsonl"))).success();
    let records = lines(&workspace, "out/groups.jsonl");
    assert_eq!(records.len(), 5);
    for record in records {
        let is_given = record["method"] != "k-means";
        assert_eq!(record["ari"] == 1.0, is_given, "{record}");
        assert_eq!(record["given"]["document_vectors"]["dimensions"] == 7, is_given, "{record}");
    }
    // Other vectors do not belong into the folder.
    let text = String::from_utf8(workspace.read("vectors.jsonl")).unwrap();
    workspace.write("vectors.jsonl", text.replace("3.0", "2.0"));
    let other = line(&format!("{METHODS} --document-vectors vectors.jsonl --repeats 2"));
    let message = workspace.run(&other).refusal();
    assert!(message.starts_with("out: has results of vectors of 7 numbers with the"), "{message}");
}

#[test]
fn files_and_methods_that_do_not_go_together_are_refused() {
    let workspace = workspace();
    let text = String::from_utf8(workspace.read("vectors.jsonl")).unwrap();
    let fewer = format!("{}\n", text.lines().next().unwrap());
    workspace.write("fewer.jsonl", fewer);
    workspace.write("broken.jsonl", text.replacen("[", "{", 1));
    for (flags, expected) in [
        (
            "--methods ward-given",
            "method `ward-given`: there are no vectors to group; name their file with \
             --document-vectors",
        ),
        (
            "--methods k-means --document-vectors vectors.jsonl",
            "--document-vectors: none of --methods asks for it; ",
        ),
        ("--methods ward-given --document-vectors nowhere.jsonl", "nowhere.jsonl: "),
        (
            "--methods ward-given --document-vectors fewer.jsonl",
            "fewer.jsonl: has no vector of the document ",
        ),
        (
            "--methods ward-given --document-vectors broken.jsonl",
            "broken.jsonl, line 1: is no vector of a document (",
        ),
    ] {
        let message = workspace.run(&line(flags)).refusal();
        assert!(message.starts_with(expected), "{flags}: {message}");
        assert!(!workspace.exists("out"), "{flags}");
    }
}
