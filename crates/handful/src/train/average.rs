//! The mean of the weights over many steps. It predicts better than the weights after any one step,
//! because the steps circle around the point where they would end if the learning rate fell. With
//! the mean, early stopping always chooses among good weights.

use crate::nn::Parameter;
use rayon::prelude::*;

/// The number of steps from one addition to the mean to the next.
const EVERY: u64 = 5;

/// The share of the mean that remains when weights are added to it. The mean thus reaches back
/// about a thousand steps.
const STAYS: f64 = 0.995;

/// How many weights are processed at a time.
const BLOCK: usize = 1 << 14;

/// A mean of weights that gradually forgets earlier ones.
#[derive(Clone, Debug)]
pub(super) struct Average {
    pub(super) weights: Vec<Vec<f32>>,
}

impl Average {
    pub(super) fn new(parameters: &[Parameter<f32>]) -> Self {
        debug_assert!(parameters.iter().all(|parameter| !parameter.deferred));
        Self { weights: parameters.iter().map(|parameter| parameter.values.clone()).collect() }
    }

    /// Adds the weights after every [`EVERY`]th step.
    pub(super) fn note(&mut self, step: u64, parameters: &[Parameter<f32>]) {
        if !step.is_multiple_of(EVERY) {
            return;
        }
        // At first the mean is over few weights, so each addition counts more.
        let before = (step / EVERY) as f64;
        let share = 1.0 - STAYS.min(before / (before + 2.0));
        for (mean, parameter) in self.weights.iter_mut().zip(parameters) {
            let blocks = mean.par_chunks_mut(BLOCK).zip(parameter.values.par_chunks(BLOCK));
            blocks.for_each(|(mean, values)| {
                for (mean, &value) in mean.iter_mut().zip(values) {
                    *mean += share as f32 * (value - *mean);
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(value: f32) -> Vec<Parameter<f32>> {
        let mut parameter = Parameter::zeros("w", 1, 1);
        parameter.values[0] = value;
        vec![parameter]
    }

    /// Returns the mean after `steps` steps whose weights are a function of the step.
    fn mean_of(steps: u64, weight_of: impl Fn(u64) -> f32) -> f32 {
        let mut average = Average::new(&weight(weight_of(0)));
        (1..=steps).for_each(|step| average.note(step, &weight(weight_of(step))));
        average.weights[0][0]
    }

    #[test]
    fn weights_that_stay_are_their_mean() {
        assert_eq!(mean_of(999, |_| 0.3), 0.3);
    }

    #[test]
    fn weights_that_go_round_a_place_have_it_as_their_mean() {
        let round = |step: u64| 2.0 + if (step / EVERY).is_multiple_of(2) { 1.0 } else { -1.0 };
        let mean = mean_of(10_000, round);
        assert!((mean - 2.0).abs() < 0.01, "{mean}");
    }

    #[test]
    fn the_mean_reaches_back_a_thousand_steps() {
        // For weights that rise by one per step, the distance to the last weight is how far the
        // mean reaches back.
        let behind = 50_000.0 - mean_of(50_000, |step| step as f32);
        assert!((990.0..1010.0).contains(&behind), "{behind}");
        // Soon after the start, it reaches back much less.
        let behind = 100.0 - mean_of(100, |step| step as f32);
        assert!((20.0..60.0).contains(&behind), "{behind}");
    }
}
