//! Writes tensors with fewer bits, in files of a quarter the size.
//!
//! Whole numbers take 8 or 16 bits and lose nothing. A matrix with many rows takes 4 bits per entry,
//! with a unit for each row, or 8 bits if it has an odd number of columns or numbers too large for
//! that. Positive numbers whose ratios matter take 8 bits. Anything else takes half precision, with
//! one unit. A second tensor says how to read the first: `NAME.unit` has what entries are to be
//! multiplied by, `NAME.values` what the entries number.

use super::tensor_file::serialize;
use super::{nibbles, value_table};
use crate::storage::Tensors;
use half::f16;
use safetensors::Dtype;

/// A matrix with at least this many rows has a unit for each row.
const MANY_ROWS: usize = 1024;

/// The largest magnitude that a half-precision tensor holds, in its units: half of what the type
/// can hold.
const LARGEST_HALF: f32 = 32768.0;

/// Returns the name of the tensor with the units of `name`.
pub(super) fn unit_of(name: &str) -> String {
    format!("{name}.unit")
}

/// Returns the name of the tensor with the values that the entries of `name` number.
pub(super) fn values_of(name: &str) -> String {
    format!("{name}.values")
}

/// Tensors that are to be written with fewer bits.
#[derive(Clone, Debug)]
pub struct CompactTensors<R> {
    /// The tensors.
    pub tensors: Tensors<R>,
    /// The names of tensors with positive entries of which the ratios matter and not the
    /// differences.
    pub ratios: &'static [&'static str],
}

impl<R> From<Tensors<R>> for CompactTensors<R> {
    fn from(tensors: Tensors<R>) -> Self {
        Self { tensors, ratios: &[] }
    }
}

/// A tensor of a file: its name, type, shape and bytes.
type Written = (String, Dtype, Vec<usize>, Vec<u8>);

/// Returns the content of a safetensors file with these tensors, rounded.
pub fn compact_tensor_bytes(tensors: &CompactTensors<f32>) -> Vec<u8> {
    let mut written = Vec::new();
    for (name, tensor) in &tensors.tensors {
        let in_ratio = tensors.ratios.contains(&&**name);
        written.extend(rounded(name, &tensor.shape, &tensor.values, in_ratio));
    }
    let views = written
        .iter()
        .map(|(name, dtype, shape, bytes)| (name.clone(), *dtype, shape.clone(), &bytes[..]));
    serialize(views, None)
}

/// Returns a rounded tensor, and the one that says how to read it if it needs one.
fn rounded(name: &str, shape: &[usize], values: &[f32], in_ratio: bool) -> Vec<Written> {
    let entries = |dtype, bytes| (name.to_owned(), dtype, shape.to_vec(), bytes);
    if let Some((dtype, bytes)) = whole(values) {
        return vec![entries(dtype, bytes)];
    }
    let units = |units: &[f32]| (unit_of(name), Dtype::F32, vec![units.len()], le_bytes(units));
    if in_ratio && let Some((places, values)) = value_table::round_to_values(values) {
        let values = (values_of(name), Dtype::F32, vec![values.len()], le_bytes(&values));
        return vec![entries(Dtype::U8, places), values];
    }
    if let [rows, columns] = *shape
        && rows >= MANY_ROWS
    {
        if let Some((bytes, units)) = by_row_in_nibbles(values, columns) {
            let units = (unit_of(name), Dtype::F16, vec![rows], units);
            return vec![(name.to_owned(), Dtype::U8, vec![rows, columns / 2], bytes), units];
        }
        let (bytes, of_rows) = by_row(values, columns);
        return vec![entries(Dtype::I8, bytes), units(&of_rows)];
    }
    let (bytes, unit) = halves(values);
    vec![entries(Dtype::F16, bytes), units(&[unit])]
}

fn le_bytes(numbers: &[f32]) -> Vec<u8> {
    bytemuck::cast_slice(numbers).to_vec()
}

/// Returns whole numbers in as few bits as hold them all, or `None` if there are others.
fn whole(values: &[f32]) -> Option<(Dtype, Vec<u8>)> {
    let are_at_most =
        |most: f32| values.iter().all(|x| (0.0..=most).contains(x) && x.fract() == 0.0);
    if are_at_most(f32::from(u8::MAX)) {
        Some((Dtype::U8, values.iter().map(|&x| x as u8).collect()))
    } else if are_at_most(f32::from(u16::MAX)) {
        Some((Dtype::U16, values.iter().flat_map(|&x| (x as u16).to_le_bytes()).collect()))
    } else {
        None
    }
}

/// Rounds to four bits per entry, with a unit in half precision for each row. Returns `None` for an
/// odd number of columns, and if a half cannot hold a unit.
fn by_row_in_nibbles(values: &[f32], columns: usize) -> Option<(Vec<u8>, Vec<u8>)> {
    if columns == 0 || !columns.is_multiple_of(2) {
        return None;
    }
    let (mut bytes, mut units) = (Vec::with_capacity(values.len() / 2), Vec::new());
    for row in values.chunks_exact(columns) {
        units.extend(nibbles::round_row(row, &mut bytes)?.to_le_bytes());
    }
    Some((bytes, units))
}

/// Rounds to eight bits per entry, with a unit for each row.
fn by_row(values: &[f32], columns: usize) -> (Vec<u8>, Vec<f32>) {
    let (mut bytes, mut units) = (Vec::with_capacity(values.len()), Vec::new());
    for row in values.chunks_exact(columns) {
        let unit = largest(row) / f32::from(i8::MAX);
        bytes.extend(row.iter().map(|x| (x / unit).round() as i8 as u8));
        units.push(unit);
    }
    (bytes, units)
}

