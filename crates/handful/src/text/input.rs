//! The bytes of files and streams of unknown origin, up to a limit, so that none fills the memory and
//! none is waited for in vain.

use std::fs::{self, File};
#[cfg(unix)]
use std::io::Cursor;
use std::io::Read;
use std::path::Path;

use crate::{Error, Result};

/// The most bytes that are read, and what a user can do if there are more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InputLimit {
    /// How many bytes may still be read, unpacked.
    pub left: u64,
    /// How many there may be in all.
    pub most: u64,
    /// Whose limit it is, as in "what a list may have".
    pub whose: &'static str,
    /// What to do about more.
    pub remedy: &'static str,
}

impl InputLimit {
    /// For the documents of a run, all together, if nothing else is set.
    pub(crate) const USUAL: Self = Self {
        left: 2 << 30,
        most: 2 << 30,
        whose: "all documents may have together, unpacked",
        remedy: "give fewer, or raise `max_input_size` if there is memory for several times as much",
    };

    /// For word vectors.
    pub(crate) const VECTORS: Self = Self {
        left: 16 << 30,
        most: 16 << 30,
        whose: "word vectors may have, unpacked",
        remedy: "keep the vectors of frequent words only",
    };

    /// For lists of words.
    pub(crate) const LIST: Self = Self {
        left: 64 << 20,
        most: 64 << 20,
        whose: "a list of words may have",
        remedy: "give a file with one word per line",
    };

    /// The error for an input that has more.
    pub(crate) fn exceeded(self, place: &str) -> Error {
        let Self { most, whose, remedy, .. } = self;
        Error::input(place, format!("goes beyond the {} that {whose}", size(most)), remedy)
    }
}

/// How many bytes of a stream are read before it is known whether it may be text.
const BEGINNING: u64 = 1 << 16;

/// Reads a file, or what another program writes into a pipe. Refuses devices, which may never end.
pub(crate) fn read_file(path: &Path, limit: InputLimit) -> Result<Vec<u8>> {
    let place = path.display().to_string();
    let metadata = fs::metadata(path).map_err(|source| Error::read(path, source))?;
    if metadata.is_file() && metadata.len() > limit.left {
        return Err(limit.exceeded(&place));
    }
    read_stream(&mut *open(path, &metadata)?, &place, limit)
}

/// Reads a stream to its end. Of bytes that are no text, the beginning is enough to be refused for.
pub(crate) fn read_stream(
    mut stream: &mut dyn Read,
    place: &str,
    limit: InputLimit,
) -> Result<Vec<u8>> {
    let failed = |source| Error::read(Path::new(place), source);
    let mut bytes = Vec::new();
    (&mut stream).take(BEGINNING).read_to_end(&mut bytes).map_err(failed)?;
    if may_be_text(&bytes) {
        let more = limit.left.saturating_add(1).saturating_sub(bytes.len() as u64);
        (&mut stream).take(more).read_to_end(&mut bytes).map_err(failed)?;
    }
    if bytes.len() as u64 > limit.left {
        return Err(limit.exceeded(place));
    }
    Ok(bytes)
}

/// Whether the beginning of a file may be that of a text: packed, in UTF-16, or without NUL.
fn may_be_text(beginning: &[u8]) -> bool {
    let marks: [&[u8]; 3] = [b"\x1f\x8b", b"\xff\xfe", b"\xfe\xff"];
    marks.iter().any(|mark| beginning.starts_with(mark)) || !beginning.contains(&0)
}

/// A number of bytes as people write it.
fn size(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let unit =
        units.iter().find(|(shift, _)| bytes >> shift > 0 && bytes.is_multiple_of(1 << shift));
    match unit {
        Some((shift, unit)) => format!("{} {unit}", bytes >> shift),
        None => format!("{bytes} bytes"),
    }
}

#[cfg(not(unix))]
fn open(path: &Path, _metadata: &fs::Metadata) -> Result<Box<dyn Read>> {
    Ok(Box::new(File::open(path).map_err(|source| Error::read(path, source))?))
}

