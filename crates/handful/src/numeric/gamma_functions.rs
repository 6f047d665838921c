//! log Γ and its derivatives ψ and ψ′ for positive numbers.
//!
//! The recurrence moves the argument up, by [`SHIFT`] always so that loops have no branches; there
//! the asymptotic series (Abramowitz and Stegun 6.1.41, 6.3.18 and 6.4.12) is exact.

use super::Real;

/// How far the argument is moved up: Γ(x) = Γ(x + n) / (x (x + 1) … (x + n − 1)).
const SHIFT: usize = 10;

/// Arguments below this are taken for it: ψ′ of anything smaller is no float32.
const LEAST: f64 = 1e-15;

/// |B_2n| / 2n and |B_2n|, of Bernoulli's numbers for n = 1, 2, ...: as many as make a float64.
const DIGAMMA_SERIES: [f64; 6] =
    [1.0 / 12.0, 1.0 / 120.0, 1.0 / 252.0, 1.0 / 240.0, 1.0 / 132.0, 691.0 / 32760.0];
const TRIGAMMA_SERIES: [f64; 6] =
    [1.0 / 6.0, 1.0 / 30.0, 1.0 / 42.0, 1.0 / 30.0, 5.0 / 66.0, 691.0 / 2730.0];

/// c_0 − x (c_1 − x (c_2 − …))
fn alternating<R: Real>(coefficients: &[f64], x: R) -> R {
    coefficients.iter().rev().fold(R::ZERO, |sum, &c| R::of(c) - x * sum)
}

/// log Γ(x)
pub fn log_gamma(x: f64) -> f64 {
    let x = x.max(LEAST);
    let product: f64 = (0..SHIFT).map(|i| x + i as f64).product();
    let y = x + SHIFT as f64;
    let square = 1.0 / (y * y);
    let series = 1.0 / 12.0
        + square
            * (-1.0 / 360.0
                + square * (1.0 / 1260.0 + square * (-1.0 / 1680.0 + square * (1.0 / 1188.0))));
    let half_log_2_pi = 0.918_938_533_204_672_8;
    (y - 0.5) * y.ln() - y + half_log_2_pi + series / y - product.ln()
}

/// ψ(x), the derivative of log Γ
pub fn digamma<R: Real>(x: R) -> R {
    let x = x.at_least(R::of(LEAST));
    let below: R = (1..SHIFT).rev().map(|i| R::ONE / (x + R::of(i as f64))).sum();
    let y = x + R::of(SHIFT as f64);
    let one_over = R::ONE / y;
    let square = one_over * one_over;
    let series = square * alternating(&DIGAMMA_SERIES, square);
    // The largest part last, so that little is lost of the others.
    y.ln() - R::of(0.5) * one_over - series - below - R::ONE / x
}

/// ψ′(x), the derivative of ψ
pub fn trigamma<R: Real>(x: R) -> R {
    let x = x.at_least(R::of(LEAST));
    let below: R = (1..SHIFT)
        .rev()
        .map(|i| {
            let one_over = R::ONE / (x + R::of(i as f64));
            one_over * one_over
        })
        .sum();
    let one_over = R::ONE / (x + R::of(SHIFT as f64));
    let square = one_over * one_over;
    let series = one_over
        * (R::ONE + R::of(0.5) * one_over + square * alternating(&TRIGAMMA_SERIES, square));
    let first = R::ONE / x;
    series + below + first * first
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    const EULER: f64 = 0.577_215_664_901_532_9;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 2e-14 * expected.abs().max(1.0), "{found}, {expected}");
    }

    #[test]
    fn known_values_are_found() {
        close(log_gamma(0.5), PI.sqrt().ln());
        close(log_gamma(1.0), 0.0);
        close(log_gamma(5.0), 24f64.ln());
        close(digamma(1.0), -EULER);
        close(digamma(0.5), -EULER - 2.0 * 2f64.ln());
        close(digamma(0.25), -EULER - PI / 2.0 - 3.0 * 2f64.ln());
        close(digamma(10.0), 7129.0 / 2520.0 - EULER);
        close(trigamma(1.0), PI * PI / 6.0);
        close(trigamma(0.5), PI * PI / 2.0);
        close(trigamma(2.0), PI * PI / 6.0 - 1.0);
    }

    #[test]
    fn each_is_the_derivative_of_the_one_before() {
        for x in [1e-3, 0.02, 0.3, 1.4616, 3.0, 50.0, 4000.0] {
            let step = 1e-4 * x;
            let slope = (log_gamma(x + step) - log_gamma(x - step)) / (2.0 * step);
            assert!((slope - digamma(x)).abs() < 1e-6 * digamma(x).abs().max(1.0), "{x}: {slope}");
            let slope = (digamma(x + step) - digamma(x - step)) / (2.0 * step);
            assert!((slope - trigamma(x)).abs() < 1e-6 * trigamma(x), "{x}: {slope}");
        }
    }

    #[test]
    fn the_recurrences_hold_from_the_smallest_to_the_largest() {
        for exponent in -28..=28 {
            let x = 10f64.powf(f64::from(exponent) / 4.0);
            let gap = digamma(x + 1.0) - digamma(x);
            assert!((gap * x - 1.0).abs() < 1e-13 * x.max(1.0) * 20.0, "{x}: {gap}");
            let gap = trigamma(x) - trigamma(x + 1.0);
            assert!((gap * x * x - 1.0).abs() < 1e-12 * x.max(1.0) * 20.0, "{x}: {gap}");
        }
        assert!(digamma(0.0f32).is_finite() && trigamma(0.0f32).is_finite());
    }
}
