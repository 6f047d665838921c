//! Reads tensors that were written with fewer bits.

use super::nibbles;
use crate::numeric::kernels;
use half::f16;
use half::slice::HalfFloatSliceExt;
use rayon::prelude::*;

/// How many entries a thread reads at a time.
const BLOCK: usize = 1 << 15;

/// Small entries that are turned into float32 numbers at once: whole registers, without a remainder
/// for the compiler to think of.
const TOGETHER: usize = 64;

/// How many halves are converted to float32 at a time.
const HALVES: usize = 256;

/// How a tensor's entries are stored.
#[derive(Clone, Copy, Debug)]
pub(super) enum CompactEntries {
    /// Four bits, signed, two in a byte; a unit for each row.
    Nibbles,
    /// Eight bits, signed.
    Small,
    /// Eight bits, unsigned.
    Bytes,
    /// Sixteen bits, unsigned.
    Whole,
    /// Half precision.
    Half,
}

impl CompactEntries {
    /// Returns how many bytes so many entries of a row take.
    pub(super) fn bytes(self, entries: usize) -> usize {
        match self {
            Self::Nibbles => entries / 2,
            Self::Small | Self::Bytes => entries,
            Self::Whole | Self::Half => entries * 2,
        }
    }

    /// Returns how many entries so many bytes hold.
    fn entries(self, bytes: usize) -> usize {
        match self {
            Self::Nibbles => bytes * 2,
            Self::Small | Self::Bytes => bytes,
            Self::Whole | Self::Half => bytes / 2,
        }
    }

    /// Reads all entries of a tensor and multiplies them by its units: one for all, or one per row.
    pub(super) fn values(self, bytes: &[u8], units: &[f32]) -> Vec<f32> {
        // Most of the time goes into touching new memory for the first time, so threads share that
        // work.
        let mut values = vec![0.0; self.entries(bytes.len())];
        let row = (values.len() / units.len()).max(1);
        let may_cut_rows = units.len() == 1 && !matches!(self, Self::Nibbles);
        let block = if may_cut_rows { BLOCK } else { BLOCK.div_ceil(row) * row };
        let blocks = values.par_chunks_mut(block).zip(bytes.par_chunks(self.bytes(block)));
        blocks.enumerate().for_each(|(b, (values, bytes))| {
            self.read(bytes, row, &units[b * block / row..], values);
        });
        values
    }

    /// Reads consecutive entries. Each run of `row` entries shares a unit.
    pub(super) fn read(self, bytes: &[u8], row: usize, units: &[f32], values: &mut [f32]) {
        let rows = values.chunks_mut(row).zip(bytes.chunks(self.bytes(row))).zip(units);
        match self {
            Self::Nibbles => kernels::vectorised(
                #[inline(always)]
                || {
                    for ((values, bytes), &unit) in rows {
                        nibbles::read_row(bytes, unit, values);
                    }
                },
            ),
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
            Self::Bytes => {
                for ((values, bytes), &unit) in rows {
                    for (value, &byte) in values.iter_mut().zip(bytes) {
                        *value = f32::from(byte) * unit;
                    }
                }
            }
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

/// Reads whole numbers without units, of 8 or 16 bits each.
pub(super) fn whole_entries<const BYTES: usize>(bytes: &[u8]) -> Vec<u32> {
    let (entries, _) = bytes.as_chunks::<BYTES>();
    let mut numbers = vec![0; entries.len()];
    let blocks = numbers.par_chunks_mut(BLOCK).zip(entries.par_chunks(BLOCK));
    blocks.for_each(|(numbers, entries)| {
        for (number, entry) in numbers.iter_mut().zip(entries) {
            *number = entry.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_read_in_blocks_are_those_read_one_by_one() {
        let (rows, columns) = (BLOCK / 100, 302);
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
        let of_words = words.iter().map(|&word| u32::from(word));
        assert!(whole_entries::<2>(bytes).into_iter().eq(of_words));
        let of_bytes = bytes.iter().map(|&byte| u32::from(byte));
        assert!(whole_entries::<1>(bytes).into_iter().eq(of_bytes));
        for units in [&units[..], &[0.3]] {
            let half = |i: usize| f16::from_bits(words[i]).to_f32();
            same(CompactEntries::Half.values(bytes, units), &half, units);
            let whole = |i: usize| f32::from(words[i]);
            same(CompactEntries::Whole.values(bytes, units), &whole, units);
            let small = |i: usize| f32::from(bytes[i] as i8);
            same(CompactEntries::Small.values(&bytes[..words.len()], units), &small, units);
            let byte = |i: usize| f32::from(bytes[i]);
            same(CompactEntries::Bytes.values(&bytes[..words.len()], units), &byte, units);
            let half_row = words.len() / units.len() / 2;
            let nibble = |i: usize| {
                let (row, place) = (i / (2 * half_row), i % (2 * half_row));
                let byte = bytes[row * half_row + place % half_row];
                f32::from(if place < half_row { byte % 16 } else { byte / 16 }) - 8.0
            };
            same(CompactEntries::Nibbles.values(&bytes[..words.len() / 2], units), &nibble, units);
        }
    }
}
