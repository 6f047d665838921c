//! The networks' weights in model files, named and shaped as PyTorch's.

use super::{Iwata, IwataSettings};
use crate::Result;
use crate::nn::Parameter;
use crate::numeric::Real;
use crate::storage::{Tensor, TensorSource, Tensors, TermRows};
use rayon::prelude::*;

impl<R: Real> Iwata<R> {
    /// The weights of a model file, named as PyTorch names them.
    pub fn from_tensors(
        settings: IwataSettings,
        terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<R>,
    ) -> Result<Self> {
        let (mut prior, _) = Self::without_weights(settings, terms, topics);
        let of_terms = |name: &str, shape| tensors.transposed(name, shape, terms, TermRows::All);
        // Most of the time goes into memory that is touched for the first time: threads share it.
        let read = |parameter: &mut Parameter<R>| -> Result<()> {
            parameter.values = values_of(parameter, settings, terms, tensors, of_terms)?;
            Ok(())
        };
        // All are read before one is refused, so that it is always the first.
        let outcomes: Vec<Result<()>> = prior.parameters.par_iter_mut().map(read).collect();
        outcomes.into_iter().collect::<Result<()>>()?;
        Ok(prior)
    }

    /// Of the weights, those that α of a new document needs, f_A's, for documents over the
    /// `wanted` of all `terms` alone.
    pub(in crate::prior) fn of_new_documents(
        settings: IwataSettings,
        terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<R>,
        wanted: &[u32],
    ) -> Result<Self> {
        let (mut prior, _) = Self::without_weights(settings, wanted.len(), topics);
        let of_terms = |name: &str, shape| tensors.columns(name, shape, wanted);
        for parameter in prior.parameters.iter_mut().filter(|p| p.name.starts_with("f_a.")) {
            parameter.values = values_of(parameter, settings, terms, tensors, of_terms)?;
        }
        Ok(prior)
    }

    /// The weights as a model file has them.
    pub(super) fn tensors(&self) -> Tensors<R> {
        let mut tensors = Tensors::new();
        for parameter in &self.parameters {
            let (name, tensor) = match parameter.name.rsplit_once('.') {
                Some((layer, "terms")) => {
                    let name = format!("{layer}.weight");
                    let mut tensor = Tensor::transposed(&[parameter]);
                    let corpus = format!("{layer}.corpus");
                    if let Some(corpus) = self.parameters.iter().find(|p| p.name == corpus) {
                        tensor = side_by_side(&tensor, &Tensor::matrix(corpus));
                    }
                    (name, tensor)
                }
                Some((_, "corpus")) => continue,
                Some((_, "bias")) => (parameter.name.clone(), Tensor::vector(&parameter.values)),
                _ => (parameter.name.clone(), Tensor::matrix(parameter)),
            };
            tensors.insert(name, tensor);
        }
        tensors
    }
}

/// The values of a parameter; `of_terms` takes from the weight of this name and shape what a layer
/// that reads word counts needs.
fn values_of<R: Real>(
    parameter: &Parameter<R>,
    settings: IwataSettings,
    terms: usize,
    tensors: &dyn TensorSource<R>,
    of_terms: impl Fn(&str, [usize; 2]) -> Result<Vec<R>>,
) -> Result<Vec<R>> {
    let Parameter { name, rows, columns, .. } = parameter;
    match name.rsplit_once('.') {
        Some((layer, part @ ("terms" | "corpus"))) => {
            let with_corpus = settings.corpus_representation && !name.starts_with("f_r");
            let inputs = terms + if with_corpus { settings.widths().r } else { 0 };
            let weight = format!("{layer}.weight");
            if part == "terms" {
                return of_terms(&weight, [*columns, inputs]);
            }
            let all = tensors.shaped(&weight, &[*rows, inputs])?;
            Ok(all.chunks_exact(inputs).flat_map(|row| &row[terms..]).copied().collect())
        }
        Some((_, "bias")) => tensors.vector(name, *columns),
        _ => Ok(tensors.shaped(name, &[*rows, *columns])?.into_owned()),
    }
}

/// Two matrices of equally many rows as one.
fn side_by_side<R: Real>(left: &Tensor<R>, right: &Tensor<R>) -> Tensor<R> {
    let (left_columns, right_columns) = (left.shape[1], right.shape[1]);
    let mut values = Vec::with_capacity(left.values.len() + right.values.len());
    for (left, right) in
        left.values.chunks_exact(left_columns).zip(right.values.chunks_exact(right_columns))
    {
        values.extend_from_slice(left);
        values.extend_from_slice(right);
    }
    Tensor { shape: vec![left.shape[0], left_columns + right_columns], values }
}
