//! The inner loops of Adam over rows of weights.

use super::{AdamConstants, AdamRow, Addend, Owed, adam_simd, reference, simd};

/// The inner loops of Adam over rows of weights.
///
/// float64 takes the scalar reference, float32 its own loops.
pub trait AdamKernels: Sized + 'static {
    /// Adds all addends to a row.
    fn add_up<'a>(sums: &mut [Self], addends: impl Iterator<Item = Addend<'a, Self>> + Clone);

    /// One Adam step of rows whose gradients are the sums of their addends.
    fn adam<'a, G: Iterator<Item = Addend<'a, Self>> + Clone>(
        rows: impl Iterator<Item = (AdamRow<'a, Self>, G)>,
        constants: &AdamConstants<Self>,
    );

    /// The steps without gradient that a row owes, all at once.
    fn catch_up(
        weights: &mut [Self],
        first: &mut [Self],
        second: &mut [Self],
        owed: &Owed<Self>,
        epsilon: Self,
    );
}

impl AdamKernels for f64 {
    fn add_up<'a>(sums: &mut [f64], addends: impl Iterator<Item = Addend<'a, f64>> + Clone) {
        reference::add_up(sums, addends);
    }

    fn adam<'a, G: Iterator<Item = Addend<'a, f64>> + Clone>(
        rows: impl Iterator<Item = (AdamRow<'a, f64>, G)>,
        constants: &AdamConstants<f64>,
    ) {
        reference::adam(rows, constants);
    }

    fn catch_up(
        weights: &mut [f64],
        first: &mut [f64],
        second: &mut [f64],
        owed: &Owed<f64>,
        epsilon: f64,
    ) {
        reference::catch_up(weights, first, second, owed, epsilon);
    }
}

impl AdamKernels for f32 {
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
}
