//! What can go wrong, in one sentence each: the place, the problem and the remedy.

use std::io;
use std::path::{Path, PathBuf};

/// The library's result.
pub type Result<T> = std::result::Result<T, Error>;

/// An error whose message names the place, the problem and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Documents, corpora or another input that cannot be used as they are.
    #[error("{place}: {problem}; {remedy}")]
    Input {
        /// The file, line, column or corpus.
        place: String,
        /// What is wrong there.
        problem: String,
        /// What the user can do.
        remedy: String,
    },
    /// A setting outside its range.
    #[error("{name} is {value}; it must be {expected}")]
    Setting {
        /// The setting's name, as in the configuration.
        name: &'static str,
        /// The value given.
        value: String,
        /// The values that are allowed.
        expected: String,
    },
    /// A file or folder that cannot be read.
    #[error("{}: cannot be read ({source}); check the path and its permissions", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A file or folder that cannot be written. Nothing is left half-written.
    #[error("{}: cannot be written ({source}); free some space or choose another place", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A loss that is not a number: training stops at once.
    #[error(
        "the loss of {episode} (corpus {corpus}) is not finite; lower the learning rate or set a clipping norm"
    )]
    NotFinite {
        /// Which episode or validation task it was, numbered from 0.
        episode: String,
        /// The corpus it was drawn from.
        corpus: String,
    },
}

impl Error {
    /// An [`Error::Input`] from its three parts.
    pub fn input(
        place: impl Into<String>,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::Input { place: place.into(), problem: problem.into(), remedy: remedy.into() }
    }

    /// An [`Error::Setting`] from its three parts.
    pub fn setting(name: &'static str, value: impl ToString, expected: impl Into<String>) -> Self {
        Self::Setting { name, value: value.to_string(), expected: expected.into() }
    }

    /// An [`Error::Read`] at `path`.
    pub fn read(path: &Path, source: io::Error) -> Self {
        Self::Read { path: path.to_owned(), source }
    }

    /// An [`Error::Write`] at `path`.
    pub fn write(path: &Path, source: io::Error) -> Self {
        Self::Write { path: path.to_owned(), source }
    }
}

/// A number of things that are kept in memory, whatever they are, may be no larger than this.
pub const MOST: usize = 65_536;

/// Refuses a setting that is too small to make sense or so large that no memory holds it.
pub fn expect_within(name: &'static str, value: usize, least: usize, most: usize) -> Result<()> {
    if value < least {
        return Err(Error::setting(name, value, format!("at least {least}")));
    }
    if value > most {
        return Err(Error::setting(name, value, format!("at most {most}")));
    }
    Ok(())
}
