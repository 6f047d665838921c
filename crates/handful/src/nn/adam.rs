//! Adam, and clipping by the global norm.

use super::{EpisodeGradient, Parameter, Real};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Weights that are updated together: long enough to be worth a task, short enough to share out.
const BLOCK: usize = 1 << 14;

/// Settings of the optimiser.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdamSettings {
    /// The learning rate.
    pub learning_rate: f64,
    /// Decay of the mean of gradients.
    pub beta1: f64,
    /// Decay of the mean of squared gradients.
    pub beta2: f64,
    /// Added to the root of the mean of squares.
    pub epsilon: f64,
    /// Gradients whose norm over all weights is larger are scaled down to it.
    pub clip_norm: Option<f64>,
}

impl Default for AdamSettings {
    fn default() -> Self {
        Self { learning_rate: 1e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, clip_norm: None }
    }
}

/// The optimiser's state: two moments a weight, and the number of steps taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam<R> {
    settings: AdamSettings,
    /// Steps taken.
    pub steps: u64,
    /// Means of gradients, a vector a parameter.
    pub first: Vec<Vec<R>>,
    /// Means of squared gradients, a vector a parameter.
    pub second: Vec<Vec<R>>,
}

impl<R: Real> Adam<R> {
    /// Zero moments for the given parameters.
    pub fn new(settings: AdamSettings, parameters: &[Parameter<R>]) -> Self {
        let zeros: Vec<Vec<R>> =
            parameters.iter().map(|parameter| vec![R::ZERO; parameter.values.len()]).collect();
        Self { settings, steps: 0, first: zeros.clone(), second: zeros }
    }

    /// One step along the sum of the episodes' gradients, added in their order.
    pub fn step(&mut self, parameters: &mut [Parameter<R>], episodes: &[&EpisodeGradient<R>]) {
        self.steps += 1;
        let AdamSettings { learning_rate, beta1, beta2, epsilon, clip_norm } = self.settings;
        let clip = clip_norm.map_or(R::ONE, |most| {
            let norm = global_norm(parameters, episodes);
            if norm > most { R::of(most / norm) } else { R::ONE }
        });
        let steps = self.steps as f64;
        let rate = R::of(learning_rate / (1.0 - beta1.powf(steps)));
        let second_scale = R::of(1.0 / (1.0 - beta2.powf(steps)).sqrt());
        let (decay1, decay2, epsilon) = (R::of(beta1), R::of(beta2), R::of(epsilon));
        let (fresh1, fresh2) = (R::of(1.0 - beta1), R::of(1.0 - beta2));
        for (p, parameter) in parameters.iter_mut().enumerate() {
            let columns = parameter.columns;
            let rows = (BLOCK / columns).max(1);
            parameter
                .values
                .par_chunks_mut(rows * columns)
                .zip(self.first[p].par_chunks_mut(rows * columns))
                .zip(self.second[p].par_chunks_mut(rows * columns))
                .enumerate()
                .for_each_init(
                    || vec![R::ZERO; columns],
                    |gradient, (block, ((weights, first), second))| {
                        let rows_of_block = weights
                            .chunks_exact_mut(columns)
                            .zip(first.chunks_exact_mut(columns))
                            .zip(second.chunks_exact_mut(columns));
                        for (row, ((weights, first), second)) in rows_of_block.enumerate() {
                            gradient.fill(R::ZERO);
                            for episode in episodes {
                                episode.add_row(p, block * rows + row, gradient);
                            }
                            let moments = first.iter_mut().zip(second);
                            for ((weight, gradient), (first, second)) in
                                weights.iter_mut().zip(&*gradient).zip(moments)
                            {
                                let gradient = *gradient * clip;
                                *first = decay1 * *first + fresh1 * gradient;
                                *second = decay2 * *second + fresh2 * gradient * gradient;
                                let root = second.sqrt() * second_scale + epsilon;
                                *weight -= rate * *first / root;
                            }
                        }
                    },
                );
        }
    }
}

/// The Euclidean norm of the sum of the episodes' gradients over all weights, in float64.
fn global_norm<R: Real>(parameters: &[Parameter<R>], episodes: &[&EpisodeGradient<R>]) -> f64 {
    let mut total = 0.0;
    for (p, parameter) in parameters.iter().enumerate() {
        let rows = (BLOCK / parameter.columns).max(1);
        let sums: Vec<f64> = (0..parameter.rows.div_ceil(rows))
            .into_par_iter()
            .map_init(
                || vec![R::ZERO; parameter.columns],
                |gradient, block| {
                    let mut sum = 0.0;
                    for row in block * rows..((block + 1) * rows).min(parameter.rows) {
                        gradient.fill(R::ZERO);
                        for episode in episodes {
                            episode.add_row(p, row, gradient);
                        }
                        sum += gradient.iter().map(|g| g.to_f64() * g.to_f64()).sum::<f64>();
                    }
                    sum
                },
            )
            .collect();
        total += sums.iter().sum::<f64>();
    }
    total.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::Gradient;

    fn one_weight(value: f64) -> Vec<Parameter<f64>> {
        let mut parameter = Parameter::zeros("w", 1, 2);
        parameter.values.fill(value);
        vec![parameter]
    }

    fn gradient(values: [f64; 2]) -> EpisodeGradient<f64> {
        EpisodeGradient { of: vec![Gradient::Dense(values.to_vec())], ..EpisodeGradient::default() }
    }

    #[test]
    fn the_first_step_moves_every_weight_by_the_learning_rate() {
        let mut parameters = one_weight(1.0);
        let settings = AdamSettings { learning_rate: 0.01, ..AdamSettings::default() };
        Adam::new(settings, &parameters).step(&mut parameters, &[&gradient([3.0, -0.2])]);
        assert!((parameters[0].values[0] - 0.99).abs() < 1e-8);
        assert!((parameters[0].values[1] - 1.01).abs() < 1e-8);
    }

    #[test]
    fn clipping_scales_the_whole_gradient_to_the_norm() {
        let parameters = one_weight(1.0);
        let settings = AdamSettings { clip_norm: Some(1.0), ..AdamSettings::default() };
        let mut clipped = Adam::new(settings, &parameters);
        // Two episodes whose sum is (3, 4), of norm 5.
        clipped.step(&mut one_weight(1.0), &[&gradient([1.0, 4.0]), &gradient([2.0, 0.0])]);
        assert!((clipped.first[0][0] - 0.1 * 0.6).abs() < 1e-15);
        assert!((clipped.first[0][1] - 0.1 * 0.8).abs() < 1e-15);
        clipped.step(&mut one_weight(1.0), &[&gradient([0.3, 0.4])]);
        assert!((clipped.first[0][0] - (0.9 * 0.06 + 0.1 * 0.3)).abs() < 1e-15);
    }
}
