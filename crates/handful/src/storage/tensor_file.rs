//! Reading and writing safetensors files.

use super::checksum;
use super::compact::unit_of;
use super::compact_entries::{CompactEntries, whole_entries};
use super::small_rows::{Content, SmallRows};
use super::tensor_code::Code;
use crate::nn::StoredRows;
use crate::storage::{TensorSource, TensorView, whole_numbers};
use crate::{Error, Result};
use safetensors::tensor::{Metadata, TensorInfo, TensorView as FileView};
use safetensors::{Dtype, SafeTensors};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

#[cfg(target_endian = "big")]
compile_error!("safetensors files are little-endian, and so are the machines Handful runs on");

/// Returns the content of a safetensors file with these tensors: name, shape, entries.
pub fn tensor_bytes<'a>(
    tensors: impl IntoIterator<Item = (String, Vec<usize>, &'a [f32])>,
    metadata: Option<HashMap<String, String>>,
) -> Vec<u8> {
    let views = tensors
        .into_iter()
        .map(|(name, shape, values)| (name, Dtype::F32, shape, bytemuck::cast_slice(values)));
    serialize(views, metadata)
}

/// Returns the content of a safetensors file with tensors of any type.
pub(super) fn serialize<'a>(
    tensors: impl IntoIterator<Item = (String, Dtype, Vec<usize>, &'a [u8])>,
    metadata: Option<HashMap<String, String>>,
) -> Vec<u8> {
    let views = tensors.into_iter().map(|(name, dtype, shape, bytes)| {
        (name, FileView::new(dtype, shape, bytes).expect("the entries fill the shape"))
    });
    safetensors::serialize(views, metadata).expect("views were checked when they were made")
}

/// [`tensor_bytes`] with metadata and a checksum of the file's own.
pub fn sealed_tensor_bytes<'a>(
    tensors: impl IntoIterator<Item = (String, Vec<usize>, &'a [f32])>,
    mut metadata: HashMap<String, String>,
) -> Vec<u8> {
    metadata.insert(checksum::ENTRY.to_owned(), checksum::UNSEALED.to_owned());
    let mut bytes = tensor_bytes(tensors, Some(metadata));
    let (length, _) = SafeTensors::read_metadata(&bytes).expect("it was just written");
    checksum::seal(&mut bytes, LENGTH_BYTES + length);
    bytes
}

/// Reads a file, and returns its checksum, too.
pub fn read_file(path: &Path) -> Result<(Vec<u8>, u32)> {
    checksum::read_summed(path).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => {
            let place = path.display().to_string();
            Error::damaged(place, "became shorter while it was read", REMEDY)
        }
        _ => Error::read(path, error),
    })
}

/// The bytes before the header, which hold its length.
const LENGTH_BYTES: usize = 8;

const REMEDY: &str = "copy it again or write it anew";

/// A safetensors file in memory. A mapped one would end the process if it were cut while it is read.
pub struct TensorFile {
    place: String,
    content: Content,
    pub(super) header: Metadata,
    /// Where the tensors begin in `content`.
    start: usize,
}

impl fmt::Debug for TensorFile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("TensorFile").field("place", &self.place).finish_non_exhaustive()
    }
}

impl TensorFile {
    /// Reads a file and checks that it is complete.
    pub fn open(path: &Path) -> Result<Self> {
        let (content, _) = read_file(path)?;
        Self::from_bytes(path.display().to_string(), content)
    }

    /// Reads a file from its content in memory. `place` is for error messages. If the file has a
    /// checksum of its own, as checkpoints have, the content must agree with it.
    pub fn from_bytes(
        place: impl Into<String>,
        content: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<Self> {
        let place = place.into();
        let bytes = content.as_ref();
        let damaged = |problem: String| Error::damaged(&*place, problem, REMEDY);
        let (length, header) = SafeTensors::read_metadata(bytes)
            .map_err(|reason| damaged(format!("is truncated or no safetensors file ({reason})")))?;
        if !checksum::is_intact(bytes, LENGTH_BYTES + length) {
            return Err(damaged(checksum::MISMATCH.to_owned()));
        }
        Ok(Self { place, content: Arc::new(content), header, start: LENGTH_BYTES + length })
    }

    /// The names of all tensors, in alphabetical order.
    pub fn names(&self) -> Vec<String> {
        let mut names = self.header.offset_keys();
        names.sort_unstable();
        names
    }

    /// The file's metadata entry `key`.
    pub fn metadata(&self, key: &str) -> Option<&str> {
        self.header.metadata().as_ref()?.get(key).map(String::as_str)
    }

    /// Returns a tensor's byte range in `content`.
    fn range(&self, info: &TensorInfo) -> Range<usize> {
        let (from, to) = info.data_offsets;
        self.start + from..self.start + to
    }

    pub(super) fn bytes(&self, info: &TensorInfo) -> &[u8] {
        &(*self.content).as_ref()[self.range(info)]
    }
}

impl TensorSource<f32> for TensorFile {
    fn place(&self) -> String {
        self.place.clone()
    }

