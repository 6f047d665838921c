//! `handful fit`: topics of a few documents.

use crate::support::{Workspace, text};
use serde_json::{Value, json};

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

fn ids(fitted: &Value) -> Vec<&str> {
    let documents = fitted["documents"].as_array().unwrap();
    documents.iter().map(|document| document["id"].as_str().unwrap()).collect()
}

fn fit(workspace: &Workspace, line: &str) -> Value {
    workspace.run(&format!("fit --model model --json {line}")).success().json()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn json_has_the_documented_fields() {
    let workspace = Workspace::with_model();
    let fitted = fit(&workspace, "a.txt b.txt c.txt --seed 5");
    assert_eq!(
        keys(&fitted),
        ["documents", "language", "model", "order", "seed", "topics", "version"]
    );
    assert_eq!(fitted["seed"], 5);
    let topics = fitted["topics"].as_array().unwrap();
    assert_eq!(topics.len(), 3);
    for (k, topic) in topics.iter().enumerate() {
        assert_eq!(keys(topic), ["id", "name", "number", "terms", "weight"]);
        assert_eq!((&topic["id"], &topic["number"]), (&json!(k), &json!(k + 1)));
        let terms = topic["terms"].as_array().unwrap();
        assert_eq!(terms.len(), 10);
        assert!(terms.iter().all(|term| keys(term) == ["probability", "term"]));
    }
    for document in fitted["documents"].as_array().unwrap() {
        assert_eq!(keys(document), ["id", "topics", "unknown_words", "words"]);
    }
    assert_eq!(ids(&fitted), ["a.txt", "b.txt", "c.txt"]);
}

#[test]
fn what_should_be_a_distribution_is_one() {
    let workspace = Workspace::with_model();
    let fitted = fit(&workspace, "a.txt b.txt c.txt --top 1000");
    let is_distribution = |shares: &[f64]| {
        (shares.iter().sum::<f64>() - 1.0).abs() < 1e-5 && shares.iter().all(|&share| share >= 0.0)
    };
    for document in fitted["documents"].as_array().unwrap() {
        let shares = numbers(&document["topics"]);
        assert_eq!(shares.len(), 3);
        assert!(is_distribution(&shares), "{shares:?}");
    }
    let topics = fitted["topics"].as_array().unwrap();
    let weights: Vec<f64> = topics.iter().map(|topic| topic["weight"].as_f64().unwrap()).collect();
    assert!(is_distribution(&weights), "{weights:?}");
    for topic in topics {
        let terms = topic["terms"].as_array().unwrap();
        let shares: Vec<f64> =
            terms.iter().map(|term| term["probability"].as_f64().unwrap()).collect();
        assert!(is_distribution(&shares), "{shares:?}");
    }
}

#[test]
fn weights_are_the_topics_shares_of_all_known_words() {
    let workspace = Workspace::with_model();
    workspace.write("short.txt", "anchor tide unheard");
    let fitted = fit(&workspace, "a.txt short.txt");
    let documents = fitted["documents"].as_array().unwrap();
    let known = |document: &Value| {
        (document["words"].as_u64().unwrap() - document["unknown_words"].as_u64().unwrap()) as f64
    };
    let all: f64 = documents.iter().map(known).sum();
    assert_eq!(all, 42.0);
    for (k, topic) in fitted["topics"].as_array().unwrap().iter().enumerate() {
        let expected: f64 = documents
            .iter()
            .map(|document| known(document) * numbers(&document["topics"])[k])
            .sum();
        assert!((topic["weight"].as_f64().unwrap() - expected / all).abs() < 1e-6);
    }
}

#[test]
fn people_see_every_topic_and_every_document_with_bars() {
    let workspace = Workspace::with_model();
    workspace.write("strange.txt", "anchor wave abracadabra hocuspocus");
    let answer = workspace.run("fit a.txt b.txt strange.txt --model model --top 4").success();
    let (topics, documents) = answer.out.split_once("\nDocuments").unwrap();
    let fitted = fit(&workspace, "a.txt b.txt strange.txt --top 4");
    for topic in fitted["topics"].as_array().unwrap() {
        let number = topic["number"].as_u64().unwrap();
        let line = topics.lines().find(|line| line.contains(&format!("topic {number} "))).unwrap();
        let terms: Vec<&str> = topic["terms"]
            .as_array()
            .unwrap()
            .iter()
            .map(|term| term["term"].as_str().unwrap())
            .collect();
        assert!(line.ends_with(&terms.join(", ")), "{line}");
        let percent = (topic["weight"].as_f64().unwrap() * 100.0).round();
        assert!(line.contains(&format!("{percent}%")), "{line}");
    }
    assert!(documents.contains("a.txt (40 words, all known)"), "{documents}");
    assert!(documents.contains("strange.txt (4 words, 50% new to the model)"), "{documents}");
    assert!(documents.matches('█').count() > 3, "{documents}");
    assert_eq!(answer.err, "");
}

#[test]
fn documents_come_from_files_folders_tables_and_standard_input() {
    let workspace = Workspace::with_model();
    workspace.write("folder/deep/two.txt", text(7));
    workspace.write("folder/one.txt", text(8));
    workspace.write("rows.jsonl", json!({"id": "row", "text": text(9)}).to_string());
    workspace.write("rows.csv", format!("id,text\ncell,{}\n,{}\n", text(10), text(11)));
    let line = "fit a.txt folder rows.jsonl rows.csv - --model model --json";
    let fitted = workspace.run_with_input(line, text(12)).success().json();
    let found = ids(&fitted);
    assert_eq!(found.len(), 7, "{found:?}");
    for id in ["a.txt", "deep/two.txt", "one.txt", "row", "cell", "-"] {
        assert!(found.contains(&id), "{id} is not in {found:?}");
    }
}

#[test]
fn top_says_how_many_terms_are_shown() {
    let workspace = Workspace::with_model();
    for (top, shown) in [("0", 0), ("1", 1), ("5", 5), ("1000", 32)] {
        let fitted = fit(&workspace, &format!("a.txt --top {top}"));
        let topics = fitted["topics"].as_array().unwrap();
        assert!(topics.iter().all(|topic| topic["terms"].as_array().unwrap().len() == shown));
    }
}

#[test]
fn em_steps_are_the_models_unless_said_otherwise() {
    let workspace = Workspace::with_model();
    let own = fit(&workspace, "a.txt b.txt");
    assert_eq!(own["model"]["em_steps"], 3);
    assert_eq!(own["model"]["converged"], Value::Null);
    assert_eq!(fit(&workspace, "a.txt b.txt --em-steps 3"), own);
    let none = fit(&workspace, "a.txt b.txt --em-steps 0");
    assert_eq!(none["model"]["em_steps"], 0);
    assert_ne!(none["topics"], own["topics"]);
}

#[test]
fn em_goes_on_until_it_converges() {
    let workspace = Workspace::with_model();
    let answer = workspace.run("fit a.txt b.txt --model model --until-converged --json").success();
    let model = &answer.json()["model"];
    let (steps, converged) = (model["em_steps"].as_u64().unwrap(), model["converged"] == true);
    assert!(steps > 3, "{steps} steps");
    assert_eq!(answer.err.contains("did not converge"), !converged, "{answer:?}");
    assert!(converged || steps == 2000);
}

#[test]
fn the_models_own_number_of_topics_may_be_asked_for() {
    let workspace = Workspace::with_model();
    assert_eq!(fit(&workspace, "a.txt --topics 3"), fit(&workspace, "a.txt"));
}

#[test]
fn an_empty_document_among_others_is_no_problem() {
    let workspace = Workspace::with_model();
    workspace.write("empty.txt", "");
    workspace.write("unknown.txt", "abracadabra hocuspocus");
    let fitted = fit(&workspace, "a.txt empty.txt unknown.txt");
    for (n, words) in [(1, 0), (2, 2)] {
        let document = &fitted["documents"][n];
        assert_eq!(
            (&document["words"], &document["unknown_words"]),
            (&json!(words), &json!(words))
        );
        assert!((numbers(&document["topics"]).iter().sum::<f64>() - 1.0).abs() < 1e-5);
    }
    let text = workspace.run("fit a.txt empty.txt unknown.txt --model model").success().out;
    assert!(text.contains("empty.txt (no words)"), "{text}");
    assert!(text.contains("unknown.txt (2 words, 100% new to the model)"), "{text}");
}

#[test]
fn the_text_settings_of_training_are_applied_again() {
    let workspace = Workspace::with_corpora();
    let tiny = crate::support::TINY;
    workspace.run(&format!("train corpora --prior iwata -o model --min-length 5 {tiny}")).success();
    // Words with fewer than five letters, and stop words, are no words for this model.
    let line = "fit - --model model --json";
    let fitted = workspace.run_with_input(line, "ANCHOR tide, wave; there: harbour!").success();
    let document = &fitted.json()["documents"][0];
    assert_eq!((&document["words"], &document["unknown_words"]), (&json!(2), &json!(0)));
}
