//! `handful lda`: topics of documents alone, without a trained model.

use crate::support::Workspace;
use serde_json::Value;

/// Eight documents about bees and about bread, in turns.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let words = ["bee hive honey queen swarm", "bread flour oven yeast dough"];
    for n in 0..8 {
        workspace.write(&format!("{n}.txt"), format!("{} ", words[n % 2]).repeat(6));
    }
    workspace
}

const DOCUMENTS: &str = "0.txt 1.txt 2.txt 3.txt 4.txt 5.txt 6.txt 7.txt";

fn lda(workspace: &Workspace, flags: &str) -> Value {
    let line = format!("lda {DOCUMENTS} --topics 2 --sweeps 100 --json {flags}");
    workspace.run(&line).success().json()
}

/// The larger of two topics of a document.
fn main_topic(document: &Value) -> usize {
    let share = |k: usize| document["topics"][k].as_f64().unwrap();
    usize::from(share(1) > share(0))
}

#[test]
fn documents_are_told_apart_by_their_own_words() {
    let workspace = workspace();
    let fit = lda(&workspace, "");
    let documents = fit["documents"].as_array().unwrap();
    let topics: Vec<usize> = documents.iter().map(main_topic).collect();
    assert!((0..8).all(|n| topics[n] == topics[n % 2]) && topics[0] != topics[1], "{topics:?}");
    let terms = fit["topics"][topics[0]]["terms"].as_array().unwrap();
    let first: Vec<&str> = terms[..5].iter().map(|term| term["term"].as_str().unwrap()).collect();
    assert!("bee hive honey queen swarm".split(' ').all(|word| first.contains(&word)), "{first:?}");
    // No model has known any word before.
    assert!(documents.iter().all(|document| document["unknown_words"] == 0), "{fit}");
    assert_eq!((&fit["model"]["name"], &fit["model"]["terms"]), (&"lda".into(), &10.into()));
    let settings = &fit["lda"]["settings"];
    assert_eq!((&settings["sweeps"], &settings["burn_in"]), (&100.into(), &50.into()));
    let text = workspace.run(&format!("lda {DOCUMENTS} --topics 2 --sweeps 100")).success().out;
    assert!(text.starts_with("Topics, by their share of all words"), "{text}");
    assert!(text.contains("Documents, and how they mix the topics"), "{text}");
}

#[test]
fn a_seed_gives_one_result_on_any_number_of_threads() {
    let workspace = workspace();
    let first = lda(&workspace, "--seed 5 --threads 1");
    assert_eq!(lda(&workspace, "--seed 5 --threads 2"), first);
    assert_ne!(lda(&workspace, "--seed 6")["documents"], first["documents"]);
}

#[test]
fn hyperparameters_are_kept_or_optimised() {
    let workspace = workspace();
    let kept = lda(&workspace, "--optimise-every 0 --alpha 0.7 --beta 0.3");
    assert_eq!(kept["lda"]["alpha"], serde_json::json!([0.7, 0.7]));
    assert_eq!(kept["lda"]["beta"], 0.3);
    let optimised = lda(&workspace, "--alpha 0.7 --beta 0.3");
    assert_ne!(optimised["lda"]["beta"], 0.3);
    assert_eq!(optimised["lda"]["settings"]["beta"], 0.3, "what it started with");
}

#[test]
fn a_saved_lda_is_a_topic_model_like_any_other() {
    let workspace = workspace();
    let fit = lda(&workspace, "--out topics");
    assert_eq!(workspace.run("inspect topics --json").success().json()["topics"], fit["topics"]);
    workspace.write("new.txt", "The queen left the hive with the swarm.");
    let inferred = workspace.run("infer --topic-model topics new.txt --json").success().json();
    assert_eq!(main_topic(&inferred["documents"][0]), main_topic(&fit["documents"][0]));
    workspace.run_args(&["name", "topics", "1=Kitchen"]).success();
    assert_eq!(
        workspace.run("inspect topics --json").success().json()["topics"][0]["name"],
        "Kitchen"
    );
    let message = workspace.run(&format!("lda {DOCUMENTS} --out topics")).refusal();
    assert!(message.starts_with("topics: exists already"), "{message}");
    workspace.run(&format!("lda {DOCUMENTS} --sweeps 5 --out topics --force -q")).success();
}

#[test]
fn files_are_written_as_by_a_fit() {
    let workspace = workspace();
    let files = "--report report.html --csv-topics topics.csv --csv-proportions documents.csv \
                 --pyldavis pyldavis.json --octis octis.json";
    lda(&workspace, files);
    for (file, part) in [
        ("report.html", "honey"),
        ("topics.csv", "honey"),
        ("documents.csv", "7.txt"),
        ("pyldavis.json", "honey"),
        ("octis.json", "honey"),
    ] {
        let text = String::from_utf8(workspace.read(file)).unwrap();
        assert!(text.contains(part), "{file}");
    }
}

#[test]
fn documents_without_words_are_refused() {
    let workspace = Workspace::new();
    workspace.write("a.txt", "the and of");
    workspace.write("b.txt", "");
    let message = workspace.run("lda a.txt b.txt --out topics").refusal();
    assert!(message.starts_with("the documents: have no words; give texts with"), "{message}");
    assert!(!workspace.exists("topics"));
    let message = workspace.run("lda nowhere.txt").refusal();
    assert!(message.starts_with("nowhere.txt: "), "{message}");
}
