//! Rows of weights with their moments, divided among threads.

use super::Parameter;
use crate::numeric::Real;
use crate::numeric::kernels::{self, AdamRow};
use std::ops::Range;

/// The number of weights that is worth a task of its own.
const PART: usize = 1 << 14;

/// Consecutive rows of a parameter with their moments.
///
/// Each row is updated independently, so the division among threads does not affect the result.
pub(super) struct AdamRows<'a, R> {
    /// The index of the first row in the parameter.
    start: usize,
    columns: usize,
    weights: &'a mut [R],
    first: &'a mut [R],
    second: &'a mut [R],
}

impl<'a, R: Real> AdamRows<'a, R> {
    /// All rows of a parameter.
    pub(super) fn new(
        parameter: &'a mut Parameter<R>,
        first: &'a mut [R],
        second: &'a mut [R],
    ) -> Self {
        let Parameter { columns, values, .. } = parameter;
        Self { start: 0, columns: *columns, weights: values, first, second }
    }

    /// Splits the rows before row `row` of the parameter from the others.
    fn split_at(self, row: usize) -> (Self, Self) {
        let at = (row - self.start) * self.columns;
        let (weights, other_weights) = self.weights.split_at_mut(at);
        let (first, other_first) = self.first.split_at_mut(at);
        let (second, other_second) = self.second.split_at_mut(at);
        let before = Self { weights, first, second, ..self };
        let others = AdamRows {
            start: row,
            columns: self.columns,
            weights: other_weights,
            first: other_first,
            second: other_second,
        };
        (before, others)
    }

    /// Calls `work` with parts of the rows, on several threads.
    pub(super) fn in_parts(self, work: &(impl Fn(Self) + Sync)) {
        let rows = self.weights.len() / self.columns;
        if rows < 2 || self.weights.len() <= PART {
            return work(self);
        }
        let middle = self.start + rows / 2;
        let (before, others) = self.split_at(middle);
        rayon::join(|| before.in_parts(work), || others.in_parts(work));
    }

    /// Calls `work` with parts of the rows that contain the rows of `terms`, on several threads.
    /// `terms` must be in increasing order. `work` is told which range of `terms` lies in its part.
    pub(super) fn in_parts_of(self, terms: &[u32], work: &(impl Fn(Self, Range<usize>) + Sync)) {
        self.in_parts_of_range(terms, 0..terms.len(), work);
    }

    fn in_parts_of_range(
        self,
        terms: &[u32],
        range: Range<usize>,
        work: &(impl Fn(Self, Range<usize>) + Sync),
    ) {
        if range.len() < 2 || range.len() * self.columns <= PART {
            return work(self, range);
        }
        let middle = range.start + range.len() / 2;
        let (before, others) = self.split_at(terms[middle] as usize);
        rayon::join(
            || before.in_parts_of_range(terms, range.start..middle, work),
            || others.in_parts_of_range(terms, middle..range.end, work),
        );
    }

    /// Calls `work` with the row of each of `terms`, and with the rows between them. For the row of
    /// a term, `work` also gets the term's position in `terms`.
    pub(super) fn apart(self, terms: &[u32], mut work: impl FnMut(Self, Option<usize>)) {
        let end = self.start + self.weights.len() / self.columns;
        let first = terms.partition_point(|&term| (term as usize) < self.start);
        let mut rest = self;
        for (i, &term) in terms.iter().enumerate().skip(first) {
            let term = term as usize;
            if term >= end {
                break;
            }
            let (before, from_term) = rest.split_at(term);
            let (row, others) = from_term.split_at(term + 1);
            work(before, None);
            work(row, Some(i));
            rest = others;
        }
        work(rest, None);
    }

    /// Iterates over all rows with their indices.
    pub(super) fn all(self) -> impl Iterator<Item = (usize, AdamRow<'a, R>)> {
        let weights = self.weights.chunks_exact_mut(self.columns);
        let first = self.first.chunks_exact_mut(self.columns);
        let second = self.second.chunks_exact_mut(self.columns);
        (self.start..)
            .zip(weights.zip(first.zip(second)))
            .map(|(i, (weights, (first, second)))| (i, AdamRow { weights, first, second }))
    }

    /// Iterates over the rows of the terms in `part`, with each term's position in `terms`. `terms`
    /// must be in increasing order. Prefetches the next row while the current one is in use.
    pub(super) fn of(
        self,
        terms: &'a [u32],
        part: Range<usize>,
    ) -> impl Iterator<Item = (usize, AdamRow<'a, R>)> {
        let columns = self.columns;
        let end = part.end;
        let mut rest = Some(self);
        part.map(move |i| {
            let term = terms[i] as usize;
            let (_, from_term) = rest.take().expect("put back below").split_at(term);
            let (row, others) = from_term.split_at(term + 1);
            if i + 1 < end {
                let start = (terms[i + 1] as usize - term - 1) * columns;
                let next = start..start + columns;
                kernels::prefetch(&others.weights[next.clone()]);
                kernels::prefetch(&others.first[next.clone()]);
                kernels::prefetch(&others.second[next]);
            }
            rest = Some(others);
            let AdamRows { weights, first, second, .. } = row;
            (i, AdamRow { weights, first, second })
        })
    }
}
