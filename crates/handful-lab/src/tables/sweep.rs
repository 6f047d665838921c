//! Perplexity against a setting that was varied.

use super::{Curves, Scale, counted};
use crate::Sweep;
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
    /// Targets and repeats.
    experiments: usize,
    /// The curves.
    pub curves: Curves,
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
        let curve = |method: &&'static Method| {
            (method.id, sweep.values().iter().map(|&value| mean(method, value)).collect())
        };
        let (subject, name) = match sweep {
            Sweep::EmSteps => ("number of EM steps T", "em-steps"),
            Sweep::Topics => ("number of topics K", "topics"),
        };
        let curves = Curves {
            subject,
            name,
            values: sweep.values().to_vec(),
            scale: Scale::Even,
            methods: methods.iter().map(curve).collect(),
        };
        Some(Self { experiments: pairs.len(), curves })
    }

    /// What the points are means over.
    pub(super) fn sentence(&self) -> String {
        format!("Mean and standard error over {}.", counted(self.experiments, "experiment"))
    }
}
