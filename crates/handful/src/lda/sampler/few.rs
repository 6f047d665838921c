//! A sweep for rows of topics that fit into R registers. A document's counts, the topics' totals
//! and a term's counts stay in registers.
//!
//! A draw must wait for the previous one, so the latency from one draw to the next decides the
//! speed. Each weight (n_nk + α_k) / (n_k + Jβ) changes only where a word joins or leaves the
//! topic. Both outcomes are computed while the draw is under way, and the draw only selects one.

use super::State;
use super::lanes::{NO_TOPIC, add_where, draw_lane, lane, lane_numbers, lanes_equal};
use pulp::Simd;

#[inline(always)]
pub fn sweep<S: Simd, const R: usize>(simd: S, state: &mut State<'_>) {
    let lanes = S::F32_LANES;
    let last_lane = lanes.min(state.topics) - 1;
    let numbers: [S::u32s; R] = std::array::from_fn(|r| lane_numbers::<S>(r * lanes));
    let document_rows = state.document_counts.as_registers::<S>().as_chunks_mut::<R>().0;
    let term_rows = state.term_counts.as_registers::<S>().as_chunks_mut::<R>().0;
    let totals_row = &mut state.totals.as_registers::<S>().as_chunks_mut::<R>().0[0];
    let alpha = state.alpha.as_registers::<S>().as_chunks_mut::<R>().0[0];
    let mut totals = *totals_row;

    let one = simd.splat_f32s(1.0);
    let beta = simd.splat_f32s(state.beta);
    let beta_sum = simd.splat_f32s(state.beta_sum);
    let (beta_sum_more, beta_sum_less) =
        (simd.add_f32s(beta_sum, one), simd.sub_f32s(beta_sum, one));
    let alpha_more = alpha.map(|alpha| simd.add_f32s(alpha, one));
    let alpha_less = alpha.map(|alpha| simd.sub_f32s(alpha, one));
    let weight = |count, alpha, total, beta_sum| {
        simd.div_f32s(simd.add_f32s(count, alpha), simd.add_f32s(total, beta_sum))
    };

    let mut rest = &mut *state.assignments;
    for (n, document_row) in document_rows.iter_mut().enumerate() {
        let words = state.documents.words(n) as usize;
        let (assignments, after) = rest.split_at_mut(words);
        rest = after;
        let Some(&first) = assignments.first() else { continue };
        let uniforms = state.uniforms.draw(words);
        let mut counts = *document_row;
        let mut weights = [one; R];
        for r in 0..R {
            let leaves = lanes_equal(simd, numbers[r], first.into());
            add_where(simd, &mut counts[r], leaves, -1.0);
            add_where(simd, &mut totals[r], leaves, -1.0);
            weights[r] = weight(counts[r], alpha[r], totals[r], beta_sum);
        }
        let mut word = 0;
        for entry in state.documents.row_range(n) {
            let term_row = &mut term_rows[state.documents.terms()[entry] as usize];
            let mut term_counts = *term_row;
            for _ in 0..state.documents.counts()[entry] {
                let old = u32::from(assignments[word]);
                let next = assignments.get(word + 1).map_or(NO_TOPIC, |&topic| topic.into());
                let mut sum = simd.splat_f32s(0.0);
                let mut sums = [sum; R];
                // The next word's weights: in the topic that this word joins, and in all others.
                let (mut joined, mut others) = (weights, weights);
                for r in 0..R {
                    add_where(simd, &mut term_counts[r], lanes_equal(simd, numbers[r], old), -1.0);
                    let product = simd.mul_f32s(weights[r], simd.add_f32s(term_counts[r], beta));
                    sum = if r == 0 { product } else { simd.add_f32s(sum, product) };
                    sums[r] = sum;
                    let more = weight(counts[r], alpha_more[r], totals[r], beta_sum_more);
                    let less = weight(counts[r], alpha_less[r], totals[r], beta_sum_less);
                    let leaves = lanes_equal(simd, numbers[r], next);
                    joined[r] = simd.select_f32s(leaves, weights[r], more);
                    others[r] = simd.select_f32s(leaves, less, weights[r]);
                    add_where(simd, &mut counts[r], leaves, -1.0);
                    add_where(simd, &mut totals[r], leaves, -1.0);
                }
                let (drawn, rest) = draw_lane(simd, sum, uniforms[word], last_lane);
                let below = |sum: &&S::f32s| lane::<S>(sum, drawn) <= rest;
                let register = sums[..R - 1].iter().filter(below).count();
                let topic = register.min((state.topics - 1 - drawn) / lanes) * lanes + drawn;
                assignments[word] = topic as u16;
                for r in 0..R {
                    let joins = lanes_equal(simd, numbers[r], topic as u32);
                    weights[r] = simd.select_f32s(joins, joined[r], others[r]);
                    add_where(simd, &mut counts[r], joins, 1.0);
                    add_where(simd, &mut totals[r], joins, 1.0);
                    add_where(simd, &mut term_counts[r], joins, 1.0);
                }
                word += 1;
            }
            *term_row = term_counts;
        }
        *document_row = counts;
    }
    *totals_row = totals;
}
