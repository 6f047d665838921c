//! SIMD for float32, chosen at run time by what the processor has.
//!
//! Rows whose length is a whole number of registers take the explicit kernels; others, which only
//! small models have, take the reference, compiled for the processor at hand.

use super::elementary::{exp_of_negative, log_of_one_plus, one_minus_exp};
use super::{AdamConstants, Owed, VANISHING, reference, vectorised};
use crate::nn::{FLOOR, Real};
use pulp::{Arch, Simd, WithSimd};

/// Inputs that share a pass over the rows: with two rows ten sums, which fit every register file.
const INPUTS: usize = 5;

pub fn dots(
    rows: &[f32],
    columns: usize,
    inputs: &[f32],
    outputs: &mut [f32],
    strides: [usize; 2],
) {
    Arch::new().dispatch(Dots { rows, columns, inputs, outputs, strides });
}

pub fn combine(rows: &[f32], columns: usize, scales: &[f32], outputs: &mut [f32]) {
    Arch::new().dispatch(Combine { rows, columns, scales, outputs });
}

pub fn add_scaled(y: &mut [f32], scale: f32, x: &[f32]) {
    vectorised(
        #[inline(always)]
        || {
            for (y, &x) in y.iter_mut().zip(x) {
                *y = scale.mul_add(x, *y);
            }
        },
    );
}

pub fn softplus(values: &mut [f32]) {
    vectorised(
        #[inline(always)]
        || {
            for value in values {
                let z = *value;
                let log = log_of_one_plus(exp_of_negative(-z.abs()));
                let sum = if z > 0.0 { z + log } else { log };
                let floored = if sum < FLOOR as f32 { FLOOR as f32 } else { sum };
                *value = if z.is_nan() { z } else { floored };
            }
        },
    );
}

pub fn softplus_backward(gradients: &mut [f32], values: &[f32]) {
    vectorised(
        #[inline(always)]
        || {
            for (gradient, &value) in gradients.iter_mut().zip(values) {
                let stopped = value <= FLOOR as f32 && *gradient > 0.0;
                let passed = *gradient * (one_minus_exp(value) / value);
                *gradient = reference::without_negligible(if stopped { 0.0 } else { passed });
            }
        },
    );
}

pub fn adam(
    weights: &mut [f32],
    first: &mut [f32],
    second: &mut [f32],
    gradient: &[f32],
    constants: &AdamConstants<f32>,
) {
    vectorised(
        #[inline(always)]
        || reference::adam(weights, first, second, gradient, constants),
    );
}

pub fn adam_outer<'a>(
    weights: &mut [f32],
    first: &mut [f32],
    second: &mut [f32],
    products: impl Iterator<Item = (&'a [f32], &'a [f32])> + Clone,
    columns: usize,
    constants: &AdamConstants<f32>,
) {
    Arch::new().dispatch(AdamOuter { weights, first, second, products, columns, constants });
}

pub fn catch_up(
    weights: &mut [f32],
    first: &mut [f32],
    second: &mut [f32],
    owed: &Owed<f32>,
    epsilon: f32,
) {
    vectorised(
        #[inline(always)]
        || reference::catch_up(weights, first, second, owed, epsilon),
    );
}

struct Dots<'a> {
    rows: &'a [f32],
    columns: usize,
    inputs: &'a [f32],
    outputs: &'a mut [f32],
    strides: [usize; 2],
}

impl WithSimd for Dots<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { rows, columns, inputs, outputs, strides } = self;
        if columns % S::F32_LANES != 0 {
            return reference::dots(rows, columns, inputs, outputs, strides);
        }
        let batch = inputs.len() / columns;
        for (pair_number, pair) in rows.chunks(2 * columns).enumerate() {
            for start in (0..batch).step_by(INPUTS) {
                let inputs = &inputs[start * columns..];
                let outputs = &mut outputs[2 * pair_number * strides[0] + start * strides[1]..];
                macro_rules! block {
                    ($rows:literal, $inputs:literal) => {{
                        let sums = dots_block::<S, $rows, $inputs>(simd, pair, columns, inputs);
                        for (m, sums) in sums.into_iter().enumerate() {
                            for (b, sum) in sums.into_iter().enumerate() {
                                outputs[m * strides[0] + b * strides[1]] = sum;
                            }
                        }
                    }};
                }
                match (pair.len() / columns, (batch - start).min(INPUTS)) {
                    (2, 5) => block!(2, 5),
                    (2, 4) => block!(2, 4),
                    (2, 3) => block!(2, 3),
                    (2, 2) => block!(2, 2),
                    (2, 1) => block!(2, 1),
                    (1, 5) => block!(1, 5),
                    (1, 4) => block!(1, 4),
                    (1, 3) => block!(1, 3),
                    (1, 2) => block!(1, 2),
                    _ => block!(1, 1),
                }
            }
        }
    }
}

