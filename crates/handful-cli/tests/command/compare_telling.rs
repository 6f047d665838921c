//! `handful compare --telling`: terms that tell where other documents belong.

use crate::support::{Workspace, lines, timeless};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Read;

const CORPORA: usize = 8;

/// Eight corpora with words of their own, each of so many documents of forty words.
fn workspace(documents: usize) -> Workspace {
    let letter = |i: usize| char::from(b'a' + (i % 26) as u8);
    let mut texts = String::new();
    for c in 0..CORPORA {
        for n in 0..documents {
            let word = |i: usize| format!("word{}{}", letter(c), letter(i));
            let text: Vec<String> = (0..40).map(|i| word((i * 3 + n) % 10)).collect();
            let (corpus, text) = (format!("c{c}"), text.join(" "));
            let line = json!({"corpus": corpus, "id": n.to_string(), "text": text});
            texts += &format!("{line}\n");
        }
    }
    let workspace = Workspace::new();
    workspace.write("texts.jsonl", texts);
    workspace
}

fn line(out: &str, flags: &str) -> String {
    format!("compare texts.jsonl --telling --out {out} --tasks 4 --min-documents 1 {flags}")
}

fn outcomes(workspace: &Workspace, out: &str) -> Vec<String> {
    timeless(lines(workspace, &format!("{out}/telling.jsonl")))
}

fn tasks(workspace: &Workspace, out: &str) -> Vec<Value> {
    let mut text = String::new();
    let bytes = workspace.read(&format!("{out}/tasks.jsonl.gz"));
    GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    text.lines().map(|task| serde_json::from_str(task).unwrap()).collect()
}

#[test]
fn each_method_repeat_and_shape_is_a_line_and_tables_are_made_of_lines_alone() {
    let workspace = workspace(16);
    let answer = workspace.run(&line("out", "-q --repeats 2")).success();
    assert_eq!(lines(&workspace, "out/telling.jsonl").len(), 3 * 2 * 2);
    for part in ["\n## K=3 N=6\n", "\n## K=5 N=30\n", "\n| nmf | ", "\n| lda-ind | "] {
        assert!(answer.out.contains(part), "{part}: {}", answer.out);
    }
    let table = workspace.run("compare --table out").success();
    assert_eq!(table.out, answer.out);
    let json = workspace.run("compare --table out --json").success().json();
    assert_eq!(json["methods"][0]["setting"], "K=3 N=6");
    assert_eq!(json["methods"][0]["measures"]["telling"]["repeats"], 2);
    let one = workspace.run(&line("one", "-q --corpora-per-task 2 --documents-per-corpus 3"));
    assert!(one.success().out.contains("\n## K=2 N=6\n"));
}

