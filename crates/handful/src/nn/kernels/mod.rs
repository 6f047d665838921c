//! The inner loops over contiguous rows: a scalar reference for every [`Real`], SIMD for float32.

mod elementary;
pub(super) mod em_reference;
pub(super) mod em_simd;
pub(super) mod reference;
pub(super) mod simd;

#[cfg(test)]
mod tests;

use super::Real;

/// What one Adam step does to every weight: the step's constants, in the weights' precision.
#[derive(Clone, Copy, Debug)]
pub struct AdamConstants<R> {
    /// What every gradient is multiplied by.
    pub clip: R,
    /// β₁ and 1 − β₁
    pub first: [R; 2],
    /// β₂ and 1 − β₂
    pub second: [R; 2],
    /// 1 / √(1 − β₂ᵗ)
    pub second_scale: R,
    /// ε
    pub epsilon: R,
    /// learning rate / (1 − β₁ᵗ)
    pub rate: R,
}

/// The entries of one document: which local terms it has, and how often. Rows of topics are
/// `stride` long.
#[derive(Clone, Copy, Debug)]
pub struct DocumentEntries<'a> {
    /// The local term of each entry.
    pub terms: &'a [u32],
    /// The count of each entry.
    pub counts: &'a [u32],
    /// The length of a padded row of topics.
    pub stride: usize,
}

/// Moments nearer to zero than this are taken for zero: they change no weight, but would fade into
/// subnormal numbers and stay there.
pub const VANISHING: f64 = 1e-30;

/// What a row of weights owes after steps without gradient (see [`Adam`](super::Adam)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Owed<R> {
    /// Mean of u_s, weighted with w_s.
    pub mean: R,
    /// Σ w_s, then the central moments Σ w_s (u_s − mean)ⁱ for i = 2..=6.
    pub moments: [R; 6],
    /// β₁ to the number of steps.
    pub first_decay: R,
    /// β₂ to the number of steps.
    pub second_decay: R,
}

/// Σ_i a_i b_i
pub fn dot<R: Real>(a: &[R], b: &[R]) -> R {
    let mut output = [R::ZERO];
    R::dots(a, a.len(), b, &mut output, [1, 1]);
    output[0]
}

/// y += scale · x
pub fn add_scaled<R: Real>(y: &mut [R], scale: R, x: &[R]) {
    R::add_scaled(y, scale, x);
}

/// y += x
pub fn add<R: Real>(y: &mut [R], x: &[R]) {
    R::add_scaled(y, R::ONE, x);
}

/// Empties `buffer`, then makes it `length` zeros, within the memory it already has.
pub fn reset<R: Real>(buffer: &mut Vec<R>, length: usize) {
    buffer.clear();
    buffer.resize(length, R::ZERO);
}

/// Does the work compiled for the processor at hand: loops within become SIMD where they can, if
/// they are inlined into it.
#[inline(always)]
pub fn vectorised<O>(work: impl FnOnce() -> O) -> O {
    pulp::Arch::new().dispatch(work)
}
