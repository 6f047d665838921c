//! The scalar type of the computation.

use super::kernels::{self, AdamConstants, Owed, simd};
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

    /// The product of row i and input b, for all of both, at
    /// `outputs[i * strides[0] + b * strides[1]]`.
    ///
    /// `rows` and `inputs` have `columns` numbers a row.
    fn dots(
        rows: &[Self],
        columns: usize,
        inputs: &[Self],
        outputs: &mut [Self],
        strides: [usize; 2],
    ) {
        kernels::reference::dots(rows, columns, inputs, outputs, strides);
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

    /// [`softplus_backward`](super::softplus_backward) of every gradient, in place.
    fn softplus_backward(gradients: &mut [Self], values: &[Self]) {
        kernels::reference::softplus_backward(gradients, values);
    }

    /// One Adam step of a block of weights whose gradient is `gradient`, an entry a weight.
    fn adam(
        weights: &mut [Self],
        first: &mut [Self],
        second: &mut [Self],
        gradient: &[Self],
        constants: &AdamConstants<Self>,
    ) {
        kernels::reference::adam(weights, first, second, gradient, constants);
    }

    /// One Adam step of a block of rows whose gradient is a sum of products `left` (rows × rank)
    /// times `right` (rank × columns), never written to memory as a whole.
    fn adam_outer<'a>(
        weights: &mut [Self],
        first: &mut [Self],
        second: &mut [Self],
        products: impl Iterator<Item = (&'a [Self], &'a [Self])> + Clone,
        columns: usize,
        constants: &AdamConstants<Self>,
    ) {
        kernels::reference::adam_outer(weights, first, second, products, columns, constants);
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
    ($float:ty, $($kernels:tt)*) => {
        impl Real for $float {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const SMALLEST: Self = <$float>::MIN_POSITIVE;

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

real! { f64, }
real! {
    f32,
    fn dots(
        rows: &[f32],
        columns: usize,
        inputs: &[f32],
        outputs: &mut [f32],
        strides: [usize; 2],
    ) {
        simd::dots(rows, columns, inputs, outputs, strides);
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
    fn softplus_backward(gradients: &mut [f32], values: &[f32]) {
        simd::softplus_backward(gradients, values);
    }
    fn adam(
        weights: &mut [f32],
        first: &mut [f32],
        second: &mut [f32],
        gradient: &[f32],
        constants: &AdamConstants<f32>,
    ) {
        simd::adam(weights, first, second, gradient, constants);
    }
    fn adam_outer<'a>(
        weights: &mut [f32],
        first: &mut [f32],
        second: &mut [f32],
        products: impl Iterator<Item = (&'a [f32], &'a [f32])> + Clone,
        columns: usize,
        constants: &AdamConstants<f32>,
    ) {
        simd::adam_outer(weights, first, second, products, columns, constants);
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
