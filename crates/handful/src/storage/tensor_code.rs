//! How the entries of a file's tensors are to be read, as their types and further tensors say.

use super::compact::{unit_of, values_of};
use super::compact_entries::CompactEntries;
use super::tensor_file::numbers;
use super::{TensorFile, value_table};
use crate::storage::TensorSource;
use crate::{Error, Result};
use safetensors::Dtype;
use safetensors::tensor::TensorInfo;
use std::borrow::Cow;

/// How a tensor's entries are to be read.
pub(super) enum Code<'a> {
    /// As they are.
    Full,
    /// With units.
    Compact(CompactEntries),
    /// As the places of numbers in another tensor.
    Values(&'a TensorInfo),
}

impl TensorFile {
    fn damaged(&self, problem: String) -> Error {
        Error::damaged(self.place(), problem, "copy the file again or write it anew")
    }

    /// Returns how a tensor's entries are to be read, or `None` if it is of a type that is not. A
    /// second tensor says what the entries of a tensor of bytes are.
    pub(super) fn code(&self, name: &str, info: &TensorInfo) -> Option<Code<'_>> {
        let second = |name: String| self.header.info(&name);
        Some(match info.dtype {
            Dtype::F32 => Code::Full,
            Dtype::I8 => Code::Compact(CompactEntries::Small),
            Dtype::U16 => Code::Compact(CompactEntries::Whole),
            Dtype::F16 => Code::Compact(CompactEntries::Half),
            Dtype::U8 => match second(values_of(name)) {
                Some(values) => Code::Values(values),
                None if second(unit_of(name)).is_some() => Code::Compact(CompactEntries::Nibbles),
                None => Code::Compact(CompactEntries::Bytes),
            },
            _ => return None,
        })
    }

    /// Returns the units of a tensor whose entries are not float32: one, or one for each row.
    pub(super) fn units(
        &self,
        name: &str,
        entries: CompactEntries,
        info: &TensorInfo,
    ) -> Result<Cow<'_, [f32]>> {
        let rows = info.shape.first().copied().unwrap_or(1).max(1);
        let is_by_row = matches!(entries, CompactEntries::Nibbles);
        if is_by_row && info.shape.len() != 2 {
            return Err(self.damaged(format!("tensor `{name}` has 4 bits per entry, but no rows")));
        }
        let name = unit_of(name);
        let Some(info) = self.header.info(&name) else { return Ok(Cow::Borrowed(&[1.0])) };
        let numbers = match info.dtype {
            Dtype::F32 => numbers(self.bytes(info)),
            Dtype::F16 => Cow::Owned(CompactEntries::Half.values(self.bytes(info), &[1.0])),
            _ => Cow::Borrowed(&[][..]),
        };
        if info.shape == [rows] && numbers.len() == rows {
            return Ok(numbers);
        }
        if is_by_row {
            return Err(self.damaged(format!("tensor `{name}` has not one number a row")));
        }
        if info.shape == [1] && numbers.len() == 1 {
            return Ok(numbers);
        }
        Err(self.damaged(format!("tensor `{name}` has not one number, or one a row")))
    }

    /// Returns the numbers that a tensor's entries name among the values of a second tensor.
    pub(super) fn named_values(
        &self,
        name: &str,
        info: &TensorInfo,
        values: &TensorInfo,
    ) -> Result<Vec<f32>> {
        let of_values = values_of(name);
        if values.dtype != Dtype::F32 || values.shape.len() != 1 {
            return Err(
                self.damaged(format!("tensor `{of_values}` is no vector of float32 numbers"))
            );
        }
        let values = numbers(self.bytes(values));
        if !values.iter().all(|value| value.is_finite()) {
            return Err(
                self.damaged(format!("tensor `{of_values}` has a number that is not finite"))
            );
        }
        value_table::read_values(self.bytes(info), &values).ok_or_else(|| {
            let count = values.len();
            self.damaged(format!("tensor `{name}` names more than the {count} of `{of_values}`"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tensor_file::serialize;
    use super::*;

    /// Bytes as a tensor's entries.
    const BYTES: [u8; 6] = [1, 2, 3, 4, 5, 6];

    /// A file with `BYTES` in a tensor `w`, and a second tensor.
    fn file(of: (Dtype, &[usize]), second: (&str, Dtype, &[usize])) -> TensorFile {
        let bytes = vec![0x3c; second.2.iter().product::<usize>() * second.1.bitsize() / 8];
        let tensors = [
            ("w".to_owned(), of.0, of.1.to_vec(), &BYTES[..of.1.iter().product()]),
            (second.0.to_owned(), second.1, second.2.to_vec(), &bytes),
        ];
        TensorFile::from_bytes("here", serialize(tensors, None)).unwrap()
    }

    fn refusal(file: &TensorFile) -> String {
        let tensor = file.tensor("w").unwrap_err().to_string();
        if let Some([rows, columns]) = file.shape("w").as_deref() {
            let rows = file.stored_rows("w", [*rows, *columns]);
            assert!(rows.is_ok_and(|rows| rows.is_none()) || tensor.contains("w.unit"));
        }
        tensor
    }

    #[test]
    fn units_of_another_shape_are_refused() {
        let shapes: [&[usize]; 4] = [&[], &[2], &[3, 2], &[1, 3]];
        for shape in shapes {
            for dtype in [Dtype::F32, Dtype::F16] {
                let error = refusal(&file((Dtype::I8, &[3, 2]), ("w.unit", dtype, shape)));
                assert!(error.contains("tensor `w.unit` has not one number, or one a"), "{error}");
                let error = refusal(&file((Dtype::U8, &[3, 2]), ("w.unit", dtype, shape)));
                assert!(error.contains("tensor `w.unit` has not one number a row"), "{error}");
            }
        }
        for dtype in [Dtype::I8, Dtype::U8] {
            let error = refusal(&file((dtype, &[3, 2]), ("w.unit", Dtype::U16, &[3])));
            assert!(error.contains("tensor `w.unit` has not one number"), "{error}");
        }
        let error = refusal(&file((Dtype::U8, &[3, 2]), ("w.unit", Dtype::F16, &[1])));
        assert!(error.contains("tensor `w.unit` has not one number a row"), "{error}");
    }

    #[test]
    fn four_bits_without_rows_are_refused() {
        let shapes: [&[usize]; 3] = [&[], &[3], &[1, 3, 2]];
        for shape in shapes {
            let rows = shape.first().copied().unwrap_or(1);
            let error = refusal(&file((Dtype::U8, shape), ("w.unit", Dtype::F16, &[rows])));
            assert!(error.contains("tensor `w` has 4 bits per entry, but no rows"), "{error}");
        }
    }

    #[test]
    fn a_matrix_of_four_bits_has_twice_the_columns_that_its_file_names() {
        let file = file((Dtype::U8, &[3, 2]), ("w.unit", Dtype::F16, &[3]));
        assert_eq!(file.shape("w").as_deref(), Some(&[3, 4][..]));
        assert_eq!(file.shaped("w", &[3, 4]).unwrap().len(), 12);
        assert!(file.stored_rows("w", [3, 4]).unwrap().is_some());
        for columns in [2, 3, 5] {
            let error = file.shaped("w", &[3, columns]).unwrap_err().to_string();
            assert!(error.contains(&format!("shape [3, 4] and not [3, {columns}]")), "{error}");
            assert!(file.stored_rows("w", [3, columns]).unwrap().is_none());
        }
    }

    #[test]
    fn a_matrix_without_rows_may_claim_any_number_of_columns() {
        for columns in [0, 1, usize::MAX] {
            let file = file((Dtype::U8, &[0, columns]), ("w.unit", Dtype::F16, &[1]));
            let (shape, values) = file.tensor("w").unwrap().unwrap();
            assert_eq!((shape[0], values.len()), (0, 0));
        }
    }

    #[test]
    fn values_that_cannot_be_named_are_refused() {
        let with =
            |dtype, shape: &[usize]| refusal(&file((Dtype::U8, &[6]), ("w.values", dtype, shape)));
        for count in [0, 1, 6] {
            let error = with(Dtype::F32, &[count]);
            let expected = format!("tensor `w` names more than the {count} of `w.values`");
            assert!(error.contains(&expected), "{error}");
        }
        for (dtype, shape) in
            [(Dtype::F32, vec![7, 1]), (Dtype::F16, vec![7]), (Dtype::F32, vec![])]
        {
            let error = with(dtype, &shape);
            assert!(error.contains("`w.values` is no vector of float32 numbers"), "{error}");
        }
        let file = file((Dtype::U8, &[6]), ("w.values", Dtype::F32, &[7]));
        assert_eq!(file.vector("w", 6).unwrap().len(), 6);
        let values = [1.0, 2.0, f32::NAN, 4.0, 5.0, 6.0, 7.0].map(f32::to_le_bytes).concat();
        let tensors = [
            ("w".to_owned(), Dtype::U8, vec![6], &BYTES[..]),
            ("w.values".to_owned(), Dtype::F32, vec![7], &values),
        ];
        let file = TensorFile::from_bytes("here", serialize(tensors, None)).unwrap();
        assert!(refusal(&file).contains("`w.values` has a number that is not finite"));
    }
}
