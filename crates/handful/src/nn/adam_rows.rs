//! Rows of weights with their moments, shared out among threads.

use super::Parameter;
use crate::numeric::Real;
use crate::numeric::kernels::{self, AdamRow};
use std::ops::Range;

/// Weights that are worth a task of their own.
const PART: usize = 1 << 14;

/// Consecutive rows of a parameter with their moments.
///
/// Every row is worked on by itself, so it does not matter to the result how they are shared out.
pub(super) struct AdamRows<'a, R> {
    /// The first row's number in the parameter.
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

    /// Those before row `row` of the parameter, and the others.
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

    /// Does the work on parts of the rows, on several threads.
    pub(super) fn in_parts(self, work: &(impl Fn(Self) + Sync)) {
        let rows = self.weights.len() / self.columns;
        if rows < 2 || self.weights.len() <= PART {
            return work(self);
        }
        let middle = self.start + rows / 2;
        let (before, others) = self.split_at(middle);
        rayon::join(|| before.in_parts(work), || others.in_parts(work));
    }

    /// Does the work on parts of the rows of some terms, given in increasing order, on several
    /// threads. The work is told which of the terms are in its part.
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

    /// Does the work on each row of the given terms, told the term's place among them, and on all the rows
    /// between two of them.
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

    /// Each row with its number.
    pub(super) fn all(self) -> impl Iterator<Item = (usize, AdamRow<'a, R>)> {
        let weights = self.weights.chunks_exact_mut(self.columns);
        let first = self.first.chunks_exact_mut(self.columns);
        let second = self.second.chunks_exact_mut(self.columns);
        (self.start..)
            .zip(weights.zip(first.zip(second)))
            .map(|(i, (weights, (first, second)))| (i, AdamRow { weights, first, second }))
    }

    /// The row of each term of a part, with the term's place among `terms`, which come in increasing
    /// order; the next one's memory is asked for while one is worked on.
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
