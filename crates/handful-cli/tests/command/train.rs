//! `handful train`: what a model directory holds, and who plays which role.

use crate::support::{BRIEF, TINY, Workspace, read_tensors};
use serde_json::{Value, json};

fn config(workspace: &Workspace, directory: &str) -> Value {
    serde_json::from_slice(&workspace.read(&format!("{directory}/config.json"))).unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn terms(workspace: &Workspace, directory: &str) -> Vec<String> {
    let text = String::from_utf8(workspace.read(&format!("{directory}/vocabulary.txt"))).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_model_directory_holds_four_files_and_nothing_stays_beside_it() {
    let workspace = Workspace::with_corpora();
    let answer = workspace.run(&format!("train corpora --prior iwata -o model {TINY}")).success();
    assert_eq!(answer.out, "");
    let files = ["README.md", "config.json", "model.safetensors", "vocabulary.txt"];
    assert_eq!(workspace.names("model"), files);
    assert_eq!(workspace.names("."), ["corpora", "model"]);
}

#[test]
fn the_configuration_says_what_the_model_is_and_how_it_was_trained() {
    let workspace = Workspace::with_corpora();
    let line = format!("train corpora --prior iwata -o model --exclude elm --seed 7 {TINY}");
    workspace.run(&line).success();
    let config = config(&workspace, "model");
    let expected = [
        "checksums",
        "crc32",
        "em_steps",
        "format",
        "prior",
        "text",
        "topics",
        "training",
        "version",
    ];
    assert_eq!(keys(&config), expected);
    assert_eq!(config["format"], "handful-model");
    assert_eq!(config["version"], 1);
    let prior = json!({"kind": "iwata", "hidden": 8, "layers": 3, "corpus_representation": true});
    assert_eq!(config["prior"], prior);
    assert_eq!((&config["topics"], &config["em_steps"]), (&json!(3), &json!(3)));
    let training = &config["training"];
    assert_eq!(training["excluded"], json!(["elm"]));
    assert_eq!(training["corpora"].as_array().unwrap().len(), 3);
    assert_eq!(training["validation_corpora"].as_array().unwrap().len(), 2);
    assert_eq!((&training["steps"], &training["seed"]), (&json!(30), &json!(7)));
    assert!(training["validation_perplexity"].as_f64().unwrap() > 1.0);
}

#[test]
fn weights_are_named_and_shaped_as_pytorch_has_them() {
    let workspace = Workspace::with_model();
    let j = terms(&workspace, "model").len();
    let tensors = read_tensors(&workspace, "model/model.safetensors");
    let shapes: Vec<(&str, &[usize])> =
        tensors.iter().map(|(name, (shape, _))| (&**name, &**shape)).collect();
    let expected: [(&str, &[usize]); 24] = [
        ("f_a.0.bias", &[8]),
        ("f_a.0.weight", &[8, j + 8]),
        ("f_a.3.bias", &[8]),
        ("f_a.3.weight", &[8, 8]),
        ("f_a.6.bias", &[3]),
        ("f_a.6.weight", &[3, 8]),
        ("f_b.0.bias", &[8]),
        ("f_b.0.weight", &[8, j + 8]),
        ("f_b.3.bias", &[8]),
        ("f_b.3.weight", &[8, 8]),
        ("f_b.6.bias", &[j]),
        ("f_b.6.weight", &[j, 8]),
        ("f_r.0.bias", &[8]),
        ("f_r.0.weight", &[8, j]),
        ("f_r.3.bias", &[8]),
        ("f_r.3.weight", &[8, 8]),
        ("f_r.6.bias", &[8]),
        ("f_r.6.weight", &[8, 8]),
        ("g_r.0.bias", &[8]),
        ("g_r.0.weight", &[8, 8]),
        ("g_r.3.bias", &[8]),
        ("g_r.3.weight", &[8, 8]),
        ("g_r.6.bias", &[8]),
        ("g_r.6.weight", &[8, 8]),
    ];
    assert_eq!(shapes, expected);
}

#[test]
fn without_corpus_representation_there_is_no_f_r_and_no_g_r() {
    let workspace = Workspace::with_corpora();
    let line = format!(
        "train corpora --prior iwata -o model --no-corpus-representation --layers 2 {TINY}"
    );
    workspace.run(&line).success();
    let j = terms(&workspace, "model").len();
    let tensors = read_tensors(&workspace, "model/model.safetensors");
    assert!(tensors.keys().all(|name| name.starts_with("f_a.") || name.starts_with("f_b.")));
    assert_eq!(tensors["f_a.0.weight"].0, [8, j]);
    assert_eq!(tensors["f_b.3.weight"].0, [j, 8]);
    assert_eq!(config(&workspace, "model")["prior"]["corpus_representation"], false);
}

#[test]
fn each_network_can_have_a_width_of_its_own() {
    let workspace = Workspace::with_corpora();
    let widths =
        "--hidden-f-r 4 --hidden-g-r 6 --hidden-f-a 5 --hidden-f-b 9 --representation-size 3";
    let line = format!("train corpora --prior iwata -o model {TINY} {widths} --activation tanh -q");
    workspace.run(&line).success();
    let j = terms(&workspace, "model").len();
    let tensors = read_tensors(&workspace, "model/model.safetensors");
    for (name, shape) in [
        ("f_r.0.weight", [4, j]),
        ("f_r.6.weight", [4, 4]),
        ("g_r.0.weight", [6, 4]),
        ("g_r.6.weight", [3, 6]),
        ("f_a.0.weight", [5, j + 3]),
        ("f_a.6.weight", [3, 5]),
        ("f_b.0.weight", [9, j + 3]),
        ("f_b.6.weight", [j, 9]),
    ] {
        assert_eq!(tensors[name].0, shape, "{name}");
    }
    let prior = &config(&workspace, "model")["prior"];
    assert_eq!((&prior["hidden_g_r"], &prior["activation"]), (&json!(6), &json!("tanh")));
    let shown = workspace.run("inspect model").success().out;
    let expected =
        "8 hidden units (f_R 4, g_R 6, f_A 5, f_B 9), corpus representation of 3 numbers, tanh";
    assert!(shown.contains(expected), "{shown}");
    // What a new document needs is saved with the topics, in the same shapes.
    workspace.run("fit corpora/elm --model model --out topics -q").success();
    workspace.run("infer corpora/yew --topic-model topics --json").success();
}

#[test]
fn networks_can_see_shares_of_words_in_the_place_of_counts() {
    let workspace = Workspace::with_corpora();
    let text = workspace.names("corpora/elm").remove(0);
    let text = String::from_utf8(workspace.read(&format!("corpora/elm/{text}"))).unwrap();
    workspace.write("once.txt", &text);
    workspace.write("thrice.txt", format!("{text}\n{text}\n{text}"));
    for input in ["counts", "shares"] {
        let line = format!("train corpora --prior iwata -o {input} {TINY} -q");
        workspace.run(&format!("{line} --network-input {input}")).success();
        // Without EM only the networks read the documents.
        let mixture = |document: &str| {
            let line = format!("fit {document} --model {input} --em-steps 0 --json -q");
            workspace.run(&line).success().json()["documents"][0]["topics"].clone()
        };
        let close =
            |(a, b): (&Value, &Value)| (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-5;
        let (once, thrice) = (mixture("once.txt"), mixture("thrice.txt"));
        let mut pairs = once.as_array().unwrap().iter().zip(thrice.as_array().unwrap());
        assert_eq!(pairs.all(close), input == "shares", "{once} {thrice}");
    }
    assert_eq!(config(&workspace, "shares")["prior"]["input"], "shares");
    assert_eq!(config(&workspace, "counts")["prior"].get("input"), None);
    let shown = workspace.run("inspect shares").success().out;
    assert!(shown.contains("corpus representation, which see shares of words"), "{shown}");
    workspace.run("fit corpora/elm --model shares --out topics -q").success();
    workspace.run("infer corpora/yew --topic-model topics --json").success();
}

#[test]
fn a_model_with_the_usual_networks_says_nothing_of_other_ones() {
    let workspace = Workspace::with_corpora();
    let line = format!("train corpora --prior iwata -o model {TINY} -q --activation relu");
    workspace.run(&line).success();
    let expected =
        json!({"kind": "iwata", "hidden": 8, "layers": 3, "corpus_representation": true});
    assert_eq!(config(&workspace, "model")["prior"], expected);
}

#[test]
fn a_free_prior_is_trained_and_used_the_same_way() {
    let workspace = Workspace::with_corpora();
    workspace.run(&format!("train corpora -o model --prior free {BRIEF}")).success();
    assert_eq!(config(&workspace, "model")["prior"], json!({"kind": "free"}));
    let fitted = workspace.run("fit corpora/elm --model model --json").success().json();
    assert_eq!(fitted["topics"].as_array().unwrap().len(), 3);
    assert_eq!(fitted["documents"].as_array().unwrap().len(), 6);
}

#[test]
fn a_maml_prior_is_trained_and_used_the_same_way() {
    let workspace = Workspace::with_corpora();
    let flags = "--prior maml --inner-rate 0.2 --inner-steps 4 --em-steps 0 --exclude elm";
    let tiny = BRIEF.replace("--em-steps 3", "");
    workspace.run(&format!("train corpora -o model {tiny} {flags}")).success();
    let config = config(&workspace, "model");
    assert_eq!(config["prior"], json!({"kind": "maml", "inner_steps": 4, "inner_rate": 0.2}));
    let tensors = read_tensors(&workspace, "model/model.safetensors");
    assert_eq!(tensors.keys().collect::<Vec<_>>(), ["a", "b"]);
    let fitted = workspace.run("fit corpora/elm --model model --json").success().json();
    assert_eq!(fitted["topics"].as_array().unwrap().len(), 3);
    let evaluate = "evaluate corpora --model model --target elm --tasks 5 --json";
    let perplexity = workspace.run(evaluate).success().json()["perplexity"].as_f64().unwrap();
    assert!(perplexity > 1.0 && perplexity < 10.0 * terms(&workspace, "model").len() as f64);
}

#[test]
fn the_vocabulary_does_not_know_the_words_of_an_excluded_corpus() {
    let workspace = Workspace::with_corpora();
    for i in 0..6 {
        workspace.write(&format!("corpora/new/{i}.txt"), "zebra anchor captain tide ".repeat(10));
    }
    workspace.run(&format!("train corpora --prior iwata -o with {TINY}")).success();
    workspace
        .run(&format!("train corpora --prior iwata -o without --exclude new {TINY}"))
        .success();
    let all = terms(&workspace, "with");
    assert!(all.contains(&"zebra".to_owned()));
    assert!(all.is_sorted());
    let others: Vec<String> = all.into_iter().filter(|term| term != "zebra").collect();
    assert_eq!(terms(&workspace, "without"), others);
}

#[test]
fn an_excluded_corpus_may_have_no_word_in_common_with_the_others() {
    let workspace = Workspace::with_corpora();
    workspace.write("corpora/foreign/0.txt", "zwölf boxkämpfer jagen viktor");
    workspace
        .run(&format!("train corpora --prior iwata -o model --exclude foreign {TINY}"))
        .success();
    assert_eq!(config(&workspace, "model")["training"]["excluded"], json!(["foreign"]));
}

#[test]
fn names_of_corpora_may_have_spaces_and_commas() {
    let workspace = Workspace::with_corpora();
    for (from, to) in [("elm", "elm, old and new"), ("yew", "yew, a tree")] {
        std::fs::rename(
            workspace.path(&format!("corpora/{from}")),
            workspace.path(&format!("corpora/{to}")),
        )
        .unwrap();
    }
    let flags = "--hidden 8 --topics 3 --max-steps 10 --validation-every 5 --validation-tasks 2";
    let mut args = vec![
        "train",
        "corpora",
        "--prior",
        "iwata",
        "-o",
        "my, model",
        "--exclude",
        "elm, old and new",
    ];
    args.extend(["--validation", "yew, a tree", "--validation", "birch"]);
    args.extend(flags.split_whitespace());
    workspace.run_args(&args).success();
    let training = &config(&workspace, "my, model")["training"];
    assert_eq!(training["excluded"], json!(["elm, old and new"]));
    assert_eq!(training["validation_corpora"], json!(["birch", "yew, a tree"]));
    assert_eq!(training["corpora"], json!(["alder", "cedar", "rowan"]));
    let target = ["evaluate", "corpora", "--model", "my, model", "--target", "elm, old and new"];
    workspace.run_args(&target).success();
}

#[test]
fn corpora_of_several_inputs_are_called_set_and_corpus() {
    let workspace = Workspace::with_corpora();
    for name in ["alder", "birch"] {
        workspace.copy(&format!("corpora/{name}"), &format!("more/{name}"));
    }
    workspace
        .run(&format!("train corpora more --prior iwata -o model {TINY} --exclude more/alder"))
        .success();
    let training = &config(&workspace, "model")["training"];
    assert_eq!(training["excluded"], json!(["more/alder"]));
    let mut names: Vec<&str> = ["corpora", "validation_corpora"]
        .iter()
        .flat_map(|role| training[role].as_array().unwrap())
        .map(|name| name.as_str().unwrap())
        .collect();
    names.sort_unstable();
    let expected = ["corpora/alder", "corpora/birch", "corpora/cedar", "corpora/elm"];
    assert_eq!(names, [&expected[..], &["corpora/rowan", "corpora/yew", "more/birch"]].concat());
}

#[test]
fn without_validation_the_last_weights_are_saved() {
    let workspace = Workspace::with_corpora();
    let line = "train corpora --prior iwata -o model --hidden 4 --topics 2 --max-steps 7 --validation-corpora 0";
    let answer = workspace.run(&format!("{line} --json")).success();
    assert_eq!(answer.json()["validation_perplexity"], Value::Null);
    let training = &config(&workspace, "model")["training"];
    assert_eq!((&training["steps"], &training["best_step"]), (&json!(7), &Value::Null));
    let card = String::from_utf8(workspace.read("model/README.md")).unwrap();
    assert!(card.contains("last weights"), "{card}");
}

#[test]
fn patience_ends_a_run_that_gets_no_better() {
    let workspace = Workspace::with_corpora();
    // Steps this small change nothing that float32 can see, so no validation beats the first.
    let flags = "--hidden 4 --topics 2 --max-steps 5000 --validation-every 1 --validation-tasks 2";
    let line = format!(
        "train corpora --prior iwata -o model {flags} --patience 3 --learning-rate 1e-30 --json"
    );
    let answer = workspace.run(&line).success().json();
    assert_eq!((&answer["best_step"], &answer["steps"]), (&json!(1), &json!(4)));
}

#[test]
fn an_output_that_exists_is_replaced_only_by_force() {
    let workspace = Workspace::with_model();
    let before = workspace.read("model/model.safetensors");
    let line = format!("train corpora --prior iwata -o model --seed 2 {TINY}");
    let message = workspace.run(&line).refusal();
    assert!(message.starts_with("model: exists already"), "{message}");
    assert!(message.contains("--force"), "{message}");
    assert_eq!(workspace.read("model/model.safetensors"), before);
    workspace.run(&format!("{line} --force")).success();
    assert_ne!(workspace.read("model/model.safetensors"), before);
    assert_eq!(workspace.names("."), ["a.txt", "b.txt", "c.txt", "corpora", "model"]);
}

#[test]
fn the_folders_above_the_model_are_made() {
    let workspace = Workspace::with_corpora();
    let line =
        format!("train corpora --prior iwata -o runs/today/model {TINY} --checkpoint-every 10");
    workspace.run(&line).success();
    assert_eq!(workspace.names("runs/today"), ["model"]);
}

#[test]
fn numbers_that_overflow_end_the_run_without_a_model() {
    let workspace = Workspace::with_corpora();
    let train =
        "train corpora --prior iwata -o model -q --hidden 4 --topics 2 --validation-tasks 2";
    for flags in [
        // The validation, the weights, and the loss of a later step.
        "--learning-rate 1e38 --max-steps 1 --validation-corpora 1 --validation-every 1",
        "--learning-rate 1e39 --max-steps 1 --validation-corpora 0",
        "--learning-rate 1e38 --max-steps 9 --validation-corpora 0",
    ] {
        let message = workspace.run(&format!("{train} {flags}")).refusal();
        assert!(message.contains("not finite"), "{message}");
        assert!(message.contains("lower the learning rate"), "{message}");
        assert_eq!(workspace.names("."), ["corpora"]);
    }
}
