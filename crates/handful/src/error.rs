//! What can go wrong. People read an error as a sentence (the place, the problem and the remedy);
//! programs ask for its [kind](Error::kind) and take the three parts apart.
//!
//! Remedies speak to programmers: a name in backticks there is a setting, a parameter or a function of
//! the library, written as in the code, and never a word of the user's. So a front end can put its own
//! names in their place, as the command does with its flags.
//!
//! The parts are as they were given. The sentence is printable, whatever a file is called: a terminal
//! obeys nothing in it.

mod printable;

pub use printable::{printable, printable_json, printable_lines};

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The library's result.
pub type Result<T> = std::result::Result<T, Error>;

/// What sort of thing went wrong, for programs that decide by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file, folder or directory is not there.
    NotFound,
    /// An output exists, and was not to be replaced or is not Handful's to replace.
    Exists,
    /// A file is truncated, or its content contradicts itself.
    Damaged,
    /// A file is whole, but of a type or version that is not read.
    Unsupported,
    /// A setting is outside its range, contradicts another, or names something unknown.
    BadSetting,
    /// Documents, corpora or another input cannot be used as they are.
    BadInput,
    /// An observer ended the work.
    Interrupted,
    /// The disk is full, or a quota or the limit on a file's size is reached.
    OutOfSpace,
    /// A file or folder is there but cannot be read, for example for lack of permission.
    Unreadable,
    /// A file or folder cannot be written there.
    Unwritable,
    /// Training diverged: a loss or a weight is not finite.
    NotFinite,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFound => "not found",
            Self::Exists => "exists already",
            Self::Damaged => "damaged",
            Self::Unsupported => "not supported",
            Self::BadSetting => "bad setting",
            Self::BadInput => "bad input",
            Self::Interrupted => "interrupted",
            Self::OutOfSpace => "out of space",
            Self::Unreadable => "cannot be read",
            Self::Unwritable => "cannot be written",
            Self::NotFinite => "not finite",
        })
    }
}

/// An error whose message names the place, the problem and what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Something at a place cannot be used: documents, a directory, the name of an output. Made by the
    /// constructors that are named after kinds, such as [`Error::damaged`].
    #[non_exhaustive]
    Refused {
        /// What sort of problem it is.
        kind: ErrorKind,
        /// The file, line, column or corpus.
        place: String,
        /// What is wrong there.
        problem: String,
        /// What the user can do.
        remedy: String,
    },
    /// A setting outside its range.
    Setting {
        /// The setting's name, as its field is called.
        name: &'static str,
        /// The value given.
        value: String,
        /// The values that are allowed.
        expected: String,
    },
    /// A setting names something that does not exist, such as a corpus or a method.
    Unknown {
        /// What the name was given for.
        role: String,
        /// The name given.
        name: String,
        /// What there is none of.
        problem: String,
        /// The nearest name, or all there are. They stand in backticks, and are not the library's.
        remedy: String,
    },
    /// A file or folder that cannot be read.
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A file or folder that cannot be written. Nothing is left half-written.
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A loss that is not a number: training stops at once.
    NotFinite {
        /// Which episode or validation task it was, numbered from 0.
        episode: String,
        /// The corpus it was drawn from.
        corpus: String,
    },
    /// An observer ended the work.
    Interrupted {
        /// When, such as "after step 12".
        when: String,
        /// Whether the same work, with `resume`, goes on from there.
        resumable: bool,
    },
}

impl Error {
    /// An input that cannot be used as it is: [`ErrorKind::BadInput`].
    pub fn input(
        place: impl Into<String>,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::refused(ErrorKind::BadInput, place, problem, remedy)
    }

    /// A file or directory that is not there: [`ErrorKind::NotFound`].
    pub fn not_found(
        place: impl Into<String>,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::refused(ErrorKind::NotFound, place, problem, remedy)
    }

    /// An output that is there and is not replaced: [`ErrorKind::Exists`].
    pub fn exists(
        place: impl Into<String>,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::refused(ErrorKind::Exists, place, problem, remedy)
    }

    /// A file that is truncated or contradicts itself: [`ErrorKind::Damaged`].
    pub fn damaged(
        place: impl Into<String>,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::refused(ErrorKind::Damaged, place, problem, remedy)
    }

    /// A file of a type or version that is not read: [`ErrorKind::Unsupported`].
    pub fn unsupported(
        place: impl Into<String>,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::refused(ErrorKind::Unsupported, place, problem, remedy)
    }

    /// Settings that contradict each other: [`ErrorKind::BadSetting`].
    pub fn bad_setting(
        place: impl Into<String>,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::refused(ErrorKind::BadSetting, place, problem, remedy)
    }

    /// A place where no output can be written: [`ErrorKind::Unwritable`].
    pub fn unwritable(
        place: impl Into<String>,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::refused(ErrorKind::Unwritable, place, problem, remedy)
    }

