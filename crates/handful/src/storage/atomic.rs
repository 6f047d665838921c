//! Writes files and directories whole or not at all: under a hidden name, then in one step.

use super::claim::Claim;
use super::{neighbours, system};
use crate::{Error, Result};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Claims a file that is to be written. Refuses one that exists, unless `replace` is set.
pub fn claim_file(path: &Path, replace: bool) -> Result<Claim> {
    check_file(path, replace)?;
    let claim = Claim::of(path)?;
    // Another process may have been about to write it.
    check_file(path, replace)?;
    Ok(claim)
}

/// Checks that a file can be written. Refuses a file that exists, unless `replace` is set.
pub fn check_file(path: &Path, replace: bool) -> Result<()> {
    let place = path.display().to_string();
    neighbours::lock(path)?;
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
    if path.exists() && !path.is_file() {
        let problem = "is a device or a pipe, not a file";
        return Err(Error::unwritable(place, problem, "name a file"));
    }
    Ok(())
}

/// Writes a file, replacing any existing one. Readers see either the old or the new file.
pub fn replace_file(path: &Path, content: &[u8]) -> Result<()> {
    Claim::of(path)?.write_file(content)
}

/// Removes a file, if it is there, and what dead processes left beside it.
pub fn remove_file(path: &Path) -> Result<()> {
    let _claim = Claim::of(path)?;
    let remove = || match system::uninterrupted(|| fs::remove_file(path)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(()) => system::sync_folder(neighbours::parent(path)),
    };
    remove().map_err(|error| Error::write(path, error))
}

/// Opens a file to append lines to. Makes it, durably, if it is not there.
pub fn open_to_append(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    let open = || {
        let file = options.open(path)?;
        system::sync_folder(neighbours::parent(path))?;
        Ok(file)
    };
    open().map_err(|error| Error::write(path, error))
}

impl Claim {
    /// Writes the file, replacing any existing one and keeping its permissions. Readers see either the
    /// old or the new file.
    pub fn write_file(&self, content: &[u8]) -> Result<()> {
        self.write_file_by(|file| file.write_all(content))
    }

    /// [`Self::write_file`] with what `fill` puts into the file piece by piece.
    pub fn write_file_by(&self, fill: impl FnOnce(&mut File) -> io::Result<()>) -> Result<()> {
        let path = self.path();
        check_file(path, true)?;
        let partial = neighbours::partial(path)?;
        let write = || {
            let replaced = metadata_of(path)?;
            write_synced(&partial, fill, replaced.as_ref())?;
            system::uninterrupted(|| fs::rename(&partial, path))?;
            system::sync_folder(neighbours::parent(path))
        };
        write().map_err(|error| {
            let _ = system::remove(&partial);
            Error::write(path, error)
        })
    }

    /// Writes a directory with these files, replacing any existing one and keeping its permissions.
    /// Readers find either the old or the new one, at every moment.
    pub fn write_directory(&self, files: &[(&str, Vec<u8>)]) -> Result<()> {
        let path = self.path();
        let partial = neighbours::partial(path)?;
        let write = || {
            let replaced = metadata_of(path)?;
            system::make_directory(&partial, replaced.is_some())?;
            for (name, content) in files {
                let replaced = metadata_of(&path.join(name))?;
                let fill = |file: &mut File| file.write_all(content);
                write_synced(&partial.join(name), fill, replaced.as_ref())?;
            }
            if let Some(replaced) = replaced {
                system::keep_permissions(&File::open(&partial)?, &replaced)?;
            }
            system::sync_folder(&partial)?;
            swap_in(&partial, path)?;
            system::sync_folder(neighbours::parent(path))
        };
        let written = write().map_err(|error| Error::write(path, error));
        // This is what was replaced, or what could not be finished. If it cannot be removed, the next
        // claim tries again.
        let _ = system::remove(&partial);
        written
    }
}

/// The metadata of what a path leads to, if anything.
fn metadata_of(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        // It lies below what is no folder.
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes a new file, with the permissions of the one that it replaces.
fn write_synced(
    path: &Path,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
    replaced: Option<&Metadata>,
) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    if replaced.is_some() {
        system::private_file(&mut options);
    }
    let mut file = options.open(path)?;
    fill(&mut file)?;
    if let Some(replaced) = replaced {
        system::keep_permissions(&file, replaced)?;
    }
    file.sync_all()
}

