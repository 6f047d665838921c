//! The inner loops over the rows of tables: products, sums, element-wise functions.

use super::{reference, simd};

/// The inner loops over the rows of tables: products, sums, element-wise functions.
///
/// float64 takes the scalar reference, float32 its own loops.
pub trait RowKernels: Sized {
    /// The product of row i and input b, for all of both, plus `offsets[i]` where there are offsets:
    /// rows × inputs.
    ///
    /// `rows` and `inputs` have `columns` numbers a row.
    fn dots(rows: &[Self], columns: usize, inputs: &[Self], offsets: &[Self], outputs: &mut [Self]);

    /// Adds every row, as long as `sums`, to `sums`.
    fn add_rows(sums: &mut [Self], rows: &[Self]);

    /// `outputs[b]` += Σ_i `scales[i][b]` · row i.
    ///
    /// `rows` and `outputs` have `columns` numbers a row; `scales` is rows × outputs.
    fn combine(rows: &[Self], columns: usize, scales: &[Self], outputs: &mut [Self]);

    /// y += scale · x
    fn add_scaled(y: &mut [Self], scale: Self, x: &[Self]);

    /// `softplus` of every value, in place.
    fn softplus(values: &mut [Self]);

    /// exp(value − bound) of every value, in place, at least `FLOOR`, so that products with
    /// it are normal numbers; no value is above its bound.
    fn exp_below(values: &mut [Self], bounds: &[Self]);

    /// `softplus_backward` of every gradient, in place.
    fn softplus_backward(gradients: &mut [Self], values: &[Self]);
}

impl RowKernels for f64 {
    fn dots(rows: &[f64], columns: usize, inputs: &[f64], offsets: &[f64], outputs: &mut [f64]) {
        reference::dots(rows, columns, inputs, offsets, outputs);
    }

    fn add_rows(sums: &mut [f64], rows: &[f64]) {
        reference::add_rows(sums, rows);
    }

    fn combine(rows: &[f64], columns: usize, scales: &[f64], outputs: &mut [f64]) {
        reference::combine(rows, columns, scales, outputs);
    }

    fn add_scaled(y: &mut [f64], scale: f64, x: &[f64]) {
        reference::add_scaled(y, scale, x);
    }

    fn softplus(values: &mut [f64]) {
        reference::softplus(values);
    }

    fn exp_below(values: &mut [f64], bounds: &[f64]) {
        reference::exp_below(values, bounds);
    }

    fn softplus_backward(gradients: &mut [f64], values: &[f64]) {
        reference::softplus_backward(gradients, values);
    }
}

impl RowKernels for f32 {
    fn dots(rows: &[f32], columns: usize, inputs: &[f32], offsets: &[f32], outputs: &mut [f32]) {
        simd::dots(rows, columns, inputs, offsets, outputs);
    }

    fn add_rows(sums: &mut [f32], rows: &[f32]) {
        simd::add_rows(sums, rows);
    }

    fn combine(rows: &[f32], columns: usize, scales: &[f32], outputs: &mut [f32]) {
        simd::combine(rows, columns, scales, outputs);
    }

    fn add_scaled(y: &mut [f32], scale: f32, x: &[f32]) {
        simd::add_scaled(y, scale, x);
    }

    fn softplus(values: &mut [f32]) {
        simd::softplus(values);
    }

    fn exp_below(values: &mut [f32], bounds: &[f32]) {
        simd::exp_below(values, bounds);
    }

    fn softplus_backward(gradients: &mut [f32], values: &[f32]) {
        simd::softplus_backward(gradients, values);
    }
}