    /// Work that an observer ended, and that begins anew if it is asked for again.
    pub fn interrupted(when: impl Into<String>) -> Self {
        Self::Interrupted { when: when.into(), resumable: false }
    }

    fn refused(
        kind: ErrorKind,
        place: impl Into<String>,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        let (place, problem, remedy) = (place.into(), problem.into(), remedy.into());
        Self::Refused { kind, place, problem, remedy }
    }

    /// An [`Error::Setting`] from its three parts.
    pub fn setting(name: &'static str, value: impl ToString, expected: impl Into<String>) -> Self {
        Self::Setting { name, value: value.to_string(), expected: expected.into() }
    }

    /// An [`Error::Unknown`] from its four parts.
    pub fn unknown(
        role: impl Into<String>,
        name: impl Into<String>,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        let (role, name) = (role.into(), name.into());
        Self::Unknown { role, name, problem: problem.into(), remedy: remedy.into() }
    }

    /// An [`Error::Read`] at `path`.
    pub fn read(path: &Path, source: io::Error) -> Self {
        Self::Read { path: path.to_owned(), source }
    }

    /// An [`Error::Write`] at `path`.
    pub fn write(path: &Path, source: io::Error) -> Self {
        Self::Write { path: path.to_owned(), source }
    }

    /// What sort of thing went wrong.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Refused { kind, .. } => *kind,
            Self::Setting { .. } | Self::Unknown { .. } => ErrorKind::BadSetting,
            Self::Read { source, .. } => kind_of(source, ErrorKind::Unreadable),
            Self::Write { source, .. } => kind_of(source, ErrorKind::Unwritable),
            Self::NotFinite { .. } => ErrorKind::NotFinite,
            Self::Interrupted { .. } => ErrorKind::Interrupted,
        }
    }

    /// Where it is wrong: a file, a line, a corpus, a setting. Work that was interrupted has no place.
    pub fn place(&self) -> Option<Cow<'_, str>> {
        Some(match self {
            Self::Refused { place, .. } => place.into(),
            Self::Setting { name, .. } => (*name).into(),
            Self::Unknown { role, name, .. } => format!("{role} `{name}`").into(),
            Self::Read { path, .. } | Self::Write { path, .. } => path.to_string_lossy(),
            Self::NotFinite { episode, corpus } => {
                format!("the loss of {episode} (corpus {corpus})").into()
            }
            Self::Interrupted { .. } => return None,
        })
    }

    /// What is wrong there.
    pub fn problem(&self) -> Cow<'_, str> {
        match self {
            Self::Refused { problem, .. } | Self::Unknown { problem, .. } => problem.into(),
            Self::Setting { value, .. } => format!("is {value}").into(),
            Self::Read { source, .. } => format!("cannot be read ({source})").into(),
            Self::Write { source, .. } => format!("cannot be written ({source})").into(),
            Self::NotFinite { .. } => "is not finite".into(),
            Self::Interrupted { when, .. } => format!("stopped {when}").into(),
        }
    }

    /// What to do about it. Names in backticks are the library's, except in [`Error::Unknown`].
    pub fn remedy(&self) -> Cow<'_, str> {
        match self {
            Self::Refused { remedy, .. } | Self::Unknown { remedy, .. } => remedy.into(),
            Self::Setting { expected, .. } => format!("it must be {expected}").into(),
            Self::Read { .. } => "check the path and its permissions".into(),
            Self::Write { source, .. } => match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    "free some space or choose another place".into()
                }
                io::ErrorKind::FileTooLarge => {
                    "raise the limit on the size of files or choose another place".into()
                }
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    "choose a place that you may write to".into()
                }
                _ => "choose another place".into(),
            },
            Self::NotFinite { .. } => "lower the learning rate or set a clipping norm".into(),
            Self::Interrupted { resumable: true, .. } => {
                "run the same again with `resume` to go on from there".into()
            }
            Self::Interrupted { resumable: false, .. } => {
                "there is nothing to go on from, so run the same again from the start".into()
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = match self {
            Self::Setting { .. } | Self::NotFinite { .. } => " ",
            _ => ": ",
        };
        if let Some(place) = self.place() {
            write!(f, "{}{separator}", printable(&place))?;
        }
        write!(f, "{}; {}", printable(&self.problem()), printable(&self.remedy()))
    }
}

/// The kind of what the system says of a file, or `otherwise`.
fn kind_of(source: &io::Error, otherwise: ErrorKind) -> ErrorKind {
    match source.kind() {
        io::ErrorKind::NotFound => ErrorKind::NotFound,
        io::ErrorKind::AlreadyExists => ErrorKind::Exists,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            ErrorKind::OutOfSpace
        }
        // Text that is not UTF-8, and a file that ends too early.
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => ErrorKind::Damaged,
        _ => otherwise,
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