/// Puts `partial` at `path`. Afterwards `partial` is what was there, if anything.
fn swap_in(partial: &Path, path: &Path) -> io::Result<()> {
    match system::exchange(partial, path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            system::uninterrupted(|| fs::rename(partial, path))
        }
        Err(error) if system::is_unsupported(&error) => swap_in_by_steps(partial, path),
        result => result,
    }
}

/// [`swap_in`] where the system cannot exchange. If the process dies between the steps, what was there
/// is beside the path, and the next claim puts it back.
fn swap_in_by_steps(partial: &Path, path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path).is_err() {
        return system::uninterrupted(|| fs::rename(partial, path));
    }
    let old = neighbours::old(path).map_err(io::Error::other)?;
    system::uninterrupted(|| fs::rename(path, &old))?;
    system::uninterrupted(|| fs::rename(partial, path)).inspect_err(|_| {
        let _ = fs::rename(&old, path);
    })?;
    system::uninterrupted(|| fs::rename(&old, partial))
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

    fn write_directory(path: &Path, files: &[(&str, Vec<u8>)]) -> Result<()> {
        Claim::of(path)?.write_directory(files)
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
    fn a_directory_is_there_at_every_moment_of_its_replacement() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        let write = |content: &str| {
            write_directory(&path, &[("a", content.into()), ("b", content.into())]).unwrap();
        };
        write("0");
        let done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                (1..200).for_each(|i| write(&i.to_string()));
                done.store(true, std::sync::atomic::Ordering::SeqCst);
            });
            while !done.load(std::sync::atomic::Ordering::SeqCst) {
                assert!(path.is_dir());
            }
        });
        assert_eq!(names(folder.path()), ["model"]);
        assert_eq!(fs::read(path.join("a")).unwrap(), b"199");
    }

    #[test]
    fn a_system_that_cannot_exchange_replaces_by_steps_and_an_interrupted_step_is_put_back() {
        let folder = tempfile::tempdir().unwrap();
        let (path, partial) = (folder.path().join("model"), folder.path().join("partial"));
        for (content, there_before) in [("1", false), ("2", true)] {
            fs::create_dir(&partial).unwrap();
            fs::write(partial.join("a"), content).unwrap();
            swap_in_by_steps(&partial, &path).unwrap();
            assert_eq!(fs::read(path.join("a")).unwrap(), content.as_bytes());
            assert_eq!(partial.exists(), there_before);
            system::remove(&partial).unwrap();
        }
        // Killed between the steps.
        fs::rename(&path, neighbours::old(&path).unwrap()).unwrap();
        fs::create_dir(neighbours::partial(&path).unwrap()).unwrap();
        drop(Claim::of(&path).unwrap());
        assert_eq!(fs::read(path.join("a")).unwrap(), b"2");
        assert_eq!(names(folder.path()), ["model"]);
    }

    #[test]
    fn what_a_killed_process_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["model", "file"].map(|name| folder.path().join(name)) {
            let left = neighbours::partial(&name).unwrap();
            fs::create_dir(&left).unwrap();
            fs::write(left.join("junk"), "x").unwrap();
        }
        write_directory(&folder.path().join("model"), &[("a", b"1".to_vec())]).unwrap();
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

    #[cfg(unix)]
    #[test]
    fn permissions_of_what_is_replaced_are_kept() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (file, directory) = (folder.path().join("r.html"), folder.path().join("model"));
        replace_file(&file, b"old").unwrap();
        write_directory(&directory, &[("a", b"1".to_vec())]).unwrap();
        let inside = directory.join("a");
        for (path, mode) in [(&file, 0o600), (&inside, 0o640), (&directory, 0o750)] {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
        replace_file(&file, b"new").unwrap();
        write_directory(&directory, &[("a", b"2".to_vec())]).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        assert_eq!([&file, &inside, &directory].map(|p| mode(p)), [0o600, 0o640, 0o750]);
        assert_eq!(fs::read(&file).unwrap(), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("null");
        std::os::unix::fs::symlink("/dev/null", &link).unwrap();
        let error = replace_file(&link, b"new").unwrap_err().to_string();
        assert!(error.contains("is a device or a pipe"), "{error}");
        assert_eq!(names(folder.path()), ["null"]);
    }
}
