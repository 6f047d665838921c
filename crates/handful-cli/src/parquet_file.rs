//! A file that Parquet is read from, which has an end.

use bytes::Bytes;
use parquet::errors::Result;
use parquet::file::reader::{ChunkReader, Length};
use std::fs::File;
use std::io::{self, BufReader, Read};

/// A file that is an error to read beyond its end.
///
/// The package that reads Parquet skips what it does not know, however much there is said to be of it. At the end
/// of a damaged file it would skip nothing at all, billions of times.
pub struct ParquetFile(pub File);

/// A part of the file, which errs at the file's end.
pub struct Part(BufReader<File>);

impl Length for ParquetFile {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl ChunkReader for ParquetFile {
    type T = Part;

    fn get_read(&self, start: u64) -> Result<Part> {
        self.0.get_read(start).map(Part)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        self.0.get_bytes(start, length)
    }
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 if !buffer.is_empty() => {
                Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it ends before its pages do"))
            }
            read => Ok(read),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn all_of_a_file_is_read_and_nothing_beyond_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "bees").unwrap();
        let file = ParquetFile(File::open(&path).unwrap());
        let mut rest = [0; 2];
        file.get_read(2).unwrap().read_exact(&mut rest).unwrap();
        assert_eq!(&rest, b"es");
        let skipped = io::copy(&mut file.get_read(2).unwrap().take(1 << 40), &mut io::sink());
        assert_eq!(skipped.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
