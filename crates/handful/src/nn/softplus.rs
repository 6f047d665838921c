//! Softplus, which makes a network's outputs Dirichlet parameters.

use super::Real;

/// The least value of a Dirichlet parameter. Below it products of proportions and word
/// probabilities leave the range of float32.
pub const FLOOR: f64 = 1e-12;

/// log(1 + eᶻ), at least [`FLOOR`].
pub fn softplus<R: Real>(z: R) -> R {
    (z.at_least(R::ZERO) + (-z.abs()).exp().ln_1p()).at_least(R::of(FLOOR))
}

/// σ(z) / softplus(z), from the value of softplus alone, since σ(z) = 1 − e^−softplus(z).
///
/// It turns a gradient with respect to log softplus(z) into one with respect to z and lies
/// between 0 and 1 for every z, where the two factors by themselves underflow.
pub fn slope_over_value<R: Real>(value: R) -> R {
    -(-value).exp_m1() / value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slope_over_value_is_the_derivative_of_the_logarithm() {
        for z in [-20.0, -3.0, -0.5, 0.0, 0.7, 4.0, 50.0] {
            let step = 1e-5;
            let difference =
                (softplus::<f64>(z + step).ln() - softplus::<f64>(z - step).ln()) / (2.0 * step);
            let exact = slope_over_value(softplus(z));
            assert!((difference - exact).abs() < 1e-8, "at {z}: {difference} against {exact}");
        }
    }

    #[test]
    fn extreme_inputs_stay_finite_and_positive() {
        for z in [-1e30f32, -200.0, -88.0, 88.0, 200.0, 1e30] {
            let value = softplus(z);
            assert!(value.is_finite() && value > 0.0);
            let slope = slope_over_value(value);
            assert!((0.0..=1.0).contains(&slope), "at {z}: {slope}");
        }
    }
}
