//! Gradients of weights, kept as the factors whose product they are.

use super::{Real, kernels};
use crate::corpus::Occurrences;
use std::ops::Range;

/// The gradient of one [`Parameter`](super::Parameter) in one episode.
#[derive(Clone, Debug)]
pub enum Gradient<R> {
    /// An entry a weight.
    Dense(Vec<R>),
    /// `left` (rows × rank) times `right` (rank × columns): a linear layer's gradient is as many
    /// outer products as there were inputs.
    Outer {
        /// Number of outer products.
        rank: usize,
        /// rows × rank
        left: Vec<R>,
        /// rank × columns
        right: Vec<R>,
    },
    /// A layer that reads word counts: row j is Σ_n x_nj · `documents`_n, zero where the term
    /// stands in no document of the support.
    Terms {
        /// documents × columns
        documents: Vec<R>,
    },
}

impl<R> Default for Gradient<R> {
    fn default() -> Self {
        Self::Dense(Vec::new())
    }
}

impl<R: Real> Gradient<R> {
    /// The buffer of a dense gradient, as `length` zeros.
    pub fn dense(&mut self, length: usize) -> &mut Vec<R> {
        if !matches!(self, Self::Dense(_)) {
            *self = Self::Dense(Vec::new());
        }
        let Self::Dense(values) = self else { unreachable!("made dense above") };
        kernels::reset(values, length);
        values
    }

    /// The two buffers of an outer product, `left` as zeros, `right` empty.
    pub fn outer(&mut self, rows: usize, new_rank: usize) -> (&mut Vec<R>, &mut Vec<R>) {
        if !matches!(self, Self::Outer { .. }) {
            *self = Self::Outer { rank: 0, left: Vec::new(), right: Vec::new() };
        }
        let Self::Outer { rank, left, right } = self else { unreachable!("made outer above") };
        *rank = new_rank;
        kernels::reset(left, rows * new_rank);
        right.clear();
        (left, right)
    }

    /// The buffer of a gradient by documents, empty.
    pub fn terms(&mut self) -> &mut Vec<R> {
        if !matches!(self, Self::Terms { .. }) {
            *self = Self::Terms { documents: Vec::new() };
        }
        let Self::Terms { documents } = self else { unreachable!("made terms above") };
        documents.clear();
        documents
    }
}

/// The gradients of all parameters in one episode.
#[derive(Clone, Debug, Default)]
pub struct EpisodeGradient<R> {
    /// The support's words by term: the rows that [`Gradient::Terms`] touches.
    pub occurrences: Occurrences,
    /// A gradient a parameter, in the parameters' order.
    pub of: Vec<Gradient<R>>,
}

impl<R> AsRef<Self> for EpisodeGradient<R> {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl<R: Real> EpisodeGradient<R> {
    /// The factors `left` and `right` of a parameter whose gradient is an outer product, and its
    /// rank.
    pub(super) fn product(&self, parameter: usize) -> (&[R], &[R], usize) {
        match &self.of[parameter] {
            Gradient::Outer { rank, left, right } => (left, right, *rank),
            _ => unreachable!("a parameter's gradient is of one kind in every episode"),
        }
    }

    /// Adds row `i` of the gradient of parameter `parameter` to `row`.
    pub fn add_row(&self, parameter: usize, i: usize, row: &mut [R]) {
        self.add_piece(parameter, i, row.len(), 0..row.len(), row);
    }

    /// Adds some columns of row `i` of the gradient of a parameter with `columns` columns.
    pub(super) fn add_piece(
        &self,
        parameter: usize,
        i: usize,
        columns: usize,
        piece: Range<usize>,
        sum: &mut [R],
    ) {
        let of_row = |row: usize| row * columns + piece.start..row * columns + piece.end;
        match &self.of[parameter] {
            Gradient::Dense(values) => kernels::add(sum, &values[of_row(i)]),
            Gradient::Outer { rank, left, right } => {
                for (r, &scale) in left[i * rank..(i + 1) * rank].iter().enumerate() {
                    kernels::add_scaled(sum, scale, &right[of_row(r)]);
                }
            }
            Gradient::Terms { documents } => {
                for (n, count) in self.occurrences.of_term(i as u32) {
                    let document = &documents[of_row(n as usize)];
                    kernels::add_scaled(sum, R::of(f64::from(count)), document);
                }
            }
        }
    }
}
