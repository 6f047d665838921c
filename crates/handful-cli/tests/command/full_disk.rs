//! A disk that is full while saving, played by a limit on the size of files.
#![cfg(unix)]

use crate::support::{TINY, Workspace};

/// The limit on a file's size, in half KiB. Writing more fails; it does not kill.
fn full(blocks: usize) -> String {
    format!("trap '' XFSZ; ulimit -f {blocks}")
}

#[test]
fn a_model_that_cannot_be_written_leaves_nothing() {
    let workspace = Workspace::with_corpora();
    // The configuration still has room, the weights have not.
    let message = workspace
        .run_after(&full(8), &format!("train corpora --prior iwata -o model -q {TINY}"))
        .refusal();
    assert!(message.starts_with("model: cannot be written ("), "{message}");
    let remedy = "; raise the limit on the size of files or choose another place";
    assert!(message.ends_with(remedy), "{message}");
    assert_eq!(workspace.names("."), ["corpora"]);
}

#[test]
fn a_checkpoint_that_cannot_be_written_leaves_nothing() {
    let workspace = Workspace::with_corpora();
    let line = format!("train corpora --prior iwata -o model -q {TINY} --checkpoint-every 10");
    let message = workspace.run_after(&full(8), &line).refusal();
    assert!(message.starts_with("model.checkpoint: cannot be written ("), "{message}");
    assert_eq!(workspace.names("."), ["corpora"]);
}

#[test]
fn a_topic_model_that_cannot_be_written_leaves_nothing() {
    let workspace = Workspace::with_model();
    let line = "fit a.txt b.txt --model model --out topics";
    let message = workspace.run_after(&full(2), line).refusal();
    assert!(message.starts_with("topics: cannot be written ("), "{message}");
    assert_eq!(workspace.names("."), ["a.txt", "b.txt", "c.txt", "corpora", "model"]);
}

#[test]
fn what_was_to_be_replaced_is_still_there() {
    let workspace = Workspace::with_model();
    let before = workspace.read("model/model.safetensors");
    let line = format!("train corpora --prior iwata -o model -q {TINY} --seed 2 --force");
    workspace.run_after(&full(8), &line).refusal();
    assert!(workspace.read("model/model.safetensors") == before);
    assert_eq!(workspace.names("."), ["a.txt", "b.txt", "c.txt", "corpora", "model"]);
}
