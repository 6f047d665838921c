//! A sweep for any number of topics, register by register.
//!
//! Topics are drawn in two stages: first the lane, by the sums over registers, then the register,
//! by its running sums within the lane.
//!
//! Changed weights (n_nk + α_k) / (n_k + Jβ) are put in place during the pass over all registers
//! that every draw needs anyway. Storing them right after the draw would be less work. But then no
//! later load could begin before the processor knows the address of the store.

use super::State;
use super::lanes::{NO_TOPIC, add_where, draw_lane, lane, lane_numbers, lanes_equal};
use pulp::Simd;

#[inline(always)]
pub fn sweep<S: Simd>(simd: S, state: &mut State<'_>) {
    let lanes = S::F32_LANES;
    let last_lane = lanes.min(state.topics) - 1;
    let first_numbers = lane_numbers::<S>(0);
    let registers = state.totals.registers::<S>();
    let term_rows = state.term_counts.as_registers::<S>();
    let weight_registers = &mut state.weights.as_registers::<S>()[..registers];
    let sums = &mut state.sums.as_registers::<S>()[..registers];
    let totals = state.totals.row_mut(0);
    let alpha = state.alpha.row(0);
    let (beta, beta_sum) = (simd.splat_f32s(state.beta), state.beta_sum);

    let mut rest = &mut *state.assignments;
    for n in 0..state.documents.documents() {
        let words = state.documents.words(n) as usize;
        let (assignments, after) = rest.split_at_mut(words);
        rest = after;
        let uniforms = state.uniforms.draw(words);
        let counts = state.document_counts.row_mut(n);
        let weights: &mut [f32] = bytemuck::cast_slice_mut(weight_registers);
        for k in 0..state.topics {
            weights[k] = (counts[k] + alpha[k]) / (totals[k] + beta_sum);
        }
        // Adds `by` words to topic k, and returns the topic's new weight.
        let mut count = |k: usize, by: f32| {
            counts[k] += by;
            totals[k] += by;
            (counts[k] + alpha[k]) / (totals[k] + beta_sum)
        };
        let (mut joined, mut joined_weight) = (NO_TOPIC, 0.0);
        let mut word = 0;
        for entry in state.documents.row_range(n) {
            let term = state.documents.terms()[entry] as usize;
            let term_counts = &mut term_rows[term * registers..(term + 1) * registers];
            for _ in 0..state.documents.counts()[entry] {
                let old = usize::from(assignments[word]);
                let old_weight = simd.splat_f32s(count(old, -1.0));
                let joined_weights = simd.splat_f32s(joined_weight);
                let mut numbers = first_numbers;
                let mut sum = simd.splat_f32s(0.0);
                for ((weights, sums), &term_counts) in
                    weight_registers.iter_mut().zip(sums.iter_mut()).zip(&*term_counts)
                {
                    let joins = lanes_equal(simd, numbers, joined);
                    let leaves = lanes_equal(simd, numbers, old as u32);
                    *weights = simd.select_f32s(joins, joined_weights, *weights);
                    *weights = simd.select_f32s(leaves, old_weight, *weights);
                    let mut others = term_counts;
                    add_where(simd, &mut others, leaves, -1.0);
                    sum = simd.mul_add_e_f32s(*weights, simd.add_f32s(others, beta), sum);
                    *sums = sum;
                    numbers = simd.add_u32s(numbers, simd.splat_u32s(lanes as u32));
                }
                let (drawn, rest) = draw_lane(simd, sum, uniforms[word], last_lane);
                let below = |sum: &&S::f32s| lane::<S>(sum, drawn) <= rest;
                let r = sums.iter().filter(below).count().min((state.topics - 1 - drawn) / lanes);
                let topic = r * lanes + drawn;
                assignments[word] = topic as u16;
                (joined, joined_weight) = (topic as u32, count(topic, 1.0));
                for (topic, by) in [(old, -1.0), (topic, 1.0)] {
                    let lane = lanes_equal(simd, first_numbers, (topic % lanes) as u32);
                    // Writes a whole register: a store is forwarded only to loads of the same
                    // width.
                    add_where(simd, &mut term_counts[topic / lanes], lane, by);
                }
                word += 1;
            }
        }
    }
}
