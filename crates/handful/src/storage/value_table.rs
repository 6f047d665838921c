//! Numbers in 8 bits that name one of at most 256 values.
//!
//! For positive numbers over many orders of magnitude whose ratios matter. The values are evenly
//! spaced on a logarithmic scale from the smallest number to the largest. A file has the values
//! themselves, so that all machines read the same numbers.

use rayon::prelude::*;
use std::collections::BTreeSet;

/// How many values 8 bits can name.
pub(super) const MOST: usize = 256;

/// How many entries a thread reads at a time.
const BLOCK: usize = 1 << 15;

/// Rounds numbers to values, of which it returns those in use, in increasing order, and each
/// number's place among them. Returns `None` if a number is not positive and finite.
///
/// The ratio of a number to its value is at most e^(s/2) either way, where s is a 255th of the
/// logarithm of the ratio of the largest to the smallest number. At most 256 different numbers are
/// values themselves, so what is rounded stays as it is.
pub(super) fn round_to_values(numbers: &[f32]) -> Option<(Vec<u8>, Vec<f32>)> {
    if numbers.is_empty() || !numbers.iter().all(|x| *x > 0.0 && x.is_finite()) {
        return None;
    }
    let (least, most) = numbers
        .iter()
        .fold((f32::INFINITY, 0.0f32), |(least, most), &x| (least.min(x), most.max(x)));
    let (start, end) = (f64::from(least).ln(), f64::from(most).ln());
    let step = (end - start) / (MOST - 1) as f64;
    let are_few = different(numbers.iter().copied()).is_some();
    let rounded: Vec<f32> = if are_few {
        numbers.to_vec()
    } else {
        let value = |x: &f32| {
            let place = ((f64::from(*x).ln() - start) / step).round();
            (start + step * place).exp() as f32
        };
        numbers.par_iter().map(value).collect()
    };
    let values = different(rounded.iter().copied())?;
    let place = |x: &f32| values.partition_point(|value| value < x) as u8;
    Some((rounded.par_iter().map(place).collect(), values))
}

/// Returns the different ones of some positive numbers, in increasing order, or `None` if there are
/// more than 8 bits can name.
fn different(numbers: impl Iterator<Item = f32>) -> Option<Vec<f32>> {
    // Positive floating-point numbers are ordered as their bits are.
    let mut bits = BTreeSet::new();
    for x in numbers {
        if bits.insert(x.to_bits()) && bits.len() > MOST {
            return None;
        }
    }
    Some(bits.into_iter().map(f32::from_bits).collect())
}

/// Reads the values that bytes name. Returns `None` if one names none of the `values`.
pub(super) fn read_values(bytes: &[u8], values: &[f32]) -> Option<Vec<f32>> {
    let last = bytes.iter().fold(0, |last: u8, &place| last.max(place));
    if !bytes.is_empty() && usize::from(last) >= values.len() {
        return None;
    }
    let mut table = [0.0; MOST];
    table.iter_mut().zip(values).for_each(|(place, &value)| *place = value);
    let mut numbers = vec![0.0; bytes.len()];
    let blocks = numbers.par_chunks_mut(BLOCK).zip(bytes.par_chunks(BLOCK));
    blocks.for_each(|(numbers, bytes)| {
        for (number, &place) in numbers.iter_mut().zip(bytes) {
            *number = table[usize::from(place)];
        }
    });
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ratios_are_kept_within_half_a_step_and_rounding_again_changes_nothing(
            logarithms in prop::collection::vec(-80.0f64..80.0, 1..1500), scale in 0.0f64..1.0,
        ) {
            let numbers: Vec<f32> = logarithms.iter().map(|x| (x * scale).exp() as f32).collect();
            let (bytes, values) = round_to_values(&numbers).unwrap();
            let read = read_values(&bytes, &values).unwrap();
            let (least, most) = values.iter().chain(&numbers)
                .fold((f32::INFINITY, 0.0f32), |(least, most), &x| (least.min(x), most.max(x)));
            let step = f64::from(most / least).ln() / 255.0;
            for (x, y) in numbers.iter().zip(&read) {
                let ratio = f64::from(*x) / f64::from(*y);
                prop_assert!(ratio.ln().abs() <= step / 2.0 + 1e-6, "{} {}", x, y);
            }
            prop_assert_eq!(round_to_values(&read), Some((bytes, values)));
        }
    }

    #[test]
    fn a_few_different_numbers_come_back_as_they_were() {
        let numbers: Vec<f32> = (0..1000).map(|i| 0.1 + (i * 7 % MOST) as f32).collect();
        let (bytes, values) = round_to_values(&numbers).unwrap();
        assert_eq!((values.len(), read_values(&bytes, &values)), (MOST, Some(numbers)));
    }

    #[test]
    fn numbers_without_a_logarithm_are_not_rounded() {
        for number in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(round_to_values(&[1.0, number]), None);
        }
        assert_eq!(round_to_values(&[]), None);
    }

    #[test]
    fn bytes_that_name_no_value_are_noticed() {
        assert_eq!(read_values(&[0, 2, 1], &[0.5, 1.0, 3.0]), Some(vec![0.5, 3.0, 1.0]));
        assert_eq!(read_values(&[0, 3, 1], &[0.5, 1.0, 3.0]), None);
        assert_eq!(read_values(&[0], &[]), None);
        assert_eq!(read_values(&[], &[]), Some(vec![]));
    }
}
