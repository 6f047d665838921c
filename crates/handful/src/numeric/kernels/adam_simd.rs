//! Sums of scaled rows for float32, and Adam's step, which adds up a row's gradient in registers and uses
//! it there.

use super::{AdamConstants, AdamRow, Addend, KEEPS_NORMAL, reference};
use crate::numeric::arch;
use pulp::{Simd, WithSimd};

pub fn adam<'a, G: Iterator<Item = Addend<'a, f32>> + Clone>(
    rows: impl Iterator<Item = (AdamRow<'a, f32>, G)>,
    constants: &AdamConstants<f32>,
) {
    arch().dispatch(Adam { rows, constants });
}

pub fn add_up<'a>(sums: &mut [f32], addends: impl Iterator<Item = Addend<'a, f32>> + Clone) {
    arch().dispatch(AddUp { sums, addends });
}

struct AddUp<'s, G> {
    sums: &'s mut [f32],
    addends: G,
}

impl<'a, G: Iterator<Item = Addend<'a, f32>> + Clone> WithSimd for AddUp<'_, G> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { sums, addends } = self;
        if sums.len() % S::F32_LANES != 0 {
            return reference::add_up(sums, addends);
        }
        let sums = S::as_mut_simd_f32s(sums).0;
        let registers = sums.len();
        let mut r = 0;
        while r < registers {
            macro_rules! block {
                ($count:literal) => {{
                    let block = sum_block::<S, $count>(simd, addends.clone(), registers, r);
                    let sums = &mut sums[r..r + $count];
                    for c in 0..$count {
                        sums[c] = simd.add_f32s(sums[c], block[c]);
                    }
                    r += $count;
                }};
            }
            if registers - r >= 8 {
                block!(8);
            } else {
                block!(1);
            }
        }
    }
}

struct Adam<'c, I> {
    rows: I,
    constants: &'c AdamConstants<f32>,
}

impl<'a, G, I> WithSimd for Adam<'_, I>
where
    G: Iterator<Item = Addend<'a, f32>> + Clone,
    I: Iterator<Item = (AdamRow<'a, f32>, G)>,
{
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { rows, constants } = self;
        for (row, addends) in rows {
            if row.weights.len() % S::F32_LANES != 0 {
                reference::adam_row(row, addends, constants);
                continue;
            }
            let mut state = [
                S::as_mut_simd_f32s(row.weights).0,
                S::as_mut_simd_f32s(row.first).0,
                S::as_mut_simd_f32s(row.second).0,
            ];
            let registers = state[0].len();
            let mut r = 0;
            while r < registers {
                macro_rules! block {
                    ($count:literal) => {{
                        let gradient = sum_block::<S, $count>(simd, addends.clone(), registers, r);
                        let block = state.each_mut().map(|of| &mut of[r..r + $count]);
                        adam_block::<S, $count>(simd, block, gradient, constants);
                        r += $count;
                    }};
                }
                if registers - r >= 8 {
                    block!(8);
                } else {
                    block!(1);
                }
            }
        }
    }
}

/// C registers of the sum of some rows, from register `r` on.
#[inline(always)]
fn sum_block<'a, S: Simd, const C: usize>(
    simd: S,
    addends: impl Iterator<Item = Addend<'a, f32>>,
    registers: usize,
    r: usize,
) -> [S::f32s; C] {
    let mut sums = [simd.splat_f32s(0.0); C];
    for addend in addends {
        // A single row is a product of one.
        let (one, scales, rows) = match addend {
            Addend::Row(scale, row) => ([scale], None, row),
            Addend::Product(scales, rows) => ([0.0], Some(scales), rows),
        };
        let scales = scales.unwrap_or(&one);
        let rows = S::as_simd_f32s(rows).0;
        for (i, &scale) in scales.iter().enumerate() {
            let (scale, row) = (simd.splat_f32s(scale), &rows[i * registers + r..][..C]);
            for c in 0..C {
                sums[c] = simd.mul_add_e_f32s(scale, row[c], sums[c]);
            }
        }
    }
    sums
}

/// Adam on C registers of weights, first and second moments.
#[inline(always)]
fn adam_block<S: Simd, const C: usize>(
    simd: S,
    [weights, first, second]: [&mut [S::f32s]; 3],
    gradient: [S::f32s; C],
    constants: &AdamConstants<f32>,
) {
    let splat = |value: f32| simd.splat_f32s(value);
    let (decay1, fresh1) = (splat(constants.first[0]), splat(constants.first[1]));
    let (decay2, fresh2) = (splat(constants.second[0]), splat(constants.second[1]));
    let (scale, epsilon) = (splat(constants.second_scale), splat(constants.epsilon));
    let (rate, clip) = (splat(constants.rate), splat(constants.clip));
    let keeps_normal = splat(KEEPS_NORMAL as f32);
    for c in 0..C {
        let g = simd.mul_f32s(clip, gradient[c]);
        let fresh = simd.mul_add_e_f32s(fresh1, g, keeps_normal);
        let m = simd.mul_add_e_f32s(decay1, first[c], fresh);
        let fresh = simd.mul_add_e_f32s(simd.mul_f32s(fresh2, g), g, keeps_normal);
        let v = simd.mul_add_e_f32s(decay2, second[c], fresh);
        let root = simd.mul_add_e_f32s(simd.sqrt_f32s(v), scale, epsilon);
        first[c] = m;
        second[c] = v;
        weights[c] = simd.sub_f32s(weights[c], simd.div_f32s(simd.mul_f32s(rate, m), root));
    }
}
