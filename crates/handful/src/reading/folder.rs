//! Lists the contents of folders.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::{Error, Result};

/// Whether an input is a folder. Fails if the path does not exist.
pub(super) fn is_folder(path: &Path) -> Result<bool> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(metadata.is_dir()),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(Error::not_found(
            path.display().to_string(),
            "there is no such file or folder",
            "check the spelling and the folder you are in",
        )),
        Err(error) => Err(Error::read(path, error)),
    }
}

/// Lists all files below a folder, at any depth, sorted folder by folder. Skips hidden files and
/// folders.
pub(super) fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let (files, _) = entries(folder, usize::MAX)?;
    Ok(files)
}

/// Lists the files and the folders directly in a folder, sorted, without hidden ones.
pub(super) fn children(folder: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    entries(folder, 1)
}

/// Returns a file's path inside a folder, with `/` on every system.
pub(super) fn relative(file: &Path, folder: &Path) -> String {
    with_slashes(file.strip_prefix(folder).unwrap_or(file))
}

/// Returns a path as the user would write it, with `/` on every system.
pub(super) fn with_slashes(path: &Path) -> String {
    let path = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' { path.into_owned() } else { path.replace('\\', "/") }
}

fn entries(folder: &Path, depth: usize) -> Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    let walk = WalkDir::new(folder)
        .min_depth(1)
        .max_depth(depth)
        .follow_links(true)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry));
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for entry in walk {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(folder).to_owned();
            Error::read(&path, error.into_io_error().unwrap_or_else(link_to_itself))
        })?;
        if entry.file_type().is_file() {
            files.push(entry.into_path());
        } else if entry.file_type().is_dir() {
            folders.push(entry.into_path());
        }
    }
    Ok((files, folders))
}

/// The error for a loop of links, the only failure that does not come from the operating system.
fn link_to_itself() -> io::Error {
    io::Error::other("a link leads back to its own folder")
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_sorted_and_without_hidden_ones() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["b/2", "b/c/1", "b/10", "a", ".hidden", ".git/x", "b/.DS_Store"] {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let files = files_below(folder.path()).unwrap();
        let names: Vec<_> = files.iter().map(|file| relative(file, folder.path())).collect();
        assert_eq!(names, ["a", "b/10", "b/2", "b/c/1"]);
        let (files, folders) = children(folder.path()).unwrap();
        assert_eq!((files.len(), folders.len()), (1, 1));
    }

    #[test]
    fn a_missing_path_is_named() {
        let message = is_folder(Path::new("no/such/path")).unwrap_err().to_string();
        assert!(
            message.starts_with("no/such/path: there is no such file or folder; "),
            "{message}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_its_own_folder_is_an_error_not_an_endless_walk() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(folder.path(), folder.path().join("loop")).unwrap();
        let message = files_below(folder.path()).unwrap_err().to_string();
        assert!(message.contains("loop: cannot be read"), "{message}");
    }
}