#[cfg(unix)]
fn open(path: &Path, metadata: &fs::Metadata) -> Result<Box<dyn Read>> {
    use std::io::IsTerminal;
    use std::os::unix::fs::{FileTypeExt, MetadataExt};

    let kind = metadata.file_type();
    // The pipes of a shell, as in <(program), lie in no folder: somebody writes to them, or has.
    if kind.is_fifo() && fs::canonicalize(path).is_ok() {
        return open_named_pipe(path);
    }
    let file = File::open(path).map_err(|source| Error::read(path, source))?;
    if kind.is_char_device() || kind.is_block_device() {
        let is_null = fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == metadata.rdev());
        if !is_null && !file.is_terminal() {
            let remedy = "give a file, or - for standard input";
            return Err(Error::input(
                path.display().to_string(),
                "is a device, not a file",
                remedy,
            ));
        }
    }
    Ok(Box::new(file))
}

/// Opens a named pipe once another program writes to it. If none comes, says so, rather than waiting for
/// ever.
#[cfg(unix)]
fn open_named_pipe(path: &Path) -> Result<Box<dyn Read>> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::fs::{OFlags, fcntl_setfl};
    use std::os::unix::fs::OpenOptionsExt;

    let failed = |source| Error::read(path, source);
    let without_waiting = OFlags::NONBLOCK.bits() as i32;
    let pipe = File::options().read(true).custom_flags(without_waiting).open(path);
    let mut pipe = pipe.map_err(failed)?;
    let wait = Timespec { tv_sec: WAIT_SECONDS, tv_nsec: 0 };
    let ready = poll(&mut [PollFd::new(&pipe, PollFlags::IN)], Some(&wait));
    let mut first = Vec::new();
    if ready.map_err(|error| failed(error.into()))? == 0 {
        // Without a program that has opened it for writing, a pipe ends at once. With one, it has to be
        // waited for.
        let mut byte = [0];
        match pipe.read(&mut byte) {
            Ok(0) => {
                let problem = format!("is a pipe that nobody wrote to for {WAIT_SECONDS} seconds");
                let remedy = "start the program that writes to it first";
                return Err(Error::input(path.display().to_string(), problem, remedy));
            }
            Ok(_) => first.extend(byte),
            Err(_) => {}
        }
    }
    fcntl_setfl(&pipe, OFlags::empty()).map_err(|error| failed(error.into()))?;
    Ok(Box::new(Cursor::new(first).chain(pipe)))
}

/// How long a named pipe may have no program that writes to it.
#[cfg(unix)]
const WAIT_SECONDS: i64 = 10;

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: InputLimit =
        InputLimit { left: 1 << 10, most: 1 << 10, whose: "a test may have", remedy: "-" };

    #[test]
    fn an_endless_stream_is_read_up_to_the_limit() {
        let error = read_stream(&mut std::io::repeat(b'a'), "here", LIMIT).unwrap_err();
        assert_eq!(error.to_string(), "here: goes beyond the 1 KiB that a test may have; -");
        let whole = read_stream(&mut &[b'a'; 1 << 10][..], "here", LIMIT).unwrap();
        assert_eq!(whole.len(), 1 << 10);
    }

    #[test]
    fn of_bytes_that_are_no_text_the_beginning_is_read() {
        let limit = InputLimit { left: u64::MAX, ..LIMIT };
        let read = read_stream(&mut std::io::repeat(0), "here", limit).unwrap();
        assert_eq!(read.len() as u64, BEGINNING);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_refused_and_nothing_is_nothing() {
        let message = read_file(Path::new("/dev/zero"), LIMIT).unwrap_err().to_string();
        assert!(message.starts_with("/dev/zero: is a device, not a file; "), "{message}");
        assert_eq!(read_file(Path::new("/dev/null"), LIMIT).unwrap(), b"");
    }

    #[test]
    fn sizes_are_said_in_the_largest_unit_that_is_exact() {
        let sizes = [size(2 << 30), size(1536), size(1024), size(5)];
        assert_eq!(sizes, ["2 GiB", "1536 bytes", "1 KiB", "5 bytes"]);
    }
}
