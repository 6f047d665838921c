//! The weights in model files.

use super::{Handful, HandfulSettings};
use crate::Result;
use crate::nn::Real;
use crate::prior::{Tensor, TensorSource, Tensors};

impl<R: Real> Handful<R> {
    /// The weights of a model file, as they are in memory; a matrix of one row is a vector.
    pub fn from_tensors(
        settings: HandfulSettings,
        terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<R>,
    ) -> Result<Self> {
        let mut prior = Self::zeros(settings, terms, topics);
        for parameter in &mut prior.parameters {
            let shape = [parameter.rows, parameter.columns];
            parameter.values = if is_vector(&parameter.name) {
                tensors.vector(&parameter.name, parameter.columns)?
            } else {
                tensors.shaped(&parameter.name, &shape)?.into_owned()
            };
        }
        Ok(prior)
    }

    /// The weights as a model file has them.
    pub fn to_tensors(&self) -> Tensors<R> {
        let tensor = |parameter: &crate::nn::Parameter<R>| {
            let tensor = if is_vector(&parameter.name) {
                Tensor::vector(&parameter.values)
            } else {
                Tensor::matrix(parameter)
            };
            (parameter.name.clone(), tensor)
        };
        self.parameters.iter().map(tensor).collect()
    }
}

fn is_vector(name: &str) -> bool {
    name.ends_with(".bias") || name == "words.importance"
}
