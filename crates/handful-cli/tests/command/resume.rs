//! A run that was stopped ends as if it never had been.

use crate::damaged_bytes::damaged;
use crate::support::{TINY, Workspace, edit_config, random, text};
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

/// A run that fills the pipe of its standard error long before it is finished, so that it waits
/// there for as long as nobody reads: whoever reads a few lines can stop it in time.
const LONG: &str = "train corpora --prior iwata -o model --hidden 4 --topics 2 --em-steps 2 --max-steps 2000 \
                    --validation-every 1 --validation-tasks 1 --validation-corpora 1 \
                    --patience 1000000";

/// The weights of [`LONG`], never stopped, and the workspace without them.
fn prepared() -> (Workspace, Vec<u8>) {
    let workspace = Workspace::with_corpora();
    workspace.run(&format!("{LONG} -q")).success();
    let weights = workspace.read("model/model.safetensors");
    std::fs::remove_dir_all(workspace.path("model")).unwrap();
    (workspace, weights)
}

/// Starts a run and reads its standard error until `checkpoints` have been written.
fn started(workspace: &Workspace, flags: &str, checkpoints: usize) -> (Child, impl BufRead) {
    let line = format!("{LONG} -v {flags}");
    let mut child = workspace.process(&line).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let mut seen = 0;
    while seen < checkpoints {
        let mut line = String::new();
        assert!(lines.read_line(&mut line).unwrap() > 0, "the run ended too early");
        seen += usize::from(line.starts_with("checkpoint after step "));
    }
    (child, lines)
}

fn kill(workspace: &Workspace, flags: &str, checkpoints: usize) {
    let (mut child, _) = started(workspace, flags, checkpoints);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!workspace.exists("model"));
    assert!(workspace.exists("model.checkpoint"));
}

