//! exp and log(1 + x) for float32 without branches, so that loops over them become SIMD.

/// eˣ for x ≤ 0, within two units in the last place; 0 below −87.
#[inline(always)]
pub fn exp_of_negative(x: f32) -> f32 {
    // x = n log 2 + r with |r| ≤ log 2 / 2, the logarithm in two parts so that r is exact.
    const LOG2_HIGH: f32 = 0.693_359_4;
    const LOG2_LOW: f32 = -2.121_944_4e-4;
    let x = if x < -87.0 { -87.0 } else { x };
    // Added to a number this small, it leaves the nearest whole number in the last bits: a cast to an
    // integer would not become SIMD.
    const WHOLE: f32 = 12_582_912.0;
    let shifted = x.mul_add(std::f32::consts::LOG2_E, WHOLE);
    let n = shifted - WHOLE;
    let r = n.mul_add(-LOG2_LOW, n.mul_add(-LOG2_HIGH, x));
    // eʳ by its Taylor series to the seventh power: the rest is below 2e-9 for |r| ≤ 0.35.
    let mut series = 1.0 / 5040.0;
    for coefficient in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        series = f32::mul_add(series, r, coefficient);
    }
    // n ≥ −126, so 2ⁿ is a normal number.
    series * f32::from_bits(shifted.to_bits().wrapping_add(127) << 23)
}

/// 1 − e⁻ˣ for x ≥ 0, exact near 0 too.
#[inline(always)]
pub fn one_minus_exp(x: f32) -> f32 {
    // Below 1/2 the difference would lose digits; the series there goes to the ninth power.
    let mut series = 1.0 / 362_880.0;
    for coefficient in [
        -1.0 / 40_320.0,
        1.0 / 5040.0,
        -1.0 / 720.0,
        1.0 / 120.0,
        -1.0 / 24.0,
        1.0 / 6.0,
        -0.5,
        1.0,
    ] {
        series = f32::mul_add(series, x, coefficient);
    }
    let near_zero = series * x;
    let far = 1.0 - exp_of_negative(-x);
    if x < 0.5 { near_zero } else { far }
}

/// log(1 + x) for 0 ≤ x ≤ 1, within three units in the last place.
#[inline(always)]
pub fn log_of_one_plus(x: f32) -> f32 {
    // With s = x / (2 + x) ≤ 1/3: log(1 + x) = 2 artanh(s) = 2 (s + s³/3 + s⁵/5 + …).
    let s = x / (2.0 + x);
    let square = s * s;
    let mut series = 2.0 / 15.0;
    for coefficient in [2.0 / 13.0, 2.0 / 11.0, 2.0 / 9.0, 2.0 / 7.0, 2.0 / 5.0, 2.0 / 3.0] {
        series = f32::mul_add(series, square, coefficient);
    }
    s.mul_add(2.0, s * square * series)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest relative error over a grid, against float64.
    fn worst(grid: impl Iterator<Item = f32>, ours: fn(f32) -> f32, exact: fn(f64) -> f64) -> f64 {
        grid.map(|x| {
            let exact = exact(f64::from(x));
            ((f64::from(ours(x)) - exact) / exact).abs()
        })
        .fold(0.0, f64::max)
    }

    const EPSILON: f64 = f32::EPSILON as f64;

    #[test]
    fn exp_is_within_two_units_in_the_last_place() {
        let grid = (0..870_000).map(|i| -(i as f32) / 10_000.0);
        let error = worst(grid, exp_of_negative, f64::exp);
        assert!(error < 2.0 * EPSILON, "{error:e}");
        assert!(exp_of_negative(-1e30) < 1.7e-38);
        assert!(exp_of_negative(f32::NAN).is_nan());
    }

    #[test]
    fn one_minus_exp_is_exact_from_the_smallest_to_the_largest() {
        let small = (1..400).map(|i| 10f32.powf(-30.0 + i as f32 / 13.0));
        let large = (1..100_000).map(|i| i as f32 / 1000.0);
        let error = worst(small.chain(large), one_minus_exp, |x| -(-x).exp_m1());
        assert!(error < 3.0 * EPSILON, "{error:e}");
    }

    #[test]
    fn log_of_one_plus_is_within_three_units_in_the_last_place() {
        let small = (1..400).map(|i| 10f32.powf(-30.0 + i as f32 / 13.0)).filter(|&x| x <= 1.0);
        let grid = (1..=1_000_000).map(|i| i as f32 / 1e6);
        let error = worst(small.chain(grid), log_of_one_plus, f64::ln_1p);
        assert!(error < 3.0 * EPSILON, "{error:e}");
    }
}
