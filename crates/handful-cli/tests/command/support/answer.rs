//! What a command answered.

use assert_cmd::Command;
use serde_json::Value;
use std::fmt;

/// Exit status and output of a command.
pub struct Answer {
    line: String,
    /// `None` where a signal ended it.
    status: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Answer {
    /// Runs a command to its end.
    pub fn of(line: &str, command: &mut Command) -> Self {
        let output = command.output().unwrap();
        let answer = Self {
            line: line.to_owned(),
            status: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(!answer.err.contains("panicked"), "{answer:?}");
        answer
    }

    /// The command did what it was asked for.
    #[track_caller]
    pub fn success(self) -> Self {
        assert_eq!(self.status, Some(0), "{self:?}");
        self
    }

    /// The command refused its input with one sentence, which is returned.
    #[track_caller]
    pub fn refusal(self) -> String {
        assert_eq!(self.status, Some(2), "{self:?}");
        assert_eq!(self.err.lines().count(), 1, "{self:?}");
        assert_eq!(self.out, "", "{self:?}");
        let sentence = self.err.strip_prefix("handful: ").map(|rest| rest.trim_end().to_owned());
        sentence.unwrap_or_else(|| panic!("{self:?}"))
    }

    /// The flags were refused, by us in one sentence or by the flags' parser in several lines.
    #[track_caller]
    pub fn usage_error(self) -> String {
        assert_eq!(self.status, Some(2), "{self:?}");
        assert_eq!(self.out, "", "{self:?}");
        self.err
    }

    /// Whether the command succeeded; it must have refused its input otherwise.
    #[track_caller]
    pub fn succeeded(&self) -> bool {
        assert!(matches!(self.status, Some(0 | 2)), "{self:?}");
        self.status == Some(0)
    }

    /// Standard output as a single line of JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        assert_eq!(self.out.lines().count(), 1, "{self:?}");
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, status, out, err } = self;
        write!(f, "\n$ handful {line}\nexit status {status:?}\n")?;
        write!(f, "standard output:\n{out}\nstandard error:\n{err}")
    }
}
