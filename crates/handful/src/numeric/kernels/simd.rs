//! SIMD for float32, chosen at run time by what the processor has.
//!
//! Rows whose length is a whole number of registers take the explicit kernels; others, which only
//! small models have, take the reference, compiled for the processor at hand.

use super::elementary::{exp_of_negative, log_of_one_plus, one_minus_exp};
use super::{Owed, prefetch, prefetch_second, reference, vectorised};
use crate::numeric::{FLOOR, Real, arch};
use pulp::{Simd, WithSimd};
use std::ops::Range;

/// The most inputs that share a pass over the rows: their sums with [`ROWS`] rows, or with half of them
/// where there are 16 registers, stay in registers.
const INPUTS: usize = 6;

/// Rows that share a pass over the inputs.
const ROWS: usize = 4;

/// The most outputs that share a pass over the rows, with 32 registers and with 16: two sums each.
const OUTPUTS: [usize; 2] = [12, 6];

/// Fewer numbers than this are near already: asking for them ahead would only take time.
const WIDE: usize = 1 << 15;

/// Rows that are combined before the next are read, with 32 registers and with 16: few enough for the
/// fastest cache, which is smaller in processors with fewer registers.
const STRIP: [usize; 2] = [32, 16];

/// Numbers in a line of the caches.
const LINE: usize = 16;

/// Splits `batch` items into as few ranges as possible, each at most `most` long, all within one of the
/// same length. A pass for one item takes nearly as long as a pass for several.
fn even_shares(batch: usize, most: usize) -> impl Iterator<Item = Range<usize>> {
    let shares = batch.div_ceil(most);
    (0..shares).map(move |i| i * batch / shares..(i + 1) * batch / shares)
}

pub fn dots(rows: &[f32], columns: usize, inputs: &[f32], offsets: &[f32], outputs: &mut [f32]) {
    arch().dispatch(Dots { rows, columns, inputs, offsets, outputs });
}

/// The longest row that [`add_rows`] takes several of at a time.
const SHORT: usize = 64;

/// Short rows that are added together: as many as make whole registers, whatever their length.
const TOGETHER: usize = 16;

pub fn add_rows(sums: &mut [f32], rows: &[f32]) {
    let columns = sums.len();
    vectorised(
        #[inline(always)]
        || {
            if columns > SHORT {
                return reference::add_rows(sums, rows);
            }
            let mut together = [0.0; TOGETHER * SHORT];
            let together = &mut together[..TOGETHER * columns];
            let mut groups = rows.chunks_exact(together.len());
            for group in &mut groups {
                for (sum, x) in together.iter_mut().zip(group) {
                    *sum += x;
                }
            }
            reference::add_rows(sums, together);
            reference::add_rows(sums, groups.remainder());
        },
    );
}

