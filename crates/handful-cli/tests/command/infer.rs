//! `handful infer`: proportions of new documents on a fitted topic model.

use crate::support::{BRIEF, Workspace, edit_config, edit_tensors, read_tensors, text};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;

const PRIORS: [(&str, &str); 4] =
    [("handful", "--themes 8"), ("iwata", ""), ("free", ""), ("maml", "--inner-steps 3")];

/// A workspace with the topic model `topics` of `a.txt`, `b.txt` and `c.txt`.
fn fitted(prior: &str, flags: &str) -> Workspace {
    let workspace = Workspace::with_model();
    workspace.run(&format!("train corpora --prior {prior} -o own -q {flags} {BRIEF}")).success();
    workspace.run("fit a.txt b.txt c.txt --model own --out topics").success();
    workspace
}

fn infer(workspace: &Workspace, line: &str) -> Value {
    workspace.run(&format!("infer --topic-model topics --json {line}")).success().json()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// How far the proportions of a document are from those it has elsewhere.
fn distance(document: &Value, other: &Value) -> f64 {
    let pairs = numbers(&document["topics"]).into_iter().zip(numbers(&other["topics"]));
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// A text as a line of word counts.
fn counts(workspace: &Workspace, name: &str) -> String {
    let text = String::from_utf8(workspace.read(name)).unwrap();
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    text.split_whitespace().for_each(|word| *counts.entry(word).or_default() += 1);
    format!("{}\n", json!({"id": name, "counts": counts}))
}

/// With α of the fit, a fit that has converged is a fixed point of EM with its topics kept. Before
/// that, topics were others on the way than at its end. Of Handful's prior a document that started a
/// topic has more α there, and MAML's steps moved β beside α. The documents are word counts: of a text,
/// Handful's prior gives the proportions of its passages, which EM does not find.
#[test]
fn a_document_of_the_fit_gets_nearly_the_proportions_it_has_whatever_the_prior() {
    for ((prior, flags), tolerance) in PRIORS.into_iter().zip([0.01, 0.001, 0.001, 0.05]) {
        let workspace = fitted(prior, flags);
        workspace.write(
            "counts.jsonl",
            ["a.txt", "b.txt", "c.txt"].map(|it| counts(&workspace, it)).concat(),
        );
        let line = "fit counts.jsonl --model own --topics 3 --until-converged --out topics --force";
        workspace.run(line).success();
        let fit = workspace.run("inspect topics --json").success().json();
        let again = infer(&workspace, "counts.jsonl");
        for n in 0..3 {
            let (before, after) = (&fit["documents"][n], &again["documents"][n]);
            assert!(distance(before, after) < tolerance, "{prior}: {before} {after}");
            for key in ["id", "words", "unknown_words"] {
                assert_eq!(before[key], after[key]);
            }
        }
    }
}

#[test]
fn without_em_a_document_has_its_alpha_which_for_the_papers_networks_is_that_of_the_fit() {
    for (prior, flags) in [("iwata", ""), ("free", "")] {
        let workspace = fitted(prior, flags);
        let tensors = read_tensors(&workspace, "topics/topics.safetensors");
        let inferred = infer(&workspace, "a.txt b.txt c.txt --em-steps 0");
        for (n, alpha) in tensors["alpha"].1.chunks_exact(3).enumerate() {
            let sum: f32 = alpha.iter().sum();
            for (theta, alpha) in numbers(&inferred["documents"][n]["topics"]).iter().zip(alpha) {
                assert!((theta - f64::from(alpha / sum)).abs() < 1e-6, "{prior}");
            }
        }
    }
}

/// θ ∝ Σ_j x_j γ_jk + α_k at every step, computed here from the files, with φ of the fit.
#[test]
fn proportions_are_those_of_em_with_the_topics_kept() {
    let workspace = fitted("iwata", "");
    let tensors = read_tensors(&workspace, "topics/topics.safetensors");
    let vocabulary = String::from_utf8(workspace.read("topics/vocabulary.txt")).unwrap();
    let place = |word: &str| vocabulary.lines().position(|term| term == word).unwrap();
    let words: Vec<usize> = text(100).split_whitespace().map(place).collect();
    let phi = |k: usize, j: usize| f64::from(tensors["phi"].1[k * 32 + j]);
    let alpha: Vec<f64> = tensors["alpha"].1[..3].iter().map(|&alpha| f64::from(alpha)).collect();
    let normalised = |counts: Vec<f64>| -> Vec<f64> {
        let sum: f64 = counts.iter().sum();
        counts.into_iter().map(|count| count / sum).collect()
    };
    let mut theta = normalised(alpha.clone());
    for _ in 0..7 {
        let mut counts = alpha.clone();
        for &j in &words {
            let gamma = normalised((0..3).map(|k| theta[k] * phi(k, j)).collect());
            counts.iter_mut().zip(gamma).for_each(|(count, gamma)| *count += gamma);
        }
        theta = normalised(counts);
    }
    let inferred = infer(&workspace, "a.txt --em-steps 7");
    for (expected, found) in theta.iter().zip(numbers(&inferred["documents"][0]["topics"])) {
        assert!((expected - found).abs() < 1e-5, "{theta:?} {inferred}");
    }
}

#[test]
fn a_document_has_the_same_proportions_whatever_stands_beside_it() {
    for (prior, flags) in PRIORS {
        let workspace = fitted(prior, flags);
        for seed in 103..107 {
            workspace.write(&format!("new/{seed}.txt"), text(seed));
        }
        for flags in ["", "--until-converged", "--threads 2"] {
            let together = infer(&workspace, &format!("new {flags}"));
            let alone = infer(&workspace, &format!("new/105.txt {flags}"));
            assert_eq!(alone["documents"][0]["topics"], together["documents"][2]["topics"]);
            assert_eq!(alone["documents"][0]["background"], together["documents"][2]["background"]);
        }
    }
}

#[test]
fn output_is_as_that_of_a_fit() {
    let workspace = fitted("handful", "--themes 8");
    workspace.write("new.txt", format!("{} abracadabra", text(104)));
    workspace.write("empty.txt", "");
    let json = infer(&workspace, "new.txt empty.txt");
    let mut fit = workspace.run("inspect topics --json").success().json();
    // That is said of the documents that were fitted.
    for name in ["choice", "gain", "tree"] {
        assert!(fit.as_object_mut().unwrap().remove(name).is_some(), "{name}");
    }
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&json), keys(&fit));
    // That can be said only of a document that the topics were not made of.
    let mut document = json["documents"][0].clone();
    assert!(document.as_object_mut().unwrap().remove("outside").is_some_and(|it| it.is_boolean()));
    assert_eq!(keys(&document), keys(&fit["documents"][0]));
    assert_eq!(json["documents"][0]["unknown_words"], 1);
    for document in json["documents"].as_array().unwrap() {
        assert!((numbers(&document["topics"]).iter().sum::<f64>() - 1.0).abs() < 1e-5);
    }
    for (topic, fitted) in json["topics"].as_array().unwrap().iter().zip(0..) {
        assert_eq!(topic["terms"], fit["topics"][fitted]["terms"]);
    }
    let people = workspace.run("infer new.txt empty.txt --topic-model topics").success();
    assert!(people.out.contains("new.txt (41 words, 2% new to the model"), "{}", people.out);
    assert!(people.out.contains("empty.txt (no words"), "{}", people.out);
    assert!(people.out.contains('█'), "{}", people.out);
}

