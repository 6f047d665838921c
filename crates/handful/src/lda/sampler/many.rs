//! A sweep for any number of topics, register after register.
//!
//! Topics are drawn in two stages: the lane by the sums over registers, then the register by its
//! running sums within the lane. Counts change a whole register at a time, because a processor
//! hands on what it stored only to loads of the same width.

use super::State;
use super::lanes::{add_where, draw_lane, lane, lane_numbers, lanes_equal};
use pulp::Simd;

#[inline(always)]
pub fn sweep<S: Simd>(simd: S, state: &mut State<'_>) {
    let lanes = S::F32_LANES;
    let last_lane = lanes.min(state.topics) - 1;
    let numbers = lane_numbers::<S>(0);
    let registers = state.totals.registers::<S>();
    let document_rows = state.document_counts.as_registers::<S>();
    let term_rows = state.term_counts.as_registers::<S>();
    let totals = &mut state.totals.as_registers::<S>()[..registers];
    let alpha = &state.alpha.as_registers::<S>()[..registers];
    let weights = &mut state.weights.as_registers::<S>()[..registers];
    let sums = &mut state.sums.as_registers::<S>()[..registers];

    let (beta, beta_sum) = (simd.splat_f32s(state.beta), simd.splat_f32s(state.beta_sum));
    // (n_nk + α_k) / (n_k + Jβ)
    let weight = |count, alpha, total| {
        simd.div_f32s(simd.add_f32s(count, alpha), simd.add_f32s(total, beta_sum))
    };

    let mut rest = &mut *state.assignments;
    for n in 0..state.documents.documents() {
        let words = state.documents.words(n) as usize;
        let (assignments, after) = rest.split_at_mut(words);
        rest = after;
        let uniforms = state.uniforms.draw(words);
        let counts = &mut document_rows[n * registers..(n + 1) * registers];
        for r in 0..registers {
            weights[r] = weight(counts[r], alpha[r], totals[r]);
        }
        let mut word = 0;
        for entry in state.documents.row_range(n) {
            let term = state.documents.terms()[entry] as usize;
            let term_counts = &mut term_rows[term * registers..(term + 1) * registers];
            for _ in 0..state.documents.counts()[entry] {
                let old = usize::from(assignments[word]);
                let (r, leaves) = (old / lanes, lanes_equal(simd, numbers, (old % lanes) as u32));
                for count in [&mut counts[r], &mut totals[r], &mut term_counts[r]] {
                    add_where(simd, count, leaves, -1.0);
                }
                weights[r] = weight(counts[r], alpha[r], totals[r]);
                let mut sum = simd.splat_f32s(0.0);
                for r in 0..registers {
                    let term_weight = simd.add_f32s(term_counts[r], beta);
                    sum = simd.mul_add_e_f32s(weights[r], term_weight, sum);
                    sums[r] = sum;
                }
                let (drawn, rest) = draw_lane(simd, sum, uniforms[word], last_lane);
                let below = |sum: &&S::f32s| lane::<S>(sum, drawn) <= rest;
                let r = sums.iter().filter(below).count().min((state.topics - 1 - drawn) / lanes);
                assignments[word] = (r * lanes + drawn) as u16;
                let joins = lanes_equal(simd, numbers, drawn as u32);
                for count in [&mut counts[r], &mut totals[r], &mut term_counts[r]] {
                    add_where(simd, count, joins, 1.0);
                }
                weights[r] = weight(counts[r], alpha[r], totals[r]);
                word += 1;
            }
        }
    }
}