/// All products of M rows and B inputs, their sums kept in registers.
#[inline(always)]
fn dots_block<S: Simd, const M: usize, const B: usize>(
    simd: S,
    rows: &[f32],
    columns: usize,
    inputs: &[f32],
) -> [[f32; B]; M] {
    let registers = columns / S::F32_LANES;
    let row = |i: usize| &S::as_simd_f32s(&rows[i * columns..(i + 1) * columns]).0[..registers];
    let rows: [&[S::f32s]; M] = std::array::from_fn(row);
    let input = |i: usize| &S::as_simd_f32s(&inputs[i * columns..(i + 1) * columns]).0[..registers];
    let inputs: [&[S::f32s]; B] = std::array::from_fn(input);
    let mut sums = [[simd.splat_f32s(0.0); B]; M];
    for r in 0..registers {
        for m in 0..M {
            for b in 0..B {
                sums[m][b] = simd.mul_add_e_f32s(rows[m][r], inputs[b][r], sums[m][b]);
            }
        }
    }
    sums.map(|sums| sums.map(|sum| simd.reduce_sum_f32s(sum)))
}

struct Combine<'a> {
    rows: &'a [f32],
    columns: usize,
    scales: &'a [f32],
    outputs: &'a mut [f32],
}

impl WithSimd for Combine<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { rows, columns, scales, outputs } = self;
        if columns % S::F32_LANES != 0 {
            return reference::combine(rows, columns, scales, outputs);
        }
        let batch = outputs.len() / columns;
        let rows = S::as_simd_f32s(rows).0;
        let outputs = S::as_mut_simd_f32s(outputs).0;
        for start in (0..batch).step_by(INPUTS) {
            macro_rules! block {
                ($outputs:literal) => {
                    combine_block::<S, $outputs>(
                        simd,
                        rows,
                        columns / S::F32_LANES,
                        (scales, batch, start),
                        outputs,
                    )
                };
            }
            match (batch - start).min(INPUTS) {
                5 => block!(5),
                4 => block!(4),
                3 => block!(3),
                2 => block!(2),
                _ => block!(1),
            }
        }
    }
}

/// Adds the combinations for B outputs, two registers of columns at a time.
#[inline(always)]
fn combine_block<S: Simd, const B: usize>(
    simd: S,
    rows: &[S::f32s],
    registers: usize,
    (scales, batch, start): (&[f32], usize, usize),
    outputs: &mut [S::f32s],
) {
    let mut r = 0;
    while r < registers {
        // The last register of an odd number is done by itself, as both of a pair.
        let pair = [r, (r + 1).min(registers - 1)];
        let mut sums = [[simd.splat_f32s(0.0); 2]; B];
        for (row, scales) in rows.chunks_exact(registers).zip(scales.chunks_exact(batch)) {
            let (left, right) = (row[pair[0]], row[pair[1]]);
            for b in 0..B {
                let scale = simd.splat_f32s(scales[start + b]);
                sums[b][0] = simd.mul_add_e_f32s(scale, left, sums[b][0]);
                sums[b][1] = simd.mul_add_e_f32s(scale, right, sums[b][1]);
            }
        }
        for (b, sums) in sums.into_iter().enumerate() {
            let output = &mut outputs[(start + b) * registers..(start + b + 1) * registers];
            output[pair[0]] = simd.add_f32s(output[pair[0]], sums[0]);
            if pair[1] > pair[0] {
                output[pair[1]] = simd.add_f32s(output[pair[1]], sums[1]);
            }
        }
        r += 2;
    }
}

