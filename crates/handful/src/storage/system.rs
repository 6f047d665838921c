//! What is asked of the file system, and what differs between systems.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Repeats a call that a signal interrupted.
pub(super) fn uninterrupted<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// Whether an error says that the file system, or the system, cannot do this at all.
pub(super) fn is_unsupported(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        let unsupported = [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP];
        let number = error.raw_os_error();
        if unsupported.into_iter().chain([Errno::NOLCK]).any(|e| Some(e.raw_os_error()) == number) {
            return true;
        }
    }
    error.kind() == io::ErrorKind::Unsupported
}

/// Makes a folder and those above it, durably. Adds those that were not there to `made`.
pub(super) fn make_folder(folder: &Path, made: &mut Vec<PathBuf>) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let above = super::neighbours::parent(folder);
    if above != folder {
        make_folder(above, made)?;
    }
    match uninterrupted(|| fs::create_dir(folder)) {
        Ok(()) => made.push(folder.to_owned()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => {}
        Err(error) => return Err(error),
    }
    sync_folder(above)
}

/// Makes what was done in a folder survive a power cut. Where folders cannot be synced, only this
/// protection is lost.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    let opened = match File::open(folder) {
        // A folder may be written, but not read.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
        opened => opened?,
    };
    match opened.sync_all() {
        Err(error) if cfg!(unix) && !is_unsupported(&error) => Err(error),
        _ => Ok(()),
    }
}

/// Removes a file, a symbolic link or a directory, if it is there. Does not follow links.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    let result = match fs::symlink_metadata(path) {
        Ok(there) if there.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match result {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Opens no symbolic link: it could lead anywhere.
pub(super) fn without_following(options: &mut OpenOptions) {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
    }
    #[cfg(not(unix))]
    let _ = options;
}

/// Whether an open file still stands at a path.
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        let (ours, there) = (file.metadata().map(identity), fs::symlink_metadata(path));
        matches!((ours, there.map(identity)), (Ok(ours), Ok(there)) if ours == there)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

/// Exchanges two paths in one step. Fails as unsupported where the system cannot.
pub(super) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        Ok(rustix::io::retry_on_intr(|| {
            renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)
        })?)
    }
    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    {
        let _ = (one, other);
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Makes a file or directory readable and writable for its owner only, until it has the permissions it
/// is to keep.
pub(super) fn private_file(options: &mut OpenOptions) {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    #[cfg(not(unix))]
    let _ = options;
}

/// Makes a directory that only its owner can look into, if `private`.
pub(super) fn make_directory(path: &Path, private: bool) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    if private {
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    }
    #[cfg(not(unix))]
    let _ = private;
    uninterrupted(|| builder.create(path))
}

/// Gives what is open the owner and the permissions of what it replaces.
pub(super) fn keep_permissions(file: &File, replaced: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let own = file.metadata()?;
        // Only the administrator can, and only he needs it: others replace files of their own.
        if (own.uid(), own.gid()) != (replaced.uid(), replaced.gid()) {
            let _ = fchown(file, Some(replaced.uid()), Some(replaced.gid()));
        }
    }
    file.set_permissions(replaced.permissions())
}