#[test]
fn the_share_that_is_right_can_be_computed_again_from_tasks_and_terms() {
    let workspace = workspace(16);
    let shape = "--corpora-per-task 3 --documents-per-corpus 2";
    workspace.run(&line("out", &format!("-q --methods nmf {shape}"))).success();
    let record = &lines(&workspace, "out/telling.jsonl")[0];
    let task = &tasks(&workspace, "out")[0];
    assert_eq!(task["documents"].as_array().unwrap().len(), 6);
    // The fifth letter of a word tells its corpus. NMF groups words that never meet without fail, so a
    // topic stands for the corpus of its terms.
    let texts: BTreeMap<(String, String), String> = lines(&workspace, "texts.jsonl")
        .into_iter()
        .map(|line| {
            let text = |key: &str| line[key].as_str().unwrap().to_owned();
            ((text("corpus"), text("id")), text("text"))
        })
        .collect();
    let terms: Vec<Vec<&str>> = record["first_terms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|terms| terms.as_array().unwrap().iter().map(|t| t.as_str().unwrap()).collect())
        .collect();
    assert_eq!(record["task_aris"][0], 1.0, "{record}");
    let others = task["others"].as_array().unwrap();
    let mut right = 0.0;
    for other in others {
        let key = |name: &str| other[name].as_str().unwrap().to_owned();
        let words: Vec<&str> = texts[&(key("corpus"), key("id"))].split(' ').collect();
        let contained: Vec<usize> = terms
            .iter()
            .map(|terms| terms.iter().filter(|term| words.contains(term)).count())
            .collect();
        let most = *contained.iter().max().unwrap();
        let tied: Vec<usize> = (0..terms.len()).filter(|&k| contained[k] == most).collect();
        let corpus = b'a' + key("corpus").as_bytes()[1] - b'0';
        let is_own = |k: &&usize| terms[**k].iter().any(|term| term.as_bytes()[4] == corpus);
        right += tied.iter().filter(is_own).count() as f64 / tied.len() as f64;
    }
    let expected = right / others.len() as f64;
    assert!((record["task_telling"][0].as_f64().unwrap() - expected).abs() < 1e-12, "{record}");
    assert_eq!(others.len(), 3 * 14);
}

#[test]
fn a_stopped_run_goes_on_and_more_methods_can_be_added() {
    let workspace = workspace(16);
    let flags = "-q --repeats 2 --corpora-per-task 3";
    workspace.run(&line("1", flags)).success();
    workspace.run(&line("out", &format!("{flags} --methods nmf"))).success();
    let lines = String::from_utf8(workspace.read("out/telling.jsonl")).unwrap();
    // A crash leaves half a line.
    workspace.write("out/telling.jsonl", &lines[..lines.len() - 20]);
    workspace.run(&line("out", flags)).success();
    assert_eq!(outcomes(&workspace, "out"), outcomes(&workspace, "1"));
    assert_eq!(workspace.read("out/tasks.jsonl.gz"), workspace.read("1/tasks.jsonl.gz"));
}

#[test]
fn a_model_and_vectors_name_the_topics_of_their_groups() {
    let workspace = workspace(16);
    let train = "--min-documents 1 --max-steps 20 --validation-every 10 --validation-tasks 3 \
                 --validation-corpora 2";
    workspace.run(&format!("train texts.jsonl -o model -q {train}")).success();
    let shape = "-q --corpora-per-task 3 --documents-per-corpus 2";
    let methods = "--methods model,class-tf-idf --model model";
    workspace.run(&line("out", &format!("{shape} {methods}"))).success();
    let records = lines(&workspace, "out/telling.jsonl");
    assert_eq!(records[0]["task_aris"], records[1]["task_aris"], "the groups are the model's");
    assert!(records[1]["given"]["model"]["terms"].as_u64().unwrap() > 0, "{}", records[1]);
    let mut vectors = String::new();
    for task in tasks(&workspace, "out") {
        for (n, document) in task["documents"].as_array().unwrap().iter().enumerate() {
            let mut vector = [0.0; CORPORA];
            let corpus = document["corpus"].as_str().unwrap();
            vector[usize::from(corpus.as_bytes()[1] - b'0')] = 1.0;
            let line = json!({"task": task["task"], "document": n, "passage": 0, "vector": vector});
            vectors += &format!("{line}\n");
        }
    }
    workspace.write("vectors.jsonl", vectors);
    let methods = "--methods class-tf-idf-given --passage-vectors vectors.jsonl";
    workspace.run(&line("out", &format!("{shape} {methods}"))).success();
    let given = &lines(&workspace, "out/telling.jsonl")[2];
    assert_eq!((&given["ari"], &given["telling"]), (&json!(1.0), &json!(1.0)), "{given}");
}

#[test]
fn what_cannot_be_done_is_refused_or_warned_of_in_a_sentence() {
    let workspace = workspace(12);
    let answer = workspace.run(&line("out", "--methods nmf")).success();
    let warning = "K=5 N=30 is left out: 0 of 8 have at least 16 documents of 30 words";
    assert!(answer.err.contains(warning), "{answer:?}");
    workspace.write("counts.jsonl", r#"{"corpus": "c0", "id": "a", "counts": {"moon": 40}}"#);
    for (flags, part) in [
        ("--documents-per-corpus 3", "the corpora: 0 of 8 have at least 13 documents of 30 words"),
        ("--corpora-per-task 7", "--corpora-per-task is 7; it must be at most 6"),
        ("--corpora-per-task 2,3", "--groups and --telling have one number of corpora in a task"),
        ("--documents-per-task 6", "--documents-per-task"),
        ("--methods even", "method `even`: there is none of that name that tells topics by terms"),
        ("--methods model", "method `model`: there is no model to ask"),
        ("--methods class-tf-idf-given", "there are no vectors to group"),
        ("--number", "--number"),
        ("--model built-in --methods nmf", "--model: none of --methods asks for it"),
    ] {
        let message = workspace.run(&line("other", &format!("-q {flags}"))).usage_error();
        assert!(message.contains(part), "{flags}: {message}");
        assert!(!workspace.exists("other"), "{flags}");
    }
    let counts = "compare counts.jsonl --telling --out other -q --min-documents 1";
    let message = workspace.run(counts).refusal();
    assert!(message.contains("phrases are looked for in texts; give the documents as text"));
    let message = workspace.run("compare --table out --targets c1").refusal();
    assert_eq!(message, "--targets: telling has no targets; leave it out");
}
