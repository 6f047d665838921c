//! `handful evaluate`: perplexity of held-out words.

use crate::support::{TINY, Workspace};
use serde_json::{Value, json};

fn evaluate(workspace: &Workspace, line: &str) -> Value {
    workspace.run(&format!("evaluate corpora --model model --json {line}")).success().json()
}

#[test]
fn json_says_how_well_held_out_words_are_predicted() {
    let workspace = Workspace::with_model();
    let line = "--target elm --tasks 20 --support-size 2 --support-rate 0.5 --seed 3";
    let result = evaluate(&workspace, line);
    let number = |key: &str| result[key].as_f64().unwrap_or_else(|| panic!("{key} of {result}"));
    let (perplexity, words) = (number("perplexity"), number("query_words"));
    // The vocabulary has 32 terms; half the words of two documents of 40 are held out in each task.
    assert!(perplexity > 1.0 && perplexity < 64.0, "{result}");
    assert!(words > 600.0 && words < 1000.0, "{result}");
    assert!(number("standard_error") > 0.0 && number("standard_error") < perplexity, "{result}");
    assert!((perplexity - (-number("log_likelihood") / words).exp()).abs() < 1e-9 * perplexity);
    for (key, expected) in [
        ("tasks", json!(20)),
        ("target", json!("elm")),
        ("support_size", json!(2)),
        ("support_rate", json!(0.5)),
        ("em_steps", json!(3)),
        ("documents", json!(6)),
        ("seed", json!(3)),
    ] {
        assert_eq!(result[key], expected, "{key}");
    }
}

#[test]
fn tasks_are_drawn_by_the_seed() {
    let workspace = Workspace::with_model();
    let first = evaluate(&workspace, "--target elm --threads 1");
    assert_eq!(evaluate(&workspace, "--target elm --threads 2"), first);
    let other = evaluate(&workspace, "--target elm --seed 2");
    assert_ne!(other["perplexity"], first["perplexity"]);
    assert_eq!((&first["tasks"], &first["support_size"]), (&json!(50), &json!(3)));
}

#[test]
fn em_steps_can_be_chosen() {
    let workspace = Workspace::with_model();
    let none = evaluate(&workspace, "--target elm --em-steps 0");
    assert_eq!(none["em_steps"], 0);
    assert_ne!(none["perplexity"], evaluate(&workspace, "--target elm")["perplexity"]);
}

#[test]
fn em_can_run_until_it_converges() {
    let workspace = Workspace::with_model();
    let converged = evaluate(&workspace, "--target elm --until-converged");
    assert_eq!((&converged["until_converged"], converged.get("em_steps")), (&json!(true), None));
    let number = |result: &Value| result["perplexity"].as_f64().unwrap();
    let few = evaluate(&workspace, "--target elm");
    let many = evaluate(&workspace, "--target elm --em-steps 3000");
    assert_eq!(few.get("until_converged"), None);
    assert!((number(&converged) / number(&many) - 1.0).abs() < 1e-3, "{converged} {many}");
    assert_ne!(converged["perplexity"], few["perplexity"]);
}

#[test]
fn words_that_a_document_repeats_are_measured_apart() {
    let workspace = Workspace::with_model();
    let result = evaluate(&workspace, "--target elm");
    let repeated = &result["repeated_words"];
    let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{result}"));
    // They are some of all words, and easier to foretell.
    assert!(number(&repeated["query_words"]) < number(&result["query_words"]));
    assert!(number(&repeated["perplexity"]) < number(&result["perplexity"]));
}

#[test]
fn people_get_a_sentence() {
    let workspace = Workspace::with_model();
    let result = evaluate(&workspace, "--target elm");
    let answer = workspace.run("evaluate corpora --model model --target elm").success();
    let expected = format!("perplexity {:.1} ± ", result["perplexity"].as_f64().unwrap());
    assert!(answer.out.starts_with(&expected), "{answer:?}");
    let means = format!(
        "mean of the tasks' perplexities {:.1}, of the documents' {:.1}",
        result["mean_of_tasks"].as_f64().unwrap(),
        result["mean_of_documents"].as_f64().unwrap()
    );
    assert_eq!(answer.out.lines().skip(1).collect::<Vec<_>>(), [means]);
}

#[test]
fn a_target_the_model_has_seen_is_warned_about() {
    let workspace = Workspace::with_corpora();
    let line = format!("train corpora --prior iwata -o model --exclude elm --seed 4 {TINY} --json");
    let roles = workspace.run(&line).success().json();
    let first = |role: &str| roles[role][0].as_str().unwrap().to_owned();
    let warning_of = |target: &str, flags: &str| {
        let line = format!("evaluate corpora --model model --target {target} {flags}");
        workspace.run(&line).success().err
    };
    assert_eq!(warning_of("elm", ""), "");
    let trained = warning_of(&first("corpora"), "");
    assert!(trained.starts_with("handful: warning: the model was trained on"), "{trained}");
    assert!(trained.contains("--exclude"), "{trained}");
    let validated = warning_of(&first("validation_corpora"), "");
    assert!(validated.contains("the model was validated on"), "{validated}");
    assert_eq!(warning_of(&first("corpora"), "-q"), "");
}

#[test]
fn a_target_of_several_inputs_is_called_set_and_corpus() {
    let workspace = Workspace::with_model();
    workspace.copy("corpora/elm", "more/elm");
    let line = "evaluate corpora more --model model --target more/elm --json";
    assert_eq!(workspace.run(line).success().json()["target"], "more/elm");
}

#[test]
fn a_target_with_fewer_documents_than_asked_for_is_refused() {
    let workspace = Workspace::with_model();
    let line = "evaluate corpora --model model --target elm --support-size 7";
    let message = workspace.run(line).refusal();
    assert!(message.contains("elm") && message.contains("6 usable documents"), "{message}");
    assert!(message.contains("--support-size"), "{message}");
}

#[test]
fn an_unknown_target_is_answered_with_the_nearest() {
    let workspace = Workspace::with_model();
    let message = workspace.run("evaluate corpora --model model --target alter").refusal();
    assert!(message.contains("`alter`") && message.contains("`alder`"), "{message}");
}

#[test]
fn a_target_without_a_known_word_is_refused() {
    let workspace = Workspace::with_model();
    for i in 0..3 {
        workspace.write(&format!("corpora/odd/{i}.txt"), "abracadabra hocuspocus");
    }
    let message = workspace.run("evaluate corpora --model model --target odd").refusal();
    assert!(message.contains("odd"), "{message}");
}

#[test]
fn a_huge_count_takes_no_longer_than_a_small_one() {
    let workspace = Workspace::with_model();
    let line = |id: usize| {
        let counts = "{\"anchor\": 4000000000, \"tide\": 4294967295, \"wave\": 3}";
        format!("{{\"id\": {id}, \"corpus\": \"x\", \"counts\": {counts}}}\n")
    };
    workspace.write("counts.jsonl", (0..6).map(line).collect::<String>());
    let start = std::time::Instant::now();
    let found =
        workspace.run("evaluate counts.jsonl --model model --target x --json").success().json();
    assert!(found["perplexity"].as_f64().unwrap() > 1.0, "{found}");
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}
