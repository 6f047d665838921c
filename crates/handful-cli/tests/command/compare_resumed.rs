//! A comparison that was stopped ends as if it never had been.

use crate::support::{TINY, Workspace, outcomes, records, text};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

fn line(out: &str) -> String {
    format!("compare corpora --out {out} {TINY} --tasks 3 --repeats 2")
}

#[test]
fn a_killed_comparison_goes_on_by_the_same_command() {
    let workspace = Workspace::with_corpora();
    workspace.run(&format!("{} -q", line("whole"))).success();
    let all = records(&workspace, "whole").len();
    for round in 1..4 {
        let mut command = workspace.process(&line("out"));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let finished = lines.map_while(Result::ok).filter(|line| line.starts_with("experiment "));
        assert_eq!(finished.take(5 * round).count(), 5 * round, "the run ended too early");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let before = records(&workspace, "out").len();
    assert!((30..all).contains(&before), "{before}");
    let answer = workspace.run(&line("out")).success();
    let expected = format!("{before} of {all} experiments are there already");
    assert_eq!(answer.err.lines().next(), Some(&*expected));
    assert_eq!(outcomes(&workspace, "out"), outcomes(&workspace, "whole"));
    assert_eq!(workspace.read("out/tasks.jsonl.gz"), workspace.read("whole/tasks.jsonl.gz"));
    // Once more: nothing is left to do.
    let before = workspace.read("out/results.jsonl");
    workspace.run(&format!("{} -q", line("out"))).success();
    assert_eq!(workspace.read("out/results.jsonl"), before);
}

#[test]
fn half_a_line_is_made_again() {
    let workspace = Workspace::with_corpora();
    let line = format!("{} -q --methods dir,smoothed --targets elm", line("out"));
    workspace.run(&line).success();
    let (whole, bytes) = (outcomes(&workspace, "out"), workspace.read("out/results.jsonl"));
    for cut in [1, 2, 100] {
        workspace.write("out/results.jsonl", &bytes[..bytes.len() - cut]);
        // The tables of what is there can still be asked for.
        workspace.run("compare --table out").success();
        assert_eq!(workspace.read("out/results.jsonl").len(), bytes.len() - cut);
        workspace.run(&line).success();
        assert_eq!(outcomes(&workspace, "out"), whole, "cut by {cut}");
    }
}

#[test]
fn methods_targets_and_repeats_can_be_added() {
    let workspace = Workspace::with_corpora();
    let run = |flags: &str| {
        let line = format!("compare corpora --out out -q {TINY} --tasks 2 {flags}");
        workspace.run(&line).success();
        records(&workspace, "out").len()
    };
    assert_eq!(run("--methods dir --targets elm"), 1);
    assert_eq!(run("--methods dir,dir-e --targets elm"), 2);
    assert_eq!(run("--methods dir,dir-e --targets elm --targets yew"), 4);
    assert_eq!(run("--methods dir --targets elm --repeats 3"), 6);
}

#[test]
fn results_of_other_settings_are_refused_by_the_difference() {
    let workspace = Workspace::with_corpora();
    let common = format!("compare corpora --out out -q {TINY} --methods dir --targets elm");
    workspace.run(&format!("{common} --tasks 2")).success();
    let before = workspace.read("out/results.jsonl");
    let refusal = |flags: &str, difference: &str| {
        let message = workspace.run(&format!("{common} {flags}")).refusal();
        let expected = format!("out: has results of other settings: {difference}; choose another");
        assert!(message.starts_with(&expected), "{message}");
        assert_eq!(workspace.read("out/results.jsonl"), before);
    };
    refusal("--tasks 3", "tasks was 2 and is now 3");
    refusal("--tasks 2 --seed 2", "seed was 1 and is now 2");
    refusal("--tasks 2 --learning-rate 0.5", "learning_rate was 0.001 and is now 0.5");
    refusal("--tasks 2 --support-size 2", "support_size was 3 and is now 2");
    refusal("--tasks 2 --stop-words none --min-length 6", "terms was 32 and is now 20");
    fs::rename(workspace.path("corpora/yew"), workspace.path("corpora/zelkova")).unwrap();
    let names = |last: &str| format!(r#"["alder","birch","cedar","elm","rowan","{last}"]"#);
    let difference = format!("corpora was {} and is now {}", names("yew"), names("zelkova"));
    refusal("--tasks 2", &difference);
    fs::rename(workspace.path("corpora/zelkova"), workspace.path("corpora/yew")).unwrap();
    workspace.write("corpora/yew/0.txt", text(99));
    refusal("--tasks 2", "the documents differ");
}

#[test]
fn two_comparisons_do_not_write_to_one_folder_at_once() {
    let workspace = Workspace::with_corpora();
    let long = format!("compare corpora --out out --patience 1000000 {TINY}")
        .replace("--max-steps 30", "--max-steps 1000000");
    let mut child = workspace.process(&long).stderr(Stdio::null()).spawn().unwrap();
    while !workspace.exists("out/tasks.jsonl.gz") {
        assert!(child.try_wait().unwrap().is_none(), "the first one ended too early");
        std::thread::sleep(Duration::from_millis(5));
    }
    let message = workspace.run(&format!("{long} -q")).refusal();
    let id = child.id();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(message.starts_with(&format!("out: process {id} is writing it; wait")), "{message}");
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_no_finished_experiment() {
    let workspace = Workspace::with_corpora();
    let line = format!("{} -q --methods dir,smoothed", line("out"));
    workspace.run(&format!("{} -q --methods dir,smoothed", self::line("whole"))).success();
    // In half KiB: there is room for the tasks and for some lines.
    let limit = workspace.read("whole/tasks.jsonl.gz").len() / 512 + 2;
    let setup = format!("trap '' XFSZ; ulimit -f {limit}");
    let message = workspace.run_after(&setup, &line).refusal();
    assert!(message.starts_with("out/results.jsonl: cannot be written ("), "{message}");
    let kept = records_before_the_end(&workspace);
    assert!(kept > 0);
    workspace.run(&line).success();
    assert_eq!(outcomes(&workspace, "out"), outcomes(&workspace, "whole"));
}

/// Whole lines of a file whose last may be half.
#[cfg(unix)]
fn records_before_the_end(workspace: &Workspace) -> usize {
    workspace.read("out/results.jsonl").iter().filter(|&&byte| byte == b'\n').count()
}
