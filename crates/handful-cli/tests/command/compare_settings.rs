//! What a user can vary in `handful compare`, and that a folder of results keeps to it.

use crate::support::{TINY, Workspace, records};
use serde_json::{Value, json};

/// A workspace with corpora, and the line of a short comparison on them.
fn workspace() -> (Workspace, String) {
    let line = format!("compare corpora --out out -q {TINY} --tasks 2 --targets elm");
    (Workspace::with_corpora(), line)
}

/// The settings that a folder of results has.
fn settings(workspace: &Workspace, folder: &str) -> Value {
    let json: Value =
        serde_json::from_slice(&workspace.read(&format!("{folder}/settings.json"))).unwrap();
    json["settings"].clone()
}

/// The folder `out` has results with these flags, and takes no others.
fn assert_of_other_settings(workspace: &Workspace, line: &str, part: &str) {
    let message = workspace.run(line).refusal();
    assert!(message.starts_with("out: has results of other settings"), "{message}");
    assert!(message.contains(part), "{message}");
}

#[test]
fn em_on_tasks_can_run_until_it_converges() {
    let (workspace, line) = workspace();
    let methods = "--methods iwata,nn,smoothed";
    let table = workspace.run(&format!("{line} {methods} --until-converged")).success().out;
    assert!(
        table.contains("T=3 in training, and on a task until EM converges, seed 1."),
        "{table}"
    );
    assert_eq!(settings(&workspace, "out")["until_converged"], true);
    assert_of_other_settings(
        &workspace,
        &format!("{line} {methods}"),
        "until_converged was true and is now as usual",
    );
    let usual = line.replace("--out out", "--out usual");
    workspace.run(&format!("{usual} {methods}")).success();
    assert_eq!(settings(&workspace, "usual").get("until_converged"), None);
    let (converged, usual) = (records(&workspace, "out"), records(&workspace, "usual"));
    let of = |records: &[Value], method: &str| {
        records.iter().find(|record| record["method"] == method).unwrap().clone()
    };
    for (method, is_other) in [("iwata", true), ("nn", false), ("smoothed", false)] {
        let (ours, theirs) = (of(&converged, method), of(&usual, method));
        assert_eq!(ours["perplexity"] != theirs["perplexity"], is_other, "{method}");
        assert_eq!(ours["validation_perplexity"], theirs["validation_perplexity"], "{method}");
    }
}

#[test]
fn the_weight_of_a_prior_is_above_0_and_needs_a_method_that_it_moves() {
    let (workspace, line) = workspace();
    let methods = "--methods iwata,nn";
    let message = workspace.run(&format!("{line} {methods} --prior-weight 0.1")).refusal();
    assert!(message.starts_with("--prior-weight: none of --methods has EM on a task"), "{message}");
    let message = workspace.run(&format!("{line} --methods nn-f --prior-weight 0")).refusal();
    assert!(message.contains("--prior-weight is 0; it must be a number above 0"), "{message}");
}

#[test]
fn convergence_is_refused_where_no_method_runs_em() {
    let (workspace, line) = workspace();
    let message =
        workspace.run(&format!("{line} --methods smoothed,nn --until-converged")).refusal();
    assert!(message.starts_with("--until-converged: none of --methods runs EM"), "{message}");
    let sweep = "--sweep em-steps --methods iwata,nn-f --until-converged";
    let message = workspace.run(&format!("{line} {sweep}")).refusal();
    assert!(message.starts_with("method `nn-f`: what --sweep varies"), "{message}");
    for other in ["--number", "--telling"] {
        let line = format!("compare corpora --out out {other} --until-converged");
        assert!(workspace.run(&line).usage_error().contains("--until-converged"));
    }
    assert!(!workspace.exists("out"));
}

#[test]
fn the_inner_steps_of_maml_can_be_chosen() {
    let (workspace, line) = workspace();
    let line = format!("{line} --methods maml");
    workspace.run(&format!("{line} --inner-rate 0.05 --inner-steps 2")).success();
    let record = &records(&workspace, "out")[0];
    assert_eq!(record["prior"], json!({"kind": "maml", "inner_steps": 2, "inner_rate": 0.05}));
    let expected = json!({"steps": 2, "rates": [0.05]});
    assert_eq!(settings(&workspace, "out")["maml"], expected);
    assert_of_other_settings(&workspace, &line, "maml was");
    // Of several, the one that is best on validation.
    let validated = |out: &str, rates: &str| {
        let line = line.replace("--out out", &format!("--out {out}"));
        workspace.run(&format!("{line} --inner-rate {rates} --inner-steps 2")).success();
        records(&workspace, out)[0]["validation_perplexity"].as_f64().unwrap()
    };
    let each = [validated("small", "0.05"), validated("large", "0.8")];
    assert_eq!(validated("both", "0.05,0.8"), each[0].min(each[1]));
    let usual = line.replace("--out out", "--out usual");
    workspace.run(&format!("{usual} --inner-rate 0.3,1 --inner-steps 5")).success();
    assert_eq!(settings(&workspace, "usual").get("maml"), None);
}

