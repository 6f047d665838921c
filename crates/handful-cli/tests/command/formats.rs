//! Corpora and documents in every format.

use crate::support::{Document, TINY, Workspace, counts, documents, read_tensors, text};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::io::Write;

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn lines(line: impl Fn(&Document) -> String) -> String {
    documents().iter().map(|document| line(document) + "\n").collect()
}

fn text_line(document: &Document) -> String {
    let Document { corpus, id, text } = document;
    json!({"corpus": corpus, "id": id, "text": text}).to_string()
}

fn counts_line(document: &Document) -> String {
    let Document { corpus, id, text } = document;
    json!({"corpus": corpus, "id": id, "counts": counts(text)}).to_string()
}

/// The weights of a model trained on a file with this content.
fn weights_from(name: &str, content: impl AsRef<[u8]>, flags: &str) -> Vec<u8> {
    let workspace = Workspace::new();
    workspace.write(name, content);
    workspace.run(&format!("train {name} --prior iwata -o model {flags} {TINY}")).success();
    workspace.read("model/model.safetensors")
}

#[test]
fn the_same_documents_give_the_same_model_in_every_format() {
    let workspace = Workspace::with_corpora();
    workspace.run(&format!("train corpora --prior iwata -o model {TINY}")).success();
    let expected = workspace.read("model/model.safetensors");

    let json_lines = lines(text_line);
    let row = |separator: char| {
        move |document: &Document| {
            let Document { corpus, id, text } = document;
            format!("{corpus}{separator}{id}{separator}{text}")
        }
    };
    let csv = format!("corpus,id,text\n{}", lines(row(',')));
    let tsv = format!("corpus\tid\ttext\n{}", lines(row('\t')));
    let semicolons = format!("corpus;id;text\n{}", lines(row(';')));
    let renamed = csv.replacen("corpus,id,text", "label,name,body", 1);
    let columns = "--corpus-column label --id-column name --text-column body";
    for (name, content, flags) in [
        ("data.jsonl", json_lines.clone().into_bytes(), ""),
        ("data.ndjson.gz", gzip(&json_lines), ""),
        ("data.csv", csv.clone().into_bytes(), ""),
        ("data.csv.gz", gzip(&csv), ""),
        ("data.tsv", tsv.into_bytes(), ""),
        ("semicolons.csv", semicolons.into_bytes(), ""),
        ("renamed.csv", renamed.into_bytes(), columns),
        ("no-ending", json_lines.into_bytes(), "--format jsonl"),
    ] {
        assert_eq!(weights_from(name, content, flags), expected, "{name}");
    }
}

#[test]
fn corpora_may_come_through_standard_input() {
    let workspace = Workspace::new();
    let line = format!("train - --format jsonl --prior iwata -o model {TINY}");
    workspace.run_with_input(&line, lines(text_line)).success();
    let expected = weights_from("data.jsonl", lines(text_line), "");
    assert_eq!(workspace.read("model/model.safetensors"), expected);
}

#[test]
fn a_model_of_counts_has_no_text_settings_and_knows_every_term() {
    let workspace = Workspace::new();
    let rare = r#"{"corpus": "elm", "id": "rare", "counts": {"the": 1, "x": 2, "two words": 1}}"#;
    workspace.write("data.jsonl.gz", gzip(&format!("{}{rare}\n", lines(counts_line))));
    workspace
        .run(&format!("train data.jsonl.gz --prior iwata -o model --exclude elm {TINY}"))
        .success();
    let config: Value = serde_json::from_slice(&workspace.read("model/config.json")).unwrap();
    assert!(config.get("text").is_none(), "{config}");
    assert!(config.get("training").is_some(), "{config}");
    let vocabulary = String::from_utf8(workspace.read("model/vocabulary.txt")).unwrap();
    for term in ["the", "x", "two words", "anchor"] {
        assert!(vocabulary.lines().any(|line| line == term), "{term} is not in {vocabulary}");
    }
    let tensors = read_tensors(&workspace, "model/model.safetensors");
    assert_eq!(tensors["f_b.6.bias"].0, [vocabulary.lines().count()]);
}

#[test]
fn a_model_of_counts_fits_counts() {
    let workspace = Workspace::new();
    workspace.write("data.jsonl.gz", gzip(&lines(counts_line)));
    workspace.run(&format!("train data.jsonl.gz --prior iwata -o model {TINY}")).success();
    let counts = r#"{"id": "new", "counts": {"anchor": 3, "tide": 2, "nonsense": 5}}"#;
    let fitted = workspace.run_with_input("fit - --format jsonl --model model --json", counts);
    let document = &fitted.success().json()["documents"][0];
    assert_eq!((&document["id"], &document["words"]), (&json!("new"), &json!(10)));
    assert_eq!(document["unknown_words"], 5);
}

#[test]
fn a_model_of_text_fits_counts_too() {
    let workspace = Workspace::with_model();
    let words = text(100);
    let line = json!({"id": "a.txt", "counts": counts(&words)}).to_string();
    workspace.write("a.jsonl", line);
    let from_counts = workspace.run("fit a.jsonl --model model --json").success().json();
    let from_text = workspace.run("fit a.txt --model model --json").success().json();
    assert_eq!(from_counts, from_text);
}

#[test]
fn text_that_is_not_utf_8_is_read_with_a_warning() {
    let workspace = Workspace::with_model();
    workspace.write("old.txt", b"anchor tide caf\xe9 wave".as_slice());
    let answer = workspace.run("fit old.txt --model model --json").success();
    assert_eq!(answer.json()["documents"][0]["words"], 4);
    assert!(answer.err.contains("windows-1252") && answer.err.contains("old.txt"), "{answer:?}");
}
