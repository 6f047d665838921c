//! Gradients of weights, kept as factors of a product.

use crate::corpus::{Occurrence, Occurrences};
use crate::numeric::Real;
use crate::numeric::kernels::{self, Addend};

/// The gradient of one [`Parameter`](super::Parameter) in one episode.
#[derive(Clone, Debug)]
pub enum Gradient<R> {
    /// One entry per weight.
    Dense(Vec<R>),
    /// `left` (rows × rank) times `right` (rank × columns). A linear layer's gradient is the sum of
    /// one outer product per input.
    Outer {
        /// The number of outer products.
        rank: usize,
        /// rows × rank
        left: Vec<R>,
        /// rank × columns
        right: Vec<R>,
    },
    /// The gradient of a matrix that is both an output layer and an input read by terms: a sum of
    /// outer products, plus Σ_n `scales`_nj · `documents`_n in row j.
    OuterAndTerms {
        /// The number of outer products.
        rank: usize,
        /// rows × rank
        left: Vec<R>,
        /// rank × columns
        right: Vec<R>,
        /// documents × columns
        documents: Vec<R>,
        /// One number per entry of the support.
        scales: Vec<R>,
    },
    /// The gradient of a layer that reads word counts: row j is Σ_n x_nj · `documents`_n, and zero
    /// if the term occurs in no document of the support.
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
    /// Makes the gradient dense, with `length` zeros, and returns the entries.
    pub fn dense(&mut self, length: usize) -> &mut Vec<R> {
        if !matches!(self, Self::Dense(_)) {
            *self = Self::Dense(Vec::new());
        }
        let Self::Dense(values) = self else { unreachable!("made dense above") };
        kernels::reset(values, length);
        values
    }

    /// Makes the gradient an outer product, with `left` zero and `right` empty, and returns both.
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

    /// Makes the gradient an outer product with additional rows of terms: `left` is zero, the rest
    /// is empty. Returns `left` and `right`.
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

    /// Makes the gradient one by documents, and returns its empty buffer.
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
    /// One gradient per parameter, in the parameters' order.
    pub of: Vec<Gradient<R>>,
}

impl<R> AsRef<Self> for EpisodeGradient<R> {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl<R: Real> EpisodeGradient<R> {
    /// Returns the factors `left` and `right` of a gradient with outer products, and its rank.
    pub(super) fn product(&self, parameter: usize) -> (&[R], &[R], usize) {
        match &self.of[parameter] {
            Gradient::Outer { rank, left, right }
            | Gradient::OuterAndTerms { rank, left, right, .. } => (left, right, *rank),
            _ => unreachable!("{ONE_KIND}"),
        }
    }

    /// Returns row `i` of a dense gradient.
    pub(super) fn dense_row(&self, parameter: usize, i: usize, columns: usize) -> Addend<'_, R> {
        match &self.of[parameter] {
            Gradient::Dense(values) => Addend::Row(R::ONE, &values[i * columns..(i + 1) * columns]),
            _ => unreachable!("{ONE_KIND}"),
        }
    }

    /// Returns row `i` of a gradient's outer products.
    pub(super) fn product_row(&self, parameter: usize, i: usize) -> Addend<'_, R> {
        let (left, right, rank) = self.product(parameter);
        Addend::Product(&left[i * rank..(i + 1) * rank], right)
    }

    /// Returns the vectors of a gradient by documents: documents × columns.
    pub(super) fn documents(&self, parameter: usize) -> &[R] {
        match &self.of[parameter] {
            Gradient::Terms { documents } | Gradient::OuterAndTerms { documents, .. } => documents,
            _ => unreachable!("{ONE_KIND}"),
        }
    }

    /// Returns what one occurrence of a term in a document adds to the term's row.
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
