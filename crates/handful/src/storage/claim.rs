//! The right to write an output, which one process has at a time.

use super::neighbours::{self, Leftover};
use super::system::{self, uninterrupted};
use crate::{Error, Result};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::thread;
use std::time::Duration;

/// The right to write a file or directory. As long as one process has it, others are refused and told
/// which process has it.
///
/// A hidden file beside the output is locked. The system takes the lock from a process that dies, so
/// what a dead one left never stands in the way: the next claim clears it up.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    lock: PathBuf,
    /// `None` where the file system has no locks.
    file: Option<File>,
    /// Folders that were made for the output, the outermost first.
    made: Vec<PathBuf>,
}

impl Claim {
    /// Claims an output. Makes its folder if there is none.
    pub fn of(path: &Path) -> Result<Self> {
        let lock = neighbours::lock(path)?;
        if neighbours::parent(path).is_file() {
            let problem = "lies below a file, not a folder";
            let place = path.display().to_string();
            return Err(Error::unwritable(place, problem, "choose another name"));
        }
        let mut claim = Self { path: path.to_owned(), lock, file: None, made: Vec::new() };
        let failed = |error| Error::write(path, error);
        system::make_folder(neighbours::parent(path), &mut claim.made).map_err(failed)?;
        claim.file = acquire(path, &claim.lock)?;
        if claim.file.is_some() {
            claim.clear_up().map_err(failed)?;
        }
        Ok(claim)
    }

    /// The output.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes what dead processes left, and puts back what one of them had moved out of the way.
    fn clear_up(&self) -> io::Result<()> {
        for leftover in neighbours::leftovers(&self.path)? {
            match leftover {
                Leftover::Old(old) if fs::symlink_metadata(&self.path).is_err() => {
                    fs::rename(old, &self.path)?;
                }
                Leftover::Old(path) | Leftover::Partial(path) => system::remove(&path)?,
            }
        }
        Ok(())
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some(file) = &self.file {
            // While it is locked: whoever opened it before finds that it has gone and tries again.
            #[cfg(unix)]
            let _ = fs::remove_file(&self.lock);
            let _ = file.unlock();
        }
        // Those that are empty: nothing was written.
        for folder in self.made.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// The number of times that a lock may vanish between being opened and being locked.
const TRIES: usize = 1000;

/// Locks the file `lock` and writes the number of this process into it. Returns `None` if the file
/// system has no locks.
fn acquire(path: &Path, lock: &Path) -> Result<Option<File>> {
    let failed = |error| Error::write(path, error);
    for _ in 0..TRIES {
        let mut file = open(lock)?;
        let owner = owner(&mut file, lock)?;
        match try_lock(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(taken(path, lock, owner)),
            Err(TryLockError::Error(error)) if system::is_unsupported(&error) => {
                let _ = fs::remove_file(lock);
                return Ok(None);
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        if !system::is_at(&file, lock) {
            continue;
        }
        let mut sign = || {
            file.set_len(0)?;
            file.rewind()?;
            writeln!(file, "{}", process::id())
        };
        if let Err(error) = sign() {
            let _ = fs::remove_file(lock);
            return Err(failed(error));
        }
        return Ok(Some(file));
    }
    Err(taken(path, lock, None))
}

fn try_lock(file: &File) -> std::result::Result<(), TryLockError> {
    loop {
        match file.try_lock() {
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

fn open(lock: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    system::without_following(&mut options);
    match options.open(lock) {
        Ok(file) if file.metadata().is_ok_and(|metadata| metadata.is_file()) => Ok(file),
        Ok(_) => Err(foreign(lock)),
        Err(_) if fs::symlink_metadata(lock).is_ok_and(|there| !there.is_file()) => {
            Err(foreign(lock))
        }
        Err(error) => Err(Error::write(lock, error)),
    }
}

/// Returns the process that signed a lock, alive or dead. Refuses a file that Handful did not write.
fn owner(file: &mut File, lock: &Path) -> Result<Option<u32>> {
    let mut signature = String::new();
    let read = uninterrupted(|| {
        signature.clear();
        file.rewind()?;
        file.take(64).read_to_string(&mut signature)
    });
    match read {
        Ok(0) => Ok(None),
        Ok(_) => match signature.trim_end().parse() {
            Ok(process) => Ok(Some(process)),
            Err(_) => Err(foreign(lock)),
        },
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(foreign(lock)),
        Err(error) => Err(Error::read(lock, error)),
    }
}

fn foreign(lock: &Path) -> Error {
    let problem = "has the name of a lock, but Handful did not write it";
    Error::unwritable(lock.display().to_string(), problem, "rename it or choose another output")
}

fn taken(path: &Path, lock: &Path, mut owner: Option<u32>) -> Error {
    // A process signs its lock a moment after it has it.
    for _ in 0..20 {
        if owner.is_some() {
            break;
        }
        thread::sleep(Duration::from_millis(5));
        owner = File::open(lock).ok().and_then(|mut file| self::owner(&mut file, lock).ok()?);
    }
    let problem = match owner {
        Some(process) if process == process::id() => "is being written already".to_owned(),
        Some(process) => format!("process {process} is writing it"),
        None => "another process is writing it".to_owned(),
    };
    let remedy = "wait for it to end, or choose another name";
    Error::unwritable(path.display().to_string(), problem, remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_is_claimed_once_at_a_time_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/folder/o");
        let claim = Claim::of(&path).unwrap();
        let error = Claim::of(&path).unwrap_err().to_string();
        assert!(error.contains("is being written already; wait"), "{error}");
        Claim::of(&folder.path().join("new/folder/p")).unwrap();
        drop(claim);
        drop(Claim::of(&path).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn many_claims_at_once_are_never_granted_together() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("o");
        let (holders, granted) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        if let Ok(claim) = Claim::of(&path) {
                            assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                            granted.fetch_add(1, Ordering::SeqCst);
                            holders.fetch_sub(1, Ordering::SeqCst);
                            drop(claim);
                        }
                    }
                });
            }
        });
        assert!(granted.into_inner() > 0);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_lock_that_a_dead_process_left_does_not_block() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("o");
        fs::write(neighbours::lock(&path).unwrap(), "4000000000\n").unwrap();
        drop(Claim::of(&path).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_file_of_the_users_with_the_name_of_a_lock_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("o");
        let lock = neighbours::lock(&path).unwrap();
        fs::write(&lock, "my notes").unwrap();
        let error = Claim::of(&path).unwrap_err().to_string();
        assert!(error.contains("Handful did not write it"), "{error}");
        assert_eq!(fs::read(&lock).unwrap(), b"my notes");
        #[cfg(unix)]
        {
            fs::remove_file(&lock).unwrap();
            let target = folder.path().join("target");
            std::os::unix::fs::symlink(&target, &lock).unwrap();
            assert!(Claim::of(&path).unwrap_err().to_string().contains("Handful did not write it"));
            assert!(!target.exists());
        }
    }
}
