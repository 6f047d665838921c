//! Gradients of weights, kept as the factors whose product they are.

use super::Real;
use super::kernels::{self, Addend};
use crate::corpus::Occurrences;

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
    /// A matrix that is an output layer and read by terms as well: an outer product, and more in the
    /// rows of the support's terms.
    OuterAndRows {
        /// Number of outer products.
        rank: usize,
        /// rows × rank
        left: Vec<R>,
        /// rank × columns
        right: Vec<R>,
        /// A row for each of the support's terms, in increasing order: terms × columns
        rows: Vec<R>,
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

    /// The buffers of an outer product with rows of its own: `left` as zeros, `right` and `rows` empty.
    pub fn outer_and_rows(
        &mut self,
        matrix_rows: usize,
        new_rank: usize,
    ) -> (&mut Vec<R>, &mut Vec<R>, &mut Vec<R>) {
        if !matches!(self, Self::OuterAndRows { .. }) {
            let (left, right, rows) = (Vec::new(), Vec::new(), Vec::new());
            *self = Self::OuterAndRows { rank: 0, left, right, rows };
        }
        let Self::OuterAndRows { rank, left, right, rows } = self else {
            unreachable!("made so above")
        };
        *rank = new_rank;
        kernels::reset(left, matrix_rows * new_rank);
        right.clear();
        rows.clear();
        (left, right, rows)
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
            Gradient::Outer { rank, left, right }
            | Gradient::OuterAndRows { rank, left, right, .. } => (left, right, *rank),
            _ => unreachable!("{ONE_KIND}"),
        }
    }

    /// Row `i` of a dense gradient.
    pub(super) fn dense_row(&self, parameter: usize, i: usize, columns: usize) -> Addend<'_, R> {
        match &self.of[parameter] {
            Gradient::Dense(values) => Addend::Row(R::ONE, &values[i * columns..(i + 1) * columns]),
            _ => unreachable!("{ONE_KIND}"),
        }
    }

    /// Row `i` of a gradient that is an outer product.
    pub(super) fn product_row(&self, parameter: usize, i: usize) -> Addend<'_, R> {
        let (left, right, rank) = self.product(parameter);
        Addend::Product(&left[i * rank..(i + 1) * rank], right)
    }

    /// The row of its own that a gradient has for a term, if the support has the term.
    pub(super) fn own_row(
        &self,
        parameter: usize,
        term: u32,
        columns: usize,
    ) -> Option<Addend<'_, R>> {
        let Gradient::OuterAndRows { rows, .. } = &self.of[parameter] else {
            unreachable!("{ONE_KIND}")
        };
        let i = self.occurrences.terms().binary_search(&term).ok()?;
        Some(Addend::Row(R::ONE, &rows[i * columns..(i + 1) * columns]))
    }

    /// A gradient by documents: documents × columns.
    pub(super) fn documents(&self, parameter: usize) -> &[R] {
        match &self.of[parameter] {
            Gradient::Terms { documents } => documents,
            _ => unreachable!("{ONE_KIND}"),
        }
    }

    /// Adds row `i` of the gradient of parameter `parameter` to `row`.
    pub fn add_row(&self, parameter: usize, i: usize, row: &mut [R]) {
        let columns = row.len();
        match &self.of[parameter] {
            Gradient::Dense(_) => self.dense_row(parameter, i, columns).add_to(row),
            Gradient::Outer { .. } => self.product_row(parameter, i).add_to(row),
            Gradient::OuterAndRows { .. } => {
                self.product_row(parameter, i).add_to(row);
                if let Some(own) = self.own_row(parameter, i as u32, columns) {
                    own.add_to(row);
                }
            }
            Gradient::Terms { documents } => {
                let of_term = self.occurrences.iter().filter(|(term, ..)| *term == i as u32);
                for (_, n, count) in of_term {
                    let start = n as usize * columns;
                    let document = &documents[start..start + columns];
                    kernels::add_scaled(row, R::of(f64::from(count)), document);
                }
            }
        }
    }
}

/// Why a gradient cannot be of another kind than expected.
const ONE_KIND: &str = "a parameter's gradient is of one kind in every episode";
