//! exp, logarithms, ψ and ψ′ for float32 without branches, so that loops over them become SIMD.

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

/// log x for a positive normal number, within three units in the last place of what it is or of 1.
#[inline(always)]
pub fn log_of_positive(x: f32) -> f32 {
    // x = 2ⁿ m with √½ ≤ m < √2, so that log m = 2 artanh((m − 1) / (m + 1)) has a short series.
    const ROOT_HALF: u32 = 0x3f35_04f3;
    let shifted = x.to_bits().wrapping_sub(ROOT_HALF);
    let n = (shifted as i32 >> 23) as f32;
    let m = f32::from_bits((shifted & 0x007f_ffff) + ROOT_HALF);
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let mut series = 2.0 / 11.0;
    for coefficient in [2.0 / 9.0, 2.0 / 7.0, 2.0 / 5.0, 2.0 / 3.0] {
        series = f32::mul_add(series, square, coefficient);
    }
    let log_m = s.mul_add(2.0, s * square * series);
    n.mul_add(std::f32::consts::LN_2, log_m)
}

/// What ψ and ψ′ of x share: the recurrence moves x up by 6, to y, and its terms for i = 1..5 are taken in
/// pairs, 1/(x + i) + 1/(x + 6 − i) = 2 (x + 3) / (u + i (6 − i)) with u = x (x + 6), because divisions
/// are what they cost.
struct MovedUp {
    x: f32,
    /// u, and one over x, y, (x + 3)², u + 5 and u + 8
    u: f32,
    over_x: f32,
    over_y: f32,
    over_middle: f32,
    over_pairs: [f32; 2],
}

impl MovedUp {
    #[inline(always)]
    fn of(x: f32) -> Self {
        // Anything smaller has a ψ′ that is no float32, and the squares of anything larger are none.
        let x = if x < 1e-15 { 1e-15 } else { x };
        let x = if x > 1e18 { 1e18 } else { x };
        let y = x + 6.0;
        let u = x * y;
        let over_u = 1.0 / u;
        let over_both = 1.0 / ((u + 5.0) * (u + 8.0));
        Self {
            x,
            u,
            over_x: y * over_u,
            over_y: x * over_u,
            over_middle: 1.0 / (u + 9.0),
            over_pairs: [(u + 8.0) * over_both, (u + 5.0) * over_both],
        }
    }
}

/// ψ(x) for x > 0 as `digamma` has it, with few divisions and a logarithm that becomes SIMD.
#[inline(always)]
pub fn digamma_without_branches(x: f32) -> f32 {
    let MovedUp { x, over_x, over_y, over_middle, over_pairs, .. } = MovedUp::of(x);
    let below = (x + 3.0) * (2.0 * (over_pairs[0] + over_pairs[1]) + over_middle);
    let square = over_y * over_y;
    // The next power of the series is below 2e-9 at 6.
    let series = square * (1.0 / 12.0 - square * (1.0 / 120.0 - square * (1.0 / 252.0)));
    log_of_positive(x + 6.0) - 0.5 * over_y - series - below - over_x
}

/// ψ′(x) for x > 0 as `trigamma` has it, with few divisions.
#[inline(always)]
pub fn trigamma_without_branches(x: f32) -> f32 {
    let MovedUp { u, over_x, over_y, over_middle, over_pairs: [near, far], .. } = MovedUp::of(x);
    // 1/a² + 1/b² = ((a + b)² − 2ab) / (ab)²
    let below = over_middle + (2.0 * u + 26.0) * (near * near) + (2.0 * u + 20.0) * (far * far);
    let square = over_y * over_y;
    // The next power of the series is below 1e-9 at 6.
    let series = square
        * (1.0 / 6.0 - square * (1.0 / 30.0 - square * (1.0 / 42.0 - square * (1.0 / 30.0))));
    over_x * over_x + below + over_y * (1.0 + 0.5 * over_y + series)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::{digamma, trigamma};

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

    #[test]
    fn log_is_within_three_units_in_the_last_place() {
        for i in 0..1_000_000 {
            let x = 10f32.powf(-30.0 + 6e-5 * i as f32);
            let exact = f64::from(x).ln();
            let error = (f64::from(log_of_positive(x)) - exact).abs();
            assert!(error < 3.0 * EPSILON * exact.abs().max(1.0), "{x}: {error:e}");
        }
    }

    #[test]
    fn digamma_is_that_of_float64() {
        for i in 0..200_000 {
            let x = 10f32.powf(-8.0 + 7e-5 * i as f32);
            let exact = digamma(f64::from(x));
            let error = (f64::from(digamma_without_branches(x)) - exact).abs();
            // Parts as large as 3 are added and subtracted.
            assert!(error < 4.0 * EPSILON * exact.abs().max(3.0), "{x}: {error:e}");
        }
        for (x, least, most) in
            [(0.0, -1.1e15, -0.9e15), (1e30, 41.0, 70.0), (f32::MAX, 41.0, 89.0)]
        {
            let value = digamma_without_branches(x);
            assert!((least..most).contains(&value), "{x}: {value}");
        }
    }

    #[test]
    fn trigamma_is_that_of_float64() {
        for i in 0..200_000 {
            let x = 10f32.powf(-8.0 + 7e-5 * i as f32);
            let exact = trigamma(f64::from(x));
            let error = (f64::from(trigamma_without_branches(x)) - exact).abs() / exact;
            assert!(error < 6.0 * EPSILON, "{x}: {error:e}");
        }
        for (x, most) in [(0.0, 1.1e30), (1e30, 1e-17), (f32::MAX, 1e-17)] {
            assert!((0.0..most).contains(&trigamma_without_branches(x)), "{x}");
        }
    }
}
