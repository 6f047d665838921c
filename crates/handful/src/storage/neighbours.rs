//! The hidden neighbours of an output: what stands beside it while it is written.
//!
//! Their names end in a word of Handful's own, and all but the lock's have sixteen random digits, so
//! that nobody else's file is ever taken for one and nobody can lay one out beforehand.

use crate::{Error, Result};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

/// Ends the name of the file that is locked by whoever writes the output.
const LOCK: &str = ".handful-lock";
/// Ends the name of what is not whole yet, or no longer needed.
const PARTIAL: &str = ".handful-partial";
/// Ends the name of what was there before, where it cannot be exchanged in one step.
const OLD: &str = ".handful-old";

/// The number of random digits.
const DIGITS: usize = 16;

/// What a killed process left beside an output.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Leftover {
    /// It may be half-written, or be what was replaced.
    Partial(PathBuf),
    /// It is whole, and was on its way to be replaced.
    Old(PathBuf),
}

/// Returns the name of the lock of an output.
pub(super) fn lock(path: &Path) -> Result<PathBuf> {
    beside(path, LOCK)
}

/// Returns a new name beside an output for what is not whole yet.
pub(super) fn partial(path: &Path) -> Result<PathBuf> {
    beside(path, &format!(".{}{PARTIAL}", random_digits()))
}

/// Returns a new name beside an output for what was there before.
pub(super) fn old(path: &Path) -> Result<PathBuf> {
    beside(path, &format!(".{}{OLD}", random_digits()))
}

fn beside(path: &Path, ending: &str) -> Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| {
        Error::unwritable(
            path.display().to_string(),
            "is no name for an output",
            "give another one",
        )
    })?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(ending);
    Ok(path.with_file_name(hidden))
}

/// Returns digits that nobody can foretell: the standard library seeds its hashers from the system.
fn random_digits() -> String {
    format!("{:0DIGITS$x}", RandomState::new().hash_one(std::process::id()))
}

/// Returns the folder of an output.
pub(super) fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether a file of this name is a hidden neighbour of some output.
pub fn is_neighbour(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(b".") && (name.ends_with(LOCK.as_bytes()) || output_of(name).is_some())
}

/// What killed processes left beside an output. Only who holds its lock knows that they are dead.
pub(super) fn leftovers(path: &Path) -> io::Result<Vec<Leftover>> {
    let Some(output) = path.file_name() else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for entry in fs::read_dir(parent(path))? {
        let name = entry?.file_name();
        let Some((of, ending)) = output_of(name.as_encoded_bytes()) else { continue };
        if of == output.as_encoded_bytes() {
            let path = path.with_file_name(&name);
            found.push(match ending {
                OLD => Leftover::Old(path),
                _ => Leftover::Partial(path),
            });
        }
    }
    Ok(found)
}

/// What was at `path` before a process was killed while it replaced it, where it cannot be exchanged in
/// one step.
pub fn interrupted(path: &Path) -> Option<PathBuf> {
    leftovers(path).ok()?.into_iter().find_map(|leftover| match leftover {
        Leftover::Old(old) => Some(old),
        Leftover::Partial(_) => None,
    })
}

/// Returns the name of the output that a neighbour other than a lock belongs to, and its ending.
fn output_of(name: &[u8]) -> Option<(&[u8], &'static str)> {
    let name = name.strip_prefix(b".")?;
    let (rest, ending) = [PARTIAL, OLD]
        .into_iter()
        .find_map(|ending| Some((name.strip_suffix(ending.as_bytes())?, ending)))?;
    let (output, digits) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
    let is_digit = |c: &u8| c.is_ascii_digit() || (b'a'..=b'f').contains(c);
    let output = output.strip_suffix(b".")?;
    (digits.iter().all(is_digit) && !output.is_empty()).then_some((output, ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_known_by_their_names_and_nothing_else_is() {
        let path = Path::new("folder/o.html");
        for neighbour in [lock(path), partial(path), old(path)].map(Result::unwrap) {
            assert!(neighbour.starts_with("folder"));
            assert!(is_neighbour(neighbour.file_name().unwrap()), "{neighbour:?}");
        }
        assert_ne!(partial(path).unwrap(), partial(path).unwrap());
        for name in [
            ".o.html.partial",
            ".o.html.old",
            "o.html.handful-lock",
            ".o.html.handful-partial",
            ".o.html.0123456789abcdeg.handful-partial",
            ".0123456789abcdef.handful-partial",
            ".o.html.0123456789ABCDEF.handful-old",
        ] {
            assert!(!is_neighbour(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn an_output_has_its_own_leftovers_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("o");
        let (partial, old) = (partial(&path).unwrap(), old(&path).unwrap());
        for name in [&partial, &old, &super::partial(&folder.path().join("o.o")).unwrap()] {
            fs::write(name, "").unwrap();
        }
        fs::write(folder.path().join(".o.old"), "").unwrap();
        let found = leftovers(&path).unwrap();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.contains(&Leftover::Partial(partial)));
        assert!(found.contains(&Leftover::Old(old)));
    }
}
