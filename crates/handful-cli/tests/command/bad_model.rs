//! Model directories that are damaged, of another version, or something else.

use crate::support::{Workspace, edit_config, edit_tensors, forget_checksums};
use serde_json::{Value, json};
use std::fs;

const WEIGHTS: &str = "model/model.safetensors";

/// `fit`, `evaluate` and `inspect` refuse the directory `model` with the same sentence.
#[track_caller]
fn refusal(workspace: &Workspace) -> String {
    let message = workspace.run("inspect model").refusal();
    assert!(message.starts_with("model"), "{message}");
    assert!(message.contains("; "), "{message} has no remedy");
    for line in ["fit a.txt --model model --out new", "evaluate corpora --model model --target elm"]
    {
        assert_eq!(workspace.run(line).refusal(), message);
    }
    assert!(!workspace.exists("new"));
    message
}

#[test]
fn another_version_is_named() {
    let workspace = Workspace::with_model();
    for version in [json!(2), json!(0), json!("1"), Value::Null] {
        edit_config(&workspace, "model", |config| config["version"] = version.clone());
        let message = refusal(&workspace);
        let expected = format!("model/config.json: is of format version {version}, but this");
        assert!(message.starts_with(&expected), "{message}");
    }
}

#[test]
fn what_is_no_model_directory_is_said_to_be_none() {
    let workspace = Workspace::with_model();
    workspace.run("fit a.txt --model model --out topics").success();
    for (name, problem) in [
        ("nowhere", "there is nothing there"),
        ("a.txt", "it is a file"),
        ("corpora", "it has no config.json"),
        ("topics", "it holds a fitted topic model"),
    ] {
        let message = workspace.run(&format!("fit b.txt --model {name}")).refusal();
        assert!(message.starts_with(&format!("{name}: is no model directory: ")), "{message}");
        assert!(message.contains(problem), "{message}");
        assert!(message.contains("handful train"), "{message}");
    }
}

#[test]
fn truncated_weights_are_refused_wherever_they_are_cut() {
    let workspace = Workspace::with_model();
    let whole = workspace.read(WEIGHTS);
    for length in [0, 1, 7, 8, 9, 500, whole.len() / 2, whole.len() - 4, whole.len() - 1] {
        workspace.write(WEIGHTS, &whole[..length]);
        let message = refusal(&workspace);
        assert!(message.starts_with(&format!("{WEIGHTS}: is truncated")), "{length}: {message}");
    }
    workspace.write(WEIGHTS, [&whole[..], b"more"].concat());
    refusal(&workspace);
}

#[test]
fn a_missing_file_is_named() {
    let workspace = Workspace::with_model();
    for name in ["model.safetensors", "vocabulary.txt", "config.json"] {
        workspace.copy("model", "whole");
        fs::remove_file(workspace.path(&format!("model/{name}"))).unwrap();
        let message = refusal(&workspace);
        assert!(message.contains(name), "{message}");
        workspace.copy("whole", "model");
    }
    // Nothing reads the model card.
    fs::remove_file(workspace.path("model/README.md")).unwrap();
    workspace.run("inspect model").success();
}

#[test]
fn a_tensor_of_another_shape_is_named() {
    let workspace = Workspace::with_model();
    edit_tensors(&workspace, WEIGHTS, |tensors| {
        let (shape, _) = tensors.get_mut("f_a.0.weight").unwrap();
        shape.reverse();
    });
    let message = refusal(&workspace);
    assert!(message.contains("`f_a.0.weight` has shape [40, 8] and not [8, 40]"), "{message}");
}

#[test]
fn a_missing_tensor_is_named() {
    let workspace = Workspace::with_model();
    edit_tensors(&workspace, WEIGHTS, |tensors| {
        tensors.remove("g_r.3.bias").unwrap();
    });
    let message = refusal(&workspace);
    assert!(message.starts_with(&format!("{WEIGHTS}: has no tensor `g_r.3.bias`")), "{message}");
}

#[test]
fn a_weight_that_is_not_finite_is_refused() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let workspace = Workspace::with_model();
        edit_tensors(&workspace, WEIGHTS, |tensors| {
            tensors.get_mut("f_r.6.weight").unwrap().1[5] = bad;
        });
        let message = refusal(&workspace);
        assert!(message.contains("f_r.6.weight has a weight that is not finite"), "{message}");
    }
}

