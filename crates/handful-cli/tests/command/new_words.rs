//! Words that the model does not know take part.

use crate::support::{TINY, Workspace, text};
use serde_json::{Value, json};
use std::fs;

fn workspace() -> Workspace {
    let workspace = Workspace::with_corpora();
    workspace.run(&format!("train corpora -o own --themes 8 -q {TINY}")).success();
    workspace.write("a.txt", short(1));
    workspace.write("b.txt", format!("{} zyzzyva zyzzyva zyzzyvas quokka", short(2)));
    workspace
}

/// A text of 25 words: too short to be cut into passages.
fn short(seed: u64) -> String {
    text(seed).split_whitespace().take(25).collect::<Vec<_>>().join(" ")
}

fn main_topic(document: &Value) -> usize {
    let shares = document["topics"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap());
    let (k, _) = shares.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    k
}

#[test]
fn new_words_are_terms_and_their_places_are_told() {
    let workspace = workspace();
    let line =
        "fit a.txt b.txt --model own --topics 2 --top 100 --relevance 0.6 --out topics --json";
    let fit = workspace.run(line).success().json();
    assert_eq!(fit["documents"][1]["unknown_words"], 4);
    let new = fit["new_words"].as_array().unwrap();
    let counts: Vec<(&Value, &Value)> =
        new.iter().map(|word| (&word["term"], &word["count"])).collect();
    let expected = [(&json!("zyzzyva"), 2), (&json!("zyzzyvas"), 1), (&json!("quokka"), 1)];
    for (found, (term, count)) in counts.iter().zip(expected) {
        assert_eq!(*found, (term, &json!(count)));
    }
    assert_eq!(new.len(), 3);
    // They are placed where their document is.
    let b = main_topic(&fit["documents"][1]);
    assert_ne!(main_topic(&fit["documents"][0]), b);
    assert_eq!(main_topic(&new[0]), b, "{new:?}");
    let probability = |k: usize, term: &str| {
        let terms = fit["topics"][k]["terms"].as_array().unwrap();
        terms.iter().find(|shown| shown["term"] == term).unwrap()["probability"].as_f64().unwrap()
    };
    assert!(probability(b, "zyzzyva") > 5.0 * probability(1 - b, "zyzzyva"));
    for k in 0..2 {
        let terms = fit["topics"][k]["terms"].as_array().unwrap();
        let sum: f64 = terms.iter().map(|term| term["probability"].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
    }
    // A new document finds them in the saved topics.
    workspace.write("c.txt", "zyzzyva zyzzyva quokka");
    let infer = workspace.run("infer c.txt --topic-model topics --json").success().json();
    assert_eq!(infer["documents"][0]["unknown_words"], 0);
    assert_eq!(main_topic(&infer["documents"][0]), b);
    let people = workspace.run("fit a.txt b.txt --model own --topics 2").success().out;
    let (_, told) = people.split_once("Words that are new to the model").unwrap();
    assert!(told.contains(&format!("topic {}  zyzzyva", b + 1)), "{told}");
    assert!(people.contains("b.txt (29 words, 14% new to the model"), "{people}");
}

#[test]
fn ignored_words_are_not_new_ones() {
    let workspace = workspace();
    let line = "fit a.txt b.txt --model own --ignore-words zyzzyva,zyzzyvas,quokka --json";
    let fit = workspace.run(line).success().json();
    assert_eq!(fit["new_words"], Value::Null);
}

#[test]
fn a_model_that_has_learned_nothing_of_new_words_leaves_them_out() {
    let workspace = workspace();
    let path = workspace.path("own/config.json");
    let mut config: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert!(config["new_words"]["novelty"].as_f64().unwrap() > 0.0);
    config.as_object_mut().unwrap().remove("crc32").unwrap();
    config["new_words"]["novelty"] = json!(-7);
    fs::write(&path, config.to_string()).unwrap();
    let refused = workspace.run("fit a.txt --model own").refusal();
    assert!(refused.contains("config.json") && refused.contains("new_words"), "{refused}");
    config.as_object_mut().unwrap().remove("new_words");
    fs::write(&path, config.to_string()).unwrap();
    let fit = workspace.run("fit a.txt b.txt --model own --top 100 --json").success().json();
    assert_eq!(fit["new_words"], Value::Null);
    assert_eq!(fit["documents"][1]["unknown_words"], 4);
    assert_eq!(fit["model"]["terms"], 32);
}

#[test]
fn documents_in_no_language_it_knows_are_told_apart_by_their_words() {
    let workspace = Workspace::new();
    let sea = "morze statek kapitan wyspa fala latarnia przypływ żagiel kotwica rejs";
    let kitchen = "mąka masło piekarnik łyżka przepis cebula czosnek garnek pieprz ciasto";
    let cut = |text: &str, first: usize| {
        let words: Vec<&str> = text.split(' ').cycle().skip(first).take(18).collect();
        words.join(" ")
    };
    for (n, text) in [cut(sea, 0), cut(kitchen, 3), cut(sea, 5), cut(kitchen, 8)].iter().enumerate()
    {
        workspace.write(&format!("{n}.txt"), text);
    }
    let fit = workspace.run("fit 0.txt 1.txt 2.txt 3.txt --topics 2 --json").success();
    assert!(fit.err.contains("English") && fit.err.contains("words they have in common"));
    let topics: Vec<usize> =
        fit.json()["documents"].as_array().unwrap().iter().map(main_topic).collect();
    assert_eq!((topics[0], topics[1]), (topics[2], topics[3]));
    assert_ne!(topics[0], topics[1]);
}

#[test]
fn evaluation_tells_of_all_words_too() {
    let workspace = workspace();
    let lines: Vec<String> = (0..6)
        .map(|n| {
            let text = format!("{} zyzzyva zyzzyva word{n} word{n}", text(n));
            json!({"corpus": "odd", "id": n.to_string(), "text": text}).to_string()
        })
        .collect();
    workspace.write("odd.jsonl", lines.join("\n"));
    let line = "evaluate odd.jsonl --model own --target odd --tasks 30";
    let json = workspace.run(&format!("{line} --json")).success().json();
    // Among 32 terms, no unigram with tuned weights is worse than one that knows nothing.
    assert!((1.0..33.0).contains(&json["smoothed_unigram"].as_f64().unwrap()), "{json}");
    let all = &json["all_words"];
    // Four of 44 words; `word3` and the like are no words of letters only, so two of 42 may be.
    let share = all["new_share"].as_f64().unwrap();
    assert!((0.02..0.2).contains(&share), "{share}");
    assert!(all["perplexity"].as_f64().unwrap() > 1.0);
    let people = workspace.run(line).success().out;
    assert!(people.contains("% of which are new to the model"), "{people}");
    assert!(people.contains("a smoothed unigram, its weights the best"), "{people}");
}
