//! `handful compare --model`: a finished model beside other methods.

use crate::support::{TINY, Workspace, edit_config, lines, records, timeless};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

/// A workspace with `corpora`, a model `own` of Handful's own prior and a `model` of another.
fn workspace() -> Workspace {
    let workspace = Workspace::with_model();
    workspace.run(&format!("train corpora -o own --themes 8 -q {TINY}")).success();
    workspace
}

/// Counts of nine corpora, a document of which has most of its corpus's words; the model knows none of
/// them but one.
fn counts() -> String {
    let mut text = String::new();
    for c in 0..9 {
        for n in 0..5 {
            let own =
                (0..6).filter(|&i| i != n % 6).map(|i| (format!("w{c}x{i}"), 1 + (i + n) % 3));
            let mut counts: BTreeMap<String, usize> = own.collect();
            counts.insert("harbour".to_owned(), 3);
            let line = json!({"corpus": format!("c{c}"), "id": n.to_string(), "counts": counts});
            text += &format!("{line}\n");
        }
    }
    text
}

fn line(flags: &str) -> String {
    format!("compare corpora --out out {TINY} --tasks 4 --targets elm {flags}")
}

#[test]
fn its_perplexity_is_that_of_evaluate_if_the_vocabularies_are_the_same() {
    let workspace = workspace();
    workspace.run(&line("-q --model own --methods model,smoothed")).success();
    let records = records(&workspace, "out");
    assert_eq!(records.len(), 2);
    // Lines are written as experiments finish, in whatever order.
    let of = |method: &str| records.iter().find(|record| record["method"] == method).unwrap();
    let (ours, theirs) = (of("model"), of("smoothed"));
    assert_eq!(ours["task_words"], theirs["task_words"], "the tasks are the same");
    assert_eq!((&ours["topics"], &ours["em_steps"]), (&json!(3), &json!(3)));
    assert_eq!(ours["given"]["model"]["terms"], 32);
    assert!(theirs.get("given").is_none() && ours.get("steps").is_none());
    let seed = &ours["seed"];
    let line =
        format!("evaluate corpora --model own --target elm --tasks 4 --seed {seed} --json -q");
    let evaluated = workspace.run(&line).success().json();
    // The laboratory compares topics, without what documents foretell by themselves.
    let (found, expected) = (&ours["perplexity"], &evaluated["without_own_words"]);
    let (found, expected) = (found.as_f64().unwrap(), expected.as_f64().unwrap());
    assert!((found - expected).abs() < 1e-4 * expected, "{found}, {expected}");
}

#[test]
fn the_model_is_among_all_methods_only_if_it_is_given() {
    let workspace = workspace();
    let few = format!("{TINY} --tasks 2 --targets elm -q --sweep topics");
    workspace.run(&format!("compare corpora --out a --model own {few}")).success();
    let of = |out: &str| -> BTreeSet<String> {
        let method = |record: &Value| record["method"].as_str().unwrap().to_owned();
        records(&workspace, out).iter().map(method).collect()
    };
    assert_eq!(of("a").into_iter().collect::<Vec<_>>(), ["iwata", "lda-all", "lda-ind", "model"]);
    let sweep = format!("compare corpora --out b {few}");
    workspace.run(&sweep).success();
    assert!(!of("b").contains("model"));
    let steps = few.replace("--sweep topics", "--sweep em-steps");
    let line = format!("compare corpora --out c --model own --methods model {steps}");
    workspace.run(&line).success();
    let tried: Vec<Value> =
        records(&workspace, "c").iter().map(|record| record["em_steps"].clone()).collect();
    assert_eq!(tried, [0, 1, 2, 5, 10, 20]);
}

#[test]
fn one_model_is_asked_over_a_range_of_settings() {
    let workspace = workspace();
    let range = "--range topics --model own --methods model,smoothed -q";
    workspace.run(&line(range)).success();
    let records = lines(&workspace, "out/range.jsonl");
    let values = |method: &str| -> Vec<&Value> {
        let of_method = records.iter().filter(|record| record["method"] == method);
        of_method.map(|record| &record["value"]).collect()
    };
    assert_eq!(values("model"), [1, 2, 5, 10, 20, 50]);
    assert_eq!(values("smoothed").len(), 6);
}

