//! The inner loops of the EM layers (Eqs. 9-12), forward and backward.

use super::{DocumentEntries, em_reference, em_simd, vectorised};

/// The inner loops of the EM layers (Eqs. 9-12), forward and backward.
///
/// float64 takes the scalar reference, float32 its own loops.
pub trait EmKernels: Sized {
    /// Adds x_nj γ_njk of every entry of a document to θ's and φ's counts, γ by Eq. (11), and gives
    /// 1 / Σ_k θ_nk φ_kj of each entry.
    ///
    /// `theta` and its counts are a row of topics; `phi` and its counts have a row a local term.
    fn expected_counts(
        entries: DocumentEntries<'_, Self>,
        state: (&[Self], &[Self]),
        counts: (&mut [Self], &mut [Self]),
        inverse: &mut [Self],
    );

    /// Backward pass of [`Self::expected_counts`], from the derivatives with respect to θ's and φ's
    /// counts to θ ∂/∂θ and φ ∂/∂φ, and to x ∂/∂x of each entry's count, which are added to.
    fn expected_counts_backward(
        entries: DocumentEntries<'_, Self>,
        state: (&[Self], &[Self]),
        counts: (&[Self], &[Self]),
        inverse: &[Self],
        log_gradient: (&mut [Self], &mut [Self]),
        log_counts: &mut [Self],
    );

    /// log gradient / (value · norm), in rows as long as `norm`; 0 where there is nothing.
    fn per_count(log_gradient: &[Self], values: &[Self], norm: &[Self], quotients: &mut [Self]);

    /// Every row, as long as `norm`, divided by `norm` and times `scale`.
    fn per_row_scaled(rows: &mut [Self], norm: &[Self], scale: Self);

    /// y += a · b, number by number.
    fn add_products(y: &mut [Self], a: &[Self], b: &[Self]);

    /// Numbers that are `NEGLIGIBLE` become zero.
    fn drop_negligible(values: &mut [Self]);
}

impl EmKernels for f64 {
    fn expected_counts(
        entries: DocumentEntries<'_, f64>,
        state: (&[f64], &[f64]),
        counts: (&mut [f64], &mut [f64]),
        inverse: &mut [f64],
    ) {
        em_reference::expected_counts(entries, state, counts, inverse);
    }

    fn expected_counts_backward(
        entries: DocumentEntries<'_, f64>,
        state: (&[f64], &[f64]),
        counts: (&[f64], &[f64]),
        inverse: &[f64],
        log_gradient: (&mut [f64], &mut [f64]),
        log_counts: &mut [f64],
    ) {
        em_reference::expected_counts_backward(
            entries,
            state,
            counts,
            inverse,
            log_gradient,
            log_counts,
        );
    }

    fn per_count(log_gradient: &[f64], values: &[f64], norm: &[f64], quotients: &mut [f64]) {
        em_reference::per_count(log_gradient, values, norm, quotients);
    }

    fn per_row_scaled(rows: &mut [f64], norm: &[f64], scale: f64) {
        em_reference::per_row_scaled(rows, norm, scale);
    }

    fn add_products(y: &mut [f64], a: &[f64], b: &[f64]) {
        em_reference::add_products(y, a, b);
    }

    fn drop_negligible(values: &mut [f64]) {
        em_reference::drop_negligible(values);
    }
}

impl EmKernels for f32 {
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
        vectorised(
            #[inline(always)]
            || em_reference::add_products(y, a, b),
        );
    }

    fn drop_negligible(values: &mut [f32]) {
        vectorised(
            #[inline(always)]
            || em_reference::drop_negligible(values),
        );
    }
}