#[test]
fn weights_so_large_that_numbers_overflow_give_an_error_not_a_result() {
    let workspace = Workspace::with_model();
    edit_tensors(&workspace, WEIGHTS, |tensors| {
        for (_, values) in tensors.values_mut() {
            values.iter_mut().for_each(|value| *value = value.signum() * 1e38);
        }
    });
    for line in [
        "fit a.txt b.txt --model model --json --out new",
        "fit a.txt b.txt --model model --until-converged",
        "evaluate corpora --model model --target elm -q --json",
    ] {
        let message = workspace.run(line).refusal();
        assert!(message.contains("model"), "{message}");
    }
    assert!(!workspace.exists("new"));
}

#[test]
fn a_vocabulary_that_does_not_fit_the_weights_is_refused() {
    let workspace = Workspace::with_model();
    forget_checksums(&workspace, "model");
    let whole = String::from_utf8(workspace.read("model/vocabulary.txt")).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    for (content, place) in [
        (lines[1..].join("\n"), WEIGHTS),
        (format!("{whole}one-more\n"), WEIGHTS),
        (String::new(), "model/vocabulary.txt"),
        (whole.replacen('\n', "\n\n", 1), "model/vocabulary.txt, line 2"),
        (whole.replacen(lines[3], lines[0], 1), "model/vocabulary.txt, line 4"),
    ] {
        workspace.write("model/vocabulary.txt", &content);
        let message = refusal(&workspace);
        assert!(message.starts_with(place), "{message}");
    }
}

#[test]
fn a_configuration_that_makes_no_sense_is_refused() {
    let workspace = Workspace::with_model();
    workspace.copy("model", "whole");
    let many = json!(1_000_000_000_000_u64);
    let most = json!(u64::MAX);
    for (pointer, value) in [
        ("/topics", json!(0)),
        ("/topics", json!(-1)),
        ("/topics", json!(4)),
        ("/topics", many.clone()),
        ("/topics", most.clone()),
        ("/prior/hidden", json!(0)),
        ("/prior/hidden", json!(9)),
        ("/prior/hidden", many.clone()),
        ("/prior/hidden", most.clone()),
        ("/prior/layers", json!(1)),
        ("/prior/layers", json!(4)),
        ("/prior/layers", many),
        ("/prior/layers", most),
        ("/prior/corpus_representation", json!(false)),
        ("/prior/kind", json!("unheard-of")),
        ("/prior", json!({"kind": "free"})),
        ("/em_steps", json!("three")),
        ("/text", json!({"min_length": -3})),
    ] {
        edit_config(&workspace, "model", |config| *config.pointer_mut(pointer).unwrap() = value);
        refusal(&workspace);
        workspace.copy("whole", "model");
    }
    for content in ["", "{", "null", "[]", "{}", "\u{feff}{}"] {
        workspace.write("model/config.json", content);
        refusal(&workspace);
    }
}

#[test]
fn a_model_from_elsewhere_needs_no_text_and_no_training_section() {
    let workspace = Workspace::with_model();
    edit_config(&workspace, "model", |config| {
        let config = config.as_object_mut().unwrap();
        config.remove("text");
        config.remove("training");
    });
    workspace.run("inspect model").success();
    workspace.write("counts.jsonl", r#"{"id": "x", "counts": {"anchor": 3, "tide": 1}}"#);
    workspace.run("fit counts.jsonl --model model").success();
    let message = workspace.run("fit a.txt --model model").refusal();
    assert!(message.starts_with("document a.txt: is text"), "{message}");
}

#[test]
fn a_spoiled_topic_model_is_refused() {
    let workspace = Workspace::with_model();
    workspace.run("fit a.txt b.txt --model model --out whole").success();
    forget_checksums(&workspace, "whole");
    let refusal = |spoil: &dyn Fn()| {
        workspace.copy("whole", "topics");
        spoil();
        let message = workspace.run("inspect topics").refusal();
        assert!(message.starts_with("topics"), "{message}");
        assert_eq!(workspace.run("inspect topics --json").refusal(), message);
    };
    for value in [1e30, -0.5, f32::NAN, f32::INFINITY] {
        for name in ["theta", "phi"] {
            refusal(&|| {
                edit_tensors(&workspace, "topics/topics.safetensors", |tensors| {
                    tensors.get_mut(name).unwrap().1[1] = value;
                });
            });
        }
    }
    for (key, value) in [
        ("topics", json!(0)),
        ("topics", json!(2)),
        ("topics", json!(u64::MAX)),
        ("documents", json!(1)),
        ("weights", json!([0.5, 0.5])),
        ("weights", json!([0.5, 0.5, 1e300])),
        ("version", json!(7)),
    ] {
        refusal(&|| edit_config(&workspace, "topics", |config| config[key] = value.clone()));
    }
    refusal(&|| workspace.write("topics/documents.jsonl", "{}\n{}\n"));
    refusal(&|| workspace.write("topics/vocabulary.txt", "anchor\n"));
}
