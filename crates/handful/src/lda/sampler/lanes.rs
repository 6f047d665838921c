//! Operations of the sampler on a register of topics.

use pulp::Simd;

/// A topic number that no lane has.
pub const NO_TOPIC: u32 = u32::MAX;

/// Adds `by` to the lanes in `mask`.
#[inline(always)]
pub fn add_where<S: Simd>(simd: S, values: &mut S::f32s, mask: S::m32s, by: f32) {
    let sum = simd.add_f32s(*values, simd.splat_f32s(by));
    *values = simd.select_f32s(mask, sum, *values);
}

/// Returns a mask of the lanes whose number is `number`.
#[inline(always)]
pub fn lanes_equal<S: Simd>(simd: S, numbers: S::u32s, number: u32) -> S::m32s {
    let number = simd.splat_u32s(number);
    let at_least = simd.greater_than_or_equal_u32s(numbers, number);
    simd.and_m32s(at_least, simd.greater_than_or_equal_u32s(number, numbers))
}

/// Returns `first`, `first` + 1, ... in the lanes of a register.
#[inline(always)]
pub fn lane_numbers<S: Simd>(first: usize) -> S::u32s {
    let numbers: [u32; 64] = std::array::from_fn(|i| (first + i) as u32);
    S::as_simd_u32s(&numbers).0[0]
}

/// Returns the value of one lane.
#[inline(always)]
pub fn lane<S: Simd>(values: &S::f32s, lane: usize) -> f32 {
    bytemuck::cast_slice::<S::f32s, f32>(std::slice::from_ref(values))[lane]
}

/// Draws a lane with probability proportional to `sums`: the first whose prefix sum is above
/// `uniform` · total. `uniform` is in [0, 1). Lanes after `last` are never drawn.
///
/// Also returns what is left of the threshold within the lane.
#[inline(always)]
pub fn draw_lane<S: Simd>(simd: S, sums: S::f32s, uniform: f32, last: usize) -> (usize, f32) {
    let prefix = prefix_sums(simd, sums);
    // Summed separately instead of taken from the last prefix sum, so as not to wait for it.
    let threshold = total(simd, simd.mul_f32s(simd.splat_f32s(uniform), sums));
    let below = simd.less_than_or_equal_f32s(prefix, threshold);
    // Rounding may put the threshold above every prefix sum.
    let drawn = count::<S>(below).min(last);
    let before = simd.sub_f32s(prefix, sums);
    (drawn, lane::<S>(&threshold, 0) - lane::<S>(&before, drawn))
}

/// Computes Σ_{l' ≤ l} for every lane l, by doubling.
#[inline(always)]
fn prefix_sums<S: Simd>(simd: S, values: S::f32s) -> S::f32s {
    let mut sums = values;
    let mut step = 1;
    while step < S::F32_LANES {
        let mask = simd.mask_between_m32s(step as u32, S::F32_LANES as u32).mask();
        let moved = simd.rotate_right_f32s(sums, step);
        let moved = simd.select_f32s(mask, moved, simd.splat_f32s(0.0));
        sums = simd.add_f32s(sums, moved);
        step *= 2;
    }
    sums
}

/// Computes the sum over all lanes, in every lane.
#[inline(always)]
fn total<S: Simd>(simd: S, values: S::f32s) -> S::f32s {
    let mut sums = values;
    let mut step = S::F32_LANES / 2;
    while step > 0 {
        sums = simd.add_f32s(sums, simd.rotate_right_f32s(sums, step));
        step /= 2;
    }
    sums
}

/// Counts the lanes that are true, whether the mask has a bit, a byte or a word per lane.
#[inline(always)]
fn count<S: Simd>(mask: S::m32s) -> usize {
    let bytes = bytemuck::bytes_of(&mask);
    if let &[low, high] = bytes {
        return u16::from_ne_bytes([low, high]).count_ones() as usize;
    }
    let ones: usize = bytes.iter().map(|byte| usize::from(byte & 1)).sum();
    ones * S::F32_LANES / bytes.len()
}
