//! Several writers of one output, what they find beside it, and what dead ones left.

use crate::support::{TINY, Workspace, is_there, text};
use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Starts a `fit` that has claimed its outputs and waits for its documents.
fn waiting(workspace: &Workspace, flags: &str, lock: &str) -> Child {
    let line = format!("fit - --model model {flags}");
    let mut command = workspace.process(&line);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    while !workspace.exists(lock) || workspace.read(lock).is_empty() {
        assert!(child.try_wait().unwrap().is_none(), "the first one ended too early");
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

const OUTPUTS: [(&str, &str); 2] =
    [("--out o", ".o.handful-lock"), ("--report r.html", ".r.html.handful-lock")];

#[test]
fn a_second_writer_is_told_who_writes_and_the_first_is_not_disturbed() {
    let workspace = Workspace::with_model();
    for (flags, lock) in OUTPUTS {
        let mut first = waiting(&workspace, flags, lock);
        let output = flags.split(' ').nth(1).unwrap();
        for force in ["", "--force"] {
            let line = format!("fit a.txt --model model {flags} {force}");
            let message = workspace.run(&line).refusal();
            let expected = format!("{output}: process {} is writing it; wait", first.id());
            assert!(message.starts_with(&expected), "{message}");
        }
        first.stdin.take().unwrap().write_all(text(1).as_bytes()).unwrap();
        assert!(first.wait().unwrap().success());
        assert!(workspace.exists(output) && !workspace.exists(lock));
    }
    workspace.run("inspect o").success();
}

#[test]
fn a_second_writer_is_refused_while_a_slow_disk_keeps_the_first_in_its_writing() {
    let delays = ["-e", "trace=fsync", "-e", "inject=fsync:delay_enter=200000"];
    let tried = [&["-qq", "-o", "/dev/null"], &delays[..], &["true"]].concat();
    if !is_there("strace", &tried, "a slow disk") {
        return;
    }
    let workspace = Workspace::with_model();
    workspace.run("fit a.txt --model model --out alone -q").success();
    let slow = |line: &str| {
        let plain = workspace.process(line);
        let mut command = Command::new("strace");
        command.args(["-f", "-qq", "-o", "/dev/null"]).args(delays);
        command.arg(plain.get_program()).args(plain.get_args()).current_dir(workspace.path("."));
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let mut first = slow("fit a.txt --model model --out o -q");
    // Its files are there under a hidden name, and not yet synced.
    while !workspace.names(".").iter().any(|name| name.ends_with(".handful-partial")) {
        assert!(first.try_wait().unwrap().is_none(), "the first one ended too early");
        std::thread::sleep(Duration::from_millis(2));
    }
    for force in ["", "--force"] {
        let second = slow(&format!("fit b.txt --model model --out o -q {force}"));
        let second = second.wait_with_output().unwrap();
        let said = String::from_utf8(second.stderr).unwrap();
        assert_eq!(second.status.code(), Some(2), "{said}");
        assert!(said.starts_with("handful: o: process "), "{said}");
        assert!(said.contains(" is writing it; wait"), "{said}");
    }
    assert!(first.try_wait().unwrap().is_none(), "the first one was still to write");
    assert!(first.wait().unwrap().success());
    let shown =
        |directory: &str| workspace.run(&format!("inspect {directory} --json")).success().out;
    assert_eq!(shown("o").replace("\"o\"", ""), shown("alone").replace("\"alone\"", ""));
    let names = ["a.txt", "alone", "b.txt", "c.txt", "corpora", "model", "o"];
    assert_eq!(workspace.names("."), names);
}

#[test]
fn a_writer_that_died_stands_in_nobodys_way() {
    let workspace = Workspace::with_model();
    for (flags, lock) in OUTPUTS {
        let mut first = waiting(&workspace, flags, lock);
        first.kill().unwrap();
        first.wait().unwrap();
        workspace.run(&format!("fit a.txt --model model {flags}")).success();
    }
    let names = ["a.txt", "b.txt", "c.txt", "corpora", "model", "o", "r.html"];
    assert_eq!(workspace.names("."), names);
}

#[test]
fn two_trainings_of_one_model_do_not_touch_each_others_checkpoint() {
    let workspace = Workspace::with_corpora();
    let line = format!("train corpora --prior iwata -o m {TINY} --checkpoint-every 5");
    workspace.run(&format!("{line} -q").replace("-o m", "-o whole")).success();
    let long = line.replace("--max-steps 30", "--max-steps 1000000") + " --patience 1000000";
    let mut child = workspace.process(&long).stderr(Stdio::null()).spawn().unwrap();
    while !workspace.exists("m.checkpoint") {
        assert!(child.try_wait().unwrap().is_none(), "the first one ended too early");
        std::thread::sleep(Duration::from_millis(2));
    }
    for flags in ["", "--resume", "--force"] {
        let message = workspace.run(&format!("{line} {flags}")).refusal();
        let expected = format!("m: process {} is writing it; wait", child.id());
        assert!(message.starts_with(&expected), "{message}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(workspace.exists("m.checkpoint"));
    workspace.run(&format!("{line} --force -q")).success();
    assert_eq!(workspace.read("m/model.safetensors"), workspace.read("whole/model.safetensors"));
    assert_eq!(workspace.names("."), ["corpora", "m", "whole"]);
}

#[test]
fn of_many_writers_at_once_one_wins_and_nothing_is_mixed() {
    let workspace = Workspace::with_model();
    let inputs = ["a.txt", "b.txt", "c.txt", "a.txt b.txt"];
    let wanted: Vec<String> = inputs
        .iter()
        .map(|input| {
            workspace.run(&format!("fit {input} --model model --out o --force -q")).success();
            workspace.run("inspect o --json").success().out
        })
        .collect();
    for round in 0..10 {
        let mut children: Vec<Child> = inputs
            .iter()
            .map(|input| {
                let line = format!("fit {input} --model model --out o --force -q");
                let mut command = workspace.process(&line);
                command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
            })
            .collect();
        // One is killed at some moment of its work.
        std::thread::sleep(Duration::from_millis(3 * round));
        let _ = children[round as usize % inputs.len()].kill();
        // There is a whole one at every moment.
        let seen = workspace.run("inspect o --json").success().out;
        assert!(wanted.contains(&seen), "{seen}");
        for child in &mut children {
            let status = child.wait().unwrap();
            assert!(matches!(status.code(), None | Some(0 | 2)), "{status}");
        }
        let last = workspace.run("inspect o --json").success().out;
        assert!(wanted.contains(&last), "{last}");
    }
    workspace.run("fit a.txt --model model --out o --force -q").success();
    let names = ["a.txt", "b.txt", "c.txt", "corpora", "model", "o"];
    assert_eq!(workspace.names("."), names);
}

#[cfg(unix)]
#[test]
fn hidden_files_of_the_users_are_not_touched_and_modes_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let workspace = Workspace::with_model();
    workspace.run("fit a.txt --model model --out o --report r.html").success();
    let mode =
        |name: &str| fs::metadata(workspace.path(name)).unwrap().permissions().mode() & 0o777;
    for (name, mode) in [("r.html", 0o600), ("o", 0o700), ("o/config.json", 0o600)] {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(workspace.path(name), permissions).unwrap();
    }
    workspace.write("diary", "years of work");
    let mine = [".o.old", ".o.partial", ".r.html.old", ".r.html.lock"];
    mine.iter().for_each(|name| workspace.write(name, "mine"));
    symlink("diary", workspace.path(".r.html.partial")).unwrap();
    workspace.run("fit b.txt --model model --out o --report r.html --force").success();
    assert_eq!([mode("r.html"), mode("o"), mode("o/config.json")], [0o600, 0o700, 0o600]);
    assert!(mine.iter().all(|name| workspace.read(name) == b"mine"));
    assert_eq!(workspace.read("diary"), b"years of work");
    assert_eq!(fs::read_link(workspace.path(".r.html.partial")).unwrap().as_os_str(), "diary");
}

#[test]
fn a_comparison_killed_while_it_wrote_its_settings_goes_on_and_spares_the_users_files() {
    let workspace = Workspace::with_corpora();
    let line =
        format!("compare corpora --out out -q {TINY} --tasks 2 --methods smoothed --targets elm");
    workspace.write("out/.settings.json.0123456789abcdef.handful-partial", "{\"format\":");
    workspace.write("out/.settings.json.handful-lock", "4000000000\n");
    workspace.run(&line).success();
    let names = workspace.names("out");
    assert!(names.iter().all(|name| !name.starts_with('.')), "{names:?}");
    workspace.write("other/.settings.json.partial", "mine");
    let message = workspace.run(&line.replace("--out out", "--out other")).refusal();
    assert!(message.contains("is not empty"), "{message}");
    assert_eq!(workspace.names("other"), [".settings.json.partial"]);
}

#[cfg(unix)]
#[test]
fn a_device_is_no_output_even_with_force() {
    let workspace = Workspace::with_model();
    let message = workspace.run("fit a.txt --model model --report /dev/null --force").refusal();
    assert!(message.starts_with("/dev/null: is a device or a pipe, not a file"), "{message}");
}

#[test]
fn a_model_that_is_overwritten_while_it_is_read_ends_no_process() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let workspace = Workspace::with_model();
    let weights = workspace.read("model/model.safetensors");
    let (path, done) = (workspace.path("model/model.safetensors"), AtomicBool::new(false));
    let mut outcomes = [0, 0];
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // As `cp` does: it cuts the file and fills it again.
            while !done.load(Ordering::Relaxed) {
                let mut file = fs::File::create(&path).unwrap();
                for part in weights.chunks(4096) {
                    file.write_all(part).unwrap();
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        for _ in 0..40 {
            let answer = workspace.run("fit a.txt --model model -q --json");
            let succeeded = answer.succeeded();
            outcomes[usize::from(succeeded)] += 1;
            if !succeeded {
                let message = answer.refusal();
                assert!(message.starts_with("model/model.safetensors: "), "{message}");
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    assert!(outcomes[1] > 0, "{outcomes:?}");
}
