//! The files of a directory, on disk or in memory.

use crate::storage::{MISMATCH, TensorFile, crc32, digits, read_file};
use crate::{Error, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The content of a directory's files, by their names.
pub type FileContents = BTreeMap<String, Vec<u8>>;

/// Stands for the directory's path in messages about files in memory.
const IN_MEMORY: &str = "files in memory";

/// The checksums of a directory's files, by their names. A directory from elsewhere may have none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub(super) struct Checksums(BTreeMap<String, String>);

impl Checksums {
    /// The checksums of these files.
    pub(super) fn of<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let entry = |(name, content): (&str, &[u8])| (name.to_owned(), digits(crc32(content)));
        Self(files.into_iter().map(entry).collect())
    }

    /// The digits of all checksums.
    pub(super) fn entries(&self) -> &BTreeMap<String, String> {
        &self.0
    }

    /// Whether there is one of a file.
    pub(super) fn know(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Refuses a file that was changed since the directory was written.
    fn expect(&self, file: &Path, name: &str, sum: u32) -> Result<()> {
        if self.0.get(name).is_none_or(|expected| *expected == digits(sum)) {
            return Ok(());
        }
        let remedy = "copy the directory again or write it anew";
        Err(Error::damaged(file.display().to_string(), MISMATCH, remedy))
    }
}

/// The files of a directory, on disk or in memory.
#[derive(Clone, Copy, Debug)]
pub struct Directory<'a> {
    path: &'a Path,
    contents: Option<&'a FileContents>,
}

impl<'a> Directory<'a> {
    /// The directory `path`.
    pub fn on_disk(path: &'a Path) -> Self {
        Self { path, contents: None }
    }

    /// Files that were read before.
    pub fn in_memory(contents: &'a FileContents) -> Self {
        Self { path: Path::new(IN_MEMORY), contents: Some(contents) }
    }

    /// What messages call it.
    pub fn path(&self) -> &'a Path {
        self.path
    }

    /// What messages call a file of it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Whether it is there at all.
    pub fn is_there(&self) -> bool {
        self.contents.is_some() || self.path.is_dir()
    }

    /// Whether it has a file of this name.
    pub fn has(&self, name: &str) -> bool {
        match self.contents {
            Some(contents) => contents.contains_key(name),
            None => self.file(name).is_file(),
        }
    }

    /// The text of a file, which agrees with its checksum if it has one.
    pub(super) fn text(&self, name: &str, checksums: &Checksums) -> Result<String> {
        let file = self.file(name);
        let (content, sum) = self.content(name)?;
        checksums.expect(&file, name, sum)?;
        String::from_utf8(content).map_err(|_| {
            let problem = "it is no text in UTF-8";
            Error::read(&file, io::Error::new(io::ErrorKind::InvalidData, problem))
        })
    }

    /// A file of tensors, which agrees with its checksum if it has one.
    pub(super) fn tensors(&self, name: &str, checksums: &Checksums) -> Result<TensorFile> {
        let file = self.file(name);
        let (content, sum) = self.content(name)?;
        // First, because it can say that the file was cut.
        let tensors = TensorFile::from_bytes(file.display().to_string(), content)?;
        checksums.expect(&file, name, sum)?;
        Ok(tensors)
    }

    /// The content of a file, and its checksum.
    fn content(&self, name: &str) -> Result<(Vec<u8>, u32)> {
        let file = self.file(name);
        let Some(contents) = self.contents else {
            // A pipe or a device might never end.
            if file.exists() && !file.is_file() {
                return Err(Error::read(&file, io::Error::other("it is no ordinary file")));
            }
            return read_file(&file);
        };
        let content = contents.get(name).cloned().ok_or_else(|| {
            let remedy = "give all files of the directory";
            Error::not_found(file.display().to_string(), "is missing", remedy)
        })?;
        let sum = crc32(&content);
        Ok((content, sum))
    }

    /// Reads the directory, again if another process has replaced it in the meantime: files of two
    /// directories do not go together.
    pub(super) fn read_steadily<T>(&self, read: impl Fn() -> Result<T>) -> Result<T> {
        let state = || self.content(super::config::FILE).ok();
        let mut before = state();
        loop {
            let result = read();
            if result.is_ok() || self.contents.is_some() {
                return result;
            }
            let after = state();
            if after == before {
                return result;
            }
            before = after;
        }
    }
}
