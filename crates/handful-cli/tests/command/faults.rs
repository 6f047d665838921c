//! A fault at every system call that writes: after each, what is there is old or new and whole, and the
//! same command goes on.
//!
//! `strace` fails or kills the n-th call, for n = 1, 2, 3, ... until a run ends untouched. A few kinds of
//! calls are tried in every run of the tests; `HANDFUL_FAULTS=all` tries all of them, with every fault.

use crate::support::{TINY, Workspace, is_there, outcomes, text};
use std::env;
use std::fs;
use std::process::{Command, Stdio};

/// Calls that do the same.
const CALLS: [&str; 9] = [
    "rename,renameat,renameat2",
    "fsync,fdatasync",
    "write",
    "openat",
    "mkdir,mkdirat",
    "unlink,unlinkat,rmdir",
    "flock",
    "ftruncate,fchmod,fchown",
    "getdents64",
];
/// What happens at the n-th call.
const FAULTS: [&str; 4] = ["signal=KILL", "error=ENOSPC", "error=EIO", "error=EINTR"];

/// A command whose faults are tried.
struct Scene {
    line: String,
    /// Removes what the command made, and puts back what was there.
    reset: fn(&Workspace),
    /// What there is to see: it must be one of two states after a fault, and the second after all.
    state: fn(&Workspace) -> String,
    /// Whether the same command, once it has done its work, refuses to do it again.
    refuses_again: bool,
}

/// Runs the command with a fault. Returns whether it met the fault.
fn run_with_fault(workspace: &Workspace, line: &str, inject: &str) -> bool {
    let log = workspace.path("../strace.log").with_file_name(format!(
        "handful-faults-{}-{}.log",
        std::process::id(),
        std::thread::current().name().unwrap_or("test").replace(':', "-")
    ));
    let plain = workspace.process(line);
    let mut command = Command::new("strace");
    // Not with `--seccomp-bpf`, where signals are sent at the first call only.
    command.args(["-f", "-qq", "-o"]).arg(&log);
    command.args(["-e", &format!("inject={inject}"), "-e", &format!("trace={}", calls_of(inject))]);
    command.arg(plain.get_program()).args(plain.get_args());
    command.current_dir(plain.get_current_dir().unwrap());
    let output = command.stdin(Stdio::null()).output().unwrap();
    let traced = fs::read_to_string(&log).unwrap();
    fs::remove_file(&log).unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!said.contains("panicked"), "{inject}: {said}");
    let killed = traced.contains("+++ killed by SIGKILL +++");
    let code = output.status.code();
    // 127: a library could not be opened.
    assert!(
        killed || matches!(code, Some(0 | 1 | 2 | 127)),
        "{inject}: {:?}, {said}",
        output.status
    );
    killed || traced.contains("(INJECTED)")
}

fn calls_of(inject: &str) -> &str {
    inject.split(':').next().unwrap()
}

/// Tries faults at every call. Returns the number of points.
fn try_faults(workspace: &Workspace, scene: &Scene, calls: &[&str], faults: &[&str]) -> usize {
    let Scene { line, reset, state, refuses_again } = scene;
    reset(workspace);
    let old = state(workspace);
    workspace.run(line).success();
    let new = state(workspace);
    assert_ne!(old, new);
    reset(workspace);
    let names = workspace.names(".");
    let mut points = 0;
    // One by one: strace counts the calls of each name by themselves, so that of a list only some are met first, and
    // the n-th `fsync` never is where `fdatasync` comes before it.
    for call in calls.iter().flat_map(|names| names.split(',')) {
        for fault in faults {
            for n in 1.. {
                assert!(n < 2000, "{call} never ends");
                let inject = format!("{call}:{fault}:when={n}");
                reset(workspace);
                let met = run_with_fault(workspace, line, &inject);
                let seen = state(workspace);
                assert!(
                    seen == old || seen == new,
                    "{line}\n{inject} left neither old nor new:\n{seen}"
                );
                let again = workspace.run(line);
                if !again.succeeded() {
                    let message = again.refusal();
                    let may_refuse = *refuses_again && seen == new;
                    assert!(may_refuse, "{line}\nafter {inject}: {message}");
                }
                assert_eq!(state(workspace), new, "{line}\nafter {inject}");
                reset(workspace);
                assert_eq!(workspace.names("."), names, "{line}\nafter {inject}");
                if !met {
                    break;
                }
                points += 1;
            }
        }
    }
    points
}

