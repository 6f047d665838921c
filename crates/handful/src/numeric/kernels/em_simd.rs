//! The EM layers' inner loops over the entries of a document: SIMD for float32.
//!
//! A row of topics is a few registers, so that θ and what is added to it stay in them for the whole
//! document.

use super::{DocumentEntries, em_reference};
use crate::numeric::{Real, arch};
use pulp::{Simd, WithSimd};

pub fn expected_counts(
    entries: DocumentEntries<'_, f32>,
    (theta, phi): (&[f32], &[f32]),
    (new_theta, new_phi): (&mut [f32], &mut [f32]),
    inverse: &mut [f32],
) {
    let op = ExpectedCounts { entries, theta, phi, new_theta, new_phi, inverse };
    arch().dispatch(op);
}

pub fn expected_counts_backward(
    entries: DocumentEntries<'_, f32>,
    (theta, phi): (&[f32], &[f32]),
    (theta_count, phi_count): (&[f32], &[f32]),
    inverse: &[f32],
    (log_theta, log_phi): (&mut [f32], &mut [f32]),
    log_counts: &mut [f32],
) {
    arch().dispatch(Backward {
        entries,
        theta,
        phi,
        theta_count,
        phi_count,
        inverse,
        log_theta,
        log_phi,
        log_counts,
    });
}

pub fn per_count(log_gradient: &[f32], values: &[f32], norm: &[f32], quotients: &mut [f32]) {
    arch().dispatch(PerCount { log_gradient, values, norm, quotients });
}

pub fn per_row_scaled(rows: &mut [f32], norm: &[f32], scale: f32) {
    arch().dispatch(PerRowScaled { rows, norm, scale });
}

/// The shares of W registers of topics, negligible ones taken for zero, from their products.
#[inline(always)]
pub(super) fn shares<S: Simd, const W: usize>(
    simd: S,
    products: [S::f32s; W],
    one_over: f32,
) -> [S::f32s; W] {
    let (zero, negligible) = (simd.splat_f32s(0.0), simd.splat_f32s(f32::NEGLIGIBLE));
    let one_over = simd.splat_f32s(one_over);
    products.map(|product| {
        let share = simd.mul_f32s(product, one_over);
        simd.select_f32s(simd.less_than_f32s(share, negligible), zero, share)
    })
}

/// The sum over all lanes of W registers.
#[inline(always)]
pub(super) fn sum<S: Simd, const W: usize>(simd: S, registers: [S::f32s; W]) -> f32 {
    let mut total = registers[0];
    for register in &registers[1..] {
        total = simd.add_f32s(total, *register);
    }
    simd.reduce_sum_f32s(total)
}

/// Adds x γ of an entry to θ's and φ's counts.
#[inline(always)]
pub(super) fn add_counts<S: Simd, const W: usize>(
    simd: S,
    count: f32,
    shares: [S::f32s; W],
    (theta_counts, phi_counts): (&mut [S::f32s; W], &mut [S::f32s]),
) {
    let count = simd.splat_f32s(count);
    for w in 0..W {
        theta_counts[w] = simd.mul_add_e_f32s(count, shares[w], theta_counts[w]);
        phi_counts[w] = simd.mul_add_e_f32s(count, shares[w], phi_counts[w]);
    }
}

/// A row of topics in registers.
#[inline(always)]
pub(super) fn row<S: Simd, const W: usize>(rows: &[S::f32s], i: usize) -> [S::f32s; W] {
    rows[i * W..(i + 1) * W].try_into().expect("a row has W registers")
}

struct ExpectedCounts<'a> {
    entries: DocumentEntries<'a, f32>,
    theta: &'a [f32],
    phi: &'a [f32],
    new_theta: &'a mut [f32],
    new_phi: &'a mut [f32],
    inverse: &'a mut [f32],
}

impl WithSimd for ExpectedCounts<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.entries.stride / S::F32_LANES {
            1 => self.in_registers::<S, 1>(simd),
            2 => self.in_registers::<S, 2>(simd),
            4 => self.in_registers::<S, 4>(simd),
            _ => {
                let Self { entries, theta, phi, new_theta, new_phi, inverse } = self;
                let (state, new) = ((theta, phi), (new_theta, new_phi));
                em_reference::expected_counts(entries, state, new, inverse);
            }
        }
    }
}

impl ExpectedCounts<'_> {
    #[inline(always)]
    fn in_registers<S: Simd, const W: usize>(self, simd: S) {
        let Self { entries, theta, phi, new_theta, new_phi, inverse } = self;
        let theta = row::<S, W>(S::as_simd_f32s(theta).0, 0);
        let phi = S::as_simd_f32s(phi).0;
        let new_theta = S::as_mut_simd_f32s(new_theta).0;
        let new_phi = S::as_mut_simd_f32s(new_phi).0;
        let mut theta_counts = row::<S, W>(new_theta, 0);
        for ((&term, &count), inverse) in entries.terms.iter().zip(entries.counts).zip(inverse) {
            let phi = row::<S, W>(phi, term as usize);
            let products: [S::f32s; W] = std::array::from_fn(|w| simd.mul_f32s(theta[w], phi[w]));
            let probability = sum(simd, products);
            *inverse = 1.0 / probability.at_least(f32::SMALLEST);
            let shares = shares::<S, W>(simd, products, *inverse);
            let new_phi = &mut new_phi[term as usize * W..(term as usize + 1) * W];
            add_counts(simd, count, shares, (&mut theta_counts, new_phi));
        }
        new_theta[..W].copy_from_slice(&theta_counts);
    }
}

