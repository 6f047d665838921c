//! `--inference vb`: variational Bayes in the place of EM.

use crate::support::{BRIEF, TINY, Workspace, records};
use serde_json::Value;
use std::collections::BTreeMap;

fn perplexity(workspace: &Workspace, line: &str) -> f64 {
    let line = format!("evaluate corpora --target elm --json --model {line}");
    workspace.run(&line).success().json()["perplexity"].as_f64().unwrap()
}

#[test]
fn a_model_is_asked_in_the_way_it_was_trained_unless_a_flag_says_otherwise() {
    let workspace = Workspace::with_corpora();
    let line = format!("train corpora --prior iwata --inference vb -o vb -q {TINY}");
    workspace.run(&line).success();
    let config: Value = serde_json::from_slice(&workspace.read("vb/config.json")).unwrap();
    assert_eq!(config["inference"], "vb");
    let usual = perplexity(&workspace, "vb");
    assert_eq!(usual, perplexity(&workspace, "vb --inference vb"));
    assert_ne!(usual, perplexity(&workspace, "vb --inference em"));
    let topics = |line: &str| {
        let line = format!("fit corpora/elm --json --model vb {line}");
        workspace.run(&line).success().json()["topics"].clone()
    };
    assert_eq!(topics(""), topics("--inference vb"));
    assert_ne!(topics(""), topics("--inference em"));
}

#[test]
fn every_prior_but_maml_learns_by_variational_bayes() {
    let workspace = Workspace::with_corpora();
    for (prior, shape) in [("handful --fixed", TINY), ("free", BRIEF)] {
        let line = format!("train corpora --prior {prior} --inference vb -o m --force -q {shape}");
        workspace.run(&line).success();
        assert!(perplexity(&workspace, "m") < 64.0, "{prior}");
    }
    let line = format!("train corpora --prior maml --inference vb -o maml -q {BRIEF}");
    let refusal = workspace.run(&line).refusal();
    assert!(refusal.contains("inference") && refusal.contains("maml"), "{refusal}");
}

#[test]
fn variational_bayes_takes_a_step_at_least() {
    let workspace = Workspace::with_model();
    for line in [
        "evaluate corpora --target elm --model model --inference vb --em-steps 0",
        "fit a.txt b.txt --model model --inference vb --em-steps 0",
        "train corpora --prior iwata -o m --topics 3 --em-steps 0 --inference vb",
    ] {
        let refusal = workspace.run(line).refusal();
        assert!(refusal.contains("--em-steps") && refusal.contains("at least 1"), "{refusal}");
    }
}

#[test]
fn a_comparison_takes_one_kind_of_step_for_all_methods_that_take_any() {
    let workspace = Workspace::with_corpora();
    let compare = |line: &str| {
        let common = "compare corpora -q --tasks 5 --targets elm --validation-tasks 3 --min-documents 1 \
                      --min-document-words 1 --topics 3 --em-steps 3 --hidden 8 --max-steps 10 \
                      --validation-every 5 --validation-corpora 2";
        workspace.run(&format!("{common} {line}"))
    };
    let methods = "--methods iwata,dir-e,dir,maml,smoothed";
    compare(&format!("--out em {methods}")).success();
    compare(&format!("--out vb --inference vb {methods}")).success();
    // Lines stand in the order in which experiments ended.
    let by_method = |folder: &str| -> BTreeMap<String, Value> {
        let line = |record: Value| (record["method"].to_string(), record["perplexity"].clone());
        records(&workspace, folder).into_iter().map(line).collect()
    };
    let vb = by_method("vb");
    for (method, perplexity) in by_method("em") {
        let takes_steps = ["\"iwata\"", "\"dir-e\""].contains(&&*method);
        assert_eq!(perplexity != vb[&method], takes_steps, "{method}");
    }
    let refusal = compare("--out em --inference vb --methods iwata").refusal();
    assert!(refusal.contains("inference"), "{refusal}");
}
