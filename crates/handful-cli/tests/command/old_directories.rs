//! Directories that the first format version wrote still open, and still say the same.
//!
//! `tests/fixtures/version_1` was written by the first release, with what it printed for them. The checkpoint
//! and the folder of results are of a later one, which was the first to give them checksums.

use crate::support::{TINY, Workspace, read_tensors};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/version_1").join(name)
}

/// What the first release printed.
fn printed(name: &str) -> Value {
    serde_json::from_slice(&fs::read(fixture(name)).unwrap()).unwrap()
}

/// A workspace with the old directories and the documents.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("documents.jsonl", fs::read(fixture("documents.jsonl")).unwrap());
    for directory in ["model", "topic_model", "iwata_model", "iwata_topic_model"] {
        for entry in fs::read_dir(fixture(directory)).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            workspace.write(&format!("{directory}/{name}"), fs::read(entry.path()).unwrap());
        }
    }
    workspace
}

/// Whether `new` says all that `old` said. Fields may be added. Numbers may differ by the rounding
/// of another processor's registers, which the steps of EM enlarge.
fn assert_says(new: &Value, old: &Value, place: &str) {
    match old {
        Value::Object(fields) => {
            for (name, field) in fields {
                assert_says(&new[name], field, &format!("{place}.{name}"));
            }
        }
        Value::Array(items) => {
            assert_eq!(new.as_array().map(Vec::len), Some(items.len()), "{place}");
            for (i, item) in items.iter().enumerate() {
                assert_says(&new[i], item, &format!("{place}[{i}]"));
            }
        }
        Value::Number(number) => {
            let (old, new) = (number.as_f64().unwrap(), new.as_f64().unwrap_or(f64::NAN));
            assert!((old - new).abs() <= 1e-3 * old.abs().max(0.01), "{place}: {new}, was {old}");
        }
        other => assert_eq!(new, other, "{place}"),
    }
}

/// Whether a topic has terms with the probabilities that they had, in whatever order.
fn assert_has_terms(topic: &Value, old: &Value, place: &str) {
    for old in old.as_array().unwrap() {
        let mut terms = topic["terms"].as_array().unwrap().iter();
        let new = terms.find(|new| new["term"] == old["term"]).unwrap_or(&Value::Null);
        assert_says(&new["probability"], &old["probability"], &format!("{place}: {}", old["term"]));
    }
}

/// What was printed, with the topics in the order of their shares, as they have been since.
fn by_share(mut printed: Value) -> Value {
    let weight = |topic: &Value| topic["weight"].as_f64().unwrap();
    let mut topics = printed["topics"].as_array().unwrap().clone();
    topics.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    let order: Vec<usize> =
        topics.iter().map(|topic| topic["id"].as_u64().unwrap() as usize).collect();
    topics.iter_mut().enumerate().for_each(|(k, topic)| topic["id"] = k.into());
    printed["topics"] = topics.into();
    for list in ["documents", "new_words"] {
        for one in printed[list].as_array_mut().into_iter().flatten() {
            let shares = one["topics"].as_array().unwrap();
            one["topics"] = order.iter().map(|&k| shares[k].clone()).collect();
        }
    }
    printed
}

#[test]
fn models_of_the_first_version_fit_as_they_did() {
    let workspace = workspace();
    for (model, topics, expected) in
        [("model", "--topics 2", "fit.json"), ("iwata_model", "", "iwata_fit.json")]
    {
        let line = format!("fit documents.jsonl --model {model} {topics} --top 100 --json");
        let fit = workspace.run(&line).success().json();
        let mut old = by_share(printed(expected));
        old["model"]["name"] = model.into();
        // By relevance, all terms are listed, whether the documents say them or not.
        let all = workspace.run(&format!("{line} --relevance 0.6")).success().json();
        let topics = old["topics"].as_array_mut().unwrap().iter_mut();
        for (topic, new) in topics.zip(all["topics"].as_array().unwrap()) {
            let old_terms = topic.as_object_mut().unwrap().remove("terms").unwrap();
            assert_has_terms(new, &old_terms, model);
        }
        // Usual words are the background's since then, and documents foretell their own words.
        for document in old["documents"].as_array_mut().unwrap() {
            document.as_object_mut().unwrap().remove("background");
        }
        old.as_object_mut().unwrap().remove("gain");
        assert_says(&fit, &old, model);
        workspace.run(&format!("inspect {model}")).success();
    }
}

