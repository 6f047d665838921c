//! The scalar reference: what each kernel computes, written down plainly.

use super::{AdamConstants, Owed, VANISHING};
use crate::nn::{Real, softplus as softplus_of, softplus_backward as softplus_backward_of};

pub fn dots<R: Real>(
    rows: &[R],
    columns: usize,
    inputs: &[R],
    outputs: &mut [R],
    [row_stride, input_stride]: [usize; 2],
) {
    for (i, row) in rows.chunks_exact(columns).enumerate() {
        for (b, input) in inputs.chunks_exact(columns).enumerate() {
            outputs[i * row_stride + b * input_stride] =
                row.iter().zip(input).map(|(&a, &b)| a * b).sum();
        }
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

pub fn softplus_backward<R: Real>(gradients: &mut [R], values: &[R]) {
    for (gradient, &value) in gradients.iter_mut().zip(values) {
        *gradient = softplus_backward_of(*gradient, value);
    }
}

#[inline(always)]
pub fn adam<R: Real>(
    weights: &mut [R],
    first: &mut [R],
    second: &mut [R],
    gradient: &[R],
    constants: &AdamConstants<R>,
) {
    let AdamConstants { clip, first: decay1, second: decay2, second_scale, epsilon, rate } =
        *constants;
    let moments = first.iter_mut().zip(second);
    for ((weight, &gradient), (first, second)) in weights.iter_mut().zip(gradient).zip(moments) {
        let gradient = without_negligible(gradient * clip);
        *first = without_vanishing(decay1[0] * *first + decay1[1] * gradient);
        *second = without_vanishing(decay2[0] * *second + decay2[1] * gradient * gradient);
        *weight -= rate * *first / (second.sqrt() * second_scale + epsilon);
    }
}

/// Columns that are multiplied out at a time, so that they stay in the fastest cache.
const PIECE: usize = 64;

pub fn adam_outer<'a, R: Real>(
    weights: &mut [R],
    first: &mut [R],
    second: &mut [R],
    products: impl Iterator<Item = (&'a [R], &'a [R])> + Clone,
    columns: usize,
    constants: &AdamConstants<R>,
) {
    for i in 0..weights.len() / columns {
        for start in (0..columns).step_by(PIECE) {
            let length = PIECE.min(columns - start);
            let mut gradient = [R::ZERO; PIECE];
            for (left, right) in products.clone() {
                let rank = right.len() / columns;
                let left = &left[i * rank..(i + 1) * rank];
                for (&scale, right) in left.iter().zip(right.chunks_exact(columns)) {
                    add_scaled(&mut gradient[..length], scale, &right[start..start + length]);
                }
            }
            let piece = i * columns + start..i * columns + start + length;
            adam(
                &mut weights[piece.clone()],
                &mut first[piece.clone()],
                &mut second[piece],
                &gradient[..length],
                constants,
            );
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