pub fn combine(rows: &[f32], columns: usize, scales: &[f32], outputs: &mut [f32]) {
    arch().dispatch(Combine { rows, columns, scales, outputs });
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

pub fn exp_below(values: &mut [f32], bounds: &[f32]) {
    vectorised(
        #[inline(always)]
        || {
            for (value, &bound) in values.iter_mut().zip(bounds) {
                *value = exp_of_negative(*value - bound).at_least(FLOOR as f32);
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
    offsets: &'a [f32],
    outputs: &'a mut [f32],
}

impl WithSimd for Dots<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { rows, columns, inputs, offsets, outputs } = self;
        if columns % S::F32_LANES != 0 {
            return reference::dots(rows, columns, inputs, offsets, outputs);
        }
        let batch = inputs.len() / columns;
        let ahead = if rows.len() < WIDE { &[][..] } else { rows };
        let mut blocks_ahead = ahead.chunks(ROWS * columns).skip(1);
        let rows = rows.chunks(ROWS * columns).zip(outputs.chunks_mut(ROWS * batch));
        for (i, (rows, outputs)) in rows.enumerate() {
            // Four rows are often a page of memory, beyond which the processor does not look ahead.
            prefetch(blocks_ahead.next().unwrap_or_default());
            let offset = |m: usize| offsets.get(i * ROWS + m).copied().unwrap_or(0.0);
            for Range { start, end } in even_shares(batch, INPUTS) {
                let inputs = &inputs[start * columns..];
                macro_rules! block {
                    ($inputs:literal) => {
                        if rows.len() == ROWS * columns && S::F32_LANES >= ROWS {
                            let sums = dots_of_four::<S, $inputs>(simd, rows, columns, inputs);
                            for (m, outputs) in outputs.chunks_exact_mut(batch).enumerate() {
                                let outputs = &mut outputs[start..start + $inputs];
                                for b in 0..$inputs {
                                    outputs[b] = sums[b][m] + offset(m);
                                }
                            }
                        } else {
                            for (m, row) in rows.chunks_exact(columns).enumerate() {
                                let sums = dots_block::<S, 1, $inputs>(simd, row, columns, inputs);
                                for b in 0..$inputs {
                                    outputs[m * batch + start + b] =
                                        simd.reduce_sum_f32s(sums[b][0]) + offset(m);
                                }
                            }
                        }
                    };
                }
                match end - start {
                    6 => block!(6),
                    5 => block!(5),
                    4 => block!(4),
                    3 => block!(3),
                    2 => block!(2),
                    _ => block!(1),
                }
            }
        }
    }
}

/// All products of M rows and B inputs, lane by lane, kept in registers.
#[inline(always)]
fn dots_block<S: Simd, const M: usize, const B: usize>(
    simd: S,
    rows: &[f32],
    columns: usize,
    inputs: &[f32],
) -> [[S::f32s; M]; B] {
    let registers = columns / S::F32_LANES;
    let row = |i: usize| &S::as_simd_f32s(&rows[i * columns..(i + 1) * columns]).0[..registers];
    let rows: [&[S::f32s]; M] = std::array::from_fn(row);
    let input = |i: usize| &S::as_simd_f32s(&inputs[i * columns..(i + 1) * columns]).0[..registers];
    let inputs: [&[S::f32s]; B] = std::array::from_fn(input);
    let mut sums = [[simd.splat_f32s(0.0); M]; B];
    for r in 0..registers {
        for b in 0..B {
            for m in 0..M {
                sums[b][m] = simd.mul_add_e_f32s(rows[m][r], inputs[b][r], sums[b][m]);
            }
        }
    }
    sums
}

/// All products of four rows and B inputs.
#[inline(always)]
fn dots_of_four<S: Simd, const B: usize>(
    simd: S,
    rows: &[f32],
    columns: usize,
    inputs: &[f32],
) -> [[f32; ROWS]; B] {
    let mut products = [[0.0; ROWS]; B];
    if S::REGISTER_COUNT >= 32 {
        let sums = dots_block::<S, ROWS, B>(simd, rows, columns, inputs);
        for b in 0..B {
            products[b] = sums_of_four(simd, sums[b]);
        }
    } else {
        // Half the sums, so that they stay in registers.
        let (upper, lower) = rows.split_at(2 * columns);
        let upper = dots_block::<S, 2, B>(simd, upper, columns, inputs);
        let lower = dots_block::<S, 2, B>(simd, lower, columns, inputs);
        for b in 0..B {
            products[b] = sums_of_four(simd, [upper[b][0], upper[b][1], lower[b][0], lower[b][1]]);
        }
    }
    products
}

/// The sum over the lanes of each of four registers: turned so that every four lanes belong to the
/// four registers, they take a quarter of the additions.
#[inline(always)]
fn sums_of_four<S: Simd>(simd: S, registers: [S::f32s; ROWS]) -> [f32; ROWS] {
    let [a, b, c, d] = simd.deinterleave_shfl_f32s(registers);
    let turned = [simd.add_f32s(simd.add_f32s(a, b), simd.add_f32s(c, d))];
    let lanes: &[[f32; ROWS]] = bytemuck::cast_slice(&turned);
    let mut sums = lanes[0];
    for lanes in &lanes[1..] {
        for m in 0..ROWS {
            sums[m] += lanes[m];
        }
    }
    sums
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
        let (batch, registers) = (outputs.len() / columns, columns / S::F32_LANES);
        let few_registers = usize::from(S::REGISTER_COUNT < 32);
        let (most, strip) = (OUTPUTS[few_registers], STRIP[few_registers]);
        let mut strips_ahead = rows.chunks(strip * columns).skip(1);
        let rows = S::as_simd_f32s(rows).0.chunks(strip * registers);
        let outputs = S::as_mut_simd_f32s(outputs).0;
        for (rows, scales) in rows.zip(scales.chunks(strip * batch)) {
            let mut next = strips_ahead.next().unwrap_or_default();
            for Range { start, end } in even_shares(batch, most) {
                macro_rules! block {
                    ($outputs:literal) => {{
                        let scales = (scales, batch, start);
                        let rows = (rows, std::mem::take(&mut next));
                        combine_block::<S, $outputs>(simd, rows, registers, scales, outputs);
                    }};
                }
                match end - start {
                    12 => block!(12),
                    11 => block!(11),
                    10 => block!(10),
                    9 => block!(9),
                    8 => block!(8),
                    7 => block!(7),
                    6 => block!(6),
                    5 => block!(5),
                    4 => block!(4),
                    3 => block!(3),
                    2 => block!(2),
                    _ => block!(1),
                }
            }
        }
    }
}

/// Adds the combinations for B outputs, two registers of columns at a time. Meanwhile asks for the same
/// columns of the `next` rows: the processor does not guess them, because rows are read across.
#[inline(always)]
fn combine_block<S: Simd, const B: usize>(
    simd: S,
    (rows, next): (&[S::f32s], &[f32]),
    registers: usize,
    (scales, batch, start): (&[f32], usize, usize),
    outputs: &mut [S::f32s],
) {
    let outputs = &mut outputs[start * registers..(start + B) * registers];
    let mut r = 0;
    while r < registers {
        // The last register of an odd number is done by itself, as both of a pair.
        let pair = [r, (r + 1).min(registers - 1)];
        let column = r * S::F32_LANES;
        if column.is_multiple_of(LINE) {
            for row in next.chunks_exact(registers * S::F32_LANES) {
                let end = (column + LINE.max(2 * S::F32_LANES)).min(row.len());
                prefetch_second(&row[column..end]);
            }
        }
        let mut sums = [[simd.splat_f32s(0.0); 2]; B];
        for (row, scales) in rows.chunks_exact(registers).zip(scales.chunks_exact(batch)) {
            let (left, right) = (row[pair[0]], row[pair[1]]);
            let scales = &scales[start..start + B];
            for b in 0..B {
                let scale = simd.splat_f32s(scales[b]);
                sums[b][0] = simd.mul_add_e_f32s(scale, left, sums[b][0]);
                sums[b][1] = simd.mul_add_e_f32s(scale, right, sums[b][1]);
            }
        }
        for b in 0..B {
            let output = &mut outputs[b * registers..(b + 1) * registers];
            output[pair[0]] = simd.add_f32s(output[pair[0]], sums[b][0]);
            if pair[1] > pair[0] {
                output[pair[1]] = simd.add_f32s(output[pair[1]], sums[b][1]);
            }
        }
        r += 2;
    }
}
