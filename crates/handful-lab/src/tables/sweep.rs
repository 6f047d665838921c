//! Perplexity and topics as a setting is varied.

use super::perplexity::perplexities;
use super::topics_shown::{mean, text};
use super::{Curves, Grid, Measure, Scale, counted};
use crate::Sweep;
use crate::methods::{METHODS, Method};
use crate::results::{Key, Record, ResultsFolder};
use crate::statistics::Mean;
use crate::topics_shown::TopicsShown;
use handful::internals::evaluate::PerplexityMean;
use std::collections::BTreeSet;

/// The measurements for each value of a setting.
///
/// Uses only targets and repeats that every method shown has for every value, so that all points
/// are means over the same tasks.
#[derive(Clone, Debug)]
pub struct SweepCurves<'a> {
    sweep: Sweep,
    values: Vec<usize>,
    mean: PerplexityMean,
    methods: Vec<OfMethod<'a>>,
}

/// A method, with its experiments for each value.
type OfMethod<'a> = (&'static Method, Vec<Vec<&'a Record>>);

impl<'a> SweepCurves<'a> {
    /// Creates the curves of a folder. Returns `None` if no method was tried with several values.
    pub fn of(folder: &'a ResultsFolder, sweep: Sweep) -> Option<Self> {
        let settings = &folder.identity.settings;
        let training = &settings.training;
        let key = |method: &Method, (target, repeat): &(&str, usize), value: usize| {
            let size = match sweep {
                Sweep::EmSteps => (training.topics, value),
                Sweep::Topics => (value, training.em_steps),
            };
            Key::new(method, target, *repeat, size)
        };
        let keys = folder.records.iter().map(|record| &record.key);
        let all: BTreeSet<(&str, usize)> = keys.map(|key| (&*key.target, key.repeat)).collect();
        let tried = |method: &Method| -> BTreeSet<usize> {
            let value = |record: &Record| {
                let Key { target, repeat, topics, em_steps, .. } = &record.key;
                let value = match sweep {
                    Sweep::EmSteps => *em_steps,
                    Sweep::Topics => *topics,
                };
                value.filter(|&value| key(method, &(target.as_str(), *repeat), value) == record.key)
            };
            folder.records.iter().filter_map(value).collect()
        };
        let varying: Vec<&'static Method> = METHODS
            .iter()
            .filter(|method| method.varies_with(sweep, settings.until_converged))
            .collect();
        let values = values_of(varying.iter().map(|method| tried(method)).collect())?;
        let is_complete = |method: &Method, pair: &(&str, usize)| {
            let there = |&value: &usize| folder.record(&key(method, pair, value)).is_some();
            values.iter().all(there)
        };
        let methods: Vec<&'static Method> = varying
            .into_iter()
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
        let of_method = |method: &'static Method| {
            (method, values.iter().map(|&value| of_value(method, value)).collect())
        };
        let mean = settings.mean;
        let methods = methods.into_iter().map(of_method).collect();
        Some(Self { sweep, values, mean, methods })
    }

    /// Says over how many experiments the points are means.
    pub(super) fn sentence(&self) -> String {
        let experiments = self.methods[0].1[0].len();
        format!("Mean and standard error over {}.", counted(experiments, "experiment"))
    }

    /// Returns the curves of perplexity and, if they were counted, of the topics that documents
    /// share.
    pub fn curves(&self) -> Vec<Curves> {
        let perplexity = |records: &[&Record]| Mean::of(&perplexities(records, self.mean));
        let shared = |records: &[&Record]| {
            mean(records, &|shown| Some(shown.shared)).expect("they were counted")
        };
        let looked_at = self.with_topics_shown();
        let all = self.methods.iter().collect::<Vec<_>>();
        let mut curves = vec![self.of_measure(Measure::PERPLEXITY, &all, &perplexity)];
        if !looked_at.is_empty() {
            curves.push(self.of_measure(Measure::SHARED_TOPICS, &looked_at, &shared));
        }
        curves
    }

    fn of_measure(
        &self,
        measure: Measure,
        methods: &[&OfMethod<'_>],
        point: &dyn Fn(&[&Record]) -> Mean,
    ) -> Curves {
        let curve = |(method, values): &&OfMethod<'_>| {
            (method.id, values.iter().map(|records| point(records)).collect())
        };
        let (subject, name) = self.names();
        Curves {
            measure,
            subject,
            name,
            values: self.values.clone(),
            scale: Scale::Even,
            methods: methods.iter().map(curve).collect(),
        }
    }

    /// Returns the name of the setting, as text and in file names.
    fn names(&self) -> (&'static str, &'static str) {
        match self.sweep {
            Sweep::EmSteps => ("number of EM steps T", "em-steps"),
            Sweep::Topics => ("number of topics K", "topics"),
        }
    }

    /// Returns the methods whose topics were measured for every value.
    fn with_topics_shown(&self) -> Vec<&OfMethod<'a>> {
        let is_looked_at = |(_, values): &&OfMethod<'_>| {
            values.iter().flatten().all(|record| record.topics_shown.is_some())
        };
        self.methods.iter().filter(is_looked_at).collect()
    }

    /// Returns a table of the topics shown for each value, for each method with such measurements.
    /// It has no rows if there is none.
    pub(super) fn topics_shown(&self) -> Grid {
        let mut grid = Grid::new(&[self.names().0]);
        grid.rows = self.values.iter().map(|value| vec![value.to_string()]).collect();
        let columns: [(&str, usize, Shown); 2] = [
            ("topics", 2, |shown| Some(shown.topics)),
            ("coherence, by telling", 3, |shown| shown.by_telling.coherence),
        ];
        for (method, values) in self.with_topics_shown() {
            for (name, digits, measure) in columns {
                let means: Vec<Option<Mean>> =
                    values.iter().map(|records| mean(records, &measure)).collect();
                if means.iter().all(Option::is_none) {
                    continue;
                }
                grid.header.push(format!("{}: {name}", method.id));
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

/// Returns the values to show, given those that each method was tried with: those that all methods
/// have which have several. If these are fewer than two, those of the method that has most.
fn values_of(tried: Vec<BTreeSet<usize>>) -> Option<Vec<usize>> {
    let several: Vec<BTreeSet<usize>> = tried.into_iter().filter(|set| set.len() > 1).collect();
    let most = several.iter().rev().max_by_key(|set| set.len())?;
    let common: BTreeSet<usize> = most
        .iter()
        .copied()
        .filter(|value| several.iter().all(|set| set.contains(value)))
        .collect();
    let shown = if common.len() > 1 { &common } else { most };
    Some(shown.iter().copied().collect())
}

/// Extracts a measure of an experiment's topics.
type Shown = fn(&TopicsShown) -> Option<f64>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_shown_are_those_of_all_methods_that_were_varied() {
        let shown = |tried: &[&[usize]]| {
            values_of(tried.iter().map(|values| values.iter().copied().collect()).collect())
        };
        assert_eq!(shown(&[&[10], &[]]), None);
        assert_eq!(shown(&[&[10], &[20, 5, 10], &[5, 20]]), Some(vec![5, 20]));
        // Methods that were varied in ways of their own: the first of those that have most values.
        assert_eq!(shown(&[&[1, 2], &[2, 5, 7], &[3, 4, 6]]), Some(vec![2, 5, 7]));
    }
}
