//! Rows of numbers in 4 bits per entry, two entries in a byte, with one unit per row.
//!
//! An entry is a whole number from −7 to 7, stored as one from 1 to 15, and is to be multiplied by
//! the unit of its row. The low half of byte i has entry i of its row, the high half entry
//! i + columns / 2, so that a row is read as two runs without mixing them.

use half::f16;

/// The largest magnitude of an entry, in units.
const LARGEST: f32 = 7.0;

/// What is stored for zero.
const ZERO: u8 = 8;

/// Bytes that are read at once: whole registers, without a remainder for the compiler to think of.
const TOGETHER: usize = 32;

/// How many units are tried for a row, and by how much of the largest they differ. Clipping the few
/// entries that are far larger than the others can leave the row closer to what it was.
const TRIED: u8 = 18;
const STEP: f32 = 0.03;

/// Returns the largest of the halves that are not above a positive number.
fn half_below(x: f32) -> f16 {
    let nearest = f16::from_f32(x);
    if nearest.to_f32() > x { f16::from_bits(nearest.to_bits() - 1) } else { nearest }
}

/// Rounds a row whose length is even, and adds its bytes. Returns its unit, or `None` if a half
/// cannot hold it.
///
/// Of the units tried, takes the one with the least squared error. The first, a seventh of the
/// largest magnitude, is rounded down, so that the largest entry is always 7 and the unit of a
/// rounded row is found again.
pub(super) fn round_row(row: &[f32], bytes: &mut Vec<u8>) -> Option<f16> {
    let largest = row.iter().fold(0.0f32, |largest, x| largest.max(x.abs())) / LARGEST;
    if largest > f16::MAX.to_f32() {
        return None;
    }
    let error = |unit: f16| {
        let unit = unit.to_f32();
        row.iter().map(|x| (x - entry(*x, unit) * unit).powi(2)).sum::<f32>()
    };
    let units = (0..TRIED).map(|i| half_below(largest * (1.0 - f32::from(i) * STEP)));
    let errors = units.filter(|unit| *unit > f16::ZERO).map(|unit| (error(unit), unit));
    let best = errors.reduce(|best, other| if other.0 < best.0 { other } else { best });
    let Some((_, unit)) = best else {
        bytes.extend(std::iter::repeat_n(ZERO | ZERO << 4, row.len() / 2));
        return Some(f16::ONE);
    };
    let stored = |x: f32| (entry(x, unit.to_f32()) as i8 + ZERO as i8) as u8;
    let (low, high) = row.split_at(row.len() / 2);
    bytes.extend(low.iter().zip(high).map(|(&low, &high)| stored(low) | stored(high) << 4));
    Some(unit)
}

/// Returns the entry nearest to x.
fn entry(x: f32, unit: f32) -> f32 {
    (x / unit).round().clamp(-LARGEST, LARGEST)
}

/// Reads a row of twice as many entries as there are bytes.
#[inline(always)]
pub(super) fn read_row(bytes: &[u8], unit: f32, values: &mut [f32]) {
    let (low, high) = values.split_at_mut(bytes.len());
    let (wide_low, rest_low) = low.as_chunks_mut::<TOGETHER>();
    let (wide_high, rest_high) = high.as_chunks_mut::<TOGETHER>();
    let (wide, rest) = bytes.as_chunks::<TOGETHER>();
    for ((low, high), bytes) in wide_low.iter_mut().zip(wide_high).zip(wide) {
        // All bytes are taken before a value is written. Otherwise the compiler would have to
        // expect that values overwrite bytes, and would go one by one.
        let (low_entries, high_entries) = (bytes.map(low_entry), bytes.map(high_entry));
        for (value, entry) in low.iter_mut().zip(low_entries) {
            *value = f32::from(entry) * unit;
        }
        for (value, entry) in high.iter_mut().zip(high_entries) {
            *value = f32::from(entry) * unit;
        }
    }
    for ((low, high), &byte) in rest_low.iter_mut().zip(rest_high).zip(rest) {
        *low = f32::from(low_entry(byte)) * unit;
        *high = f32::from(high_entry(byte)) * unit;
    }
}