#[test]
fn topic_models_of_the_first_version_infer_as_they_did() {
    let workspace = workspace();
    for (topic_model, fitted, inferred) in [
        ("topic_model", "fit.json", "infer.json"),
        ("iwata_topic_model", "iwata_fit.json", "iwata_infer.json"),
    ] {
        let line = format!("infer --topic-model {topic_model} documents.jsonl --json");
        let answer = workspace.run(&line).success();
        assert_says(&answer.json(), &printed(inferred), topic_model);
        let shown = workspace.run(&format!("inspect {topic_model} --json")).success().json();
        let fit = printed(fitted);
        assert_says(&shown["topics"], &fit["topics"], topic_model);
        assert_says(&shown["documents"], &fit["documents"], topic_model);
    }
}

#[test]
fn a_model_that_says_what_it_was_trained_without_still_opens() {
    let workspace = workspace();
    let config = String::from_utf8(workspace.read("model/config.json")).unwrap();
    for part in ["themes", "document-topics", "background", "count-evidence"] {
        let kind = "\"kind\": \"handful\",";
        let with = config.replacen(kind, &format!("{kind} \"without\": \"{part}\","), 1);
        assert_ne!(with, config);
        workspace.write("model/config.json", with);
        workspace.run("fit documents.jsonl --model model --topics 2").success();
    }
}

#[test]
fn a_training_goes_on_from_a_checkpoint_of_the_first_version() {
    let workspace = Workspace::with_corpora();
    let line = |out: &str| {
        let shape = TINY.replace("--hidden 8", "--hidden 2");
        format!("train corpora --prior iwata -o {out} {shape} --checkpoint-every 20 --resume")
    };
    workspace.run(&line("whole")).success();
    workspace.write("m.checkpoint", fs::read(fixture("training.checkpoint")).unwrap());
    let answer = workspace.run(&line("m")).success();
    assert!(answer.err.contains("going on after step 20"), "{}", answer.err);
    // Other processors round otherwise, so that weights agree to some digits only.
    let (new, whole) = ["m", "whole"]
        .map(|model| read_tensors(&workspace, &format!("{model}/model.safetensors")))
        .into();
    assert_eq!(new.len(), whole.len());
    for (name, (shape, values)) in &whole {
        assert_eq!(&new[name].0, shape, "{name}");
        for (a, b) in new[name].1.iter().zip(values) {
            assert!((a - b).abs() <= 1e-3 * b.abs().max(0.01), "{name}: {a}, {b}");
        }
    }
}

#[test]
fn results_of_the_first_version_are_shown_and_added_to() {
    let workspace = Workspace::with_corpora();
    let stored = |name: &str| fs::read(fixture("results").join(name)).unwrap();
    for name in ["settings.json", "results.jsonl"] {
        workspace.write(&format!("out/{name}"), stored(name));
    }
    let table = workspace.run("compare --table out").success().out;
    // As `perplexity.csv` of then has it.
    assert!(table.contains("| dir | Dir | **32.0 \u{b1} 0.1** |"), "{table}");
    let line = |methods: &str| {
        format!(
            "compare corpora --out out -q {TINY} --tasks 2 --repeats 2 --methods {methods} --targets elm"
        )
    };
    workspace.run(&line("smoothed,dir")).success();
    assert_eq!(workspace.read("out/results.jsonl"), stored("results.jsonl"), "nothing is missing");
    let table = String::from_utf8(workspace.read("out/perplexity.csv")).unwrap();
    let of_then = String::from_utf8(stored("perplexity.csv")).unwrap();
    // Method, perplexity and standard error; columns may be added.
    let cells = |row: &str| row.splitn(4, ',').take(3).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(
        table.lines().map(cells).collect::<Vec<_>>(),
        of_then.lines().map(cells).collect::<Vec<_>>()
    );
    workspace.run(&line("smoothed,dir,dir-e")).success();
    let results = workspace.read("out/results.jsonl");
    assert!(results.starts_with(&stored("results.jsonl")) && results != stored("results.jsonl"));
}
