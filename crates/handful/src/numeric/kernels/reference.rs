//! The scalar reference: what each kernel computes, written down plainly.

use super::{AdamConstants, AdamRow, Addend, KEEPS_NORMAL, Owed, VANISHING};
use crate::numeric::{
    FLOOR, Real, softplus as softplus_of, softplus_backward as softplus_backward_of,
};

pub fn dots<R: Real>(rows: &[R], columns: usize, inputs: &[R], offsets: &[R], outputs: &mut [R]) {
    let batch = inputs.len() / columns;
    for (i, row) in rows.chunks_exact(columns).enumerate() {
        for (b, input) in inputs.chunks_exact(columns).enumerate() {
            let sum: R = row.iter().zip(input).map(|(&a, &b)| a * b).sum();
            outputs[i * batch + b] = sum + offsets.get(i).copied().unwrap_or(R::ZERO);
        }
    }
}

pub fn add_rows<R: Real>(sums: &mut [R], rows: &[R]) {
    for row in rows.chunks_exact(sums.len()) {
        add_scaled(sums, R::ONE, row);
    }
}

pub fn combine<R: Real>(rows: &[R], columns: usize, scales: &[R], outputs: &mut [R]) {
    let batch = outputs.len() / columns;
    for (row, scales) in rows.chunks_exact(columns).zip(scales.chunks_exact(batch)) {
        for (output, &scale) in outputs.chunks_exact_mut(columns).zip(scales) {
            add_scaled(output, scale, row);
        }
    }
}

/// The number, or zero where it is [`Real::NEGLIGIBLE`].
#[inline(always)]
pub fn without_negligible<R: Real>(x: R) -> R {
    if x.abs() < R::NEGLIGIBLE { R::ZERO } else { x }
}

/// The number, or zero where it is [`VANISHING`].
#[inline(always)]
pub fn without_vanishing<R: Real>(x: R) -> R {
    if x.abs() < R::of(VANISHING) { R::ZERO } else { x }
}

#[inline(always)]
pub fn add_scaled<R: Real>(y: &mut [R], scale: R, x: &[R]) {
    for (y, &x) in y.iter_mut().zip(x) {
        *y += scale * x;
    }
}

pub fn softplus<R: Real>(values: &mut [R]) {
    values.iter_mut().for_each(|value| *value = softplus_of(*value));
}

pub fn exp_below<R: Real>(values: &mut [R], bounds: &[R]) {
    for (value, &bound) in values.iter_mut().zip(bounds) {
        *value = (*value - bound).exp().at_least(R::of(FLOOR));
    }
}

pub fn softplus_backward<R: Real>(gradients: &mut [R], values: &[R]) {
    for (gradient, &value) in gradients.iter_mut().zip(values) {
        *gradient = softplus_backward_of(*gradient, value);
    }
}

pub fn add_up<'a, R: Real>(sums: &mut [R], addends: impl Iterator<Item = Addend<'a, R>>) {
    addends.for_each(|addend| addend.add_to(sums));
}

/// Columns whose gradient is added up at a time, so that it stays in the fastest cache.
const PIECE: usize = 64;

pub fn adam<'a, R: Real, G: Iterator<Item = Addend<'a, R>> + Clone>(
    rows: impl Iterator<Item = (AdamRow<'a, R>, G)>,
    constants: &AdamConstants<R>,
) {
    for (row, addends) in rows {
        adam_row(row, addends, constants);
    }
}

#[inline(always)]
pub fn adam_row<'a, R: Real>(
    row: AdamRow<'_, R>,
    addends: impl Iterator<Item = Addend<'a, R>> + Clone,
    constants: &AdamConstants<R>,
) {
    let AdamConstants { clip, first: decay1, second: decay2, second_scale, epsilon, rate } =
        *constants;
    let keeps_normal = R::of(KEEPS_NORMAL);
    let columns = row.weights.len();
    for start in (0..columns).step_by(PIECE) {
        let piece = start..(start + PIECE).min(columns);
        let mut gradient = [R::ZERO; PIECE];
        let gradient = &mut gradient[..piece.len()];
        for addend in addends.clone() {
            match addend {
                Addend::Row(scale, row) => add_scaled(gradient, scale, &row[piece.clone()]),
                Addend::Product(scales, rows) => {
                    for (&scale, row) in scales.iter().zip(rows.chunks_exact(columns)) {
                        add_scaled(gradient, scale, &row[piece.clone()]);
                    }
                }
            }
        }
        let moments = row.first[piece.clone()].iter_mut().zip(&mut row.second[piece.clone()]);
        let weights = row.weights[piece].iter_mut();
        for ((weight, &mut gradient), (first, second)) in weights.zip(gradient).zip(moments) {
            let gradient = gradient * clip;
            *first = decay1[0] * *first + (decay1[1] * gradient + keeps_normal);
            *second = decay2[0] * *second + (decay2[1] * gradient * gradient + keeps_normal);
            *weight -= rate * *first / (second.sqrt() * second_scale + epsilon);
        }
    }
}

#[inline(always)]
pub fn catch_up<R: Real>(
    weights: &mut [R],
    first: &mut [R],
    second: &mut [R],
    owed: &Owed<R>,
    epsilon: R,
) {
    let [m0, m2, m3, m4, m5, m6] = owed.moments;
    let moments = first.iter_mut().zip(second);
    for (weight, (first, second)) in weights.iter_mut().zip(moments) {
        let root = second.sqrt();
        let one_over = R::ONE / (root * owed.mean + epsilon);
        let q = root * one_over;
        let series = m0 + q * q * (m2 - q * (m3 - q * (m4 - q * (m5 - q * m6))));
        *weight -= *first * one_over * series;
        *first = without_vanishing(*first * owed.first_decay);
        *second = without_vanishing(*second * owed.second_decay);
    }
}
