//! Data on standard output, everything else on standard error, and nobody has to listen.

use crate::support::{TINY, Workspace};
use std::io::{Read, Write};
use std::process::Stdio;

#[test]
fn progress_is_a_line_for_each_validation_where_there_is_no_terminal() {
    let workspace = Workspace::with_corpora();
    let answer = workspace.run(&format!("train corpora --prior iwata -o model {TINY}")).success();
    assert_eq!(answer.out, "");
    assert!(!answer.err.contains(['\r', '\u{1b}']), "{}", answer.err);
    let steps: Vec<&str> = answer.err.lines().filter(|line| line.starts_with("step ")).collect();
    assert_eq!(steps.len(), 3, "{}", answer.err);
    for (line, step) in steps.iter().zip([10, 20, 30]) {
        assert!(line.starts_with(&format!("step {step}/30, loss ")), "{line}");
        for part in [", validation perplexity ", "(best ", " at step ", " s left"] {
            assert!(line.contains(part), "{part} is not in {line}");
        }
    }
    let first = answer.err.lines().next().unwrap();
    let expected = "4 corpora to train on, 2 to validate on, 0 left out; 24 documents, 32 terms";
    assert_eq!(first, expected);
    assert!(answer.err.lines().last().unwrap().starts_with("handful: model is ready: "));
}

#[test]
fn quiet_commands_say_nothing_but_data() {
    let workspace = Workspace::with_corpora();
    workspace.write("corpora/loose.txt", "outside of every corpus");
    workspace.write("old.txt", b"anchor tide caf\xe9 wave".as_slice());
    for line in [
        &format!("train corpora --prior iwata -o model -q {TINY}"),
        "train corpora --prior iwata -o model -q --resume",
        "fit old.txt --model model -q --json",
        "evaluate corpora --model model --target elm --quiet",
    ] {
        let line = line.replace("--resume", &format!("--resume {TINY}"));
        assert_eq!(workspace.run(&line).success().err, "", "{line}");
    }
    assert_ne!(workspace.run("fit old.txt --model model --json").success().err, "");
}

#[test]
fn quiet_does_not_hide_errors() {
    let workspace = Workspace::with_corpora();
    let message = workspace.run("fit corpora -q --model nowhere").refusal();
    assert!(message.starts_with("nowhere: "), "{message}");
}

#[test]
fn verbose_training_tells_of_checkpoints() {
    let workspace = Workspace::with_corpora();
    let line = format!("train corpora --prior iwata -o model {TINY} --checkpoint-every 12 -v");
    let answer = workspace.run(&line).success();
    let lines: Vec<&str> = answer.err.lines().filter(|line| line.contains("checkpoint")).collect();
    assert_eq!(lines, ["checkpoint after step 12", "checkpoint after step 24"]);
}

#[test]
fn train_prints_its_outcome_as_json() {
    let workspace = Workspace::with_corpora();
    let outcome = workspace
        .run(&format!("train corpora --prior iwata -o model --json {TINY}"))
        .success()
        .json();
    assert_eq!(outcome["model"], "model");
    assert_eq!(outcome["steps"], 30);
    assert_eq!(outcome["terms"], 32);
    assert!(outcome["validation_perplexity"].as_f64().unwrap() > 1.0);
}

/// A reader such as `head` that has seen enough: it is gone before the first byte is written,
/// since the command waits for its standard input until then.
#[test]
fn a_reader_of_standard_output_may_leave() {
    let workspace = Workspace::with_model();
    for line in ["fit - --model model --json", "fit - --model model"] {
        let mut child = workspace
            .process(line)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        child.stdin.take().unwrap().write_all(b"anchor tide wave").unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{line}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{line}");
    }
}

#[test]
fn a_reader_of_standard_error_may_leave() {
    let workspace = Workspace::with_model();
    let start = |line: &str| {
        let mut child = workspace
            .process(line)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stderr.take());
        child
    };
    // A warning that nobody reads.
    let mut child = start("fit - --model model --json");
    child.stdin.take().unwrap().write_all(b"anchor tide caf\xe9 wave").unwrap();
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(out.starts_with('{'), "{out}");

    // An error that nobody reads is still an error.
    let mut child = start("fit nowhere.txt --model model");
    assert_eq!(child.wait().unwrap().code(), Some(2));

    // Progress that nobody reads.
    let flags = "--hidden 4 --topics 2 --max-steps 5 --validation-corpora 1 --validation-every 1";
    let mut child = start(&format!("train - --format csv --prior iwata -o unwatched {flags} -v"));
    let mut rows = "corpus,text\n".to_owned();
    for seed in 0..12 {
        rows += &format!("{},{}\n", seed % 2, crate::support::text(seed));
    }
    child.stdin.take().unwrap().write_all(rows.as_bytes()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(workspace.exists("unwatched/model.safetensors"));
}

#[test]
fn help_names_the_commands_and_their_flags() {
    let workspace = Workspace::new();
    let help = workspace.run("--help").success().out;
    for command in ["fit", "lda", "train", "evaluate", "compare", "inspect"] {
        assert!(help.contains(&format!("\n  {command} ")), "{command} is not in {help}");
    }
    for (command, flags) in [
        ("fit", "--model --topics --em-steps --until-converged --out --force --top"),
        (
            "lda",
            "--topics --sweeps --burn-in --alpha --beta --optimise-every --out --force --top --report",
        ),
        ("evaluate", "--model --target --tasks --support-size --support-rate --em-steps"),
        (
            "compare",
            "--methods --targets --repeats --tasks --topics --em-steps --support-size \
             --support-rate --max-steps --validation-corpora --sweep --out --table",
        ),
        (
            "train",
            "--prior --themes --fixed --topics --em-steps --hidden --layers --inner-steps --inner-rate --dropout \
             --support-size --support-rate --learning-rate --episodes-per-step --max-steps --exclude --validation \
             --validation-corpora --validation-every --validation-tasks --patience \
             --checkpoint-every --resume --out",
        ),
        ("inspect", "--seed --threads --json --quiet --verbose"),
    ] {
        let help = workspace.run(&format!("{command} --help")).success().out;
        for flag in flags.split_whitespace() {
            assert!(help.contains(flag), "{command} {flag}");
        }
    }
    assert!(workspace.run("--version").success().out.starts_with("handful "));
}

/// A closed output is not a reader that has seen enough: whoever closed it gets nothing.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_standard_output_is_refused_before_any_work() {
    let workspace = Workspace::with_corpora();
    workspace.write("a.txt", "bees fly home");
    for line in ["fit a.txt", "fit a.txt --out topics --json", "inspect"] {
        let message = workspace.run_after("exec >&-", line).refusal();
        assert!(message.starts_with("standard output: is closed; leave it open"), "{message}");
        assert!(!workspace.exists("topics"));
    }
    // What has nothing to print needs none, and /dev/null takes what nobody wants.
    let train = format!("train corpora --prior iwata -o model -q {TINY}");
    workspace.run_after("exec >&-", &train).success();
    workspace.run_after("exec >/dev/null", "fit a.txt").success();
    workspace.run_after("exec 1<>/dev/null", "fit a.txt").success();
}

#[cfg(target_os = "linux")]
#[test]
fn a_standard_output_without_space_is_named_with_a_remedy() {
    let workspace = Workspace::new();
    workspace.write("a.txt", "bees fly home");
    for line in ["fit a.txt", "fit a.txt --json", "inspect"] {
        let message = workspace.run_after("exec >/dev/full", line).refusal();
        assert!(message.starts_with("standard output: cannot be written"), "{message}");
        assert!(message.contains("free some space"), "{message}");
    }
}
