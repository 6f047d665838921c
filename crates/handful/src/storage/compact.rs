//! Tensors in few bits: files of a quarter the size.
//!
//! Whole numbers take 16 bits and lose nothing. A matrix of many rows takes 8 bits an entry, in units
//! of its own for every row; anything else is a half-precision number. Units are in a tensor beside,
//! `NAME.unit`: one, or one a row.

use super::tensor_file::serialize;
use crate::nn::kernels;
use half::f16;
use half::slice::HalfFloatSliceExt;
use rayon::prelude::*;
use safetensors::Dtype;

/// A matrix of so many rows has rows of a unit of their own.
const MANY_ROWS: usize = 1024;

/// The largest of the numbers that a half-precision tensor holds, in its units: half of what there is
/// room for.
const LARGEST_HALF: f32 = 32768.0;

/// The name of the tensor with the units of another.
pub(super) fn unit_of(name: &str) -> String {
    format!("{name}.unit")
}

/// The content of a safetensors file with these tensors (name, shape, entries), rounded.
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

/// Eight bits an entry.
fn by_row(values: &[f32], columns: usize) -> (Dtype, Vec<u8>, Vec<f32>) {
    let (mut bytes, mut units) = (Vec::with_capacity(values.len()), Vec::new());
    for row in values.chunks_exact(columns) {
        let unit = largest(row) / f32::from(i8::MAX);
        bytes.extend(row.iter().map(|x| (x / unit).round() as i8 as u8));
        units.push(unit);
    }
    (Dtype::I8, bytes, units)
}

/// Sixteen bits an entry.
fn halves(values: &[f32]) -> (Dtype, Vec<u8>, Vec<f32>) {
    let unit = largest(values) / LARGEST_HALF;
    let bytes = values.iter().flat_map(|x| f16::from_f32(x / unit).to_le_bytes()).collect();
    (Dtype::F16, bytes, vec![unit])
}

/// The largest magnitude; 1 where all are zeros.
fn largest(values: &[f32]) -> f32 {
    let largest = values.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    if largest > 0.0 { largest } else { 1.0 }
}

/// Entries that are read together.
const BLOCK: usize = 1 << 15;

/// Halves that are turned into float32 numbers at once.
const HALVES: usize = 256;

/// How the entries of a tensor are written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Compact {
    /// Eight bits with a sign.
    Small,
    /// Sixteen bits without.
    Whole,
    /// Half precision.
    Half,
}

impl Compact {
    /// `None` for types that are not of this format.
    pub(super) fn of(dtype: Dtype) -> Option<Self> {
        match dtype {
            Dtype::I8 => Some(Self::Small),
            Dtype::U16 => Some(Self::Whole),
            Dtype::F16 => Some(Self::Half),
            _ => None,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Self::Small => 1,
            Self::Whole | Self::Half => 2,
        }
    }

    /// The entries of a tensor in its units: one, or one for each of its rows.
    pub(super) fn values(self, bytes: &[u8], units: &[f32]) -> Vec<f32> {
        // Threads share memory that is touched for the first time: most of the time goes into it.
        let mut values = vec![0.0; bytes.len() / self.bytes()];
        let row = (values.len() / units.len()).max(1);
        let block = if units.len() == 1 { BLOCK } else { BLOCK.div_ceil(row) * row };
        let blocks = values.par_chunks_mut(block).zip(bytes.par_chunks(block * self.bytes()));
        blocks.enumerate().for_each(|(b, (values, bytes))| {
            let rows = values.chunks_mut(row).zip(bytes.chunks(row * self.bytes()));
            for ((values, bytes), &unit) in rows.zip(&units[b * block / row..]) {
                self.read(bytes, unit, values);
            }
        });
        values
    }

    /// Entries that have a unit in common.
    fn read(self, bytes: &[u8], unit: f32, values: &mut [f32]) {
        let (pairs, _) = bytes.as_chunks();
        match self {
            Self::Small => kernels::vectorised(
                #[inline(always)]
                || {
                    for (value, &byte) in values.iter_mut().zip(bytes) {
                        *value = f32::from(byte as i8) * unit;
                    }
                },
            ),
            Self::Whole => {
                for (value, &pair) in values.iter_mut().zip(pairs) {
                    *value = f32::from(u16::from_le_bytes(pair)) * unit;
                }
            }
            Self::Half => {
                let mut halves = [f16::ZERO; HALVES];
                for (values, pairs) in values.chunks_mut(HALVES).zip(pairs.chunks(HALVES)) {
                    let halves = &mut halves[..values.len()];
                    for (half, &pair) in halves.iter_mut().zip(pairs) {
                        *half = f16::from_le_bytes(pair);
                    }
                    halves.convert_to_f32_slice(values);
                    values.iter_mut().for_each(|value| *value *= unit);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prior::TensorSource;
    use crate::storage::TensorFile;

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
        // Ten bits of a half are behind the point.
        for (x, y) in small.iter().zip(read("small", &[349])) {
            assert!((x - y).abs() <= x / 2048.0 + 1e-12, "{x} {y}");
        }
        for (x, y) in with_zeros.chunks(3).zip(read("wide", &[2048, 3]).chunks(3)) {
            let unit = largest(x) / 127.0;
            assert!(x.iter().zip(y).all(|(x, y)| (x - y).abs() <= unit * 0.5001), "{x:?} {y:?}");
        }
    }

    #[test]
    fn entries_read_in_blocks_are_those_read_one_by_one() {
        let (rows, columns) = (BLOCK / 100, 301);
        let units: Vec<f32> = (0..rows).map(|row| 1.5 + row as f32).collect();
        // All that 16 bits can say, numbers that are none and infinite ones included.
        let words: Vec<u16> = (0..rows * columns).map(|i| (i * 7) as u16).collect();
        let bytes: &[u8] = bytemuck::cast_slice(&words);
        let same = |read: Vec<f32>, entry: &dyn Fn(usize) -> f32, units: &[f32]| {
            assert_eq!(read.len(), words.len());
            for (i, x) in read.iter().enumerate() {
                let expected = entry(i) * units[i * units.len() / words.len()];
                assert!(*x == expected || x.is_nan() && expected.is_nan(), "{i}: {x} {expected}");
            }
        };
        for units in [&units[..], &[0.3]] {
            let half = |i: usize| f16::from_bits(words[i]).to_f32();
            same(Compact::Half.values(bytes, units), &half, units);
            let whole = |i: usize| f32::from(words[i]);
            same(Compact::Whole.values(bytes, units), &whole, units);
            let small = |i: usize| f32::from(bytes[i] as i8);
            same(Compact::Small.values(&bytes[..words.len()], units), &small, units);
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