/// What a directory says of itself, or that it is not there.
fn inspected(workspace: &Workspace, directory: &str) -> String {
    match workspace.exists(directory) {
        true => workspace.run(&format!("inspect {directory} --json")).success().out,
        false => "nothing".to_owned(),
    }
}

fn remove(workspace: &Workspace, name: &str) {
    let path = workspace.path(name);
    let _ = fs::remove_dir_all(&path);
    let _ = fs::remove_file(&path);
}

/// A topic model that replaces another.
fn replacing_fit() -> (Workspace, Scene) {
    let workspace = Workspace::with_model();
    workspace.run("fit a.txt --model model --out old -q").success();
    let scene = Scene {
        line: "fit b.txt c.txt --model model --out o --force -q --threads 1".to_owned(),
        reset: |workspace| {
            remove(workspace, "o");
            workspace.copy("old", "o");
        },
        state: |workspace| inspected(workspace, "o"),
        refuses_again: false,
    };
    (workspace, scene)
}

/// A topic model and a report that were not there.
fn new_fit() -> (Workspace, Scene) {
    let scene = Scene {
        line: "fit b.txt c.txt --model model --out f/o -q --threads 1".to_owned(),
        reset: |workspace| remove(workspace, "f"),
        state: |workspace| inspected(workspace, "f/o"),
        refuses_again: true,
    };
    (Workspace::with_model(), scene)
}

/// A report that replaces another.
fn report() -> (Workspace, Scene) {
    let scene = Scene {
        line: "fit b.txt --model model --report r.html --force -q --threads 1".to_owned(),
        reset: |workspace| workspace.write("r.html", "old"),
        state: |workspace| String::from_utf8(workspace.read("r.html")).unwrap(),
        refuses_again: false,
    };
    (Workspace::with_model(), scene)
}

/// A training with checkpoints.
fn training() -> (Workspace, Scene) {
    let scene = Scene {
        line: format!(
            "train corpora --prior iwata -o m -q {TINY} --checkpoint-every 10 --resume --threads 1"
        ),
        reset: |workspace| ["m", "m.checkpoint"].iter().for_each(|name| remove(workspace, name)),
        state: |workspace| match workspace.exists("m") {
            true => {
                format!("{:?} {}", workspace.read("m/model.safetensors"), inspected(workspace, "m"))
            }
            false => "nothing".to_owned(),
        },
        refuses_again: false,
    };
    (Workspace::with_corpora(), scene)
}

/// A comparison of methods. Experiments that are finished are old or new one by one, so that its state
/// is whether its tables are there.
fn comparison() -> (Workspace, Scene) {
    let scene = Scene {
        line: format!(
            "compare corpora --out out -q {TINY} --tasks 2 --repeats 2 --methods smoothed,dir \
             --targets elm --threads 1"
        ),
        reset: |workspace| remove(workspace, "out"),
        state: |workspace| match workspace.exists("out/perplexity.csv") {
            true => outcomes(workspace, "out").join("\n"),
            false => "nothing".to_owned(),
        },
        refuses_again: false,
    };
    (Workspace::with_corpora(), scene)
}

/// Many groups, whose results are written down by 64 and then go to one file. A kill when that file is
/// there may leave its journal and its lock, which the refusal to write it again does not touch.
fn groups() -> (Workspace, Scene) {
    let workspace = Workspace::with_model();
    let rows = (0..70).map(|group| format!("{group},{}\n", text(group)));
    workspace.write("groups.csv", format!("client,text\n{}", rows.collect::<String>()));
    let scene = Scene {
        line: "fit groups.csv --model model --group-column client --out g/r.jsonl -q --threads 1"
            .to_owned(),
        reset: |workspace| {
            remove(workspace, "g");
            fs::create_dir(workspace.path("g")).unwrap();
        },
        state: |workspace| match workspace.exists("g/r.jsonl") {
            true => String::from_utf8(workspace.read("g/r.jsonl")).unwrap(),
            false => "nothing".to_owned(),
        },
        refuses_again: true,
    };
    (workspace, scene)
}