/// Rounds to half precision, sixteen bits per entry, with a single unit.
fn halves(values: &[f32]) -> (Vec<u8>, f32) {
    let unit = largest(values) / LARGEST_HALF;
    let bytes = values.iter().flat_map(|x| f16::from_f32(x / unit).to_le_bytes()).collect();
    (bytes, unit)
}

/// Returns the largest magnitude, or 1 if all values are zero.
fn largest(values: &[f32]) -> f32 {
    let largest = values.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    if largest > 0.0 { largest } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::{Tensor, TensorFile, TensorSource};

    /// A file with these tensors (name, shape, entries), rounded.
    fn file(tensors: &[(&str, &[usize], &[f32])], ratios: &'static [&'static str]) -> TensorFile {
        let tensors = tensors.iter().map(|&(name, shape, values)| {
            (name.to_owned(), Tensor { shape: shape.to_vec(), values: values.to_vec() })
        });
        let bytes = compact_tensor_bytes(&CompactTensors { tensors: tensors.collect(), ratios });
        TensorFile::from_bytes("here", bytes).unwrap()
    }

    fn read(file: &TensorFile, name: &str, shape: &[usize]) -> Vec<f32> {
        file.shaped(name, shape).unwrap().into_owned()
    }

    /// Numbers between −3 and 3 that look like any.
    fn waves(count: usize) -> Vec<f32> {
        (0..count).map(|i| ((i as f32) * 0.7).sin() * 3.0).collect()
    }

    #[test]
    fn tensors_come_back_rounded_to_their_units() {
        let few = [0.0f32, 7.0, 255.0];
        let whole = [0.0f32, 7.0, 65535.0];
        let small: Vec<f32> = (1..350).map(|i| 1e-9 * 1.05f32.powi(i)).collect();
        let mut odd = waves(2048 * 3);
        odd[..3].fill(0.0);
        let mut even = waves(2048 * 4);
        even[..4].fill(0.0);
        let tensors: [(&str, &[usize], &[f32]); 6] = [
            ("few", &[3], &few),
            ("whole", &[3], &whole),
            ("small", &[349], &small),
            ("ratios", &[349], &small),
            ("odd", &[2048, 3], &odd),
            ("even", &[2048, 4], &even),
        ];
        let file = file(&tensors, &["ratios"]);
        assert_eq!(read(&file, "few", &[3]), few);
        assert_eq!(read(&file, "whole", &[3]), whole);
        // A half has ten bits after the binary point.
        for (x, y) in small.iter().zip(read(&file, "small", &[349])) {
            assert!((x - y).abs() <= x / 2048.0 + 1e-12, "{x} {y}");
        }
        let step = 348.0 * 1.05f32.ln() / 255.0;
        for (x, y) in small.iter().zip(read(&file, "ratios", &[349])) {
            assert!((x / y).ln().abs() <= step * 0.5001, "{x} {y}");
        }
        for (x, y) in odd.chunks(3).zip(read(&file, "odd", &[2048, 3]).chunks(3)) {
            let unit = largest(x) / 127.0;
            assert!(x.iter().zip(y).all(|(x, y)| (x - y).abs() <= unit * 0.5001), "{x:?} {y:?}");
        }
        for (x, y) in even.chunks(4).zip(read(&file, "even", &[2048, 4]).chunks(4)) {
            let error = |(x, y): (&f32, &f32)| (x - y).powi(2);
            let (unit, all) = (largest(x) / 7.0, x.iter().zip(y).map(error).sum::<f32>());
            assert!(all <= 4.0 * (unit * 0.501).powi(2), "{x:?} {y:?}");
        }
    }

    #[test]
    fn numbers_too_large_for_four_bits_take_eight() {
        let mut large = waves(2048 * 4);
        large[9] = 1e7;
        let file = file(&[("w", &[2048, 4], &large)], &[]);
        let (expected, found) = (&large[8..12], &read(&file, "w", &[2048, 4])[8..12]);
        assert_eq!(found, [0.0, 1e7, 0.0, 0.0], "{expected:?}");
        assert!(file.stored_rows("w", [2048, 4]).unwrap().is_some());
    }

    #[test]
    fn numbers_whose_ratios_mean_nothing_take_half_precision() {
        let numbers = [0.0f32, 0.5, -2.0];
        let file = file(&[("w", &[3], &numbers)], &["w"]);
        assert_eq!(read(&file, "w", &[3]), numbers);
    }

    #[test]
    fn what_is_rounded_stays_as_it_is_when_it_is_rounded_again() {
        for columns in [3, 4, 128] {
            let wide = waves(2048 * columns);
            let positive: Vec<f32> = wide.iter().map(|x| (x * 5.0).exp()).collect();
            let (shape, length) = ([2048, columns], [wide.len()]);
            let write = |wide: &[f32], positive: &[f32], halves: &[f32]| {
                file(
                    &[("w", &shape, wide), ("p", &length, positive), ("h", &length, halves)],
                    &["p"],
                )
            };
            let bytes = |file: &TensorFile| {
                let [w, p, h] = [("w", &shape[..]), ("p", &length), ("h", &length)]
                    .map(|(n, s)| read(file, n, s));
                (w, p, h)
            };
            let once = bytes(&write(&wide, &positive, &wide));
            let twice = bytes(&write(&once.0, &once.1, &once.2));
            assert_eq!(once, twice);
        }
    }
}
