//! The inner loops over contiguous rows: a scalar reference for every [`Real`], SIMD for float32.

mod adam_kernels;
mod adam_simd;
mod elementary;
mod em_kernels;
mod em_reference;
mod em_simd;
mod reference;
mod row_kernels;
mod simd;
mod softmax_simd;

#[cfg(test)]
mod tests;

pub use adam_kernels::AdamKernels;
pub use em_kernels::EmKernels;
pub use reference::without_negligible;
pub use row_kernels::RowKernels;

use super::{Real, arch};

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

/// A row of weights with both moments.
#[derive(Debug)]
pub struct AdamRow<'a, R> {
    /// The weights.
    pub weights: &'a mut [R],
    /// Means of gradients.
    pub first: &'a mut [R],
    /// Means of squared gradients.
    pub second: &'a mut [R],
}

/// A part of the gradient of a row, never written to memory by itself.
#[derive(Clone, Copy, Debug)]
pub enum Addend<'a, R> {
    /// A number times a row.
    Row(R, &'a [R]),
    /// As many numbers times as many rows, which lie one after the other.
    Product(&'a [R], &'a [R]),
}

impl<R: Real> Addend<'_, R> {
    /// Adds it to a row.
    pub fn add_to(&self, row: &mut [R]) {
        match self {
            Self::Row(scale, addend) => add_scaled(row, *scale, addend),
            Self::Product(scales, rows) => {
                for (&scale, addend) in scales.iter().zip(rows.chunks_exact(row.len())) {
                    add_scaled(row, scale, addend);
                }
            }
        }
    }
}

/// The entries of one document: which local terms it has, and what each counts. Rows of topics are
/// `stride` long.
#[derive(Clone, Copy, Debug)]
pub struct DocumentEntries<'a, R> {
    /// The local term of each entry.
    pub terms: &'a [u32],
    /// The count of each entry, weighted.
    pub counts: &'a [R],
    /// The length of a padded row of topics.
    pub stride: usize,
}

/// Added to both moments in every step: it changes no weight, but without it moments would fade into
/// subnormal numbers, with which processors are a hundred times slower, and stay there.
pub const KEEPS_NORMAL: f64 = 1e-33;

/// Moments nearer to zero than this are taken for zero when many steps are made up for at once.
pub const VANISHING: f64 = 1e-30;

/// What a row of weights owes after steps without gradient (see `Adam`).
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
    R::dots(a, a.len(), b, &[], &mut output);
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

/// Makes every number of `largest` the largest of its column, `largest` included.
pub fn largest_rows<R: Real>(largest: &mut [R], rows: &[R]) {
    vectorised(
        #[inline(always)]
        || {
            for row in rows.chunks_exact(largest.len()) {
                for (largest, &x) in largest.iter_mut().zip(row) {
                    *largest = largest.at_least(x);
                }
            }
        },
    );
}

/// Asks for a row's memory before it is needed. Rows of a few terms lie far apart, where the
/// processor cannot guess which will be next.
#[inline(always)]
pub fn prefetch<R: Real>(row: &[R]) {
    #[cfg(target_arch = "x86_64")]
    prefetch_into::<R, { std::arch::x86_64::_MM_HINT_T0 }>(row);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = row;
}

/// Asks for a row's memory to be in the second cache: for what is needed so much later that the first is
/// full of other rows.
#[inline(always)]
pub fn prefetch_second<R: Real>(row: &[R]) {
    #[cfg(target_arch = "x86_64")]
    prefetch_into::<R, { std::arch::x86_64::_MM_HINT_T1 }>(row);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = row;
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn prefetch_into<R: Real, const HINT: i32>(row: &[R]) {
    for line in row.chunks(64 / size_of::<R>()) {
        // SAFETY: every x86-64 has the instruction, it changes nothing that a program can see, and the
        // address is that of a reference.
        unsafe { std::arch::x86_64::_mm_prefetch::<HINT>(line.as_ptr().cast()) };
    }
}

/// Writes the transpose of a matrix with `columns` columns to `turned`.
pub fn turn<R: Real>(matrix: &[R], columns: usize, turned: &mut [R]) {
    let rows = matrix.len() / columns;
    for (i, row) in matrix.chunks_exact(columns).enumerate() {
        for (j, &value) in row.iter().enumerate() {
            turned[j * rows + i] = value;
        }
    }
}

/// Empties `buffer`, then makes it `length` zeros, within the memory it already has.
pub fn reset<R: Real>(buffer: &mut Vec<R>, length: usize) {
    buffer.clear();
    buffer.resize(length, R::ZERO);
}

/// Makes `buffer` as long as `length`, whatever it holds. Memory that it did not have before comes
/// zeroed from the system and is first touched where it is written, by many threads, and not here by one.
pub fn lengthen<R: Real>(buffer: &mut Vec<R>, length: usize) {
    if buffer.capacity() < length {
        *buffer = vec![R::ZERO; length];
    } else {
        buffer.resize(length, R::ZERO);
    }
}

/// Does the work compiled for the [`SimdLevel`](super::SimdLevel) in use: loops within become SIMD where
/// they can, if they are inlined into it.
#[inline(always)]
pub fn vectorised<O>(work: impl FnOnce() -> O) -> O {
    arch().dispatch(work)
}