#[test]
fn the_sampling_of_lda_can_be_chosen() {
    let (workspace, line) = workspace();
    let line = format!("{line} --methods lda-ind,lda-all,smoothed-lda,smoothed");
    workspace
        .run(&format!("{line} --lda-sweeps 20 --lda-optimise-every 0 --lda-beta 0.5"))
        .success();
    let expected =
        json!({"sweeps": 20, "burn_in": 10, "optimise_every": 0, "alpha": 0.1, "beta": 0.5});
    assert_eq!(settings(&workspace, "out")["lda"], expected);
    assert_of_other_settings(&workspace, &line, "lda was");
    let usual = line.replace("--out out", "--out usual");
    workspace.run(&format!("{usual} --lda-sweeps 500 --lda-burn-in 250 --lda-alpha 0.1")).success();
    assert_eq!(settings(&workspace, "usual").get("lda"), None);
    let perplexity = |folder: &str, method: &str| {
        let records = records(&workspace, folder);
        records.iter().find(|record| record["method"] == method).unwrap()["perplexity"].clone()
    };
    for method in ["lda-ind", "lda-all", "smoothed-lda"] {
        assert_ne!(perplexity("out", method), perplexity("usual", method), "{method}");
    }
    assert_eq!(perplexity("out", "smoothed"), perplexity("usual", "smoothed"));
}

#[test]
fn sweeps_take_values_of_ones_own() {
    let (workspace, line) = workspace();
    workspace.run(&format!("{line} --sweep topics=4,2 --methods dir-e,lda-ind")).success();
    let answer = workspace.run(&format!("{line} --sweep em-steps=0,1,7 --methods dir-e")).success();
    let tried: Vec<(Value, Value)> = records(&workspace, "out")
        .iter()
        .filter(|record| record["method"] == "dir-e")
        .map(|record| (record["topics"].clone(), record["em_steps"].clone()))
        .collect();
    let sizes = [(2, 3), (4, 3), (3, 0), (3, 1), (3, 7)];
    let expected: Vec<(Value, Value)> = sizes.map(|(k, t)| (json!(k), json!(t))).to_vec();
    assert!(expected.iter().all(|size| tried.contains(size)), "{tried:?}");
    assert_eq!(tried.len(), expected.len());
    for (name, values) in [("topics", [2, 4].as_slice()), ("em-steps", &[0, 1, 7])] {
        let csv = workspace.read(&format!("out/perplexity-by-{name}.csv"));
        let csv = String::from_utf8(csv).unwrap();
        let of_method = csv.lines().filter(|line| line.contains(",dir-e,"));
        let found: Vec<&str> = of_method.map(|line| line.split(',').next().unwrap()).collect();
        assert_eq!(found, values.iter().map(usize::to_string).collect::<Vec<_>>());
    }
    assert!(answer.out.contains("## Perplexity by number of topics K"), "{}", answer.out);
}

#[test]
fn values_that_mean_nothing_are_refused() {
    let (workspace, line) = workspace();
    for (sweep, part) in [
        ("moons=1,2", "em-steps or topics"),
        ("topics=", "is no number; give values such as topics=2,5,20"),
        ("topics=2,-5", "\"-5\" is no number"),
        ("em-steps=2,5.5", "\"5.5\" is no number"),
        ("topics=2,2", "two values at least, such as topics=2,5,20"),
        ("topics=0,2 --methods iwata", "--topics is 0; it must be at least 1"),
        ("topics=2,60 --methods handful", "--topics is 60; it must be at most 50"),
        ("em-steps=1,100000000000", "--em-steps is 100000000000; it must be at most"),
    ] {
        let message = workspace.run(&format!("{line} --sweep {sweep}")).usage_error();
        assert!(message.contains(part), "{sweep}: {message}");
    }
    assert!(!workspace.exists("out"));
}

#[test]
fn the_networks_of_the_paper_can_be_shaped() {
    let (workspace, line) = workspace();
    let line = format!("{line} --methods iwata,nn");
    let flags = "--hidden-f-b 5 --representation-size 2 --activation leaky-relu";
    workspace.run(&format!("{line} {flags}")).success();
    for record in records(&workspace, "out") {
        assert_eq!(record["prior"]["hidden_f_b"], 5, "{record}");
        assert_eq!(record["prior"]["activation"], "leaky_relu", "{record}");
    }
    assert_of_other_settings(&workspace, &line, "activation was \"leaky_relu\"");
    let usual = line.replace("--out out", "--out usual");
    workspace.run(&usual).success();
    let expected =
        json!({"kind": "iwata", "hidden": 8, "layers": 3, "corpus_representation": true});
    assert_eq!(settings(&workspace, "usual")["training"]["prior"], expected);
}
