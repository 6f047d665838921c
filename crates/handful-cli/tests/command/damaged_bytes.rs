//! Files with bytes flipped, cut off and put in: whatever is in them, no panic and no explosion.

use crate::compact::with_compact_model;
use crate::support::{Answer, BRIEF, Workspace, forget_checksums, random};

/// A copy of the bytes with some small damage.
pub fn damaged(bytes: &[u8], random: &mut impl FnMut(usize) -> usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    match random(5) {
        0 => bytes.truncate(random(bytes.len())),
        1 => {
            let at = random(bytes.len());
            bytes.remove(at);
        }
        2 => bytes.insert(random(bytes.len()), random(256) as u8),
        // Beginnings are where lengths, names and shapes stand.
        3 => {
            let at = random(bytes.len().min(64));
            bytes[at] ^= 1 << random(8);
        }
        _ => {
            for _ in 0..=random(3) {
                let at = random(bytes.len());
                bytes[at] = random(256) as u8;
            }
        }
    }
    bytes
}

/// Runs a command with so little memory that a foolish allocation ends it.
#[cfg(unix)]
fn run(workspace: &Workspace, line: &str) -> Answer {
    workspace.run_after("ulimit -v 1000000 2>/dev/null || true", line)
}

#[cfg(not(unix))]
fn run(workspace: &Workspace, line: &str) -> Answer {
    workspace.run(line)
}

/// Damages each file of a directory in turn and runs the commands, which must succeed or refuse.
/// Returns how often they did either.
fn survive(workspace: &Workspace, directory: &str, rounds: u64, lines: &[&str]) -> [usize; 2] {
    // With checksums nothing would get as far as the readers.
    forget_checksums(workspace, directory);
    let mut outcomes = [0, 0];
    for name in workspace.names(directory) {
        let file = format!("{directory}/{name}");
        let whole = workspace.read(&file);
        for round in 0..rounds {
            let mut random = random(round * 1000 + whole.len() as u64);
            workspace.write(&file, damaged(&whole, &mut random));
            for line in lines {
                let answer = run(workspace, &format!("{line} --threads 1"));
                let succeeded = answer.succeeded();
                if !succeeded {
                    answer.refusal();
                }
                outcomes[usize::from(succeeded)] += 1;
            }
        }
        workspace.write(&file, whole);
    }
    outcomes
}

#[test]
fn a_damaged_model_is_used_or_refused() {
    let workspace = Workspace::with_model();
    let lines = ["fit a.txt b.txt --model model --json -q", "inspect model"];
    let outcomes = survive(&workspace, "model", 40, &lines);
    assert!(outcomes.iter().all(|&times| times > 10), "{outcomes:?}");
}

#[test]
fn a_damaged_compact_model_is_used_or_refused() {
    let workspace = with_compact_model();
    let outcomes = survive(&workspace, "small", 40, &["fit wide/one/0 --model small --json -q"]);
    assert!(outcomes.iter().all(|&times| times > 10), "{outcomes:?}");
}

#[test]
fn a_damaged_model_without_networks_is_used_or_refused() {
    for prior in ["free", "maml"] {
        let workspace = Workspace::with_model();
        workspace.run(&format!("train corpora -o other --prior {prior} -q {BRIEF}")).success();
        let line = "fit a.txt b.txt --model other --json -q";
        let outcomes = survive(&workspace, "other", 20, &[line]);
        assert!(outcomes.iter().all(|&times| times > 5), "{prior}: {outcomes:?}");
    }
}

#[test]
fn a_damaged_topic_model_is_shown_or_refused() {
    let workspace = Workspace::with_model();
    workspace.run("fit a.txt b.txt --model model --out topics").success();
    let outcomes = survive(&workspace, "topics", 40, &["inspect topics"]);
    assert!(outcomes.iter().all(|&times| times > 10), "{outcomes:?}");
}
