//! `handful compare` with what it cannot do.

use crate::support::{TINY, Workspace};
use std::fs;

fn refusal(workspace: &Workspace, flags: &str) -> String {
    let line = format!("compare corpora --out out -q {TINY} {flags}");
    let message = workspace.run(&line).refusal();
    assert!(!workspace.exists("out"), "{flags}");
    message
}

#[test]
fn an_unknown_method_is_answered_with_the_known_ones() {
    let workspace = Workspace::with_corpora();
    let message = refusal(&workspace, "--methods iwata,gibbs");
    assert!(message.starts_with("method `gibbs`: there is none of that name; "), "{message}");
    for method in "iwata nn nn-r nn-f nn-rf nn-e dir dir-f dir-e smoothed all".split(' ') {
        let found = message.split([' ', ',', '`', ')']).any(|word| word == method);
        assert!(found, "{method} is not in {message}");
    }
}

#[test]
fn a_target_that_does_not_exist_is_answered_with_the_closest() {
    let workspace = Workspace::with_corpora();
    let message = refusal(&workspace, "--targets elm --targets rowen");
    assert!(message.starts_with("target `rowen`: "), "{message}");
    assert!(message.ends_with("did you mean `rowan`?"), "{message}");
}

#[test]
fn too_few_corpora_are_refused() {
    let workspace = Workspace::with_corpora();
    for name in ["alder", "birch"] {
        fs::remove_dir_all(workspace.path(&format!("corpora/{name}"))).unwrap();
    }
    // The paper's three for validation, a target, and nothing left to train on.
    let line = TINY.replace("--validation-corpora 2", "");
    let message = workspace.run(&format!("compare corpora --out out -q {line}")).refusal();
    let expected = "the corpora: there are 4, but a comparison needs 5: ";
    assert!(message.starts_with(expected), "{message}");
    assert!(message.ends_with("give more corpora or lower --validation-corpora"), "{message}");
    assert!(!workspace.exists("out"));
    workspace.run(&format!("compare corpora --out out -q {TINY} --methods smoothed")).success();
}

#[test]
fn corpora_with_fewer_documents_than_a_task_needs_are_refused() {
    let workspace = Workspace::with_corpora();
    for n in 0..4 {
        fs::remove_file(workspace.path(&format!("corpora/cedar/{n}.txt"))).unwrap();
    }
    let message = refusal(&workspace, "--targets elm");
    let expected = "corpus cedar: has 2 usable documents, but a task needs 3; ";
    assert!(message.starts_with(expected), "{message}");
    assert!(message.ends_with("or lower --support-size"), "{message}");
}

#[test]
fn settings_outside_their_ranges_are_refused_by_name() {
    let workspace = Workspace::with_corpora();
    for (flags, expected) in [
        ("--tasks 0", "--tasks is 0; it must be at least 1"),
        ("--tasks 100000000000", "--tasks is 100000000000; it must be at most"),
        ("--repeats 0", "--repeats is 0; it must be at least 1"),
        ("--repeats 100000000000", "--repeats is 100000000000; it must be at most"),
        ("--support-rate 1", "--support-rate is 1; it must be at least 0 and less than 1"),
        ("--learning-rate 0", "--learning-rate is 0; it must be a number above 0"),
        ("--patience 0", "--patience is 0; it must be at least 1"),
        ("--lda-sweeps 0", "--lda-sweeps is 0; it must be at least 1"),
        ("--lda-sweeps 9 --lda-burn-in 9", "--lda-burn-in is 9; it must be so small that a sample"),
        ("--lda-alpha 0", "--lda-alpha is 0; it must be a number above 0"),
        ("--lda-beta nan", "--lda-beta is NaN; it must be a number above 0"),
        ("--inner-rate 0.1,0", "--inner-rate is 0; it must be a number above 0"),
        ("--inner-steps 100000", "--inner-steps is 100000; it must be at most 1000"),
    ] {
        let message = refusal(&workspace, flags);
        assert!(message.starts_with(expected), "{flags}: {message}");
    }
    let line = format!("compare corpora --out out -q {TINY}").replace("-corpora 2", "-corpora 0");
    let message = workspace.run(&line).refusal();
    assert_eq!(message, "--validation-corpora is 0; it must be at least 1");
}