#[test]
fn a_theme_of_the_fit_is_found_again_in_a_new_document() {
    let workspace = fitted("handful", "--themes 8");
    workspace.run("fit a.txt b.txt c.txt --model own --topics 3 --out topics --force").success();
    // Documents of the themes of a.txt and b.txt.
    workspace.write("like-a.txt", text(104));
    workspace.write("like-b.txt", text(105));
    let fit = workspace.run("inspect topics --json").success().json();
    let new = infer(&workspace, "like-a.txt like-b.txt");
    for (n, other) in [(0, 1), (1, 0)] {
        let near = distance(&new["documents"][n], &fit["documents"][n]);
        let far = distance(&new["documents"][n], &fit["documents"][other]);
        assert!(near < far, "{new} {fit}");
    }
}

#[test]
fn counts_are_taken_and_text_is_refused_where_the_model_is_of_counts() {
    let workspace = Workspace::with_model();
    edit_config(&workspace, "model", |config| {
        config.as_object_mut().unwrap().remove("text");
    });
    workspace.write("counts.jsonl", r#"{"id": "x", "counts": {"anchor": 3, "tide": 1, "zz": 2}}"#);
    workspace.run("fit counts.jsonl --model model --out topics").success();
    let inferred = infer(&workspace, "counts.jsonl");
    assert_eq!(inferred["documents"][0]["words"], 6);
    assert_eq!(inferred["documents"][0]["unknown_words"], 2);
    let message = workspace.run("infer a.txt --topic-model topics").refusal();
    assert!(message.starts_with("document a.txt: is text"), "{message}");
}

#[test]
fn what_is_no_topic_model_is_refused_with_the_command_that_takes_it() {
    let workspace = fitted("iwata", "");
    for (name, parts) in [
        ("nowhere", ["there is nothing there", "handful fit --out"]),
        ("a.txt", ["it is a file", "handful fit --out"]),
        ("corpora", ["it has no config.json", "handful fit --out"]),
        ("own", ["it holds a trained model", "handful fit --model"]),
    ] {
        let message = workspace.run(&format!("infer a.txt --topic-model {name}")).refusal();
        assert!(message.starts_with(&format!("{name}: is no ")), "{message}");
        for part in parts {
            assert!(message.contains(part), "{part} is not in {message}");
        }
    }
    let message = workspace.run("fit a.txt --model topics").refusal();
    assert!(message.contains("handful infer --topic-model"), "{message}");
}

#[test]
fn a_spoiled_topic_model_is_refused() {
    for (prior, flags, tensor) in [
        ("handful", "--themes 8", "topics.affinity"),
        ("handful", "--themes 8", "words.weight"),
        ("handful", "--themes 8", "words.evidence"),
        ("iwata", "", "r"),
        ("iwata", "", "f_a.3.weight"),
        ("free", "", "a"),
        ("maml", "--inner-steps 3", "a"),
    ] {
        let workspace = fitted(prior, flags);
        let file = "topics/topics.safetensors";
        let whole = workspace.read(file);
        edit_tensors(&workspace, file, |tensors| {
            tensors.get_mut(tensor).unwrap().1.fill(f32::NAN);
        });
        workspace.run("infer a.txt --topic-model topics").refusal();
        workspace.write(file, &whole);
        edit_tensors(&workspace, file, |tensors| {
            tensors.remove(tensor).unwrap();
        });
        let message = workspace.run("infer a.txt --topic-model topics").refusal();
        assert!(message.contains(&format!("has no tensor `{tensor}`")), "{message}");
        workspace.write(file, &whole[..whole.len() / 2]);
        workspace.run("infer a.txt --topic-model topics").refusal();
        workspace.write(file, &whole);
        for (pointer, value) in [
            ("/version", json!(2)),
            ("/topics", json!(0)),
            ("/topics", json!(u64::MAX)),
            ("/prior", json!({"kind": "unheard-of"})),
            (
                "/prior",
                json!({"kind": "iwata", "hidden": u64::MAX, "layers": 3,
                "corpus_representation": true}),
            ),
        ] {
            workspace.copy("topics", "spoiled");
            edit_config(&workspace, "spoiled", |config| {
                *config.pointer_mut(pointer).unwrap() = value;
            });
            let message = workspace.run("infer a.txt --topic-model spoiled").refusal();
            assert!(message.starts_with("spoiled"), "{message}");
            fs::remove_dir_all(workspace.path("spoiled")).unwrap();
        }
    }
}