#[test]
fn a_run_killed_at_any_moment_ends_with_the_same_bits() {
    let (workspace, expected) = prepared();
    // Every step a checkpoint, so that some kills meet the writing of one.
    for (round, checkpoints) in [1, 2, 5, 9, 14, 30].into_iter().enumerate() {
        let resume = if round == 0 { "" } else { "--resume" };
        kill(&workspace, &format!("--checkpoint-every 1 {resume}"), checkpoints);
    }
    kill(&workspace, "--checkpoint-every 7 --resume --threads 2", 2);
    let answer = workspace.run(&format!("{LONG} --resume")).success();
    assert!(answer.err.contains("going on after step "), "{}", answer.err);
    assert!(workspace.read("model/model.safetensors") == expected);
    assert_eq!(workspace.names("."), ["corpora", "model"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_writes_a_checkpoint_and_says_how_to_go_on() {
    use std::io::Read;
    for signal in ["INT", "TERM"] {
        let (workspace, expected) = prepared();
        let (mut child, mut lines) = started(&workspace, "--checkpoint-every 10", 1);
        let id = child.id().to_string();
        let sent = std::process::Command::new("kill").args(["-s", signal, &id]).status().unwrap();
        assert!(sent.success());
        let mut rest = String::new();
        lines.read_to_string(&mut rest).unwrap();
        let status = child.wait().unwrap();
        assert!(!status.success(), "{signal}");
        let last = rest.lines().last().unwrap();
        assert!(last.starts_with("handful: stopped after step "), "{rest}");
        assert!(last.contains("--resume"), "{last}");
        let step: u64 = last.split(' ').nth(4).unwrap().trim_end_matches(';').parse().unwrap();
        assert!(!workspace.exists("model"));
        let answer = workspace.run(&format!("{LONG} --resume")).success();
        let expected_line = format!("going on after step {step}");
        assert!(answer.err.lines().any(|line| line == expected_line), "{}", answer.err);
        assert!(workspace.read("model/model.safetensors") == expected, "{signal}");
        assert_eq!(workspace.names("."), ["corpora", "model"]);
    }
}

#[cfg(unix)]
#[test]
fn a_run_interrupted_before_its_first_step_promises_no_checkpoint_and_leaves_what_was_there() {
    use std::io::Read;
    let workspace = Workspace::with_model();
    // So many words that finding their themes takes seconds.
    for i in 0..36 {
        let long = format!("{} ", text(i)).repeat(100);
        workspace.write(&format!("long/{}/{}.txt", i / 6, i % 6), long);
    }
    let (model, names) = (workspace.read("model/model.safetensors"), workspace.names("."));
    let line = format!("train long -o model --force --themes 8 {TINY}");
    let mut child = workspace.process(&line).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while line != "finding themes\n" {
        line.clear();
        assert!(lines.read_line(&mut line).unwrap() > 0, "the run ended too early");
    }
    let id = child.id().to_string();
    assert!(
        std::process::Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success()
    );
    let mut rest = String::new();
    lines.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(rest.starts_with("handful: stopped before the first step"), "{rest}");
    assert!(!rest.contains("--resume"), "{rest}");
    assert!(workspace.read("model/model.safetensors") == model);
    assert_eq!(workspace.names("."), names);
}

#[test]
fn what_a_killed_process_left_half_written_does_no_harm() {
    let (workspace, expected) = prepared();
    kill(&workspace, "--checkpoint-every 1", 3);
    let partial = "0123456789abcdef.handful-partial";
    workspace.write(&format!(".model.checkpoint.{partial}"), "half a checkpoint");
    workspace.write(&format!(".model.{partial}/model.safetensors"), "half a model");
    workspace.run(&format!("{LONG} --resume --checkpoint-every 500")).success();
    assert!(workspace.read("model/model.safetensors") == expected);
    assert_eq!(workspace.names("."), ["corpora", "model"]);
}

#[test]
fn checkpoints_change_no_bit_of_the_training() {
    let workspace = Workspace::with_corpora();
    let mut models = Vec::new();
    for every in [1, 7, 1000] {
        let line = format!(
            "train corpora --prior iwata -o model -q {TINY} --checkpoint-every {every} --force"
        );
        workspace.run(&line).success();
        models.push(workspace.read("model/model.safetensors"));
    }
    assert!(models.iter().all(|model| *model == models[0]));
}

#[test]
fn validations_change_no_bit_of_the_training() {
    // The weights after step 20, with and without looking at them before.
    let workspace = Workspace::with_corpora();
    let flags = "--hidden 8 --topics 3 --max-steps 20 --validation elm --patience 100";
    let mut models = Vec::new();
    for (every, tasks) in [(20, 3), (5, 1), (1, 3)] {
        let line = format!(
            "train corpora --prior iwata -o model {flags} --validation-every {every} --validation-tasks {tasks} \
             --force --json"
        );
        let outcome = workspace.run(&line).success().json();
        if outcome["best_step"] == 20 {
            models.push(workspace.read("model/model.safetensors"));
        }
    }
    assert!(models.len() > 1, "the last step is not the best often enough to compare");
    assert!(models.iter().all(|model| *model == models[0]));
}

#[test]
fn resume_without_a_checkpoint_starts() {
    let workspace = Workspace::with_corpora();
    workspace.run(&format!("train corpora --prior iwata -o usual -q {TINY}")).success();
    let answer =
        workspace.run(&format!("train corpora --prior iwata -o model --resume {TINY}")).success();
    assert!(!answer.err.contains("going on"), "{}", answer.err);
    let (model, usual) = ("model/model.safetensors", "usual/model.safetensors");
    assert!(workspace.read(model) == workspace.read(usual));
}

#[test]
fn resume_of_a_finished_run_does_nothing() {
    let workspace = Workspace::with_model();
    // A mark that any writing would undo.
    edit_config(&workspace, "model", |config| config["about"] = "marked".into());
    workspace.write("model.checkpoint", "left by a kill between the last two steps");
    let before = workspace.read("model/config.json");
    let answer =
        workspace.run(&format!("train corpora --prior iwata -o model --resume {TINY}")).success();
    assert!(answer.err.contains("nothing to do"), "{}", answer.err);
    assert_eq!(workspace.read("model/config.json"), before);
    assert!(!workspace.exists("model.checkpoint"));
}

#[test]
fn resume_of_a_finished_run_of_other_settings_is_refused() {
    let workspace = Workspace::with_model();
    let before = workspace.read("model/config.json");
    for line in ["--resume --seed 9", "--resume --dropout 0.5"] {
        let message =
            workspace.run(&format!("train corpora --prior iwata -o model {line} {TINY}")).refusal();
        assert!(message.starts_with("model: "), "{message}");
        assert!(message.contains("other settings"), "{message}");
    }
    assert_eq!(workspace.read("model/config.json"), before);
}

#[test]
fn a_checkpoint_is_refused_without_resume_and_dropped_by_force() {
    let (workspace, expected) = prepared();
    kill(&workspace, "--checkpoint-every 1", 3);
    let before = workspace.read("model.checkpoint");
    let message = workspace.run(LONG).refusal();
    assert!(message.starts_with("model.checkpoint: "), "{message}");
    assert!(message.contains("--resume") && message.contains("--force"), "{message}");
    assert!(workspace.read("model.checkpoint") == before);
    let answer = workspace.run(&format!("{LONG} --force")).success();
    assert!(!answer.err.contains("going on"));
    assert!(workspace.read("model/model.safetensors") == expected);
}

#[test]
fn a_run_that_replaces_a_model_by_force_can_be_resumed() {
    let (workspace, expected) = prepared();
    workspace.run(&format!("train corpora --prior iwata -o model -q {TINY}")).success();
    let old = workspace.read("model/model.safetensors");
    let (mut child, _) = started(&workspace, "--checkpoint-every 1 --force", 3);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(workspace.read("model/model.safetensors") == old);
    let answer = workspace.run(&format!("{LONG} --force --resume")).success();
    assert!(answer.err.contains("going on after step "), "{}", answer.err);
    assert!(workspace.read("model/model.safetensors") == expected);
    assert_eq!(workspace.names("."), ["corpora", "model"]);
}

#[test]
fn a_checkpoint_of_other_settings_or_data_is_refused_by_the_difference() {
    let (workspace, _) = prepared();
    kill(&workspace, "--checkpoint-every 1", 1);
    let before = workspace.read("model.checkpoint");
    let refused = |line: &str, flags: &str, difference: &str| {
        let answer = workspace.run(&format!("{line} -q --resume {flags}"));
        let message = answer.refusal();
        assert!(message.starts_with("model.checkpoint: is of another run: "), "{message}");
        assert!(message.contains(difference), "{difference} is not in {message}");
        assert!(workspace.read("model.checkpoint") == before);
        assert!(!workspace.exists("model"));
    };
    let refusal = |flags: &str, difference: &str| refused(LONG, flags, difference);
    refusal("--seed 2", "seed was 1 and is now 2");
    refusal("--dropout 0.5", "dropout was 0.1 and is now 0.5");
    refusal("--learning-rate 0.5", "learning_rate was 0.001 and is now 0.5");
    refusal("--support-size 2", "support_size was 3 and is now 2");
    let free = LONG.replace("iwata", "free").replace("--hidden 4", "");
    refused(&free, "", "kind was \"iwata\" and is now \"free\"");
    refusal("--exclude elm", "training was ");
    refusal("--stop-words none --min-length 5", "terms was 32 and is now ");
    workspace.write("corpora/elm/0.txt", text(99));
    refusal("", "the documents differ");
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let (workspace, _) = prepared();
    kill(&workspace, "--checkpoint-every 1", 1);
    let whole = workspace.read("model.checkpoint");
    for length in [0, 7, 100, whole.len() / 2, whole.len() - 1] {
        workspace.write("model.checkpoint", &whole[..length]);
        let message = workspace.run(&format!("{LONG} -q --resume")).refusal();
        assert!(message.starts_with("model.checkpoint: "), "cut at {length}: {message}");
    }
    workspace.run(&format!("train corpora --prior iwata -o other -q {TINY}")).success();
    workspace.write("model.checkpoint", workspace.read("other/model.safetensors"));
    let message = workspace.run(&format!("{LONG} -q --resume")).refusal();
    assert!(message.contains("is no checkpoint"), "{message}");
}

#[test]
fn a_checkpoint_with_damaged_bytes_is_refused() {
    let (workspace, expected) = prepared();
    // There is no second checkpoint, so that this one is the same in every run of the test.
    kill(&workspace, "--checkpoint-every 1001", 1);
    let whole = workspace.read("model.checkpoint");
    for round in 0..30 {
        let mut random = random(round);
        // The lowest bit makes one digit another, which is damage that is harder to notice.
        let bytes = if round % 2 == 0 {
            let mut bytes = whole.clone();
            bytes[random(whole.len())] ^= 1;
            bytes
        } else {
            damaged(&whole, &mut random)
        };
        if bytes == whole {
            continue;
        }
        workspace.write("model.checkpoint", bytes);
        let message = workspace.run(&format!("{LONG} -q --resume")).refusal();
        assert!(message.starts_with("model.checkpoint: "), "{message}");
        assert!(!workspace.exists("model"));
    }
    workspace.write("model.checkpoint", whole);
    workspace.run(&format!("{LONG} -q --resume")).success();
    assert!(workspace.read("model/model.safetensors") == expected);
}

#[test]
fn resume_of_a_finished_run_with_other_roles_of_corpora_is_refused() {
    let workspace = Workspace::with_corpora();
    let train = "train corpora --prior iwata -o model -q --hidden 4 --topics 2 --max-steps 2";
    let roles = "--exclude yew --exclude elm --validation rowan --validation birch";
    workspace.run(&format!("{train} {roles}")).success();
    workspace.run(&format!("{train} --resume {roles}")).success();
    for other in [
        "--exclude elm --validation rowan --validation birch",
        "--exclude yew --exclude elm --validation rowan",
        "--exclude yew --exclude elm --validation-corpora 1",
    ] {
        let message = workspace.run(&format!("{train} --resume {other}")).refusal();
        assert!(message.starts_with("model: holds a finished model of other"), "{message}");
    }
    // The same names, but other documents; and other text settings.
    let elsewhere = train.replace("train corpora", "train other");
    for corpus in workspace.names("corpora") {
        for name in workspace.names(&format!("corpora/{corpus}")) {
            let words = text(name.len() as u64 + corpus.len() as u64);
            workspace.write(&format!("other/{corpus}/{name}"), words);
        }
    }
    let message = workspace.run(&format!("{elsewhere} --resume {roles}")).refusal();
    assert!(message.contains("or corpora: the documents differ; choose"), "{message}");
    let message = workspace.run(&format!("{train} --resume {roles} --min-documents 2")).refusal();
    assert!(message.contains("min_documents was 5 and is now 2"), "{message}");
    // Two validation corpora drawn by the seed are what they are.
    workspace.run(&format!("{train} --force --exclude elm --validation-corpora 2")).success();
    workspace.run(&format!("{train} --resume --exclude elm --validation-corpora 2")).success();
}
