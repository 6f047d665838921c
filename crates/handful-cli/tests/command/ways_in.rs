//! Words that are ignored, paragraphs that are documents, pages that are text.

use crate::support::{Workspace, text};
use serde_json::{Value, json};

fn fit(workspace: &Workspace, line: &str) -> Value {
    workspace.run(&format!("fit --model model --json {line}")).success().json()
}

fn ids(fitted: &Value) -> Vec<&str> {
    let documents = fitted["documents"].as_array().unwrap();
    documents.iter().map(|document| document["id"].as_str().unwrap()).collect()
}

/// How often each of these words stands in `a.txt`.
fn occurrences(words: &[&str]) -> usize {
    text(100).split_whitespace().filter(|word| words.contains(word)).count()
}

#[test]
fn ignored_words_are_left_out_as_if_they_were_not_there() {
    let workspace = Workspace::with_model();
    let ignored = occurrences(&["anchor", "tide"]);
    assert!(ignored > 0);
    let others: Vec<String> = text(100)
        .split_whitespace()
        .filter(|word| !["anchor", "tide"].contains(word))
        .map(str::to_owned)
        .collect();
    workspace.write("ignore.txt", "Anchor\n\nTIDE\n");
    workspace.write("without/a.txt", others.join(" "));
    let without = fit(&workspace, "without");
    for list in ["anchor,TIDE", "@ignore.txt"] {
        let mut fitted = fit(&workspace, &format!("a.txt --ignore-words {list}"));
        let document = fitted["documents"][0].as_object_mut().unwrap();
        assert_eq!(document.remove("ignored_words").unwrap(), ignored);
        assert_eq!(document["words"], 40 - ignored);
        assert_eq!(fitted, without, "{list}");
    }
}

#[test]
fn words_of_counts_are_ignored_too() {
    let workspace = Workspace::with_model();
    workspace.write("a.jsonl", r#"{"id": "x", "counts": {"Anchor": 3, "tide": 2, "zz": 1}}"#);
    let document = &fit(&workspace, "a.jsonl --ignore-words anchor,zz")["documents"][0];
    assert_eq!(document["ignored_words"], 4);
    assert_eq!((&document["words"], &document["unknown_words"]), (&json!(2), &json!(0)));
}

#[test]
fn an_inference_ignores_what_its_fit_ignored() {
    let workspace = Workspace::with_model();
    let line = "fit a.txt b.txt --model model --ignore-words tide,anchor,tide --out topics --json";
    let fitted = workspace.run(line).success();
    let config: Value = serde_json::from_slice(&workspace.read("topics/config.json")).unwrap();
    assert_eq!(config["ignored_words"], json!(["anchor", "tide"]));
    assert_eq!(workspace.run("inspect topics --json").success().out, fitted.out);
    let inferred = workspace.run("infer a.txt --topic-model topics --json").success().json();
    let document = &inferred["documents"][0];
    assert_eq!(document["ignored_words"], occurrences(&["anchor", "tide"]));
}

#[test]
fn a_list_of_words_that_is_not_there_is_named() {
    let workspace = Workspace::with_model();
    let message = workspace.run("fit a.txt --model model --ignore-words @nowhere.txt").refusal();
    assert!(message.starts_with("nowhere.txt: cannot be read"), "{message}");
}

#[test]
fn paragraphs_become_documents_in_every_format_of_text() {
    let workspace = Workspace::with_model();
    let (one, two) = (text(1), text(2));
    let both = format!("{one}\n\n * * *\n\n{two}\n");
    workspace.write("a.txt", &both);
    workspace.write("a.html", format!("<!doctype html><p>{one}<p><p>{two}<hr>---"));
    workspace.write("a.csv", format!("id,text\nrow,\"{both}\"\n"));
    workspace.write("a.jsonl", json!({"id": "line", "text": both}).to_string());
    workspace.write("counts.jsonl", r#"{"id": "counts", "counts": {"tide": 2}}"#);
    let line = "a.txt a.html a.csv a.jsonl counts.jsonl --split paragraphs";
    let fitted = fit(&workspace, line);
    let expected = [
        "a.txt#1", "a.txt#2", "a.html#1", "a.html#2", "row#1", "row#2", "line#1", "line#2",
        "counts",
    ];
    assert_eq!(ids(&fitted), expected);
    for n in 0..8 {
        assert_eq!(fitted["documents"][n]["words"], 40);
        assert_eq!(fitted["documents"][n]["topics"], fitted["documents"][n % 2]["topics"]);
    }
    workspace.run("fit a.txt --model model --out topics").success();
    let line = "infer a.txt --split paragraphs --topic-model topics --json";
    assert_eq!(ids(&workspace.run(line).success().json()), ["a.txt#1", "a.txt#2"]);
}

#[test]
fn a_page_is_read_as_the_text_on_it() {
    let workspace = Workspace::with_model();
    let page = "<!DOCTYPE html>\n<html><head><title>Anchor</title><script>tide(wave)</script>\
                <style>tide { wave: 1 }</style></head><body class='wave'><!-- tide -->\
                <p>har<b>bour</b> &amp; isl&#97;nd</p></body></html>";
    workspace.write("plain.txt", "anchor\n\nharbour & island");
    workspace.write("page.html", page);
    workspace.write("page.HTM", page);
    workspace.write("page", page);
    workspace.write("shown.txt", page);
    let plain = fit(&workspace, "plain.txt");
    for name in ["page.html", "page.HTM", "page", "shown.txt"] {
        let page = fit(&workspace, name);
        assert_eq!(page["documents"][0]["words"], 3, "{name}");
        assert_eq!(page["documents"][0]["topics"], plain["documents"][0]["topics"], "{name}");
    }
    let line = "fit - --format html --model model --json";
    let piped = workspace.run_with_input(line, "anchor <p>harbour <wave>island").success().json();
    assert_eq!(piped["documents"][0]["words"], 3);
    // Who says that a page is text wants its tags, too.
    let tags = fit(&workspace, "page.html --format text");
    assert!(tags["documents"][0]["words"].as_u64().unwrap() > 10, "{tags}");
}

#[test]
fn pages_are_documents_of_corpora_too() {
    let workspace = Workspace::with_model();
    workspace.write("corpora/elm/page.html", format!("<p>{}</p>", text(50)));
    let tiny = crate::support::TINY;
    let line = format!("train corpora --prior iwata -o new -q --json {tiny}");
    workspace.run(&line).success();
    let vocabulary = |model: &str| workspace.read(&format!("{model}/vocabulary.txt"));
    assert_eq!(vocabulary("new"), vocabulary("model"));
    let message = workspace
        .run(&format!("train corpora/elm/page.html --prior iwata -o other {tiny}"))
        .refusal();
    assert!(message.contains("does not name a corpus"), "{message}");
}
