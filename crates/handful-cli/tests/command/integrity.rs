//! Flipped bits: what Handful wrote is refused, or says what it said.

use crate::support::{TINY, Workspace, outcomes, random};
use std::process::Stdio;

/// Flips bits of a file, one at a time, at places drawn by `seed`. After each, `ask` must refuse with a
/// sentence that names the file, or give `expected`. Returns how often it refused.
fn flip(
    workspace: &Workspace,
    file: &str,
    times: usize,
    ask: &dyn Fn() -> Result<String, String>,
) -> usize {
    let whole = workspace.read(file);
    let expected = ask().unwrap();
    let mut random = random(whole.len() as u64);
    let mut refused = 0;
    for _ in 0..times {
        let mut bytes = whole.clone();
        let (at, bit) = (random(bytes.len()), random(8));
        bytes[at] ^= 1 << bit;
        workspace.write(file, &bytes);
        match ask() {
            Ok(answer) => {
                assert!(answer == expected, "bit {bit} of byte {at} of {file} changed the answer");
            }
            Err(message) => {
                assert!(message.contains(file.split('/').next_back().unwrap()), "{message}");
                refused += 1;
            }
        }
        workspace.write(file, &whole);
    }
    refused
}

/// What a command prints, or its refusal.
fn asked(workspace: &Workspace, line: &str) -> Result<String, String> {
    let answer = workspace.run(line);
    if answer.succeeded() { Ok(answer.out) } else { Err(answer.refusal()) }
}

#[test]
fn a_flipped_bit_of_a_model_or_a_topic_model_is_refused_by_name() {
    let workspace = Workspace::with_model();
    workspace.run("fit a.txt b.txt --topics 2 --out topics -q").success();
    for (directory, line) in [
        ("model", "fit a.txt b.txt --model model --json -q --threads 1"),
        ("topics", "infer c.txt --topic-model topics --json -q --threads 1"),
    ] {
        for name in workspace.names(directory).iter().filter(|name| *name != "README.md") {
            let file = format!("{directory}/{name}");
            let refused = flip(&workspace, &file, 15, &|| asked(&workspace, line));
            // A bit of a checksum's own name may go unnoticed, and a letter in `crc32` is one in thousands.
            assert!(refused >= 14, "{file}: {refused} of 15");
        }
    }
}

#[test]
fn files_of_two_directories_do_not_go_together() {
    let workspace = Workspace::with_model();
    workspace.run(&format!("train corpora --prior iwata -o other -q --seed 2 {TINY}")).success();
    workspace.write("model/model.safetensors", workspace.read("other/model.safetensors"));
    let message = workspace.run("fit a.txt --model model").refusal();
    assert!(message.starts_with("model/model.safetensors: does not agree with its"), "{message}");
}

#[test]
fn a_configuration_that_its_owner_changed_opens_without_its_checksum() {
    let workspace = Workspace::with_model();
    let config = String::from_utf8(workspace.read("model/config.json")).unwrap();
    let changed = config.replace("\"em_steps\": 3", "\"em_steps\": 4");
    assert_ne!(config, changed);
    workspace.write("model/config.json", &changed);
    let message = workspace.run("fit a.txt --model model").refusal();
    assert!(message.starts_with("model/config.json: does not agree"), "{message}");
    assert!(message.contains("remove its entry crc32"), "{message}");
    crate::support::edit_config(&workspace, "model", |_| {});
    workspace.run("fit a.txt --model model").success();
}

#[test]
fn a_flipped_bit_of_a_checkpoint_is_refused_or_changes_nothing() {
    let workspace = Workspace::with_corpora();
    let line = format!("train corpora --prior iwata -o model -q {TINY} --checkpoint-every 29");
    let long = line.replace("--max-steps 30", "--max-steps 1000000").replace(" -q", " -v")
        + " --patience 1000000";
    let mut child = workspace.process(&long).stderr(Stdio::null()).spawn().unwrap();
    while !workspace.exists("model.checkpoint") {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let checkpoint = workspace.read("model.checkpoint");
    let (mut random, mut refused) = (random(1), 0);
    for _ in 0..60 {
        let mut bytes = checkpoint.clone();
        let at = random(bytes.len());
        bytes[at] ^= 1 << random(8);
        workspace.write("model.checkpoint", &bytes);
        // The settings are others, so a checkpoint that is taken for whole is refused for that.
        let message = workspace.run(&format!("{line} --resume")).refusal();
        assert!(message.starts_with("model.checkpoint: "), "{message}");
        refused += usize::from(!message.contains("is of another run"));
    }
    assert!(refused >= 59, "{refused} of 60");
}

#[test]
fn a_flipped_bit_of_results_is_refused_or_changes_nothing() {
    let workspace = Workspace::with_corpora();
    workspace
        .run(&format!(
            "compare corpora --out out -q {TINY} --tasks 2 --methods smoothed,dir --targets elm"
        ))
        .success();
    assert!(!outcomes(&workspace, "out").is_empty());
    for file in ["out/results.jsonl", "out/settings.json"] {
        let refused =
            flip(&workspace, file, 30, &|| asked(&workspace, "compare --table out --json"));
        assert!(refused >= 28, "{file}: {refused}");
    }
}
