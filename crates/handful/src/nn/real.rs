//! The scalar type of the computation.

use super::kernels::{
    self, AdamConstants, AdamRow, Addend, DocumentEntries, Owed, adam_simd, em_simd, simd,
};
use std::fmt::Debug;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A real number, and the inner loops over many of them: float32 to train and fit, float64 to check
/// exactness.
///
/// The loops' provided methods are the scalar reference; float32 has its own.
pub trait Real:
    Copy
    + Debug
    + Default
    + PartialOrd
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + Sum
{
    /// 0
    const ZERO: Self;
    /// 1
    const ONE: Self;
    /// The smallest positive normal number; its inverse is finite.
    const SMALLEST: Self;

    /// Shares and gradients nearer to zero than this are taken for zero, so that their squares and
    /// products are normal numbers: processors are a hundred times slower with others.
    const NEGLIGIBLE: Self;

    /// The nearest number of this type.
    fn of(value: f64) -> Self;
    /// The number as float64.
    fn to_f64(self) -> f64;
    /// eˣ
    fn exp(self) -> Self;
    /// eˣ − 1, exact near 0.
    fn exp_m1(self) -> Self;
    /// log x
    fn ln(self) -> Self;
    /// log (1 + x), exact near 0.
    fn ln_1p(self) -> Self;
    /// √x
    fn sqrt(self) -> Self;
    /// |x|
    fn abs(self) -> Self;
    /// Neither infinite nor NaN.
    fn is_finite(self) -> bool;

    /// The larger of two numbers. What is not a number stays so, and shows in the loss.
    fn at_least(self, bound: Self) -> Self {
        if self < bound { bound } else { self }
    }

    /// The product of row i and input b, for all of both, plus `offsets[i]` where there are offsets:
    /// rows × inputs.
    ///
    /// `rows` and `inputs` have `columns` numbers a row.
    fn dots(
        rows: &[Self],
        columns: usize,
        inputs: &[Self],
        offsets: &[Self],
        outputs: &mut [Self],
    ) {
        kernels::reference::dots(rows, columns, inputs, offsets, outputs);
    }

    /// Adds every row, as long as `sums`, to `sums`.
    fn add_rows(sums: &mut [Self], rows: &[Self]) {
        kernels::reference::add_rows(sums, rows);
    }

    /// `outputs[b]` += Σ_i `scales[i][b]` · row i.
    ///
    /// `rows` and `outputs` have `columns` numbers a row; `scales` is rows × outputs.
    fn combine(rows: &[Self], columns: usize, scales: &[Self], outputs: &mut [Self]) {
        kernels::reference::combine(rows, columns, scales, outputs);
    }

    /// y += scale · x
    fn add_scaled(y: &mut [Self], scale: Self, x: &[Self]) {
        kernels::reference::add_scaled(y, scale, x);
    }

    /// [`softplus`](super::softplus) of every value, in place.
    fn softplus(values: &mut [Self]) {
        kernels::reference::softplus(values);
    }

    /// exp(value − bound) of every value, in place, at least [`FLOOR`](super::FLOOR), so that products with
    /// it are normal numbers; no value is above its bound.
    fn exp_below(values: &mut [Self], bounds: &[Self]) {
        kernels::reference::exp_below(values, bounds);
    }

    /// [`softplus_backward`](super::softplus_backward) of every gradient, in place.
    fn softplus_backward(gradients: &mut [Self], values: &[Self]) {
        kernels::reference::softplus_backward(gradients, values);
    }

    /// Adds all addends to a row.
    fn add_up<'a>(sums: &mut [Self], addends: impl Iterator<Item = Addend<'a, Self>> + Clone) {
        kernels::reference::add_up(sums, addends);
    }

    /// One Adam step of rows whose gradients are the sums of their addends.
    fn adam<'a, G: Iterator<Item = Addend<'a, Self>> + Clone>(
        rows: impl Iterator<Item = (AdamRow<'a, Self>, G)>,
        constants: &AdamConstants<Self>,
    ) {
        kernels::reference::adam(rows, constants);
    }

    /// Adds x_nj γ_njk of every entry of a document to θ's and φ's counts, γ by Eq. (11), and gives
    /// 1 / Σ_k θ_nk φ_kj of each entry.
    ///
    /// `theta` and its counts are a row of topics; `phi` and its counts have a row a local term.
    fn expected_counts(
        entries: DocumentEntries<'_, Self>,
        state: (&[Self], &[Self]),
        counts: (&mut [Self], &mut [Self]),
        inverse: &mut [Self],
    ) {
        kernels::em_reference::expected_counts(entries, state, counts, inverse);
    }

    /// Backward pass of [`Self::expected_counts`], from the derivatives with respect to θ's and φ's
    /// counts to θ ∂/∂θ and φ ∂/∂φ, and to x ∂/∂x of each entry's count, which are added to.
    fn expected_counts_backward(
        entries: DocumentEntries<'_, Self>,
        state: (&[Self], &[Self]),
        counts: (&[Self], &[Self]),
        inverse: &[Self],
        log_gradient: (&mut [Self], &mut [Self]),
        log_counts: &mut [Self],
    ) {
        kernels::em_reference::expected_counts_backward(
            entries,
            state,
            counts,
            inverse,
            log_gradient,
            log_counts,
        );
    }

    /// log gradient / (value · norm), in rows as long as `norm`; 0 where there is nothing.
    fn per_count(log_gradient: &[Self], values: &[Self], norm: &[Self], quotients: &mut [Self]) {
        kernels::em_reference::per_count(log_gradient, values, norm, quotients);
    }

    /// Every row, as long as `norm`, divided by `norm` and times `scale`.
    fn per_row_scaled(rows: &mut [Self], norm: &[Self], scale: Self) {
        kernels::em_reference::per_row_scaled(rows, norm, scale);
    }

    /// y += a · b, number by number.
    fn add_products(y: &mut [Self], a: &[Self], b: &[Self]) {
        kernels::em_reference::add_products(y, a, b);
    }

    /// Numbers that are [`Self::NEGLIGIBLE`] become zero.
    fn drop_negligible(values: &mut [Self]) {
        kernels::em_reference::drop_negligible(values);
    }

    /// The steps without gradient that a row owes, all at once.
    fn catch_up(
        weights: &mut [Self],
        first: &mut [Self],
        second: &mut [Self],
        owed: &Owed<Self>,
        epsilon: Self,
    ) {
        kernels::reference::catch_up(weights, first, second, owed, epsilon);
    }
}

