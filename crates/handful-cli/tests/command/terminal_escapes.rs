//! What others have written, such as names of files and words of documents, moves no cursor and clears no
//! screen.

use crate::support::{Answer, Workspace, edit_config};
use serde_json::json;
use std::fs;

/// An escape in 7 bits, one in 8, an override of the direction, a bell.
const EVIL: &str = "x\u{1b}[2J\u{9b}31m\u{202e}\u{7}y";
const SHOWN: &str = "x\\u{1b}[2J\\u{9b}31m\\u{202e}\\u{7}y";

/// The answer obeys nobody: it has no character that a terminal would obey but line breaks.
#[track_caller]
fn obeys_nobody(answer: &Answer) {
    for said in [&answer.out, &answer.err] {
        let is_obeyed = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!said.contains(is_obeyed), "{said:?}");
    }
}

#[test]
fn ids_terms_and_names_are_shown_escaped() {
    let workspace = Workspace::new();
    let counts = json!({ EVIL: 5, "hive": 2, "bee": 9 });
    let lines = [json!({"id": EVIL, "counts": counts}), json!({"id": "b", "text": "bread oven"})];
    workspace.write("a.jsonl", lines.map(|line| line.to_string()).join("\n"));
    let lines = [
        "fit a.jsonl",
        "fit a.jsonl -v --sentences 2",
        "fit a.jsonl --json",
        "fit a.jsonl --out topics",
        "inspect topics",
        "infer a.jsonl --topic-model topics",
    ];
    for line in lines {
        let answer = workspace.run(line).success();
        obeys_nobody(&answer);
        if !line.ends_with("--json") {
            assert!(answer.out.contains(SHOWN), "{line}: {answer:?}");
        }
    }
    let answer = workspace.run_args(&["fit", "a.jsonl", "--explain", EVIL]).success();
    obeys_nobody(&answer);
    assert!(answer.out.contains(&format!("Why {SHOWN} is where it is")), "{answer:?}");
    // In JSON the characters are escapes, and mean what they meant.
    let fit = workspace.run("fit a.jsonl --json").success().json();
    assert_eq!(fit["documents"][0]["id"], EVIL);
    // Names that are not from us, in a directory.
    edit_config(&workspace, "topics", |config| {
        let topics = config["topics"].as_u64().unwrap();
        config["names"] = (0..topics).map(|_| json!(EVIL)).collect();
    });
    let answer = workspace.run("inspect topics").success();
    obeys_nobody(&answer);
    assert!(answer.out.contains(SHOWN), "{answer:?}");
}

#[test]
fn files_and_flags_are_named_escaped_in_messages() {
    let workspace = Workspace::new();
    workspace.write("a.txt", "bees fly home");
    for line in [
        vec!["fit", EVIL],
        vec!["fit", "a.txt", "--model", EVIL],
        vec!["fit", "a.txt", "--explain", EVIL],
        vec!["fit", "a.txt", "--topics", EVIL],
        vec!["fit", "a.txt", "--language", EVIL],
        vec!["fit", "a.txt", "--stop-words", EVIL],
        vec!["evaluate", "a.txt", "--target", EVIL],
        vec!["fit", "a.txt", &format!("--{EVIL}")],
        vec![EVIL],
    ] {
        let answer = workspace.run_args(&line);
        obeys_nobody(&answer);
        assert_ne!(answer.usage_error(), "");
    }
}

#[cfg(unix)]
#[test]
fn files_of_a_folder_are_named_escaped_in_results_and_warnings() {
    let workspace = Workspace::new();
    workspace.write("folder/a.txt", "bees fly home");
    fs::write(workspace.path("folder").join(format!("{EVIL}.txt")), b"bread \xe9 oven").unwrap();
    fs::write(workspace.path("folder").join(format!("{EVIL}.pdf")), "%PDF-1.5").unwrap();
    let answer = workspace.run("fit folder").success();
    obeys_nobody(&answer);
    assert!(answer.out.contains(&format!("{SHOWN}.txt")), "{answer:?}");
    assert!(answer.err.contains(&format!("{SHOWN}.pdf: is a PDF")), "{answer:?}");
}

#[test]
fn the_card_of_a_model_is_shown_escaped() {
    let workspace = Workspace::with_model();
    edit_config(&workspace, "model", |config| {
        config["about"] = json!(format!("first line\n{EVIL}"));
        config["training"]["corpora"] = json!([EVIL]);
    });
    let answer = workspace.run("inspect model").success();
    obeys_nobody(&answer);
    assert!(answer.out.contains(&format!("first line\n{SHOWN}\n")), "{answer:?}");
    assert!(answer.out.contains(&format!("- {SHOWN}\n")), "{answer:?}");
}
