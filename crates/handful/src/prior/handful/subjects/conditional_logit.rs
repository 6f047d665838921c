//! Conditional logit: weights by which one of several alternatives is chosen.

use crate::linear_algebra::solve;

/// Alternatives, one of which is right.
#[derive(Clone, Debug)]
pub(super) struct Observation {
    /// The features of each alternative.
    pub(super) alternatives: Vec<Vec<f64>>,
    /// Which is right.
    pub(super) chosen: usize,
    /// How much the observation counts.
    pub(super) weight: f64,
}

/// The most steps of Newton's method; it takes fewer than ten.
const MOST_STEPS: usize = 50;

/// A step that lowers the loss by less is the last.
const TOLERANCE: f64 = 1e-10;

/// P(alternative a) = exp(b · f_a) / Σ exp(b · f): the probabilities of alternatives by weights b.
pub(super) fn probabilities(weights: &[f64], alternatives: &[Vec<f64>]) -> Vec<f64> {
    let score = |features: &Vec<f64>| features.iter().zip(weights).map(|(f, b)| f * b).sum();
    let scores: Vec<f64> = alternatives.iter().map(score).collect();
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let exponentials: Vec<f64> = scores.iter().map(|score| (score - largest).exp()).collect();
    let sum: f64 = exponentials.iter().sum();
    exponentials.into_iter().map(|exponential| exponential / sum).collect()
}

/// The weights that make what was chosen most probable, by Newton's method: the minimum of the mean
/// of −log P(chosen) + `ridge`/2 |b|², with b in units of the features' spread.
pub(super) fn learn(observations: &[Observation], features: usize, ridge: f64) -> Vec<f64> {
    let spread = spreads(observations, features);
    let mut weights = vec![0.0; features];
    let mut now = Derivatives::at(&weights, observations, &spread, ridge);
    for _ in 0..MOST_STEPS {
        let Some(step) = solve(&now.hessian, &now.gradient) else { break };
        let mut length = 1.0;
        let next = loop {
            let tried: Vec<f64> = weights.iter().zip(&step).map(|(b, s)| b - length * s).collect();
            let next = Derivatives::at(&tried, observations, &spread, ridge);
            // Newton's step is downhill, so a shorter one lowers the loss.
            if next.loss <= now.loss || length < 1e-6 {
                break (tried, next);
            }
            length /= 2.0;
        };
        let gain = now.loss - next.1.loss;
        (weights, now) = next;
        if gain < TOLERANCE {
            break;
        }
    }
    weights
}

/// The standard deviation of each feature over all alternatives; 1 for one that never changes.
fn spreads(observations: &[Observation], features: usize) -> Vec<f64> {
    let rows = || observations.iter().flat_map(|it| &it.alternatives);
    let count = rows().count().max(1) as f64;
    let spread = |f: usize| {
        let mean = rows().map(|row| row[f]).sum::<f64>() / count;
        let variance = rows().map(|row| (row[f] - mean).powi(2)).sum::<f64>() / count;
        if variance > 1e-12 { variance.sqrt() } else { 1.0 }
    };
    (0..features).map(spread).collect()
}

/// The loss and its derivatives.
struct Derivatives {
    loss: f64,
    gradient: Vec<f64>,
    hessian: Vec<Vec<f64>>,
}

impl Derivatives {
    fn at(weights: &[f64], observations: &[Observation], spread: &[f64], ridge: f64) -> Self {
        let size = weights.len();
        let (mut loss, mut gradient, mut hessian) =
            (0.0, vec![0.0; size], vec![vec![0.0; size]; size]);
        let all: f64 = observations.iter().map(|it| it.weight).sum();
        for Observation { alternatives, chosen, weight } in observations {
            let shares = probabilities(weights, alternatives);
            let scale = weight / all;
            loss -= scale * shares[*chosen].max(f64::MIN_POSITIVE).ln();
            let mut mean = vec![0.0; size];
            for (row, share) in alternatives.iter().zip(&shares) {
                mean.iter_mut().zip(row).for_each(|(mean, f)| *mean += share * f);
            }
            for (f, (mean, right)) in mean.iter().zip(&alternatives[*chosen]).enumerate() {
                gradient[f] += scale * (mean - right);
            }
            for (row, share) in alternatives.iter().zip(&shares) {
                let rest: Vec<f64> = row.iter().zip(&mean).map(|(f, mean)| f - mean).collect();
                for (sums, a) in hessian.iter_mut().zip(&rest) {
                    let scale = scale * share * a;
                    sums.iter_mut().zip(&rest).for_each(|(sum, b)| *sum += scale * b);
                }
            }
        }
        for a in 0..size {
            let stiffness = ridge * spread[a] * spread[a];
            loss += 0.5 * stiffness * weights[a] * weights[a];
            gradient[a] += stiffness * weights[a];
            hessian[a][a] += stiffness;
        }
        Self { loss, gradient, hessian }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_are_learned_as_log_odds() {
        // Of ten choices between two things, seven are for the second: b = ln(7/3).
        let observation = |i: usize| Observation {
            alternatives: vec![vec![0.0], vec![1.0]],
            chosen: usize::from(i < 7),
            weight: 2.0,
        };
        let observations: Vec<Observation> = (0..10).map(observation).collect();
        let weights = learn(&observations, 1, 1e-9);
        assert!((weights[0] - (7f64 / 3.0).ln()).abs() < 1e-6, "{weights:?}");
    }

    #[test]
    fn the_derivatives_are_those_of_the_loss() {
        let observations: Vec<Observation> = (0..6)
            .map(|i| Observation {
                alternatives: (0..3).map(|k| vec![(i * k) as f64 / 5.0, (k * k) as f64]).collect(),
                chosen: i % 3,
                weight: 1.0 + i as f64,
            })
            .collect();
        let (weights, spread) = ([0.3, -0.2], spreads(&observations, 2));
        let at = |a: f64, b: f64| Derivatives::at(&[a, b], &observations, &spread, 0.1);
        let (here, step) = (at(weights[0], weights[1]), 1e-5);
        for f in 0..2 {
            let moved = |by: f64| {
                let mut moved = weights;
                moved[f] += by;
                at(moved[0], moved[1])
            };
            let (after, before) = (moved(step), moved(-step));
            let slope = (after.loss - before.loss) / (2.0 * step);
            assert!((slope - here.gradient[f]).abs() < 1e-8);
            for g in 0..2 {
                let bend = (after.gradient[g] - before.gradient[g]) / (2.0 * step);
                assert!((bend - here.hessian[f][g]).abs() < 1e-8);
            }
        }
    }
}