#[test]
fn a_sweep_needs_methods_that_it_changes() {
    let workspace = Workspace::with_corpora();
    for (sweep, method) in [("em-steps", "dir"), ("topics", "smoothed")] {
        let message = refusal(&workspace, &format!("--sweep {sweep} --methods iwata,{method}"));
        assert!(
            message.starts_with(&format!("method `{method}`: what --sweep varies")),
            "{message}"
        );
    }
}

#[test]
fn a_folder_that_is_not_ours_is_left_alone() {
    let workspace = Workspace::with_corpora();
    workspace.write("mine/notes.txt", "mine");
    let run = |flags: &str| workspace.run(&format!("compare {flags}"));
    let message = run(&format!("corpora --out mine -q {TINY}")).refusal();
    assert!(message.starts_with("mine: is not empty, and is no folder of results"), "{message}");
    assert_eq!(workspace.names("mine"), ["notes.txt"]);
    for folder in ["mine", "nowhere"] {
        let message = run(&format!("--table {folder}")).refusal();
        let expected = format!("{folder}: is no folder of results: it has no settings.json; ");
        assert!(message.starts_with(&expected), "{message}");
    }
    for settings in ["{", "{}", r#"{"format": "handful-comparison", "version": 9}"#] {
        workspace.write("mine/settings.json", settings);
        let message = run("--table mine").refusal();
        assert!(message.starts_with("mine/settings.json: "), "{message}");
    }
}

#[test]
fn a_damaged_line_is_named() {
    let workspace = Workspace::with_corpora();
    let line = format!("compare corpora --out out -q {TINY} --methods dir,smoothed --targets elm");
    workspace.run(&line).success();
    let text = String::from_utf8(workspace.read("out/results.jsonl")).unwrap();
    workspace.write("out/results.jsonl", text.replacen("\"perplexity\":", "\"perplexity\":x", 1));
    for line in [&*line, "compare --table out"] {
        let message = workspace.run(line).refusal();
        assert!(message.starts_with("out/results.jsonl, line 1: is no result of an"), "{message}");
        assert!(message.contains("remove the line"), "{message}");
    }
    workspace.write("out/results.jsonl", "");
    let message = workspace.run("compare --table out").refusal();
    assert!(message.starts_with("out: has no finished experiment yet"), "{message}");
}

#[test]
fn flags_that_do_not_go_together_are_refused() {
    let workspace = Workspace::with_corpora();
    for (line, part) in [
        ("compare corpora", "--out"),
        ("compare --out out", "<CORPORA>"),
        ("compare corpora --table out", "--table"),
        ("compare --table out --out out", "--table"),
        ("compare corpora --out out --sweep moons", "'moons'"),
    ] {
        let message = workspace.run(line).usage_error();
        assert!(message.contains(part), "{line}: {message}");
    }
}

#[test]
fn experiments_that_fail_do_not_stop_the_others() {
    let workspace = Workspace::with_corpora();
    let line = format!(
        "compare corpora --out out -q {TINY} --learning-rate 1e30 --clip-norm 0 --targets elm \
         --methods iwata,smoothed --threads 1"
    );
    let message = workspace.run(&line).usage_error();
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(lines.len(), 2, "{message}");
    assert!(
        lines[0].starts_with("handful: iwata on elm, repeat 0, K=3, T=3 failed: "),
        "{message}"
    );
    assert!(lines[0].contains("lower the learning rate"), "{message}");
    assert!(lines[1].starts_with("handful: out: 1 experiment"), "{message}");
    assert!(workspace.run("compare --table out").success().out.contains("| smoothed |"));
}
