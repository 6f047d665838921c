//! Reads tensors that were written with fewer bits.

use crate::nn::StoredRows;
use crate::numeric::kernels;
use half::f16;
use half::slice::HalfFloatSliceExt;
use rayon::prelude::*;
use safetensors::Dtype;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// How many entries a thread reads at a time.
const BLOCK: usize = 1 << 15;

/// Small entries that are turned into float32 numbers at once: whole registers, without a remainder
/// for the compiler to think of.
const TOGETHER: usize = 64;

/// How many halves are converted to float32 at a time.
const HALVES: usize = 256;

/// A file's bytes.
pub(super) type Content = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// The type of a tensor's entries.
#[derive(Clone, Copy, Debug)]
pub(super) enum CompactEntries {
    /// Eight bits, signed.
    Small,
    /// Sixteen bits, unsigned.
    Whole,
    /// Half precision.
    Half,
}

impl CompactEntries {
    /// Returns the type of the entries, or `None` if this format does not use `dtype`.
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

    /// Reads all entries of a tensor and multiplies them by its units: one for all, or one per row.
    pub(super) fn values(self, bytes: &[u8], units: &[f32]) -> Vec<f32> {
        // Most of the time goes into touching new memory for the first time, so threads share that
        // work.
        let mut values = vec![0.0; bytes.len() / self.bytes()];
        let row = (values.len() / units.len()).max(1);
        let block = if units.len() == 1 { BLOCK } else { BLOCK.div_ceil(row) * row };
        let blocks = values.par_chunks_mut(block).zip(bytes.par_chunks(block * self.bytes()));
        blocks.enumerate().for_each(|(b, (values, bytes))| {
            self.read(bytes, row, &units[b * block / row..], values);
        });
        values
    }

    /// Reads consecutive entries. Each run of `row` entries shares a unit.
    fn read(self, bytes: &[u8], row: usize, units: &[f32], values: &mut [f32]) {
        let rows = values.chunks_mut(row).zip(bytes.chunks(row * self.bytes())).zip(units);
        match self {
            Self::Small => kernels::vectorised(
                #[inline(always)]
                || {
                    for ((values, bytes), &unit) in rows {
                        let (wide, rest) = values.as_chunks_mut::<TOGETHER>();
                        let (wide_bytes, rest_bytes) = bytes.as_chunks::<TOGETHER>();
                        for (values, bytes) in wide.iter_mut().zip(wide_bytes) {
                            for (value, &byte) in values.iter_mut().zip(bytes) {
                                *value = f32::from(byte as i8) * unit;
                            }
                        }
                        for (value, &byte) in rest.iter_mut().zip(rest_bytes) {
                            *value = f32::from(byte as i8) * unit;
                        }
                    }
                },
            ),
            Self::Whole => {
                for ((values, bytes), &unit) in rows {
                    for (value, &pair) in values.iter_mut().zip(bytes.as_chunks().0) {
                        *value = f32::from(u16::from_le_bytes(pair)) * unit;
                    }
                }
            }
            Self::Half => {
                for ((values, bytes), &unit) in rows {
                    read_halves(bytes, values);
                    values.iter_mut().for_each(|value| *value *= unit);
                }
            }
        }
    }
}

/// Reads the entries of a [`CompactEntries::Whole`] tensor without units.
pub(super) fn whole_entries(bytes: &[u8]) -> Vec<u32> {
    let (pairs, _) = bytes.as_chunks();
    let mut numbers = vec![0; pairs.len()];
    let blocks = numbers.par_chunks_mut(BLOCK).zip(pairs.par_chunks(BLOCK));
    blocks.for_each(|(numbers, pairs)| {
        for (number, &pair) in numbers.iter_mut().zip(pairs) {
            *number = u16::from_le_bytes(pair).into();
        }
    });
    numbers
}

/// Converts half-precision entries. Copies them first: the bytes in a file may be unaligned, but
/// the processor's conversion needs aligned halves.
fn read_halves(bytes: &[u8], values: &mut [f32]) {
    let mut halves = [f16::ZERO; HALVES];
    for (values, pairs) in values.chunks_mut(HALVES).zip(bytes.as_chunks().0.chunks(HALVES)) {
        let halves = &mut halves[..values.len()];
        for (half, &pair) in halves.iter_mut().zip(pairs) {
            *half = f16::from_le_bytes(pair);
        }
        halves.convert_to_f32_slice(values);
    }
}

