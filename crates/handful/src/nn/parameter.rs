//! A weight matrix with its name.

use crate::numeric::{Real, kernels};
use rayon::prelude::*;
use std::ops::Range;

/// Weights that are looked at together.
const BLOCK: usize = 1 << 16;

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
    /// What the learning rate is multiplied by; 1 for deferred parameters.
    pub rate: f64,
}

impl<R: Real> Parameter<R> {
    /// A matrix of zeros.
    pub fn zeros(name: impl Into<String>, rows: usize, columns: usize) -> Self {
        let values = vec![R::ZERO; rows * columns];
        Self { name: name.into(), rows, columns, values, deferred: false, rate: 1.0 }
    }

    /// Rows in a range, one after the other.
    pub fn row_range(&self, rows: Range<usize>) -> &[R] {
        &self.values[rows.start * self.columns..rows.end * self.columns]
    }

    /// Whether every weight is a number.
    pub fn is_finite(&self) -> bool {
        self.values.par_chunks(BLOCK).all(all_finite)
    }

    /// Row `i`.
    pub fn row(&self, i: usize) -> &[R] {
        &self.values[i * self.columns..(i + 1) * self.columns]
    }
}

/// Whether every number is finite. Looks at all of them, which is faster than stopping at the first.
pub fn all_finite<R: Real>(values: &[R]) -> bool {
    !kernels::vectorised(
        #[inline(always)]
        || values.iter().fold(false, |broken, value| broken | !value.is_finite()),
    )
}