struct Backward<'a> {
    entries: DocumentEntries<'a, f32>,
    theta: &'a [f32],
    phi: &'a [f32],
    theta_count: &'a [f32],
    phi_count: &'a [f32],
    inverse: &'a [f32],
    log_theta: &'a mut [f32],
    log_phi: &'a mut [f32],
    log_counts: &'a mut [f32],
}

impl WithSimd for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.entries.stride / S::F32_LANES {
            1 => self.in_registers::<S, 1>(simd),
            2 => self.in_registers::<S, 2>(simd),
            4 => self.in_registers::<S, 4>(simd),
            _ => em_reference::expected_counts_backward(
                self.entries,
                (self.theta, self.phi),
                (self.theta_count, self.phi_count),
                self.inverse,
                (self.log_theta, self.log_phi),
                self.log_counts,
            ),
        }
    }
}

impl Backward<'_> {
    #[inline(always)]
    fn in_registers<S: Simd, const W: usize>(self, simd: S) {
        let theta = row::<S, W>(S::as_simd_f32s(self.theta).0, 0);
        let phi = S::as_simd_f32s(self.phi).0;
        through_shares(
            simd,
            self.entries,
            #[inline(always)]
            |entry, term| {
                let phi = row::<S, W>(phi, term);
                let products = std::array::from_fn(|w| simd.mul_f32s(theta[w], phi[w]));
                shares::<S, W>(simd, products, self.inverse[entry])
            },
            (self.theta_count, self.phi_count),
            (self.log_theta, self.log_phi),
            self.log_counts,
        );
    }
}

/// The way back through γ, a softmax whatever its logits are, of all entries of a document: from the
/// derivatives with respect to θ's and φ's counts to those with respect to the logits of γ and to log x.
#[inline(always)]
pub(super) fn through_shares<S: Simd, const W: usize>(
    simd: S,
    DocumentEntries { terms, counts, .. }: DocumentEntries<'_, f32>,
    shares_of: impl Fn(usize, usize) -> [S::f32s; W],
    (theta_count, phi_count): (&[f32], &[f32]),
    (log_theta, log_phi): (&mut [f32], &mut [f32]),
    log_counts: &mut [f32],
) {
    let theta_count = row::<S, W>(S::as_simd_f32s(theta_count).0, 0);
    let phi_count = S::as_simd_f32s(phi_count).0;
    let log_theta = S::as_mut_simd_f32s(log_theta).0;
    let log_phi = S::as_mut_simd_f32s(log_phi).0;
    let mut of_theta = row::<S, W>(log_theta, 0);
    for (entry, ((&term, &count), log_count)) in
        terms.iter().zip(counts).zip(log_counts).enumerate()
    {
        let term = term as usize;
        let shares = shares_of(entry, term);
        let phi_count = row::<S, W>(phi_count, term);
        let count = simd.splat_f32s(count);
        let log_gamma: [S::f32s; W] = std::array::from_fn(|w| {
            let gradient = simd.add_f32s(theta_count[w], phi_count[w]);
            simd.mul_f32s(simd.mul_f32s(count, shares[w]), gradient)
        });
        let sum = sum(simd, log_gamma);
        *log_count += sum;
        let minus_sum = simd.splat_f32s(-sum);
        let log_phi = &mut log_phi[term * W..(term + 1) * W];
        for w in 0..W {
            let logit = simd.mul_add_e_f32s(shares[w], minus_sum, log_gamma[w]);
            of_theta[w] = simd.add_f32s(of_theta[w], logit);
            log_phi[w] = simd.add_f32s(log_phi[w], logit);
        }
    }
    log_theta[..W].copy_from_slice(&of_theta);
}

struct PerCount<'a> {
    log_gradient: &'a [f32],
    values: &'a [f32],
    norm: &'a [f32],
    quotients: &'a mut [f32],
}

impl WithSimd for PerCount<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { log_gradient, values, norm, quotients } = self;
        if norm.len() % S::F32_LANES != 0 {
            return em_reference::per_count(log_gradient, values, norm, quotients);
        }
        let norm = S::as_simd_f32s(norm).0;
        let smallest = simd.splat_f32s(f32::SMALLEST);
        let gradients = S::as_simd_f32s(log_gradient).0.chunks_exact(norm.len());
        let values = S::as_simd_f32s(values).0.chunks_exact(norm.len());
        let quotients = S::as_mut_simd_f32s(quotients).0.chunks_exact_mut(norm.len());
        for ((gradient, value), quotient) in gradients.zip(values).zip(quotients) {
            for (k, quotient) in quotient.iter_mut().enumerate() {
                let count = simd.max_f32s(simd.mul_f32s(value[k], norm[k]), smallest);
                *quotient = simd.div_f32s(gradient[k], count);
            }
        }
    }
}

struct PerRowScaled<'a> {
    rows: &'a mut [f32],
    norm: &'a [f32],
    scale: f32,
}

impl WithSimd for PerRowScaled<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { rows, norm, scale } = self;
        if norm.len() % S::F32_LANES != 0 {
            // As many rows as there are lanes fill registers, whatever their length.
            let factors: Vec<f32> = norm.iter().map(|norm| scale / norm).collect();
            let factors = factors.repeat(S::F32_LANES);
            for rows in rows.chunks_mut(factors.len()) {
                rows.iter_mut().zip(&factors).for_each(|(value, factor)| *value *= factor);
            }
            return;
        }
        let norm = S::as_simd_f32s(norm).0;
        let rows = S::as_mut_simd_f32s(rows).0;
        let scale = simd.splat_f32s(scale);
        for (k, &norm) in norm.iter().enumerate() {
            let factor = simd.div_f32s(scale, norm);
            for value in rows.iter_mut().skip(k).step_by(self.norm.len() / S::F32_LANES) {
                *value = simd.mul_f32s(*value, factor);
            }
        }
    }
}