/// A matrix with eight bits per entry, read from its file on demand.
pub(super) struct SmallRows {
    content: Content,
    /// The matrix's byte range in the file.
    place: Range<usize>,
    columns: usize,
    /// One unit per row.
    units: Vec<f32>,
}

impl SmallRows {
    /// Returns `None` if an entry might not be finite.
    pub(super) fn new(content: &Content, place: Range<usize>, units: &[f32]) -> Option<Self> {
        let is_finite = |unit: &f32| (unit * f32::from(i8::MIN)).is_finite();
        let columns = place.len() / units.len().max(1);
        let (content, units) = (Arc::clone(content), units.to_vec());
        units.iter().all(is_finite).then_some(Self { content, place, columns, units })
    }
}

impl fmt::Debug for SmallRows {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SmallRows").field("place", &self.place).finish_non_exhaustive()
    }
}

impl StoredRows<f32> for SmallRows {
    fn read(&self, rows: Range<usize>, values: &mut [f32]) {
        let Self { content, place, columns, units } = self;
        let end = rows.end.min(units.len());
        let start = rows.start.min(end);
        let (values, beyond) = values.split_at_mut((end - start) * columns);
        let bytes = &(**content).as_ref()[place.clone()][start * columns..end * columns];
        CompactEntries::Small.read(bytes, *columns, &units[start..end], values);
        beyond.fill(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_read_in_blocks_are_those_read_one_by_one() {
        let (rows, columns) = (BLOCK / 100, 301);
        let units: Vec<f32> = (0..rows).map(|row| 1.5 + row as f32).collect();
        // All values of 16 bits, including NaN and infinity.
        let words: Vec<u16> = (0..rows * columns).map(|i| (i * 7) as u16).collect();
        let bytes: &[u8] = bytemuck::cast_slice(&words);
        let same = |read: Vec<f32>, entry: &dyn Fn(usize) -> f32, units: &[f32]| {
            assert_eq!(read.len(), words.len());
            for (i, x) in read.iter().enumerate() {
                let expected = entry(i) * units[i * units.len() / words.len()];
                assert!(*x == expected || x.is_nan() && expected.is_nan(), "{i}: {x} {expected}");
            }
        };
        assert!(whole_entries(bytes).into_iter().eq(words.iter().map(|&word| u32::from(word))));
        for units in [&units[..], &[0.3]] {
            let half = |i: usize| f16::from_bits(words[i]).to_f32();
            same(CompactEntries::Half.values(bytes, units), &half, units);
            let whole = |i: usize| f32::from(words[i]);
            same(CompactEntries::Whole.values(bytes, units), &whole, units);
            let small = |i: usize| f32::from(bytes[i] as i8);
            same(CompactEntries::Small.values(&bytes[..words.len()], units), &small, units);
        }
    }

    #[test]
    fn rows_are_those_of_the_whole_matrix_and_zeros_after_it() {
        let (rows, columns) = (5, 3);
        let bytes: Vec<u8> = (0..20).map(|i| i * 13).collect();
        let units = [0.5, 1.0, 2.0, 1e-3, 7.0];
        let (place, content) = (2..2 + rows * columns, Arc::new(bytes.clone()));
        let mut all = CompactEntries::Small.values(&bytes[place.clone()], &units);
        all.extend([0.0; 9]);
        let stored = SmallRows::new(&(content as Content), place, &units).unwrap();
        for range in [0..5, 1..3, 4..4, 3..7, 5..5, 6..8] {
            let mut read = vec![9.0; range.len() * columns];
            stored.read(range.clone(), &mut read);
            assert_eq!(read, all[range.start * columns..range.end * columns]);
        }
    }

    #[test]
    fn rows_that_may_not_be_finite_are_not_left_in_their_file() {
        let content: Content = Arc::new(vec![0u8; 4]);
        let stored = |unit: f32| SmallRows::new(&content, 0..4, &[1.0, unit]).is_some();
        assert!(stored(2e36) && !stored(3e36) && !stored(f32::NAN) && !stored(f32::INFINITY));
    }
}
