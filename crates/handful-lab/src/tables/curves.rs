//! Perplexity against a setting that was varied: a table, a file of numbers and a figure.

use super::Grid;
use super::perplexity::{or_empty, plus_minus};
use crate::figure::{LineChart, Point, Series, Tick};
use crate::statistics::Mean;

/// Curves of perplexity, a point for each value of a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// What is varied, to be read.
    pub subject: &'static str,
    /// What is varied, in names of files.
    pub name: &'static str,
    /// Its values.
    pub values: Vec<usize>,
    /// How values are placed in the figure.
    pub scale: Scale,
    /// Each method's id, and its perplexity for each value.
    pub methods: Vec<(&'static str, Vec<Mean>)>,
}

/// How values are placed in a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// At equal distances.
    Even,
    /// By their logarithms.
    Logarithmic,
}

impl Curves {
    /// The name of its files, without their endings.
    pub(super) fn file_name(&self) -> String {
        format!("perplexity-by-{}", self.name)
    }

    /// A row a value, a column a method.
    pub(super) fn grid(&self) -> Grid {
        let mut grid = Grid::new(&[self.subject]);
        grid.header.extend(self.methods.iter().map(|(method, _)| (*method).to_owned()));
        for (i, value) in self.values.iter().enumerate() {
            let cells = self.methods.iter().map(|(_, means)| plus_minus(&means[i], 1));
            grid.rows.push(std::iter::once(value.to_string()).chain(cells).collect());
        }
        grid
    }

    /// A row for each value and method.
    pub(super) fn csv(&self) -> Grid {
        let column = self.name.replace('-', "_");
        let header = [&*column, "method", "perplexity", "standard_error", "experiments"];
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
            y_label: "perplexity of held-out words (± standard error)".to_owned(),
            ticks: self.values.iter().enumerate().map(tick).collect(),
            series: self.methods.iter().map(series).collect(),
        }
    }
}
