//! Perplexity against a setting that was varied, and what became of the topics.

use super::perplexity::perplexities;
use super::topics_shown::{mean, text};
use super::{Curves, Grid, Scale, counted};
use crate::Sweep;
use crate::methods::{METHODS, Method};
use crate::results::{Key, Record, ResultsFolder};
use crate::statistics::Mean;
use crate::topics_shown::TopicsShown;
use std::collections::BTreeSet;

/// Curves of perplexity, a point for each value of a setting.
///
/// Only targets and repeats count that every method shown has for every value, so that all points
/// are means over the same tasks.
#[derive(Clone, Debug)]
pub struct SweepCurves<'a> {
    /// Targets and repeats.
    experiments: usize,
    /// The curves.
    pub curves: Curves,
    /// The experiments of each method and value.
    records: Vec<Vec<Vec<&'a Record>>>,
}

impl<'a> SweepCurves<'a> {
    /// The curves of a folder; `None` where no method has been tried with every value.
    pub fn of(folder: &'a ResultsFolder, sweep: Sweep) -> Option<Self> {
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
        let of_value = |method: &Method, value: usize| -> Vec<&Record> {
            let records = pairs.iter().map(|pair| folder.record(&key(method, pair, value)));
            records.map(|record| record.expect("only complete pairs are taken")).collect()
        };
        let of_method = |method: &&Method| -> Vec<Vec<&Record>> {
            sweep.values().iter().map(|&value| of_value(method, value)).collect()
        };
        let records: Vec<Vec<Vec<&Record>>> = methods.iter().map(of_method).collect();
        let perplexity = |records: &Vec<&Record>| Mean::of(&perplexities(records));
        let curve = |(method, records): (&&'static Method, &Vec<Vec<&Record>>)| {
            (method.id, records.iter().map(perplexity).collect())
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
            methods: methods.iter().zip(&records).map(curve).collect(),
        };
        Some(Self { experiments: pairs.len(), curves, records })
    }

    /// What the points are means over.
    pub(super) fn sentence(&self) -> String {
        format!("Mean and standard error over {}.", counted(self.experiments, "experiment"))
    }

    /// What a person is shown of the topics for each value, by each method that has it measured; no
    /// rows where none has.
    pub(super) fn topics_shown(&self) -> Grid {
        let mut grid = Grid::new(&[self.curves.subject]);
        grid.rows = self.curves.values.iter().map(|value| vec![value.to_string()]).collect();
        let columns: [(&str, usize, Measure); 3] = [
            ("topics", 2, |shown| Some(shown.topics)),
            ("of two documents or more", 2, |shown| Some(shown.shared)),
            ("coherence, by telling", 3, |shown| shown.by_telling.coherence),
        ];
        for ((method, _), values) in self.curves.methods.iter().zip(&self.records) {
            let is_measured = |record: &&Record| record.topics_shown.is_some();
            if !values.iter().flatten().all(is_measured) {
                continue;
            }
            for (name, digits, measure) in columns {
                let means: Vec<Option<Mean>> =
                    values.iter().map(|records| mean(records, &measure)).collect();
                if means.iter().all(Option::is_none) {
                    continue;
                }
                grid.header.push(format!("{method}: {name}"));
                for (row, mean) in grid.rows.iter_mut().zip(means) {
                    row.push(text(mean, digits));
                }
            }
        }
        if grid.header.len() == 1 {
            grid.rows.clear();
        }
        grid
    }
}

/// What is measured of the topics of an experiment.
type Measure = fn(&TopicsShown) -> Option<f64>;
