//! Dropout: training leaves out each hidden unit with a given probability.

use crate::numeric::Real;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Whether to drop hidden units, and the stream of random numbers to use.
pub struct Dropout<'a> {
    /// A unit is dropped if a random 32-bit number is below this.
    threshold: u32,
    rate: f64,
    stream: Option<&'a mut ChaCha8Rng>,
}

impl<'a> Dropout<'a> {
    /// Drops no units, for validation and fitting.
    pub fn off() -> Self {
        Self { threshold: 0, rate: 0.0, stream: None }
    }

    /// Drops units with probability `rate`, which must be below 1, for training.
    pub fn on(rate: f64, stream: &'a mut ChaCha8Rng) -> Self {
        debug_assert!((0.0..1.0).contains(&rate));
        let threshold = (rate * 2f64.powi(32)) as u32;
        Self { threshold, rate, stream: (threshold > 0).then_some(stream) }
    }

    /// The factor for kept units, which preserves the expected activation.
    pub fn scale<R: Real>(&self) -> R {
        R::of(1.0 / (1.0 - self.rate))
    }

    /// Sets values to zero with probability `rate`, in place. Keeps the others unchanged.
    pub fn drop_whole<R: Real>(&mut self, rate: f64, values: &mut [R]) {
        self.drop_with(rate, R::ONE, values);
    }

    /// Sets values to zero with probability `rate`, in place. Scales the others to preserve the
    /// expectation.
    pub fn drop_scaled<R: Real>(&mut self, rate: f64, values: &mut [R]) {
        self.drop_with(rate, R::of(1.0 / (1.0 - rate)), values);
    }

    fn drop_with<R: Real>(&mut self, rate: f64, scale: R, values: &mut [R]) {
        let threshold = (rate * 2f64.powi(32)) as u32;
        if let Some(stream) = &mut self.stream {
            for value in values {
                let kept = stream.next_u32() >= threshold;
                *value = if kept { *value * scale } else { R::ZERO };
            }
        }
    }

    /// Applies a function, then dropout, in place.
    pub(super) fn apply<R: Real>(&mut self, units: &mut [R], function: impl Fn(R) -> R) {
        let scale = self.scale::<R>();
        match &mut self.stream {
            None => units.iter_mut().for_each(|unit| *unit = function(*unit)),
            Some(stream) => {
                for unit in units {
                    let kept = stream.next_u32() >= self.threshold;
                    *unit = if kept { function(*unit) * scale } else { R::ZERO };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::Activation;
    use rand::SeedableRng;

    #[test]
    fn about_the_given_share_of_units_is_dropped_and_the_mean_stays() {
        let mut stream = ChaCha8Rng::seed_from_u64(3);
        let mut units = vec![1.0f64; 100_000];
        Activation::Relu.forward(&mut Dropout::on(0.1, &mut stream), &mut units);
        let dropped = units.iter().filter(|&&unit| unit == 0.0).count() as f64 / 1e5;
        let mean = units.iter().sum::<f64>() / 1e5;
        // Five standard deviations of a binomial of 100,000 draws.
        assert!((dropped - 0.1).abs() < 5.0 * (0.1f64 * 0.9 / 1e5).sqrt(), "{dropped}");
        assert!((mean - 1.0).abs() < 0.006, "{mean}");
    }
}
