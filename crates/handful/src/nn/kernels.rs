//! The inner loops over contiguous rows.

use super::Real;

/// Independent partial sums of [`dot`]: a fixed number, so that the order of additions, and with
/// it every bit of the result, is the same on every machine.
const LANES: usize = 16;

/// Σ_i a_i b_i
pub fn dot<R: Real>(a: &[R], b: &[R]) -> R {
    debug_assert_eq!(a.len(), b.len());
    let mut sums = [R::ZERO; LANES];
    let (a_blocks, a_rest) = a.as_chunks::<LANES>();
    let (b_blocks, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    for (lane, (&a, &b)) in a_rest.iter().zip(b_rest).enumerate() {
        sums[lane] += a * b;
    }
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
        width /= 2;
    }
    sums[0]
}

/// y += scale · x
pub fn add_scaled<R: Real>(y: &mut [R], scale: R, x: &[R]) {
    debug_assert_eq!(y.len(), x.len());
    for (y, &x) in y.iter_mut().zip(x) {
        *y += scale * x;
    }
}

/// y += x
pub fn add<R: Real>(y: &mut [R], x: &[R]) {
    debug_assert_eq!(y.len(), x.len());
    for (y, &x) in y.iter_mut().zip(x) {
        *y += x;
    }
}

/// Empties `buffer`, then makes it `length` zeros, within the memory it already has.
pub fn reset<R: Real>(buffer: &mut Vec<R>, length: usize) {
    buffer.clear();
    buffer.resize(length, R::ZERO);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dot_product_of_any_length_is_the_plain_sum() {
        for length in 0..70 {
            let a: Vec<f64> = (0..length).map(|i| f64::from(i) - 7.5).collect();
            let b: Vec<f64> = (0..length).map(|i| 3.0 - f64::from(i * i % 11)).collect();
            let plain: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
            assert!((dot(&a, &b) - plain).abs() <= 1e-9 * plain.abs().max(1.0), "length {length}");
        }
    }
}
