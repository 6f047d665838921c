//! Writes files and directories atomically: under a temporary name, then renamed.

use crate::{Error, Result};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Returns the hidden temporary name next to `path`. It is always the same, so that leftovers of a
/// killed process are overwritten and do not pile up.
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

fn write_synced(path: &Path, content: &[u8]) -> io::Result<()> {
    write_synced_by(path, |file| file.write_all(content))
}

fn write_synced_by(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let mut file = File::create(path)?;
    write(&mut file)?;
    file.sync_all()
}

fn make_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

/// Makes a rename survive a power cut. Ignores folders that cannot be synced: only this protection
/// is lost.
fn sync_parent(path: &Path) {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    if let Ok(folder) = File::open(parent.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
}

/// Checks that a file can be written. Refuses a file that exists, unless `replace` is set.
pub fn check_file(path: &Path, replace: bool) -> Result<()> {
    let place = path.display().to_string();
    beside(path, ".partial")?;
    if path.parent().is_some_and(Path::is_file) {
        let problem = "lies below a file, not a folder";
        return Err(Error::unwritable(place, problem, "choose another name"));
    }
    if path.is_dir() {
        return Err(Error::unwritable(place, "is a folder", "name a file"));
    }
    if path.exists() && !replace {
        let remedy = "choose another name, or use `replace` to overwrite it";
        return Err(Error::exists(place, "exists already", remedy));
    }
    Ok(())
}

/// Writes a file, replacing any existing one. Readers see either the old or the new file.
pub fn replace_file(path: &Path, content: &[u8]) -> Result<()> {
    replace_file_by(path, |file| file.write_all(content))
}

/// [`replace_file`] with what `write` puts into the file piece by piece.
pub fn replace_file_by(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<()> {
    let partial = beside(path, ".partial")?;
    let replace = || -> io::Result<()> {
        make_parent(path)?;
        write_synced_by(&partial, write)?;
        fs::rename(&partial, path)
    };
    if let Err(error) = replace() {
        let _ = fs::remove_file(&partial);
        return Err(Error::write(path, error));
    }
    sync_parent(path);
    Ok(())
}

/// Writes a directory with these files, replacing any existing one.
pub fn write_directory(path: &Path, files: &[(&str, Vec<u8>)]) -> Result<()> {
    let partial = beside(path, ".partial")?;
    let write = || -> io::Result<()> {
        remove_if_there(&partial)?;
        make_parent(path)?;
        fs::create_dir(&partial)?;
        for (name, content) in files {
            write_synced(&partial.join(name), content)?;
        }
        Ok(())
    };
    if let Err(error) = write().and_then(|()| swap_in(&partial, path)) {
        let _ = remove_if_there(&partial);
        return Err(Error::write(path, error));
    }
    sync_parent(path);
    Ok(())
}

/// Renames `partial` to `path`. Removes what was there only after the new one is in place.
fn swap_in(partial: &Path, path: &Path) -> io::Result<()> {
    if !path.exists() {
        return fs::rename(partial, path);
    }
    let old = beside(path, ".old").map_err(io::Error::other)?;
    remove_if_there(&old)?;
    fs::rename(path, &old)?;
    fs::rename(partial, path).inspect_err(|_| {
        let _ = fs::rename(&old, path);
    })?;
    remove_if_there(&old)
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    let result = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match result {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_directory_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        write_directory(&path, &[("a", b"1".to_vec()), ("b", b"2".to_vec())]).unwrap();
        write_directory(&path, &[("c", b"3".to_vec())]).unwrap();
        assert_eq!(names(&path), ["c"]);
        assert_eq!(names(folder.path()), ["model"]);
    }

    #[test]
    fn what_a_killed_process_left_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        fs::create_dir(folder.path().join(".model.partial")).unwrap();
        fs::write(folder.path().join(".model.partial/junk"), "x").unwrap();
        write_directory(&path, &[("a", b"1".to_vec())]).unwrap();
        assert_eq!(names(&path), ["a"]);
        fs::write(folder.path().join(".file.partial"), "longer than the new content").unwrap();
        replace_file(&folder.path().join("file"), b"new").unwrap();
        assert_eq!(fs::read(folder.path().join("file")).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["file", "model"]);
    }

    #[test]
    fn a_write_that_fails_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        let files = [("a", b"1".to_vec()), ("no/such/folder", b"2".to_vec())];
        assert!(write_directory(&path, &files).is_err());
        assert!(names(folder.path()).is_empty());
    }
}
