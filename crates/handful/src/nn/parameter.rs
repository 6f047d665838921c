//! A weight matrix with its name.

use super::Real;
use std::ops::Range;

/// A weight matrix, row after row. A bias is a matrix of one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter<R> {
    /// What checkpoints call it.
    pub name: String,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// The weights, row after row.
    pub values: Vec<R>,
    /// Whether only rows of terms in an episode's support are read and have a gradient, so that the
    /// others can be brought up to date later.
    pub deferred: bool,
}

impl<R: Real> Parameter<R> {
    /// A matrix of zeros.
    pub fn zeros(name: impl Into<String>, rows: usize, columns: usize) -> Self {
        let values = vec![R::ZERO; rows * columns];
        Self { name: name.into(), rows, columns, values, deferred: false }
    }

    /// Rows in a range, one after the other.
    pub fn row_range(&self, rows: Range<usize>) -> &[R] {
        &self.values[rows.start * self.columns..rows.end * self.columns]
    }

    /// Whether every weight is a number.
    pub fn is_finite(&self) -> bool {
        self.values.iter().all(|weight| weight.to_f64().is_finite())
    }

    /// Row `i`.
    pub fn row(&self, i: usize) -> &[R] {
        &self.values[i * self.columns..(i + 1) * self.columns]
    }
}
