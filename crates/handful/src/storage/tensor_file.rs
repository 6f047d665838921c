//! Reading and writing safetensors files of float32.

use crate::prior::{TensorSource, TensorView};
use crate::{Error, Result};
use memmap2::Mmap;
use safetensors::tensor::{Metadata, TensorInfo, TensorView as FileView};
use safetensors::{Dtype, SafeTensors};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

#[cfg(target_endian = "big")]
compile_error!("safetensors files are little-endian, and so are the machines Handful runs on");

/// The content of a safetensors file with these tensors: name, shape, entries.
pub fn tensor_bytes<'a>(
    tensors: impl IntoIterator<Item = (String, Vec<usize>, &'a [f32])>,
    metadata: Option<HashMap<String, String>>,
) -> Vec<u8> {
    let views = tensors.into_iter().map(|(name, shape, values)| {
        let view = FileView::new(Dtype::F32, shape, bytemuck::cast_slice(values))
            .expect("the entries fill the shape");
        (name, view)
    });
    safetensors::serialize(views, metadata).expect("views were checked when they were made")
}

/// Bytes before the header: its length.
const LENGTH_BYTES: usize = 8;

/// A safetensors file, mapped: only what is looked at is read.
#[derive(Debug)]
pub struct TensorFile {
    path: PathBuf,
    content: Mmap,
    header: Metadata,
    /// Where tensors begin in `content`.
    start: usize,
}

impl TensorFile {
    /// Opens a file and checks that it is whole.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|error| Error::read(path, error))?;
        // SAFETY: a mapping must not change under its reader. Handful never changes a file in place:
        // models and checkpoints are written under another name and renamed, which leaves a mapping
        // with the old content.
        let content = unsafe { Mmap::map(&file) }.map_err(|error| Error::read(path, error))?;
        let (length, header) = SafeTensors::read_metadata(&content).map_err(|reason| {
            Error::input(
                path.display().to_string(),
                format!("is truncated or no safetensors file ({reason})"),
                "copy it again or write it anew",
            )
        })?;
        Ok(Self { path: path.to_owned(), content, header, start: LENGTH_BYTES + length })
    }

    /// The file's metadata entry `key`.
    pub fn metadata(&self, key: &str) -> Option<&str> {
        self.header.metadata().as_ref()?.get(key).map(String::as_str)
    }
}

impl TensorSource<f32> for TensorFile {
    fn place(&self) -> String {
        self.path.display().to_string()
    }

    fn tensor(&self, name: &str) -> Result<Option<TensorView<'_, f32>>> {
        let Some(TensorInfo { dtype, shape, data_offsets: (from, to) }) = self.header.info(name)
        else {
            return Ok(None);
        };
        if *dtype != Dtype::F32 {
            return Err(Error::input(
                self.place(),
                format!("tensor `{name}` is of type {dtype:?}"),
                "write it as F32",
            ));
        }
        let bytes = &self.content[self.start + from..self.start + to];
        // The header's length decides where tensors begin, so they may not lie on a multiple of 4.
        let values = match bytemuck::try_cast_slice(bytes) {
            Ok(values) => Cow::Borrowed(values),
            Err(_) => {
                let (numbers, _) = bytes.as_chunks::<4>();
                Cow::Owned(numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
            }
        };
        Ok(Some((shape.clone(), values)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn tensors_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.safetensors");
        let values = [1.5f32, -2.0, 3.25e-20, 0.0, 7.0, 9.0];
        let metadata = HashMap::from([("key".to_owned(), "word".to_owned())]);
        let bytes = tensor_bytes([("w".to_owned(), vec![2, 3], &values[..])], Some(metadata));
        fs::write(&path, &bytes).unwrap();
        let file = TensorFile::open(&path).unwrap();
        assert_eq!(&*file.shaped("w", &[2, 3]).unwrap(), values);
        assert_eq!(file.metadata("key"), Some("word"));
        assert!(file.tensor("v").unwrap().is_none());
    }

    #[test]
    fn a_file_cut_at_any_byte_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.safetensors");
        let bytes = tensor_bytes([("w".to_owned(), vec![3], &[1.0f32, 2.0, 3.0][..])], None);
        for length in 0..bytes.len() {
            fs::write(&path, &bytes[..length]).unwrap();
            let error = TensorFile::open(&path).unwrap_err();
            assert!(error.to_string().contains("truncated"), "cut at {length}: {error}");
        }
    }
}
