//! Weights as stored in files: named tensors of shape [out, in], as in PyTorch.

use crate::nn::{Parameter, StoredRows};
use crate::numeric::Real;
use crate::{Error, Result};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A tensor of a model file.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor<R> {
    /// The dimensions, slowest first.
    pub shape: Vec<usize>,
    /// The entries, row by row.
    pub values: Vec<R>,
}

/// Tensors by name, in alphabetical order.
pub type Tensors<R> = BTreeMap<String, Tensor<R>>;

impl<R: Real> Tensor<R> {
    /// Creates a vector.
    pub fn vector(values: &[R]) -> Self {
        Self { shape: vec![values.len()], values: values.to_vec() }
    }

    /// Creates a matrix with the layout it has in memory.
    pub fn matrix(parameter: &Parameter<R>) -> Self {
        Self { shape: vec![parameter.rows, parameter.columns], values: parameter.values.clone() }
    }

    /// Stacks matrices with the same number of columns and transposes them.
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

/// The shape and entries of a tensor, borrowed where possible.
pub type TensorView<'a, R> = (Vec<usize>, Cow<'a, [R]>);

/// The terms that a prior will be asked about. It does not need the rows of other terms.
#[derive(Clone, Copy, Debug)]
pub enum TermRows<'a> {
    /// All terms.
    All,
    /// These terms, in any order.
    Of(&'a [u32]),
}

impl<'a> TermRows<'a> {
    /// Visits each term, in the given order. `terms` is the number of all terms.
    #[inline]
    pub fn for_each(self, terms: usize, mut visit: impl FnMut(usize)) {
        match self {
            Self::All => (0..terms).for_each(visit),
            Self::Of(wanted) => wanted.iter().for_each(|&term| visit(term as usize)),
        }
    }

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

    /// Returns the shape and entries of a tensor, or `None` if there is no tensor of that name.
    fn tensor(&self, name: &str) -> Result<Option<TensorView<'_, R>>>;

    /// Returns the shape of a tensor, or `None` if there is no tensor of that name.
    fn shape(&self, name: &str) -> Option<Vec<usize>>;

    /// Returns the entries of a tensor. Fails unless it has exactly this shape.
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

    /// Returns a vector of this length.
    fn vector(&self, name: &str, length: usize) -> Result<Vec<R>> {
        Ok(self.shaped(name, &[length])?.into_owned())
    }

    /// Returns the entries of a tensor if all are whole numbers. Fails unless it has exactly this
    /// shape.
    fn whole_numbers(&self, name: &str, shape: &[usize]) -> Result<Option<Vec<u32>>> {
        Ok(whole_numbers(&self.shaped(name, shape)?))
    }

    /// Returns access to the rows of a matrix in storage. Returns `None` if they cannot be read
    /// there or might not be finite; the caller must then read the whole matrix.
    fn stored_rows(
        &self,
        _name: &str,
        _shape: [usize; 2],
    ) -> Result<Option<Arc<dyn StoredRows<R>>>> {
        Ok(None)
    }

    /// Reads a tensor of this shape, which has one row per term, and returns the rows of the
    /// `wanted` terms.
    fn rows(&self, name: &str, shape: &[usize], wanted: &[u32]) -> Result<Vec<R>> {
        let values = self.shaped(name, shape)?;
        let length: usize = shape[1..].iter().product();
        let row = |&term: &u32| &values[term as usize * length..(term as usize + 1) * length];
        Ok(wanted.iter().flat_map(row).copied().collect())
    }

    /// Reads a matrix of this shape, and returns the columns of the `wanted` terms as rows.
    fn columns(&self, name: &str, shape: [usize; 2], wanted: &[u32]) -> Result<Vec<R>> {
        let values = self.shaped(name, &shape)?;
        let column = |&term: &u32| values.iter().skip(term as usize).step_by(shape[1]);
        Ok(wanted.iter().flat_map(column).copied().collect())
    }

    /// Reads a matrix of this shape, and returns its first `terms` columns as rows. Rows of terms
    /// that are not `wanted` are zero.
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

/// Converts numbers to whole ones, if all of them are.
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

    fn shape(&self, name: &str) -> Option<Vec<usize>> {
        self.get(name).map(|tensor| tensor.shape.clone())
    }
}
