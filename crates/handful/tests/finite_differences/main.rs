//! Every backward pass against finite differences in float64, stage by stage.

mod em;
mod layers;
mod priors;

use handful::internals::corpus::{Episode, WordCounts};
use handful::internals::nn::{EpisodeGradient, Parameter};
use handful::internals::random::{Purpose, stream};
use rand::RngExt;

/// Numbers between −1 and 1, the same in every run.
fn numbers(count: usize, seed: u64) -> Vec<f64> {
    let mut stream = stream(seed, Purpose::Weights, 99);
    (0..count).map(|_| stream.random_range(-1.0..1.0)).collect()
}

fn positive(count: usize, seed: u64) -> Vec<f64> {
    numbers(count, seed).into_iter().map(|x| (2.0 * x).exp()).collect()
}

/// Checks `gradient` against central differences of `value` at `point`.
fn check(what: &str, point: &[f64], gradient: &[f64], value: impl Fn(&[f64]) -> f64) {
    assert_eq!(point.len(), gradient.len(), "{what}");
    let largest = gradient.iter().fold(1e-3f64, |largest, g| largest.max(g.abs()));
    let step = 1e-5;
    for i in 0..point.len() {
        let at = |x: f64| {
            let mut moved = point.to_vec();
            moved[i] = x;
            value(&moved)
        };
        let difference = (at(point[i] + step) - at(point[i] - step)) / (2.0 * step);
        assert!(
            (difference - gradient[i]).abs() < 1e-6 * largest,
            "{what}[{i}]: {} by hand, {difference} by differences",
            gradient[i]
        );
    }
}

fn weighted_sum(values: &[f64], weights: &[f64]) -> f64 {
    values.iter().zip(weights).map(|(v, w)| v * w).sum()
}

fn multiplied_out(
    gradient: &EpisodeGradient<f64>,
    p: usize,
    parameter: &Parameter<f64>,
) -> Vec<f64> {
    let mut dense = vec![0.0; parameter.values.len()];
    for (i, row) in dense.chunks_mut(parameter.columns).enumerate() {
        gradient.add_row(p, i, row);
    }
    dense
}

fn parameter(rows: usize, columns: usize, seed: u64) -> Parameter<f64> {
    Parameter { values: numbers(rows * columns, seed), ..Parameter::zeros("w", rows, columns) }
}

/// Documents with shared terms, an empty support and an empty query among them.
fn episode() -> Episode {
    let (mut support, mut query) = (WordCounts::new(), WordCounts::new());
    support.push_row([(0, 2), (3, 1), (7, 4)]);
    query.push_row([(3, 1), (9, 2)]);
    support.push_row([]);
    query.push_row([(1, 1), (7, 1)]);
    support.push_row([(3, 3), (5, 1)]);
    query.push_row([]);
    Episode { support, query, ..Episode::default() }
}

const TERMS: usize = 11;

fn with_values(parameters: &[Parameter<f64>], p: usize, values: &[f64]) -> Vec<Parameter<f64>> {
    let mut parameters = parameters.to_vec();
    parameters[p].values = values.to_vec();
    parameters
}
