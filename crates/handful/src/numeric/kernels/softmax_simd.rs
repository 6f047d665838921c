//! The inner loops of variational Bayes over the entries of a document: SIMD for float32.

use super::elementary::exp_of_negative;
use super::em_simd::{add_counts, row, shares as shares_of, sum, through_shares};
use super::{DocumentEntries, em_reference};
use crate::numeric::arch;
use pulp::{Simd, WithSimd};

pub fn softmax_counts(
    entries: DocumentEntries<'_, f32>,
    (log_theta, log_phi): (&[f32], &[f32]),
    (new_theta, new_phi): (&mut [f32], &mut [f32]),
    shares: &mut [f32],
) {
    arch().dispatch(SoftmaxCounts { entries, log_theta, log_phi, new_theta, new_phi, shares });
}

pub fn softmax_counts_backward(
    entries: DocumentEntries<'_, f32>,
    shares: &[f32],
    (theta_count, phi_count): (&[f32], &[f32]),
    (log_theta, log_phi): (&mut [f32], &mut [f32]),
    log_counts: &mut [f32],
) {
    let op = Backward { entries, shares, theta_count, phi_count, log_theta, log_phi, log_counts };
    arch().dispatch(op);
}

struct SoftmaxCounts<'a> {
    entries: DocumentEntries<'a, f32>,
    log_theta: &'a [f32],
    log_phi: &'a [f32],
    new_theta: &'a mut [f32],
    new_phi: &'a mut [f32],
    shares: &'a mut [f32],
}

impl WithSimd for SoftmaxCounts<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.entries.stride / S::F32_LANES {
            1 => self.in_registers::<S, 1>(simd),
            2 => self.in_registers::<S, 2>(simd),
            4 => self.in_registers::<S, 4>(simd),
            _ => {
                let Self { entries, log_theta, log_phi, new_theta, new_phi, shares } = self;
                let (state, new) = ((log_theta, log_phi), (new_theta, new_phi));
                em_reference::softmax_counts(entries, state, new, shares, exp_of_negative);
            }
        }
    }
}

impl SoftmaxCounts<'_> {
    #[inline(always)]
    fn in_registers<S: Simd, const W: usize>(mut self, simd: S) {
        self.less_the_largest::<S, W>(simd);
        self.shares.iter_mut().for_each(|logit| *logit = exp_of_negative(*logit));
        self.share_out::<S, W>(simd);
    }

    /// Makes the shares the logits of γ, less the largest of each entry.
    #[inline(always)]
    fn less_the_largest<S: Simd, const W: usize>(&mut self, simd: S) {
        let log_theta = row::<S, W>(S::as_simd_f32s(self.log_theta).0, 0);
        let log_phi = S::as_simd_f32s(self.log_phi).0;
        let rows = S::as_mut_simd_f32s(self.shares).0.chunks_exact_mut(W);
        for (&term, row_of_entry) in self.entries.terms.iter().zip(rows) {
            let log_phi = row::<S, W>(log_phi, term as usize);
            let logits: [S::f32s; W] =
                std::array::from_fn(|w| simd.add_f32s(log_theta[w], log_phi[w]));
            let mut largest = logits[0];
            for logits in &logits[1..] {
                largest = simd.max_f32s(largest, *logits);
            }
            let largest = simd.splat_f32s(simd.reduce_max_f32s(largest));
            for w in 0..W {
                row_of_entry[w] = simd.sub_f32s(logits[w], largest);
            }
        }
    }

    /// Divides each entry's shares by their sum, and adds them to the counts.
    #[inline(always)]
    fn share_out<S: Simd, const W: usize>(self, simd: S) {
        let DocumentEntries { terms, counts, .. } = self.entries;
        let new_theta = S::as_mut_simd_f32s(self.new_theta).0;
        let new_phi = S::as_mut_simd_f32s(self.new_phi).0;
        let mut theta_counts = row::<S, W>(new_theta, 0);
        let rows = S::as_mut_simd_f32s(self.shares).0.chunks_exact_mut(W);
        for ((&term, &count), row_of_entry) in terms.iter().zip(counts).zip(rows) {
            let exponentials = row::<S, W>(row_of_entry, 0);
            let shares = shares_of::<S, W>(simd, exponentials, 1.0 / sum(simd, exponentials));
            row_of_entry.copy_from_slice(&shares);
            let new_phi = &mut new_phi[term as usize * W..(term as usize + 1) * W];
            add_counts(simd, count, shares, (&mut theta_counts, new_phi));
        }
        new_theta[..W].copy_from_slice(&theta_counts);
    }
}

struct Backward<'a> {
    entries: DocumentEntries<'a, f32>,
    shares: &'a [f32],
    theta_count: &'a [f32],
    phi_count: &'a [f32],
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
            _ => em_reference::softmax_counts_backward(
                self.entries,
                self.shares,
                (self.theta_count, self.phi_count),
                (self.log_theta, self.log_phi),
                self.log_counts,
            ),
        }
    }
}

impl Backward<'_> {
    #[inline(always)]
    fn in_registers<S: Simd, const W: usize>(self, simd: S) {
        let rows = S::as_simd_f32s(self.shares).0;
        through_shares(
            simd,
            self.entries,
            #[inline(always)]
            |entry, _| row::<S, W>(rows, entry),
            (self.theta_count, self.phi_count),
            (self.log_theta, self.log_phi),
            self.log_counts,
        );
    }
}
