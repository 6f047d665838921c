//! `--themes 8`: topics before a background.

use crate::support::{TINY, Workspace, read_tensors};
use serde_json::Value;

fn workspace() -> Workspace {
    let workspace = Workspace::with_model();
    workspace.run(&format!("train corpora -o own --themes 8 -q {TINY}")).success();
    workspace
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn topics_and_background_share_every_word() {
    let workspace = workspace();
    let card = workspace.run("inspect own --json").success().json();
    assert_eq!(card["prior"]["kind"], "handful");
    let line = "fit a.txt b.txt c.txt --model own --topics 3 --out shares --json --words";
    let fit = workspace.run(line).success().json();
    let tensors = read_tensors(&workspace, "shares/topics.safetensors");
    let documents = fit["documents"].as_array().unwrap();
    let (mut words, mut topic_words) = (0.0, 0.0);
    for (document, share) in documents.iter().zip(&tensors["background.share"].1) {
        let topics = numbers(&document["topics"]);
        assert_eq!(topics.len(), 3);
        assert!((topics.iter().sum::<f64>() - 1.0).abs() < 1e-5);
        let background = document["background"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&background));
        // Words, and phrases as one.
        let placed = document["placed_words"].as_array().unwrap().len() as f64;
        words += placed;
        topic_words += (1.0 - f64::from(*share)) * placed;
    }
    let weights: f64 = fit["topics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|topic| topic["weight"].as_f64().unwrap())
        .sum();
    assert!((weights - topic_words / words).abs() < 1e-5);
}

#[test]
fn before_its_first_step_a_training_says_what_it_is_doing() {
    let workspace = Workspace::with_corpora();
    let line = format!("train corpora -o own --themes 8 {TINY}");
    let answer = workspace.run(&line).success();
    let lines: Vec<&str> = answer.err.lines().collect();
    let at = |start: &str| lines.iter().position(|line| line.starts_with(start)).unwrap();
    let [vectors, themes] = ["finding word vectors", "finding themes"].map(at);
    assert!(vectors < themes && themes < at("step "), "{}", answer.err);
    let quiet = workspace.run(&format!("{line} --force -q")).success();
    assert_eq!(quiet.err, "");
}

#[test]
fn more_documents_than_topics_and_empty_ones_are_fitted() {
    let workspace = workspace();
    workspace.write("empty.txt", "");
    workspace.write("unknown.txt", "zyzzyva qwertz");
    let line = "fit a.txt empty.txt b.txt unknown.txt c.txt --model own --json";
    let fit = workspace.run(line).success().json();
    for document in fit["documents"].as_array().unwrap() {
        assert!((numbers(&document["topics"]).iter().sum::<f64>() - 1.0).abs() < 1e-5);
    }
}

#[test]
fn a_topic_model_directory_holds_the_background_too() {
    let workspace = workspace();
    let printed = workspace
        .run("fit a.txt b.txt --model own --topics 3 --out topics --json")
        .success()
        .json();
    let tensors = read_tensors(&workspace, "topics/topics.safetensors");
    assert_eq!((&*tensors["theta"].0, &*tensors["alpha"].0), (&[2, 3][..], &[2, 3][..]));
    let phi: f32 = tensors["background.phi"].1.iter().sum();
    assert!((phi - 1.0).abs() < 1e-5);
    for (n, share) in tensors["background.usual"].1.iter().enumerate() {
        assert_eq!(printed["documents"][n]["background"], serde_json::json!(share));
    }
    let seen = workspace.run("inspect topics --json").success().json();
    assert_eq!(seen["documents"], printed["documents"]);
}

#[test]
fn any_number_of_threads_trains_the_same_model() {
    let workspace = workspace();
    let own = workspace.read("own/model.safetensors");
    for threads in 1..=3 {
        let line = format!("train corpora -o again-{threads} --themes 8 -q {TINY}");
        workspace.run(&format!("{line} --threads {threads}")).success();
        assert_eq!(own, workspace.read(&format!("again-{threads}/model.safetensors")));
    }
}

#[test]
fn one_model_gives_any_number_of_topics() {
    let workspace = workspace();
    for topics in [1, 2, 5, 50] {
        let line = format!("fit a.txt b.txt c.txt --model own --topics {topics} --json");
        let fit = workspace.run(&line).success().json();
        // Topics that would hold next to nothing are not given.
        let given = fit["topics"].as_array().unwrap().len();
        assert!((topics.min(3)..=topics).contains(&given), "{given} of {topics}");
        for document in fit["documents"].as_array().unwrap() {
            let proportions = numbers(&document["topics"]);
            assert_eq!(proportions.len(), given);
            assert!((proportions.iter().sum::<f64>() - 1.0).abs() < 1e-5);
        }
    }
    let message = workspace.run("fit a.txt --model own --topics 51").refusal();
    assert!(message.contains("topics is 51") && message.contains("50"), "{message}");
    let message = workspace.run("fit a.txt --model own --topics 0").refusal();
    assert!(message.contains("topics is 0"), "{message}");
}

#[test]
fn a_training_for_one_setting_is_another_and_deterministic() {
    let workspace = workspace();
    let line = format!("train corpora --fixed --themes 8 -q {TINY}");
    workspace.run(&format!("{line} -o fixed")).success();
    workspace.run(&format!("{line} -o again --threads 2")).success();
    let [fixed, again, own] = ["fixed", "again", "own"]
        .map(|model| workspace.read(&format!("{model}/model.safetensors")));
    assert_eq!(fixed, again);
    assert_ne!(fixed, own);
}

#[test]
fn a_number_of_themes_that_cannot_be_is_refused() {
    let workspace = Workspace::with_corpora();
    for themes in ["0", "100000000000"] {
        let line = format!("train corpora -o own -q {TINY} --themes {themes}");
        let message = workspace.run(&line).refusal();
        assert!(message.contains(&format!("themes is {themes}")), "{message}");
    }
}
