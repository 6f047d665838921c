//! What is shown of topics: the order of terms, sentences, colours.

use crate::support::{TINY, Workspace, read_tensors};
use serde_json::{Value, json};

fn terms(topic: &Value) -> Vec<(String, f64)> {
    let terms = topic["terms"].as_array().unwrap().iter();
    let pair = |term: &Value| {
        (term["term"].as_str().unwrap().to_owned(), term["probability"].as_f64().unwrap())
    };
    terms.map(pair).collect()
}

#[test]
fn relevance_1_is_the_order_of_probability() {
    let workspace = Workspace::with_model();
    let line = "fit a.txt b.txt c.txt --model model --json --relevance";
    let fitted = workspace.run(&format!("{line} 1")).success().json();
    assert_eq!(fitted["order"], json!({"by": "relevance", "lambda": 1.0}));
    for topic in fitted["topics"].as_array().unwrap() {
        assert!(terms(topic).is_sorted_by(|a, b| a.1 >= b.1), "{topic}");
    }
    let by_ratio = workspace.run(&format!("{line} 0")).success().json();
    assert_ne!(by_ratio["topics"], fitted["topics"]);
}

#[test]
fn the_terms_shown_first_are_telling_or_relevant() {
    let workspace = Workspace::with_model();
    workspace.run(&format!("train corpora -o own --themes 8 -q {TINY}")).success();
    let order = |line: &str| workspace.run(line).success().json()["order"].clone();
    assert_eq!(order("fit a.txt --model own --json"), json!({"by": "telling"}));
    assert_eq!(order("fit a.txt --model model --json"), json!({"by": "relevance", "lambda": 0.6}));
    // Of 32 terms three are usual, and come last unless they are at home in the topic.
    workspace.run("fit a.txt b.txt --model own --out d").success();
    let background = &read_tensors(&workspace, "d/topics.safetensors")["background.phi"].1;
    let vocabulary = String::from_utf8(workspace.read("d/vocabulary.txt")).unwrap();
    let mut usual: Vec<(f32, &str)> = background.iter().copied().zip(vocabulary.lines()).collect();
    usual.sort_by(|a, b| b.0.total_cmp(&a.0));
    let fitted = workspace.run("inspect d --json --top 32").success().json();
    let said = ["a.txt", "b.txt", "c.txt"].map(|file| workspace.read(file)).concat();
    let said = String::from_utf8(said).unwrap();
    let mut seen = std::collections::HashSet::new();
    for topic in fitted["topics"].as_array().unwrap() {
        let terms = terms(topic);
        let is_usual = |term: &(String, f64)| {
            usual[..3].iter().any(|&(p, name)| name == term.0 && term.1 < 20.0 * f64::from(p))
        };
        let first = terms.iter().position(is_usual).unwrap_or(32.min(terms.len()));
        assert!(first > 2 && terms[first..].iter().all(is_usual), "{terms:?}");
        // Every term is a word of the documents, in no other topic.
        for (term, _) in &terms {
            assert!(term.split(' ').all(|part| said.split_whitespace().any(|word| word == part)));
            assert!(seen.insert(term.clone()), "{term} is in two topics");
        }
    }
}

#[test]
fn relevance_outside_0_to_1_is_refused() {
    let workspace = Workspace::with_model();
    for lambda in ["-0.1", "1.5", "nan"] {
        let message =
            workspace.run(&format!("fit a.txt --model model --relevance {lambda}")).refusal();
        assert!(
            message.starts_with("--relevance is ") && message.contains("from 0 to 1"),
            "{message}"
        );
    }
}

const LETTER: &str = "The captain saw an island\nbeyond the harbour and the tide. Short.\n\n\
                      Butter, flour, pepper and salt make a recipe!";

#[test]
fn sentences_are_those_of_the_documents_and_speak_for_one_topic_each() {
    let workspace = Workspace::with_model();
    workspace.write("letter.txt", LETTER);
    let line = "fit letter.txt a.txt --model model --sentences 2";
    let fitted = workspace.run(&format!("{line} --json")).success().json();
    let topics = fitted["topics"].as_array().unwrap();
    let mut sentences: Vec<&str> = Vec::new();
    for topic in topics {
        let shown = topic["sentences"].as_array().unwrap();
        assert!(shown.len() <= 2);
        assert!(shown.is_sorted_by(|a, b| a["share"].as_f64() >= b["share"].as_f64()));
        for sentence in shown.iter().filter(|sentence| sentence["document"] == "letter.txt") {
            assert!((1.0 / 3.0..=1.0).contains(&sentence["share"].as_f64().unwrap()));
            sentences.push(sentence["text"].as_str().unwrap());
        }
    }
    sentences.sort_unstable();
    let expected = [
        "Butter, flour, pepper and salt make a recipe!",
        "The captain saw an island beyond the harbour and the tide.",
    ];
    assert_eq!(sentences, expected);
    let text = workspace.run(line).success().out;
    assert!(expected.iter().all(|sentence| text.contains(sentence)), "{text}");
    let plain = workspace.run("fit letter.txt a.txt --model model").success().out;
    assert!(!plain.contains("captain saw"), "{plain}");
    workspace.run(&format!("{line} --report report.html")).success();
    let page = String::from_utf8(workspace.read("report.html")).unwrap();
    assert!(expected.iter().all(|sentence| page.contains(sentence)));
}

#[test]
fn a_quoted_sentence_cannot_command_the_terminal() {
    let workspace = Workspace::with_model();
    workspace.write("a.txt", "Captain \u{1b}[2J anchor, island\u{7} and harbour.");
    let line = "fit a.txt --model model --sentences 1 --json";
    let fitted = workspace.run(line).success().json();
    let sentences: Vec<&Value> = fitted["topics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|topic| &topic["sentences"][0]["text"])
        .collect();
    let shown = json!("Captain [2J anchor, island and harbour.");
    assert!(sentences.contains(&&shown), "{sentences:?}");
}

/// What `fit` prints with a variable of the environment set.
fn printed_with(workspace: &Workspace, variables: &[(&str, &str)]) -> String {
    let mut command = workspace.process("fit a.txt b.txt c.txt --model model");
    command.env_remove("NO_COLOR").envs(variables.iter().copied());
    let output = command.output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn colours_are_for_terminals_and_for_those_who_want_them() {
    let workspace = Workspace::with_model();
    let plain = printed_with(&workspace, &[]);
    assert!(!plain.contains('\u{1b}'));
    assert!(!printed_with(&workspace, &[("NO_COLOR", "1")]).contains('\u{1b}'));
    let coloured = printed_with(&workspace, &[("CLICOLOR_FORCE", "1")]);
    // What is before `topic k`, in the table and at the bars.
    for number in 1..=3 {
        let name = format!("topic {number}");
        let mut colours: Vec<&str> = coloured
            .match_indices(&name)
            .map(|(at, _)| &coloured[coloured[..at].rfind('\u{1b}').unwrap()..at])
            .collect();
        assert!(!colours.is_empty());
        colours.dedup();
        assert_eq!(colours.len(), 1, "{colours:?}");
        assert!(colours[0].starts_with("\u{1b}[38;5;"), "{colours:?}");
    }
    let mut stripped = String::new();
    for part in coloured.split('\u{1b}') {
        let rest = if stripped.is_empty() { part } else { part.split_once('m').unwrap().1 };
        stripped.push_str(rest);
    }
    assert_eq!(stripped, plain);
}