macro_rules! real {
    ($float:ty, $negligible:literal, $($kernels:tt)*) => {
        impl Real for $float {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const SMALLEST: Self = <$float>::MIN_POSITIVE;
            const NEGLIGIBLE: Self = $negligible;

            fn of(value: f64) -> Self {
                value as $float
            }
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            fn exp(self) -> Self {
                self.exp()
            }
            fn exp_m1(self) -> Self {
                self.exp_m1()
            }
            fn ln(self) -> Self {
                self.ln()
            }
            fn ln_1p(self) -> Self {
                self.ln_1p()
            }
            fn sqrt(self) -> Self {
                self.sqrt()
            }
            fn abs(self) -> Self {
                self.abs()
            }
            fn is_finite(self) -> bool {
                self.is_finite()
            }

            $($kernels)*
        }
    };
}

real! { f64, 1e-150, }
real! {
    f32,
    1e-17,
    fn dots(
        rows: &[f32],
        columns: usize,
        inputs: &[f32],
        offsets: &[f32],
        outputs: &mut [f32],
    ) {
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
    fn add_up<'a>(sums: &mut [f32], addends: impl Iterator<Item = Addend<'a, f32>> + Clone) {
        adam_simd::add_up(sums, addends);
    }
    fn adam<'a, G: Iterator<Item = Addend<'a, f32>> + Clone>(
        rows: impl Iterator<Item = (AdamRow<'a, f32>, G)>,
        constants: &AdamConstants<f32>,
    ) {
        adam_simd::adam(rows, constants);
    }
    fn catch_up(
        weights: &mut [f32],
        first: &mut [f32],
        second: &mut [f32],
        owed: &Owed<f32>,
        epsilon: f32,
    ) {
        simd::catch_up(weights, first, second, owed, epsilon);
    }
    fn expected_counts(
        entries: DocumentEntries<'_, f32>,
        state: (&[f32], &[f32]),
        counts: (&mut [f32], &mut [f32]),
        inverse: &mut [f32],
    ) {
        em_simd::expected_counts(entries, state, counts, inverse);
    }
    fn expected_counts_backward(
        entries: DocumentEntries<'_, f32>,
        state: (&[f32], &[f32]),
        counts: (&[f32], &[f32]),
        inverse: &[f32],
        log_gradient: (&mut [f32], &mut [f32]),
        log_counts: &mut [f32],
    ) {
        em_simd::expected_counts_backward(
            entries,
            state,
            counts,
            inverse,
            log_gradient,
            log_counts,
        );
    }
    fn per_count(log_gradient: &[f32], values: &[f32], norm: &[f32], quotients: &mut [f32]) {
        em_simd::per_count(log_gradient, values, norm, quotients);
    }
    fn per_row_scaled(rows: &mut [f32], norm: &[f32], scale: f32) {
        em_simd::per_row_scaled(rows, norm, scale);
    }
    fn add_products(y: &mut [f32], a: &[f32], b: &[f32]) {
        kernels::vectorised(
            #[inline(always)]
            || kernels::em_reference::add_products(y, a, b),
        );
    }
    fn drop_negligible(values: &mut [f32]) {
        kernels::vectorised(
            #[inline(always)]
            || kernels::em_reference::drop_negligible(values),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_does_not_hide_what_is_not_a_number() {
        assert_eq!((2f32.at_least(1.0), 0.5f32.at_least(1.0)), (2.0, 1.0));
        assert!(f32::NAN.at_least(1.0).is_nan());
        assert!(f64::NAN.at_least(0.0).is_nan());
    }
}
