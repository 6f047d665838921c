//! Writes tensors with fewer bits, in files of a quarter the size.
//!
//! Whole numbers take 16 bits and lose nothing. A matrix with many rows takes 8 bits per entry,
//! with a separate unit for each row. Anything else takes half precision. The units are in a second
//! tensor, `NAME.unit`, with one number, or one per row.

use super::tensor_file::serialize;
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

/// Returns the content of a safetensors file with these tensors (name, shape, entries), rounded.
pub fn compact_tensor_bytes<'a>(
    tensors: impl IntoIterator<Item = (String, Vec<usize>, &'a [f32])>,
) -> Vec<u8> {
    let mut written = Vec::new();
    for (name, shape, values) in tensors {
        let is_whole = |x: &f32| *x >= 0.0 && *x <= f32::from(u16::MAX) && x.fract() == 0.0;
        if values.iter().all(is_whole) {
            let numbers: Vec<u16> = values.iter().map(|&x| x as u16).collect();
            written.push((name, Dtype::U16, shape, bytemuck::cast_slice(&numbers).to_vec()));
            continue;
        }
        let (dtype, bytes, units) = match shape[..] {
            [rows, columns] if rows >= MANY_ROWS => by_row(values, columns),
            _ => halves(values),
        };
        let of_units = (unit_of(&name), Dtype::F32, vec![units.len()]);
        written.push((name, dtype, shape, bytes));
        let (name, dtype, shape) = of_units;
        written.push((name, dtype, shape, bytemuck::cast_slice(&units).to_vec()));
    }
    let views = written
        .iter()
        .map(|(name, dtype, shape, bytes)| (name.clone(), *dtype, shape.clone(), &bytes[..]));
    serialize(views, None)
}

/// Rounds to eight bits per entry, with a unit for each row.
fn by_row(values: &[f32], columns: usize) -> (Dtype, Vec<u8>, Vec<f32>) {
    let (mut bytes, mut units) = (Vec::with_capacity(values.len()), Vec::new());
    for row in values.chunks_exact(columns) {
        let unit = largest(row) / f32::from(i8::MAX);
        bytes.extend(row.iter().map(|x| (x / unit).round() as i8 as u8));
        units.push(unit);
    }
    (Dtype::I8, bytes, units)
}

/// Rounds to half precision, sixteen bits per entry, with a single unit.
fn halves(values: &[f32]) -> (Dtype, Vec<u8>, Vec<f32>) {
    let unit = largest(values) / LARGEST_HALF;
    let bytes = values.iter().flat_map(|x| f16::from_f32(x / unit).to_le_bytes()).collect();
    (Dtype::F16, bytes, vec![unit])
}

/// Returns the largest magnitude, or 1 if all values are zero.
fn largest(values: &[f32]) -> f32 {
    let largest = values.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    if largest > 0.0 { largest } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::TensorFile;
    use crate::storage::TensorSource;

    #[test]
    fn tensors_come_back_rounded_to_their_units() {
        let whole = [0.0f32, 7.0, 65535.0];
        let small: Vec<f32> = (1..350).map(|i| 1e-9 * 1.05f32.powi(i)).collect();
        let wide: Vec<f32> = (0..2048 * 3).map(|i| ((i as f32) * 0.7).sin() * 3.0).collect();
        let mut with_zeros = wide.clone();
        with_zeros[..3].fill(0.0);
        let tensors = [
            ("whole", vec![3], &whole[..]),
            ("small", vec![349], &small[..]),
            ("wide", vec![2048, 3], &with_zeros[..]),
        ];
        let named = tensors.iter().map(|(name, shape, x)| ((*name).to_owned(), shape.clone(), *x));
        let file = TensorFile::from_bytes("here", compact_tensor_bytes(named)).unwrap();
        let read = |name: &str, shape: &[usize]| file.shaped(name, shape).unwrap().into_owned();
        assert_eq!(read("whole", &[3]), whole);
        // A half has ten bits after the binary point.
        for (x, y) in small.iter().zip(read("small", &[349])) {
            assert!((x - y).abs() <= x / 2048.0 + 1e-12, "{x} {y}");
        }
        for (x, y) in with_zeros.chunks(3).zip(read("wide", &[2048, 3]).chunks(3)) {
            let unit = largest(x) / 127.0;
            assert!(x.iter().zip(y).all(|(x, y)| (x - y).abs() <= unit * 0.5001), "{x:?} {y:?}");
        }
    }

    #[test]
    fn units_of_another_shape_are_refused() {
        let entries: &[u8] = &[1, 2, 3, 4, 5, 6];
        for shape in [vec![], vec![2], vec![3, 2], vec![1, 3]] {
            let unit = vec![1.0f32; shape.iter().product()];
            let tensors = [
                ("w".to_owned(), Dtype::I8, vec![3, 2], entries),
                ("w.unit".to_owned(), Dtype::F32, shape, bytemuck::cast_slice(&unit)),
            ];
            let file = TensorFile::from_bytes("here", serialize(tensors, None)).unwrap();
            let error = file.shaped("w", &[3, 2]).unwrap_err().to_string();
            assert!(error.contains("tensor `w.unit` has not one number"), "{error}");
        }
    }

    #[test]
    fn what_is_rounded_stays_as_it_is_when_it_is_rounded_again() {
        let wide: Vec<f32> = (0..2048 * 3).map(|i| ((i as f32) * 0.7).sin() * 3.0).collect();
        let bytes =
            |values: &[f32]| compact_tensor_bytes([("w".to_owned(), vec![2048, 3], values)]);
        let once = TensorFile::from_bytes("here", bytes(&wide)).unwrap();
        let once = once.shaped("w", &[2048, 3]).unwrap().into_owned();
        let twice = TensorFile::from_bytes("here", bytes(&once)).unwrap();
        assert_eq!(*twice.shaped("w", &[2048, 3]).unwrap(), once);
    }
}
