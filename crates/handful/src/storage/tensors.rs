//! Weights as files have them: named tensors, shape [out, in] as PyTorch's.

use crate::nn::{Parameter, StoredRows};
use crate::numeric::Real;
use crate::{Error, Result};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A tensor of a model file.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor<R> {
    /// The dimensions, the slowest first.
    pub shape: Vec<usize>,
    /// The entries, row after row.
    pub values: Vec<R>,
}

/// Tensors by name, in alphabetical order.
pub type Tensors<R> = BTreeMap<String, Tensor<R>>;

impl<R: Real> Tensor<R> {
    /// A vector.
    pub fn vector(values: &[R]) -> Self {
        Self { shape: vec![values.len()], values: values.to_vec() }
    }

    /// A matrix as it is in memory.
    pub fn matrix(parameter: &Parameter<R>) -> Self {
        Self { shape: vec![parameter.rows, parameter.columns], values: parameter.values.clone() }
    }

    /// The transpose of some matrices with equally many columns, stacked.
    pub fn transposed(stacked: &[&Parameter<R>]) -> Self {
        let rows: usize = stacked.iter().map(|parameter| parameter.rows).sum();
        let columns = stacked[0].columns;
        let mut values = Vec::with_capacity(rows * columns);
        for column in 0..columns {
            for parameter in stacked {
                values.extend(parameter.values.iter().skip(column).step_by(columns));
            }
        }
        Self { shape: vec![columns, rows], values }
    }
}

/// Shape and entries of a tensor, borrowed where they can be.
pub type TensorView<'a, R> = (Vec<usize>, Cow<'a, [R]>);

/// The terms that a prior is asked about, or will be: rows of others are not needed.
#[derive(Clone, Copy, Debug)]
pub enum TermRows<'a> {
    /// Any.
    All,
    /// These, in any order.
    Of(&'a [u32]),
}

impl TermRows<'_> {
    /// Visits each of them, in their order, where there are `terms` terms.
    #[inline]
    pub fn for_each(self, terms: usize, mut visit: impl FnMut(usize)) {
        match self {
            Self::All => (0..terms).for_each(visit),
            Self::Of(wanted) => wanted.iter().for_each(|&term| visit(term as usize)),
        }
    }
}

impl<'a> TermRows<'a> {
    /// Those of the terms that are below `terms`.
    pub fn below(self, terms: usize) -> KnownRows<'a> {
        match self {
            Self::Of(wanted) if wanted.iter().any(|&term| term as usize >= terms) => {
                let known = wanted.iter().copied().filter(|&term| (term as usize) < terms);
                KnownRows::Some(known.collect())
            }
            rows => KnownRows::As(rows),
        }
    }
}

/// Rows of terms without those beyond a bound.
#[derive(Clone, Debug)]
pub enum KnownRows<'a> {
    /// As they were.
    As(TermRows<'a>),
    /// The others were left out.
    Some(Vec<u32>),
}

impl KnownRows<'_> {
    /// The rows.
    pub fn rows(&self) -> TermRows<'_> {
        match self {
            Self::As(rows) => *rows,
            Self::Some(terms) => TermRows::Of(terms),
        }
    }
}

/// Where weights come from: a file, or tensors in memory.
pub trait TensorSource<R: Real>: Sync {
    /// The file's name, for error messages.
    fn place(&self) -> String;

    /// Shape and entries of a tensor; `None` where there is none of that name.
    fn tensor(&self, name: &str) -> Result<Option<TensorView<'_, R>>>;

    /// A tensor of exactly this shape.
    fn shaped(&self, name: &str, shape: &[usize]) -> Result<Cow<'_, [R]>> {
        let remedy = "the model is damaged or was made with other settings: copy or train it again";
        match self.tensor(name)? {
            None => Err(Error::damaged(self.place(), format!("has no tensor `{name}`"), remedy)),
            Some((found, _)) if found != shape => Err(Error::damaged(
                self.place(),
                format!("tensor `{name}` has shape {found:?} and not {shape:?}"),
                remedy,
            )),
            Some((_, values)) => Ok(values),
        }
    }

    /// A vector of this length.
    fn vector(&self, name: &str, length: usize) -> Result<Vec<R>> {
        Ok(self.shaped(name, &[length])?.into_owned())
    }

    /// A vector of this length, if all its entries are whole numbers.
    fn whole_numbers(&self, name: &str, length: usize) -> Result<Option<Vec<u32>>> {
        Ok(whole_numbers(&self.shaped(name, &[length])?))
    }

    /// The rows of a matrix of this shape where they are stored, if they can be read there and are
    /// finite; else it has to be read whole.
    fn stored_rows(
        &self,
        _name: &str,
        _shape: [usize; 2],
    ) -> Result<Option<Arc<dyn StoredRows<R>>>> {
        Ok(None)
    }

    /// The entries of the wanted terms, of a tensor of this shape that has a row a term.
    fn rows(&self, name: &str, shape: &[usize], wanted: &[u32]) -> Result<Vec<R>> {
        let values = self.shaped(name, shape)?;
        let length: usize = shape[1..].iter().product();
        let row = |&term: &u32| &values[term as usize * length..(term as usize + 1) * length];
        Ok(wanted.iter().flat_map(row).copied().collect())
    }

    /// The columns of the wanted terms, of a matrix of this shape, as the rows of the result.
    fn columns(&self, name: &str, shape: [usize; 2], wanted: &[u32]) -> Result<Vec<R>> {
        let values = self.shaped(name, &shape)?;
        let column = |&term: &u32| values.iter().skip(term as usize).step_by(shape[1]);
        Ok(wanted.iter().flat_map(column).copied().collect())
    }

    /// A matrix of this shape, with its first `terms` columns as the rows of the result: those of the
    /// wanted terms, and zeros for the others.
    fn transposed(
        &self,
        name: &str,
        [rows, columns]: [usize; 2],
        terms: usize,
        wanted: TermRows<'_>,
    ) -> Result<Vec<R>> {
        let values = self.shaped(name, &[rows, columns])?;
        let mut transposed = vec![R::ZERO; terms * rows];
        for (row, values) in values.chunks_exact(columns).enumerate() {
            match wanted {
                TermRows::All => {
                    for (term, &value) in values[..terms].iter().enumerate() {
                        transposed[term * rows + row] = value;
                    }
                }
                TermRows::Of(wanted) => {
                    for &term in wanted {
                        transposed[term as usize * rows + row] = values[term as usize];
                    }
                }
            }
        }
        Ok(transposed)
    }
}

/// Numbers as whole ones, if they are.
pub(crate) fn whole_numbers<R: Real>(values: &[R]) -> Option<Vec<u32>> {
    let whole = |value: &R| {
        let value = value.to_f64();
        let whole = value as u32;
        (f64::from(whole) == value).then_some(whole)
    };
    values.iter().map(whole).collect()
}

impl<R: Real> TensorSource<R> for Tensors<R> {
    fn place(&self) -> String {
        "the given tensors".to_owned()
    }

    fn tensor(&self, name: &str) -> Result<Option<TensorView<'_, R>>> {
        Ok(self.get(name).map(|tensor| (tensor.shape.clone(), Cow::Borrowed(&*tensor.values))))
    }
}