    fn tensor(&self, name: &str) -> Result<Option<TensorView<'_, f32>>> {
        let (Some(info), Some(shape)) = (self.header.info(name), self.shape(name)) else {
            return Ok(None);
        };
        let values = match self.code(name, info) {
            Some(Code::Full) => numbers(self.bytes(info)),
            Some(Code::Compact(entries)) => {
                let units = self.units(name, entries, info)?;
                Cow::Owned(entries.values(self.bytes(info), &units))
            }
            Some(Code::Values(values)) => Cow::Owned(self.named_values(name, info, values)?),
            None => {
                let problem = format!("tensor `{name}` is of type {:?}", info.dtype);
                return Err(Error::unsupported(self.place(), problem, "write it as F32"));
            }
        };
        Ok(Some((shape, values)))
    }

    fn shape(&self, name: &str) -> Option<Vec<usize>> {
        let info = self.header.info(name)?;
        let mut shape = info.shape.clone();
        if let Some(Code::Compact(CompactEntries::Nibbles)) = self.code(name, info)
            && let Some(columns) = shape.last_mut()
        {
            // A tensor without rows may claim any number of columns.
            *columns = columns.saturating_mul(2);
        }
        Some(shape)
    }

    fn whole_numbers(&self, name: &str, shape: &[usize]) -> Result<Option<Vec<u32>>> {
        if let Some(info) = self.header.info(name).filter(|info| info.shape == shape)
            && self.header.info(&unit_of(name)).is_none()
        {
            match self.code(name, info) {
                Some(Code::Compact(CompactEntries::Bytes)) => {
                    return Ok(Some(whole_entries::<1>(self.bytes(info))));
                }
                Some(Code::Compact(CompactEntries::Whole)) => {
                    return Ok(Some(whole_entries::<2>(self.bytes(info))));
                }
                _ => {}
            }
        }
        Ok(whole_numbers(&self.shaped(name, shape)?))
    }

    fn stored_rows(
        &self,
        name: &str,
        shape: [usize; 2],
    ) -> Result<Option<Arc<dyn StoredRows<f32>>>> {
        let info = self.header.info(name).filter(|_| self.shape(name).is_some_and(|s| s == shape));
        let Some(info) = info else { return Ok(None) };
        let Some(Code::Compact(entries @ (CompactEntries::Small | CompactEntries::Nibbles))) =
            self.code(name, info)
        else {
            return Ok(None);
        };
        let units = self.units(name, entries, info)?;
        if units.len() != shape[0] {
            return Ok(None);
        }
        let rows = SmallRows::new(&self.content, entries, self.range(info), shape[1], &units);
        Ok(rows.map(|rows| Arc::new(rows) as Arc<dyn StoredRows<f32>>))
    }
}

/// Returns the float32 numbers of a tensor. Copies them if they are unaligned: tensors begin after
/// a header of any length, so perhaps not at a multiple of 4.
pub(super) fn numbers(bytes: &[u8]) -> Cow<'_, [f32]> {
    match bytemuck::try_cast_slice(bytes) {
        Ok(values) => Cow::Borrowed(values),
        Err(_) => {
            let (numbers, _) = bytes.as_chunks::<4>();
            Cow::Owned(numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
        }
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
    fn whole_numbers_are_the_same_in_whatever_type_they_are_written() {
        let read = |dtype: Dtype, bytes: &[u8], unit: Option<f32>| {
            let unit = unit.map(f32::to_le_bytes);
            let unit =
                unit.iter().map(|bytes| ("w.unit".to_owned(), Dtype::F32, vec![1], &bytes[..]));
            let tensors = [("w".to_owned(), dtype, vec![3], bytes)].into_iter().chain(unit);
            let file = TensorFile::from_bytes("here", serialize(tensors, None)).unwrap();
            assert!(file.whole_numbers("w", &[2]).is_err(), "of another length");
            file.whole_numbers("w", &[3]).unwrap()
        };
        let floats = |x: [f32; 3]| x.map(f32::to_le_bytes).concat();
        let words = [7u16, 0, 65535].map(u16::to_le_bytes).concat();
        assert_eq!(read(Dtype::U16, &words, None), Some(vec![7, 0, 65535]));
        assert_eq!(read(Dtype::F32, &floats([7.0, 0.0, 65535.0]), None), Some(vec![7, 0, 65535]));
        assert_eq!(read(Dtype::U16, &words, Some(2.0)), Some(vec![14, 0, 131_070]));
        assert_eq!(read(Dtype::U16, &words, Some(0.5)), None);
        assert_eq!(read(Dtype::U8, &[7, 0, 255], None), Some(vec![7, 0, 255]));
        for not_whole in [-1.0, 0.5, f32::NAN, f32::INFINITY, 1e20] {
            assert_eq!(read(Dtype::F32, &floats([1.0, not_whole, 2.0]), None), None);
        }
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
