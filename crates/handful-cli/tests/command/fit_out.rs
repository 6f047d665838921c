//! `handful fit --out`: the topic model as a directory.

use crate::support::{Workspace, edit_config, read_tensors};
use serde_json::{Value, json};

const FIT: &str = "fit a.txt b.txt --model model --out topics --json";

#[test]
fn a_topic_model_directory_holds_all_that_was_printed() {
    let workspace = Workspace::with_model();
    let printed = workspace.run(FIT).success().json();
    let files = ["config.json", "documents.jsonl", "topics.safetensors", "vocabulary.txt"];
    assert_eq!(workspace.names("topics"), files);
    assert_eq!(workspace.read("topics/vocabulary.txt"), workspace.read("model/vocabulary.txt"));

    let config: Value = serde_json::from_slice(&workspace.read("topics/config.json")).unwrap();
    assert_eq!((&config["format"], &config["version"]), (&json!("handful-topic-model"), &json!(1)));
    assert_eq!((&config["topics"], &config["documents"]), (&json!(3), &json!(2)));

    let lines = String::from_utf8(workspace.read("topics/documents.jsonl")).unwrap();
    let records: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = |id: &str| json!({"id": id, "words": 40, "unknown_words": 0});
    assert_eq!(records, [expected("a.txt"), expected("b.txt")]);

    let tensors = read_tensors(&workspace, "topics/topics.safetensors");
    assert_eq!((&*tensors["theta"].0, &*tensors["alpha"].0), (&[2, 3][..], &[2, 3][..]));
    assert_eq!(tensors["phi"].0, [3, 32]);
    for (row, document) in
        tensors["theta"].1.chunks(3).zip(printed["documents"].as_array().unwrap())
    {
        assert_eq!(json!(row), document["topics"]);
    }
    for (row, topic) in tensors["phi"].1.chunks(32).zip(printed["topics"].as_array().unwrap()) {
        assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        let largest = row.iter().copied().fold(0.0, f32::max);
        assert_eq!(json!(largest), topic["terms"][0]["probability"]);
    }
    assert!(tensors["alpha"].1.iter().all(|&alpha| alpha > 0.0));
}

#[test]
fn what_held_out_words_say_of_the_topics_is_kept_with_them() {
    let workspace = Workspace::with_model();
    for (flags, is_chosen) in [("", true), ("--topics 2", false)] {
        let fit = workspace.run(&format!("fit a.txt b.txt --out own --force --json {flags}"));
        let (fit, kept) = (fit.success().json(), workspace.run("inspect own --json").success());
        assert_eq!(fit["choice"].is_object(), is_chosen);
        assert!(fit["gain"]["sentence"].is_string(), "{fit}");
        for name in ["choice", "gain"] {
            assert_eq!(kept.json()[name], fit[name], "{name} {flags}");
        }
        // Documents that were not there then say nothing of it.
        let inferred = workspace.run("infer c.txt --topic-model own --json").success().json();
        assert_eq!((&inferred["choice"], &inferred["gain"]), (&Value::Null, &Value::Null));
    }
}

#[test]
fn the_tree_of_the_documents_is_kept_with_their_topics() {
    let workspace = Workspace::with_model();
    for flags in ["", "--topics 2"] {
        let fit = workspace.run(&format!("fit a.txt b.txt c.txt --out own --force --json {flags}"));
        let (fit, kept) = (fit.success().json(), workspace.run("inspect own --json").success());
        assert_eq!(fit["tree"]["joins"].as_array().unwrap().len(), 2);
        assert_eq!(kept.json()["tree"], fit["tree"], "{flags}");
        let inferred = workspace.run("infer c.txt --topic-model own --json").success().json();
        assert_eq!(inferred["tree"], Value::Null);
    }
    // Directories that were written before have none.
    edit_config(&workspace, "own", |config| drop(config.as_object_mut().unwrap().remove("tree")));
    assert_eq!(workspace.run("inspect own --json").success().json()["tree"], Value::Null);
}

#[test]
fn a_tree_that_is_none_is_refused() {
    let workspace = Workspace::with_model();
    workspace.run("fit a.txt b.txt c.txt --topics 2 --out whole").success();
    let damages: [fn(&mut Value); 6] = [
        |tree| tree["joins"][0]["nodes"][0] = json!(4),
        |tree| tree["joins"][0]["nodes"] = json!([1, 1]),
        |tree| tree["joins"][1]["nodes"][0] = json!(u32::MAX),
        |tree| tree["joins"][0]["height"] = json!(-1.0),
        |tree| drop(tree["joins"].as_array_mut().unwrap().pop()),
        |tree| tree["topics"][0] = json!(5),
    ];
    for damage in damages {
        workspace.copy("whole", "topics");
        edit_config(&workspace, "topics", |config| damage(&mut config["tree"]));
        let message = workspace.run("inspect topics").refusal();
        assert!(message.contains("its tree is none of 3 documents and 2 topics"), "{message}");
    }
}

#[test]
fn what_a_new_documents_prior_needs_is_there() {
    let workspace = Workspace::with_model();
    workspace.run(FIT).success();
    let tensors = read_tensors(&workspace, "topics/topics.safetensors");
    let model = read_tensors(&workspace, "model/model.safetensors");
    assert_eq!(tensors["r"].0, [8]);
    for (name, tensor) in model.iter().filter(|(name, _)| name.starts_with("f_a.")) {
        assert_eq!(&tensors[name], tensor, "{name}");
    }
}

#[test]
fn an_output_that_exists_is_refused_before_any_work() {
    let workspace = Workspace::with_model();
    workspace.run(FIT).success();
    let before = workspace.read("topics/topics.safetensors");
    let message = workspace.run("fit c.txt --model no-model --out topics").refusal();
    assert!(message.starts_with("topics: exists already"), "{message}");
    assert!(message.contains("--force"), "{message}");
    assert_eq!(workspace.read("topics/topics.safetensors"), before);
}

#[test]
fn force_replaces_the_output() {
    let workspace = Workspace::with_model();
    workspace.run(FIT).success();
    workspace.write("topics/old", "of another time");
    workspace.run("fit c.txt --model model --out topics --force").success();
    let files = ["config.json", "documents.jsonl", "topics.safetensors", "vocabulary.txt"];
    assert_eq!(workspace.names("topics"), files);
    assert_eq!(read_tensors(&workspace, "topics/topics.safetensors")["theta"].0, [1, 3]);
    let names = ["a.txt", "b.txt", "c.txt", "corpora", "model", "topics"];
    assert_eq!(workspace.names("."), names);
}

#[test]
fn an_output_may_lie_in_a_folder_that_is_not_there_yet() {
    let workspace = Workspace::with_model();
    workspace.run("fit c.txt --model model --out results/today/topics").success();
    assert_eq!(workspace.names("results/today"), ["topics"]);
}

#[test]
fn force_does_not_remove_what_is_not_handfuls() {
    let workspace = Workspace::with_model();
    workspace.write("topics/thesis.txt", "years of work");
    for line in [
        format!("{FIT} --force"),
        "train corpora --prior iwata -o topics --force --max-steps 1".to_owned(),
    ] {
        let message = workspace.run(&line).refusal();
        assert!(message.contains("no directory of Handful's"), "{message}");
    }
    assert_eq!(workspace.names("topics"), ["thesis.txt"]);
    let message = workspace.run("fit a.txt --model model --out a.txt/topics").refusal();
    assert!(message.contains("lies below a file"), "{message}");
}
