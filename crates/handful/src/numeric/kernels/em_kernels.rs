//! The inner loops of the EM layers (Eqs. 9-12), forward and backward.

use super::elementary::{digamma_without_branches, trigamma_without_branches};
use super::{DocumentEntries, em_reference, em_simd, softmax_simd, vectorised};
use crate::numeric::{digamma, trigamma};

/// The inner loops of the EM layers (Eqs. 9-12), forward and backward, and of those of variational Bayes.
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

    /// ψ(value · scale) of every value of a row, less `offset` of its place.
    fn digammas(values: &[Self], scale: &[Self], offset: &[Self], digammas: &mut [Self]);

    /// gradient · ψ′(value · norm), in rows as long as `norm`.
    fn times_trigamma(gradients: &[Self], values: &[Self], norm: &[Self], products: &mut [Self]);

    /// Gives γ_njk of every entry of a document, the softmax of log θ + log φ, in a row of topics each,
    /// and adds x_nj γ_njk to θ's and φ's counts.
    fn softmax_counts(
        entries: DocumentEntries<'_, Self>,
        logarithms: (&[Self], &[Self]),
        counts: (&mut [Self], &mut [Self]),
        shares: &mut [Self],
    );

    /// Backward pass of [`Self::softmax_counts`], from the derivatives with respect to θ's and φ's
    /// counts to those with respect to log θ and log φ, and to x ∂/∂x of each entry's count, which are
    /// added to.
    fn softmax_counts_backward(
        entries: DocumentEntries<'_, Self>,
        shares: &[Self],
        counts: (&[Self], &[Self]),
        log_gradient: (&mut [Self], &mut [Self]),
        log_counts: &mut [Self],
    );

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

    fn digammas(values: &[f64], scale: &[f64], offset: &[f64], digammas: &mut [f64]) {
        em_reference::digammas(values, scale, offset, digammas, digamma);
    }

    fn times_trigamma(gradients: &[f64], values: &[f64], norm: &[f64], products: &mut [f64]) {
        em_reference::times_trigamma(gradients, values, norm, products, trigamma);
    }

    fn softmax_counts(
        entries: DocumentEntries<'_, f64>,
        logarithms: (&[f64], &[f64]),
        counts: (&mut [f64], &mut [f64]),
        shares: &mut [f64],
    ) {
        em_reference::softmax_counts(entries, logarithms, counts, shares, f64::exp);
    }

    fn softmax_counts_backward(
        entries: DocumentEntries<'_, f64>,
        shares: &[f64],
        counts: (&[f64], &[f64]),
        log_gradient: (&mut [f64], &mut [f64]),
        log_counts: &mut [f64],
    ) {
        em_reference::softmax_counts_backward(entries, shares, counts, log_gradient, log_counts);
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

    fn digammas(values: &[f32], scale: &[f32], offset: &[f32], digammas: &mut [f32]) {
        vectorised(
            #[inline(always)]
            || em_reference::digammas(values, scale, offset, digammas, digamma_without_branches),
        );
    }

    fn times_trigamma(gradients: &[f32], values: &[f32], norm: &[f32], products: &mut [f32]) {
        vectorised(
            #[inline(always)]
            || {
                let trigamma = trigamma_without_branches;
                em_reference::times_trigamma(gradients, values, norm, products, trigamma);
            },
        );
    }

    fn softmax_counts(
        entries: DocumentEntries<'_, f32>,
        logarithms: (&[f32], &[f32]),
        counts: (&mut [f32], &mut [f32]),
        shares: &mut [f32],
    ) {
        softmax_simd::softmax_counts(entries, logarithms, counts, shares);
    }

    fn softmax_counts_backward(
        entries: DocumentEntries<'_, f32>,
        shares: &[f32],
        counts: (&[f32], &[f32]),
        log_gradient: (&mut [f32], &mut [f32]),
        log_counts: &mut [f32],
    ) {
        softmax_simd::softmax_counts_backward(entries, shares, counts, log_gradient, log_counts);
    }

    fn drop_negligible(values: &mut [f32]) {
        vectorised(
            #[inline(always)]
            || em_reference::drop_negligible(values),
        );
    }
}
