//! `handful compare --groups` with tasks of other shapes.

use crate::support::{Workspace, lines};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Read;

/// Counts of corpora with words of their own, of these sizes.
fn workspace(sizes: &[usize]) -> Workspace {
    let mut text = String::new();
    for (c, &size) in sizes.iter().enumerate() {
        for n in 0..size {
            let own = (0..6).map(|i| (format!("w{c}x{i}"), 1 + (i + n) % 3));
            let counts: BTreeMap<String, usize> = own.collect();
            let line = json!({"corpus": format!("c{c}"), "id": n.to_string(), "counts": counts});
            text += &format!("{line}\n");
        }
    }
    let workspace = Workspace::new();
    workspace.write("counts.jsonl", text);
    workspace
}

fn line(flags: &str) -> String {
    format!("compare counts.jsonl --groups --out out --tasks 4 --methods random {flags}")
}

#[test]
fn a_task_has_as_many_corpora_and_documents_as_the_flags_say() {
    let workspace = workspace(&[6; 10]);
    let answer = workspace.run(&line("-q --corpora-per-task 5 --documents-per-corpus 6")).success();
    let heading = "In each repeat 6 corpora are held out, 3 validate and 1 train; a task is 6 documents \
                   of each of 5 of those held out, to be put into 5 groups; there are 4 tasks.";
    assert!(answer.out.contains(heading), "{}", answer.out);
    assert!(answer.out.contains("| adjusted Rand index |"), "{}", answer.out);
    let mut text = String::new();
    GzDecoder::new(&workspace.read("out/tasks.jsonl.gz")[..]).read_to_string(&mut text).unwrap();
    for task in text.lines() {
        let task: Value = serde_json::from_str(task).unwrap();
        let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
        for document in task["documents"].as_array().unwrap() {
            *sizes.entry(document["corpus"].as_str().unwrap()).or_default() += 1;
        }
        assert_eq!(sizes.values().collect::<Vec<_>>(), [&6; 5]);
    }
    let record = &lines(&workspace, "out/groups.jsonl")[0];
    assert_eq!(record["task_aris"].as_array().unwrap().len(), 4);
    let table = workspace.run("compare --table out").success();
    assert_eq!(table.out, answer.out);
    let message = workspace.run(&line("-q")).refusal();
    assert!(message.contains("support_size was 30 and is now 6"), "{message}");
}

#[test]
fn corpora_that_are_too_small_are_left_out_and_named() {
    let workspace = workspace(&[5, 5, 1, 5, 5, 5, 2, 5]);
    let answer = workspace.run(&line("--documents-per-corpus 3 --repeats 5")).success();
    let warning = "2 corpora have fewer than 3 usable documents and are never asked: c2, c6";
    assert_eq!(answer.err.matches(warning).count(), 1, "{answer:?}");
    for record in lines(&workspace, "out/groups.jsonl") {
        let held_out = record["held_out_corpora"].as_array().unwrap();
        assert!(!held_out.contains(&json!("c2")) && !held_out.contains(&json!("c6")), "{record}");
        assert_eq!(record["validation_corpora"], json!([]), "they would leave nothing to train on");
    }
}

#[test]
fn shapes_that_make_no_tasks_are_refused() {
    let workspace = workspace(&[5; 7]);
    for (flags, expected) in [
        ("--corpora-per-task 1", "--corpora-per-task is 1; it must be at least 2"),
        ("--documents-per-corpus 0", "--documents-per-corpus is 0; it must be at least 1"),
        (
            "--documents-per-corpus 6",
            "the corpora: 0 of 7 have at least 6 usable documents, but mixed handfuls need 6 to mix; \
             give more corpora, or lower --documents-per-corpus or --corpora-per-task",
        ),
        (
            "--corpora-per-task 7",
            "the corpora: 7 of 7 have at least 2 usable documents, but mixed handfuls need 8 to mix;",
        ),
    ] {
        let message = workspace.run(&line(&format!("-q {flags}"))).refusal();
        assert!(message.starts_with(expected), "{flags}: {message}");
        assert!(!workspace.exists("out"), "{flags}");
    }
    for flags in ["--corpora-per-task 3", "--documents-per-corpus 2", "--document-vectors x"] {
        let line = format!("compare counts.jsonl --out out {flags}");
        let message = workspace.run(&line).usage_error();
        assert!(message.contains("--groups"), "{flags}: {message}");
    }
}
