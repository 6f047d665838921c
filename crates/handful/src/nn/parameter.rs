//! A named weight matrix.

use crate::numeric::{Real, kernels};
use rayon::prelude::*;
use std::ops::Range;

/// How many weights a thread checks at a time.
const BLOCK: usize = 1 << 16;

/// A weight matrix, row by row. A bias is a matrix with one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter<R> {
    /// The name in checkpoints.
    pub name: String,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// The weights, row by row.
    pub values: Vec<R>,
    /// Whether an episode reads, and has gradients for, only the rows of terms in its support. The
    /// other rows can then be brought up to date later.
    pub deferred: bool,
    /// A factor for the learning rate. It is 1 for deferred parameters.
    pub rate: f64,
}

impl<R: Real> Parameter<R> {
    /// Creates a matrix of zeros.
    pub fn zeros(name: impl Into<String>, rows: usize, columns: usize) -> Self {
        let values = vec![R::ZERO; rows * columns];
        Self { name: name.into(), rows, columns, values, deferred: false, rate: 1.0 }
    }

    /// Returns the rows in a range, one after the other.
    pub fn row_range(&self, rows: Range<usize>) -> &[R] {
        &self.values[rows.start * self.columns..rows.end * self.columns]
    }

    /// Whether every weight is finite.
    pub fn is_finite(&self) -> bool {
        self.values.par_chunks(BLOCK).all(all_finite)
    }

    /// Returns row `i`.
    pub fn row(&self, i: usize) -> &[R] {
        &self.values[i * self.columns..(i + 1) * self.columns]
    }
}

/// Whether every number is finite. Checks all of them, which is faster than stopping at the first.
pub fn all_finite<R: Real>(values: &[R]) -> bool {
    !kernels::vectorised(
        #[inline(always)]
        || values.iter().fold(false, |broken, value| broken | !value.is_finite()),
    )
}
