//! The files of a directory, on disk or in memory.

use crate::storage::TensorFile;
use crate::{Error, Result};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The content of a directory's files, by their names.
pub type FileContents = BTreeMap<String, Vec<u8>>;

/// Stands for the directory's path in messages about files in memory.
const IN_MEMORY: &str = "files in memory";

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

    /// The text of a file.
    pub fn text(&self, name: &str) -> Result<String> {
        let file = self.file(name);
        match self.contents {
            None => {
                expect_ordinary(&file)?;
                fs::read_to_string(&file).map_err(|error| Error::read(&file, error))
            }
            Some(_) => String::from_utf8(self.content(name)?).map_err(|error| {
                let problem = format!("is no text ({error})");
                Error::damaged(file.display().to_string(), problem, "write it anew")
            }),
        }
    }

    /// A file of tensors.
    pub fn tensors(&self, name: &str) -> Result<TensorFile> {
        let file = self.file(name);
        match self.contents {
            None => {
                expect_ordinary(&file)?;
                TensorFile::open(&file)
            }
            Some(_) => TensorFile::from_bytes(file.display().to_string(), self.content(name)?),
        }
    }

    fn content(&self, name: &str) -> Result<Vec<u8>> {
        let found = self.contents.and_then(|contents| contents.get(name)).cloned();
        found.ok_or_else(|| {
            let place = self.file(name).display().to_string();
            Error::not_found(place, "is missing", "give all files of the directory")
        })
    }
}

/// Refuses a pipe or a device in the place of a file, which might never end.
fn expect_ordinary(file: &Path) -> Result<()> {
    match file.exists() && !file.is_file() {
        true => Err(Error::read(file, io::Error::other("it is no ordinary file"))),
        false => Ok(()),
    }
}
