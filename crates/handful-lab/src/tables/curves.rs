//! A measure against a setting that was varied: a table, a file of numbers and a figure.

use super::Grid;
use super::perplexity::{or_empty, plus_minus};
use crate::figure::{LineChart, Point, Series, Tick};
use crate::statistics::Mean;

/// Curves of a measure, with one point for each value of a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// What is measured.
    pub measure: Measure,
    /// What is varied, as text.
    pub subject: &'static str,
    /// What is varied, in file names.
    pub name: &'static str,
    /// The values of the setting.
    pub values: Vec<usize>,
    /// How to place the values in the figure.
    pub scale: Scale,
    /// Each method's id, and its measure for each value.
    pub methods: Vec<(&'static str, Vec<Mean>)>,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// The name in file names and columns.
    pub name: &'static str,
    /// The name as a heading.
    pub heading: &'static str,
    /// The name at an axis.
    pub label: &'static str,
    /// The number of decimals in tables.
    pub digits: usize,
}

impl Measure {
    /// How well held-out words are predicted.
    pub const PERPLEXITY: Self = Self {
        name: "perplexity",
        heading: "Perplexity",
        label: "perplexity of held-out words",
        digits: 1,
    };
    /// How many topics two documents or more have in common.
    pub const SHARED_TOPICS: Self = Self {
        name: "shared-topics",
        heading: "Shared topics",
        label: "topics of two documents or more",
        digits: 2,
    };
}

/// How to place values in a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// At equal distances.
    Even,
    /// By their logarithms.
    Logarithmic,
}

impl Curves {
    /// Returns the name of the files, without extension.
    pub(super) fn file_name(&self) -> String {
        format!("{}-by-{}", self.measure.name, self.name)
    }

    /// Returns a table with one row per value and one column per method.
    pub(super) fn grid(&self) -> Grid {
        let mut grid = Grid::new(&[self.subject]);
        grid.header.extend(self.methods.iter().map(|(method, _)| (*method).to_owned()));
        for (i, value) in self.values.iter().enumerate() {
            let cells =
                self.methods.iter().map(|(_, means)| plus_minus(&means[i], self.measure.digits));
            grid.rows.push(std::iter::once(value.to_string()).chain(cells).collect());
        }
        grid
    }

    /// Returns a table with one row for each value and method.
    pub(super) fn csv(&self) -> Grid {
        let [column, measure] = [self.name, self.measure.name].map(|name| name.replace('-', "_"));
        let header = [&*column, "method", &*measure, "standard_error", "experiments"];
        let mut grid = Grid::new(&header);
        for (i, value) in self.values.iter().enumerate() {
            for (method, means) in &self.methods {
                grid.rows.push(vec![
                    value.to_string(),
                    (*method).to_owned(),
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
        let series = |(method, means): &(&str, Vec<Mean>)| Series {
            name: (*method).to_owned(),
            points: means.iter().map(point).collect(),
        };
        let tick = |(i, &value): (usize, &usize)| Tick {
            label: value.to_string(),
            place: match self.scale {
                Scale::Even => i as f64,
                Scale::Logarithmic => (value as f64).ln(),
            },
        };
        LineChart {
            x_label: self.subject.to_owned(),
            y_label: format!("{} (± standard error)", self.measure.label),
            ticks: self.values.iter().enumerate().map(tick).collect(),
            series: self.methods.iter().map(series).collect(),
        }
    }
}
