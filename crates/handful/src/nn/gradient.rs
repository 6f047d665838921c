//! Gradients of weights, kept as the factors whose product they are.

use crate::corpus::{Occurrence, Occurrences};
use crate::numeric::Real;
use crate::numeric::kernels::{self, Addend};

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
    /// A matrix that is an output layer and read by terms as well: an outer product, and in row j
    /// Σ_n `scales`_nj · `documents`_n more.
    OuterAndTerms {
        /// Number of outer products.
        rank: usize,
        /// rows × rank
        left: Vec<R>,
        /// rank × columns
        right: Vec<R>,
        /// documents × columns
        documents: Vec<R>,
        /// A number for each entry of the support.
        scales: Vec<R>,
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

    /// The buffers of an outer product that has more in the rows of terms: `left` as zeros, `right`, which
    /// is returned too, and the rest empty.
    pub fn outer_and_terms(&mut self, rows: usize, new_rank: usize) -> (&mut Vec<R>, &mut Vec<R>) {
        if !matches!(self, Self::OuterAndTerms { .. }) {
            let [left, right, documents, scales] = [const { Vec::new() }; 4];
            *self = Self::OuterAndTerms { rank: 0, left, right, documents, scales };
        }
        let Self::OuterAndTerms { rank, left, right, documents, scales } = self else {
            unreachable!("made so above")
        };
        *rank = new_rank;
        kernels::reset(left, rows * new_rank);
        right.clear();
        documents.clear();
        scales.clear();
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
            Gradient::Outer { rank, left, right }
            | Gradient::OuterAndTerms { rank, left, right, .. } => (left, right, *rank),
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

    /// A gradient by documents: documents × columns.
    pub(super) fn documents(&self, parameter: usize) -> &[R] {
        match &self.of[parameter] {
            Gradient::Terms { documents } | Gradient::OuterAndTerms { documents, .. } => documents,
            _ => unreachable!("{ONE_KIND}"),
        }
    }

    /// What a document that has a term adds to the term's row.
    pub(super) fn of_occurrence(
        &self,
        parameter: usize,
        Occurrence { document, entry, count, .. }: Occurrence,
        columns: usize,
    ) -> Addend<'_, R> {
        let scale = match &self.of[parameter] {
            Gradient::OuterAndTerms { scales, .. } => scales[entry as usize],
            _ => R::of(f64::from(count)),
        };
        let start = document as usize * columns;
        Addend::Row(scale, &self.documents(parameter)[start..start + columns])
    }

    /// Adds row `i` of the gradient of parameter `parameter` to `row`.
    pub fn add_row(&self, parameter: usize, i: usize, row: &mut [R]) {
        let columns = row.len();
        match &self.of[parameter] {
            Gradient::Dense(_) => self.dense_row(parameter, i, columns).add_to(row),
            Gradient::Outer { .. } => self.product_row(parameter, i).add_to(row),
            Gradient::OuterAndTerms { .. } => {
                self.product_row(parameter, i).add_to(row);
                self.add_occurrences(parameter, i as u32, row);
            }
            Gradient::Terms { .. } => self.add_occurrences(parameter, i as u32, row),
        }
    }

    fn add_occurrences(&self, parameter: usize, term: u32, row: &mut [R]) {
        for occurrence in self.occurrences.iter().filter(|of| of.term == term) {
            self.of_occurrence(parameter, occurrence, row.len()).add_to(row);
        }
    }
}

/// Why a gradient cannot be of another kind than expected.
const ONE_KIND: &str = "a parameter's gradient is of one kind in every episode";