#[test]
fn its_groups_are_those_of_a_fit() {
    let workspace = workspace();
    workspace.write("counts.jsonl", counts());
    let line = "compare counts.jsonl --groups --out groups --model own --methods model --tasks 3 \
                --corpora-per-task 4 --documents-per-corpus 3 --em-steps 5 -q";
    workspace.run(line).success();
    let record = &lines(&workspace, "groups/groups.jsonl")[0];
    let mut text = String::new();
    let bytes = workspace.read("groups/tasks.jsonl.gz");
    GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    let all: Vec<Value> =
        counts().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (task, purity) in text.lines().zip(record["task_purities"].as_array().unwrap()) {
        let task: Value = serde_json::from_str(task).unwrap();
        let documents = task["documents"].as_array().unwrap();
        let mut handful = String::new();
        for document in documents {
            let is_it = |other: &&Value| {
                other["corpus"] == document["corpus"] && other["id"] == document["id"]
            };
            handful += &format!("{}\n", all.iter().find(is_it).unwrap());
        }
        workspace.write("handful.jsonl", &handful);
        let fit = "fit handful.jsonl --model own --topics 4 --em-steps 5 --json -q";
        let fit = workspace.run(fit).success().json();
        // Of each topic's documents, those of its most frequent corpus are counted.
        let mut sizes: BTreeMap<(usize, &str), usize> = BTreeMap::new();
        for (document, fitted) in documents.iter().zip(fit["documents"].as_array().unwrap()) {
            let shares = fitted["topics"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap());
            let largest = shares.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0;
            *sizes.entry((largest, document["corpus"].as_str().unwrap())).or_default() += 1;
        }
        let most = |k: usize| sizes.iter().filter(|((of, _), _)| *of == k).map(|(_, n)| *n).max();
        let counted = (0..4).filter_map(most).sum::<usize>() as f64 / documents.len() as f64;
        assert_eq!(purity.as_f64(), Some(counted), "{task}");
    }
}

#[test]
fn the_number_of_threads_changes_no_number() {
    let workspace = workspace();
    workspace.write("counts.jsonl", counts());
    for threads in ["1", "2"] {
        let flags = "--groups --model own --methods model,random --tasks 3 --repeats 2 -q";
        let line = format!("compare counts.jsonl --out {threads} {flags} --threads {threads}");
        workspace.run(&line).success();
    }
    let outcomes = |out: &str| timeless(lines(&workspace, &format!("{out}/groups.jsonl")));
    assert_eq!(outcomes("1"), outcomes("2"));
}

#[test]
fn corpora_that_its_card_lists_are_warned_of_once() {
    let workspace = workspace();
    let warning = "the model's card lists 1 of the 1 corpora that are asked (elm): ";
    let answer = workspace.run(&line("--model own --methods model")).success();
    assert_eq!(answer.err.matches(warning).count(), 1, "{answer:?}");
    // Trained on several sets, a card names the set too.
    edit_config(&workspace, "own", |config| {
        config["training"]["corpora"] = json!(["trees/elm"]);
        config["training"]["validation_corpora"] = json!([]);
    });
    let answer = workspace.run(&line("--model own --methods model --repeats 2")).success();
    assert!(answer.err.contains("that are asked (trees/elm): "), "{answer:?}");
    edit_config(&workspace, "own", |config| config["training"]["corpora"] = json!(["other"]));
    let answer = workspace.run(&line("--model own --methods model --repeats 3")).success();
    assert!(!answer.err.contains("card"), "{answer:?}");
}

#[test]
fn a_folder_refuses_the_results_of_another_model() {
    let workspace = workspace();
    workspace.run(&line("-q --methods smoothed")).success();
    workspace.run(&line("-q --model own --methods model")).success();
    workspace.run(&format!("train corpora -o other --themes 8 -q {TINY} --seed 2")).success();
    let message = workspace.run(&line("-q --model other --methods model")).refusal();
    assert!(message.starts_with("out: has results of a model of 32 terms with the"), "{message}");
    assert!(message.ends_with("choose another folder, or give what its results were made with"));
    workspace.run(&line("-q --model own --methods model,smoothed --repeats 2")).success();
    assert_eq!(records(&workspace, "out").len(), 4);
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let workspace = workspace();
    workspace.write("counts.jsonl", counts());
    for (flags, expected) in [
        (
            "--methods model",
            "method `model`: there is no model to ask; name its directory with --model",
        ),
        (
            "--methods smoothed --model own",
            "--model: none of --methods asks for it; name a method that does in --methods, or leave \
             it out",
        ),
        ("--methods model --model nowhere", "nowhere: "),
        (
            "--methods model --model model",
            "model: has a prior that cannot be asked for some of its terms only; give a model of the \
             prior `handful`",
        ),
        ("--methods model --model own --topics 51", "--topics is 51; it must be"),
    ] {
        let flags = match flags.contains("--topics") {
            true => line(&format!("-q {flags}")).replace("--topics 3", ""),
            false => line(&format!("-q {flags}")),
        };
        let message = workspace.run(&flags).refusal();
        assert!(message.starts_with(expected), "{flags}: {message}");
        assert!(!workspace.exists("out"), "{flags}");
    }
    let groups = "compare counts.jsonl --groups --out out -q --methods model";
    let message = workspace.run(groups).refusal();
    assert!(message.starts_with("method `model`: there is no model to ask"), "{message}");
    // This model was trained for three topics.
    let message = workspace.run(&format!("{groups} --model model --corpora-per-task 4")).refusal();
    let expected =
        "4 corpora in a task: the model model cannot give as many topics; it must be 3, ";
    assert!(message.starts_with(expected), "{message}");
    assert!(message.ends_with("; change --corpora-per-task"), "{message}");
    workspace.run(&format!("{groups} --model model")).success();
    let message = workspace.run("compare --table out --model own").usage_error();
    assert!(message.contains("--model"), "{message}");
}