#[inline(always)]
fn low_entry(byte: u8) -> i8 {
    (byte & 15) as i8 - ZERO as i8
}

#[inline(always)]
fn high_entry(byte: u8) -> i8 {
    (byte >> 4) as i8 - ZERO as i8
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Rounds a row, and reads it again.
    fn rounded(row: &[f32]) -> (Vec<u8>, f16, Vec<f32>) {
        let mut bytes = Vec::new();
        let unit = round_row(row, &mut bytes).unwrap();
        let mut values = vec![f32::NAN; row.len()];
        read_row(&bytes, unit.to_f32(), &mut values);
        (bytes, unit, values)
    }

    fn squared_error(row: &[f32], values: &[f32]) -> f32 {
        row.iter().zip(values).map(|(x, y)| (x - y).powi(2)).sum()
    }

    /// Rows of an even length, over all magnitudes that occur and some that do not.
    fn rows() -> impl Strategy<Value = Vec<f32>> {
        (0..70usize, -40..18i32).prop_flat_map(|(half, exponent)| {
            let scale = 2f32.powi(exponent);
            prop::collection::vec((-1.0f32..1.0).prop_map(move |x| x.powi(3) * scale), 2 * half)
        })
    }

    proptest! {
        #[test]
        fn a_rounded_row_is_rounded_to_the_same_bytes_and_unit(row in rows()) {
            let (bytes, unit, values) = rounded(&row);
            let (again, same_unit, same) = rounded(&values);
            prop_assert_eq!((again, same_unit.to_bits()), (bytes, unit.to_bits()));
            prop_assert_eq!(same, values);
        }

        #[test]
        fn entries_come_back_in_their_places_within_a_unit(row in rows(), scale in 1e-3f32..1.0) {
            // Without outliers, the nearest entry is at most half a unit away.
            let row: Vec<f32> = row.iter().map(|x| x.signum() * scale).collect();
            let (_, _, values) = rounded(&row);
            for (x, y) in row.iter().zip(values) {
                prop_assert!((x - y).abs() <= scale * 1e-3, "{} {}", x, y);
            }
        }

        #[test]
        fn rows_read_together_are_those_read_bit_by_bit(
            bytes in prop::collection::vec(any::<u8>(), 0..200), unit in -2.0f32..2.0,
        ) {
            let mut values = vec![f32::NAN; bytes.len() * 2];
            read_row(&bytes, unit, &mut values);
            for (i, byte) in bytes.iter().enumerate() {
                let entries = [i32::from(byte % 16) - 8, i32::from(byte / 16) - 8];
                prop_assert_eq!(values[i], entries[0] as f32 * unit);
                prop_assert_eq!(values[i + bytes.len()], entries[1] as f32 * unit);
            }
        }
    }

    #[test]
    fn a_unit_is_chosen_that_leaves_less_error_than_the_largest_entry_would() {
        let row: Vec<f32> = (0..128).map(|i| ((i as f32) * 0.7).sin().powi(5) * 0.1).collect();
        let mut outlier = row.clone();
        outlier[5] = 0.2;
        for row in [row, outlier] {
            let (_, _, values) = rounded(&row);
            let unit = row.iter().fold(0.0f32, |most, x| most.max(x.abs())) / LARGEST;
            let simple: Vec<f32> = row.iter().map(|x| (x / unit).round() * unit).collect();
            assert!(squared_error(&row, &values) < squared_error(&row, &simple));
        }
    }

    #[test]
    fn numbers_too_large_for_a_half_are_not_rounded_and_too_small_ones_become_zero() {
        let mut bytes = Vec::new();
        assert_eq!(round_row(&[0.0, 1e6], &mut bytes), None);
        assert_eq!(round_row(&[f32::INFINITY, 0.0], &mut bytes), None);
        assert!(bytes.is_empty());
        assert_eq!(rounded(&[1e-9, -1e-8]).2, [0.0, 0.0]);
        assert!(rounded(&[]).2.is_empty());
    }
}