/// Tries these faults, or all. There must be at least so many points, or faults are not met.
fn tried(
    name: &str,
    (workspace, scene): (Workspace, Scene),
    calls: &[&str],
    faults: &[&str],
    at_least: usize,
) {
    if !is_there("strace", &["-qq", "-o", "/dev/null", "true"], name) {
        return;
    }
    let is_all = env::var("HANDFUL_FAULTS").is_ok_and(|value| value == "all");
    let (calls, faults) = if is_all { (&CALLS[..], &FAULTS[..]) } else { (calls, faults) };
    let points = try_faults(&workspace, &scene, calls, faults);
    assert!(points >= at_least, "{name} met {points} faults only");
    println!("{name}: {points} points tried, none failed");
}

/// Renaming and syncing: where something that is written becomes what people see.
const RENAMES: [&str; 2] = [CALLS[0], CALLS[1]];

#[test]
fn a_topic_model_is_replaced_whole_whatever_fails() {
    // Its files, its directory and the folder are synced; one exchange; the old files are removed.
    let calls = [CALLS[0], CALLS[1], CALLS[5]];
    tried("a topic model replaced", replacing_fit(), &calls, &FAULTS[..1], 1 + 6 + 5);
}

#[test]
fn a_topic_model_is_replaced_whole_where_directories_cannot_be_exchanged() {
    let name = "a topic model replaced by steps";
    let (workspace, scene) = replacing_fit();
    if !is_there("strace", &["-qq", "-o", "/dev/null", "true"], name) {
        return;
    }
    // The exchange is refused, as by a file system that knows none; then each step is the last one.
    for n in 2..6 {
        (scene.reset)(&workspace);
        let old = (scene.state)(&workspace);
        let log = workspace.path("log");
        let plain = workspace.process(&scene.line);
        let mut command = Command::new("strace");
        command.args(["-f", "-qq", "-o"]).arg(&log);
        command.args(["-e", "inject=renameat2:error=EINVAL"]);
        command.args(["-e", &format!("inject=rename:signal=KILL:when={}", n - 1)]);
        command.args(["-e", "trace=rename,renameat2"]);
        command.arg(plain.get_program()).args(plain.get_args()).current_dir(workspace.path("."));
        let status = command.stdout(Stdio::null()).status().unwrap();
        let traced = fs::read_to_string(&log).unwrap();
        fs::remove_file(&log).unwrap();
        assert!(traced.contains("(INJECTED)"), "{traced}");
        let killed = !status.success();
        // Whoever writes next puts back what was there. Without --force it is refused: nothing is lost.
        let message = workspace.run("fit a.txt --model model --out o -q --threads 1").refusal();
        assert!(message.starts_with("o: exists already"), "{message}");
        if killed && n < 4 {
            assert_eq!((scene.state)(&workspace), old, "killed at rename {}", n - 1);
        } else {
            assert_ne!((scene.state)(&workspace), old);
        }
        let hidden = workspace.names(".").into_iter().filter(|name| name.starts_with('.')).count();
        assert_eq!(hidden, 0);
    }
}

#[test]
fn a_topic_model_is_written_whole_whatever_fails() {
    let calls = [CALLS[1], CALLS[4]];
    tried("a topic model", new_fit(), &calls, &["error=EIO"], 6 + 2);
}

#[test]
fn a_report_is_replaced_whole_whatever_fails() {
    tried("a report", report(), &RENAMES, &FAULTS[..1], 1 + 2);
}

#[test]
fn a_training_goes_on_whatever_fails() {
    // Two checkpoints and the model.
    let faults = ["signal=KILL", "error=ENOSPC"];
    tried("a training", training(), &[CALLS[0]], &faults, 2 * 3);
}

#[test]
fn a_comparison_goes_on_whatever_fails() {
    // Settings, tasks and tables are renamed; each line of results is synced.
    tried("a comparison", comparison(), &RENAMES, &FAULTS[..1], 10);
}

#[test]
fn a_fit_of_every_group_goes_on_whatever_fails() {
    // The journal is synced twice, the file and its folder once each; one rename; the journal and the lock are
    // removed.
    let calls = [CALLS[0], CALLS[1], CALLS[5]];
    tried("every group", groups(), &calls, &FAULTS[..1], 1 + 4 + 2);
}
