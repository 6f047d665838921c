//! Softplus, which makes a network's outputs Dirichlet parameters.

use super::Real;

/// The least value of a Dirichlet parameter, small enough that topics which a network wants to
/// switch off stay off through the EM steps, large enough that its inverse is finite in float32.
pub const FLOOR: f64 = 1e-30;

/// log(1 + eᶻ), at least [`FLOOR`].
pub fn softplus<R: Real>(z: R) -> R {
    (z.at_least(R::ZERO) + (-z.abs()).exp().ln_1p()).at_least(R::of(FLOOR))
}

/// Backward pass of [`softplus`]: from the gradient with respect to log softplus(z) to the one with
/// respect to z, given the value of softplus(z).
///
/// The factor σ(z) / softplus(z) needs the value alone, since σ(z) = 1 − e^−softplus(z), and lies
/// between 0 and 1 for every z, where its two parts by themselves underflow. At the floor a
/// gradient that would lower the value further is stopped: it has no effect, so z would drift away
/// under it without end.
pub fn softplus_backward<R: Real>(log_gradient: R, value: R) -> R {
    if value <= R::of(FLOOR) && log_gradient > R::ZERO {
        return R::ZERO;
    }
    log_gradient * (-(-value).exp_m1() / value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_backward_pass_is_the_derivative_of_the_logarithm() {
        for z in [-20.0, -3.0, -0.5, 0.0, 0.7, 4.0, 50.0] {
            let step = 1e-5;
            let difference =
                (softplus::<f64>(z + step).ln() - softplus::<f64>(z - step).ln()) / (2.0 * step);
            let exact = softplus_backward(1.0, softplus(z));
            assert!((difference - exact).abs() < 1e-8, "at {z}: {difference} against {exact}");
        }
    }

    #[test]
    fn extreme_inputs_stay_finite_and_positive() {
        for z in [-1e30f32, -200.0, -88.0, 88.0, 200.0, 1e30] {
            let value = softplus(z);
            assert!(value.is_finite() && value > 0.0 && (1.0 / value).is_finite());
            let gradient = softplus_backward(-1.0, value);
            assert!((-1.0..=0.0).contains(&gradient), "at {z}: {gradient}");
        }
    }

    #[test]
    fn a_value_at_the_floor_can_rise_but_not_fall() {
        let floor = softplus(-200.0f32);
        assert_eq!(softplus_backward(1.0, floor), 0.0);
        assert!(softplus_backward(-1.0, floor) < 0.0);
    }
}
