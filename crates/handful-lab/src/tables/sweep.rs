//! Perplexity against a setting that was varied.

use super::perplexity::{or_empty, plus_minus};
use super::{Grid, counted};
use crate::Sweep;
use crate::figure::{LineChart, Point, Series};
use crate::methods::{METHODS, Method};
use crate::results::{Key, ResultsFolder};
use crate::statistics::Mean;
use std::collections::BTreeSet;

/// Curves of perplexity, a point for each value of a setting.
///
/// Only targets and repeats count that every method shown has for every value, so that all points
/// are means over the same tasks.
#[derive(Clone, Debug)]
pub struct SweepCurves {
    sweep: Sweep,
    /// Targets and repeats.
    experiments: usize,
    /// Each method's perplexity for each of the sweep's values.
    curves: Vec<(&'static Method, Vec<Mean>)>,
}

impl SweepCurves {
    /// The curves of a folder; `None` where no method has been tried with every value.
    pub fn of(folder: &ResultsFolder, sweep: Sweep) -> Option<Self> {
        let training = &folder.identity.settings.training;
        let key = |method: &Method, (target, repeat): &(&str, usize), value: usize| {
            let size = match sweep {
                Sweep::EmSteps => (training.topics, value),
                Sweep::Topics => (value, training.em_steps),
            };
            Key::new(method, target, *repeat, size)
        };
        let keys = folder.records.iter().map(|record| &record.key);
        let all: BTreeSet<(&str, usize)> = keys.map(|key| (&*key.target, key.repeat)).collect();
        let is_complete = |method: &Method, pair: &(&str, usize)| {
            let there = |&value: &usize| folder.record(&key(method, pair, value)).is_some();
            sweep.values().iter().all(there)
        };
        let methods: Vec<&Method> = METHODS
            .iter()
            .filter(|method| method.varies_with(sweep))
            .filter(|method| all.iter().any(|pair| is_complete(method, pair)))
            .collect();
        let in_all = |pair: &(&str, usize)| methods.iter().all(|method| is_complete(method, pair));
        let pairs: Vec<(&str, usize)> = all.iter().copied().filter(in_all).collect();
        if methods.is_empty() || pairs.is_empty() {
            return None;
        }
        let mean = |method: &Method, value: usize| {
            let perplexity = |pair| {
                let record = folder.record(&key(method, pair, value));
                record.expect("only complete pairs are taken").prediction.perplexity
            };
            Mean::of(&pairs.iter().map(perplexity).collect::<Vec<f64>>())
        };
        let curve = |method: &'static Method| {
            (method, sweep.values().iter().map(|&value| mean(method, value)).collect())
        };
        let curves = methods.iter().map(|&method| curve(method)).collect();
        Some(Self { sweep, experiments: pairs.len(), curves })
    }

    /// The name of its files, without their endings.
    pub(super) fn file_name(&self) -> &'static str {
        match self.sweep {
            Sweep::EmSteps => "perplexity-by-em-steps",
            Sweep::Topics => "perplexity-by-topics",
        }
    }

    fn subject(&self) -> &'static str {
        match self.sweep {
            Sweep::EmSteps => "number of EM steps T",
            Sweep::Topics => "number of topics K",
        }
    }

    pub(super) fn markdown(&self) -> String {
        let (name, subject) = (self.file_name(), self.subject());
        let mut grid = Grid::new(&[subject]);
        grid.header.extend(self.curves.iter().map(|(method, _)| method.id.to_owned()));
        for (i, value) in self.sweep.values().iter().enumerate() {
            let cells = self.curves.iter().map(|(_, means)| plus_minus(&means[i], 1));
            grid.rows.push(std::iter::once(value.to_string()).chain(cells).collect());
        }
        format!(
            "\n## Perplexity by {subject}\n\n![Perplexity by {subject}]({name}.svg)\n\nMean and \
             standard error over {}.\n\n{}",
            counted(self.experiments, "experiment"),
            grid.to_markdown()
        )
    }

    pub(super) fn csv(&self) -> Grid {
        let value = match self.sweep {
            Sweep::EmSteps => "em_steps",
            Sweep::Topics => "topics",
        };
        let mut grid = Grid::new(&[value, "method", "perplexity", "standard_error", "experiments"]);
        for (i, value) in self.sweep.values().iter().enumerate() {
            for (method, means) in &self.curves {
                grid.rows.push(vec![
                    value.to_string(),
                    method.id.to_owned(),
                    means[i].mean.to_string(),
                    or_empty(means[i].standard_error),
                    means[i].count.to_string(),
                ]);
            }
        }
        grid
    }

    /// The figure.
    pub fn chart(&self) -> LineChart {
        let point = |mean: &Mean| Point { y: mean.mean, error: mean.standard_error.unwrap_or(0.0) };
        let series = |(method, means): &(&Method, Vec<Mean>)| Series {
            name: method.id.to_owned(),
            points: means.iter().map(point).collect(),
        };
        LineChart {
            x_label: self.subject().to_owned(),
            y_label: "perplexity of held-out words (± standard error)".to_owned(),
            ticks: self.sweep.values().iter().map(usize::to_string).collect(),
            series: self.curves.iter().map(series).collect(),
        }
    }
}
