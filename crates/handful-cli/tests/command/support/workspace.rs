//! A temporary folder that commands run in.

use super::Answer;
use super::corpora::{documents, text};
use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin_cmd;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::time::Duration;
use tempfile::TempDir;

macro_rules! brief {
    () => {
        "--topics 3 --em-steps 3 --max-steps 30 --validation-every 10 --validation-tasks 5 \
         --validation-corpora 2"
    };
}

/// Flags of a model of any kind that is trained in a moment on [`documents`].
pub const BRIEF: &str = brief!();

/// The same for one with networks, which are small.
pub const TINY: &str = concat!("--hidden 8 ", brief!());

/// A temporary folder that commands run in.
pub struct Workspace {
    folder: TempDir,
}

impl Workspace {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// A workspace with `corpora`, a folder of folders.
    pub fn with_corpora() -> Self {
        let workspace = Self::new();
        for document in documents() {
            workspace.write(&format!("corpora/{}/{}", document.corpus, document.id), document.text);
        }
        workspace
    }

    /// A workspace with `corpora`, a `model` trained on them, and the documents `a.txt`, `b.txt`
    /// and `c.txt`.
    pub fn with_model() -> Self {
        let workspace = Self::with_corpora();
        workspace.run(&format!("train corpora --prior iwata -o model -q {TINY}")).success();
        for (seed, name) in [(100, "a.txt"), (101, "b.txt"), (102, "c.txt")] {
            workspace.write(name, text(seed));
        }
        workspace
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        let path = self.path(name);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Copies a directory of files.
    pub fn copy(&self, from: &str, to: &str) {
        for name in self.names(from) {
            self.write(&format!("{to}/{name}"), self.read(&format!("{from}/{name}")));
        }
    }

    /// What is in a folder, hidden files too, sorted.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs `handful` with the words of `line` as its arguments.
    pub fn run(&self, line: &str) -> Answer {
        self.run_args(&line.split_whitespace().collect::<Vec<_>>())
    }

    /// Runs `handful` with arguments that may contain spaces.
    pub fn run_args(&self, args: &[&str]) -> Answer {
        Answer::of(&args.join(" "), self.command().args(args))
    }

    /// Runs `handful` with something on its standard input.
    pub fn run_with_input(&self, line: &str, input: impl Into<Vec<u8>>) -> Answer {
        Answer::of(line, self.command().args(line.split_whitespace()).write_stdin(input))
    }

    /// Runs `handful` in a shell that has first run `setup`, such as a `ulimit`.
    #[cfg(unix)]
    pub fn run_after(&self, setup: &str, line: &str) -> Answer {
        let mut command = Command::new("sh");
        let script = format!("{setup}; exec \"$0\" \"$@\"");
        command.arg("-c").arg(script).arg(program()).args(line.split_whitespace());
        Answer::of(line, command.current_dir(self.folder.path()).timeout(LONGEST))
    }

    /// `handful` with the words of `line` as its arguments, to be started by the test.
    pub fn process(&self, line: &str) -> process::Command {
        let mut command = process::Command::new(program());
        command.args(line.split_whitespace()).current_dir(self.folder.path());
        command
    }

    fn command(&self) -> Command {
        let mut command = cargo_bin_cmd!("handful");
        command.current_dir(self.folder.path()).timeout(LONGEST);
        command
    }
}

/// No test needs as long as this; one that hangs is to fail.
const LONGEST: Duration = Duration::from_secs(120);

fn program() -> &'static Path {
    assert_cmd::cargo::cargo_bin!("handful")
}
