//! The scalar type of the computation.

use super::kernels::{AdamKernels, EmKernels, RowKernels};
use std::fmt::Debug;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A real number with the inner loops over many of them: float32 to train and fit, float64 to check
/// exactness.
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
    + RowKernels
    + AdamKernels
    + EmKernels
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
    /// tanh x
    fn tanh(self) -> Self;
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
}

macro_rules! real {
    ($float:ty, $negligible:literal) => {
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
            fn tanh(self) -> Self {
                self.tanh()
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
        }
    };
}

real! { f64, 1e-150 }
real! { f32, 1e-17 }

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