struct AdamOuter<'c, P> {
    weights: &'c mut [f32],
    first: &'c mut [f32],
    second: &'c mut [f32],
    products: P,
    columns: usize,
    constants: &'c AdamConstants<f32>,
}

impl<'a, P: Iterator<Item = (&'a [f32], &'a [f32])> + Clone> WithSimd for AdamOuter<'_, P> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { weights, first, second, products, columns, constants } = self;
        if columns % S::F32_LANES != 0 {
            return reference::adam_outer(weights, first, second, products, columns, constants);
        }
        let registers = columns / S::F32_LANES;
        let weights = S::as_mut_simd_f32s(weights).0;
        let first = S::as_mut_simd_f32s(first).0;
        let second = S::as_mut_simd_f32s(second).0;
        for i in 0..weights.len() / registers {
            let mut r = 0;
            while r < registers {
                let width = if r + 4 <= registers { 4 } else { 1 };
                let piece = i * registers + r..i * registers + r + width;
                let state =
                    (&mut weights[piece.clone()], &mut first[piece.clone()], &mut second[piece]);
                if width == 4 {
                    adam_outer_block::<S, 4>(
                        simd,
                        state,
                        products.clone(),
                        (i, columns, r),
                        constants,
                    );
                } else {
                    adam_outer_block::<S, 1>(
                        simd,
                        state,
                        products.clone(),
                        (i, columns, r),
                        constants,
                    );
                }
                r += width;
            }
        }
    }
}

/// Weights and both moments.
type AdamState<'a, V> = (&'a mut [V], &'a mut [V], &'a mut [V]);

/// Adam on C registers of row `i`, from register `r` on, its gradient multiplied out in registers.
#[inline(always)]
fn adam_outer_block<'a, S: Simd, const C: usize>(
    simd: S,
    (weights, first, second): AdamState<'_, S::f32s>,
    products: impl Iterator<Item = (&'a [f32], &'a [f32])>,
    (i, columns, r): (usize, usize, usize),
    constants: &AdamConstants<f32>,
) {
    let mut gradient = [simd.splat_f32s(0.0); C];
    for (left, right) in products {
        let rank = right.len() / columns;
        let right = S::as_simd_f32s(right).0.chunks_exact(columns / S::F32_LANES);
        for (&scale, right) in left[i * rank..(i + 1) * rank].iter().zip(right) {
            let scale = simd.splat_f32s(scale);
            let right = &right[r..r + C];
            for c in 0..C {
                gradient[c] = simd.mul_add_e_f32s(scale, right[c], gradient[c]);
            }
        }
    }
    let splat = |value: f32| simd.splat_f32s(value);
    let (decay1, fresh1) = (splat(constants.first[0]), splat(constants.first[1]));
    let (decay2, fresh2) = (splat(constants.second[0]), splat(constants.second[1]));
    let (scale, epsilon) = (splat(constants.second_scale), splat(constants.epsilon));
    let (rate, clip) = (splat(constants.rate), splat(constants.clip));
    let (zero, vanishing) = (splat(0.0), splat(VANISHING as f32));
    let negligible = splat(f32::NEGLIGIBLE);
    let smaller = |x, bound| simd.less_than_f32s(simd.abs_f32s(x), bound);
    let (weights, first, second) = (&mut weights[..C], &mut first[..C], &mut second[..C]);
    for c in 0..C {
        let g = simd.mul_f32s(clip, gradient[c]);
        let g = simd.select_f32s(smaller(g, negligible), zero, g);
        let m = simd.mul_add_e_f32s(decay1, first[c], simd.mul_f32s(fresh1, g));
        let square = simd.mul_f32s(fresh2, simd.mul_f32s(g, g));
        let v = simd.mul_add_e_f32s(decay2, second[c], square);
        let root = simd.mul_add_e_f32s(simd.sqrt_f32s(v), scale, epsilon);
        first[c] = simd.select_f32s(smaller(m, vanishing), zero, m);
        second[c] = simd.select_f32s(smaller(v, vanishing), zero, v);
        weights[c] = simd.sub_f32s(weights[c], simd.div_f32s(simd.mul_f32s(rate, m), root));
    }
}
