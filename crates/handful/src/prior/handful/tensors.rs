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
        let HandfulSettings { dimension, themes, .. } = settings;
        prior.unigram = tensors.vector("words.unigram", terms)?;
        prior.themes.words = tensors.shaped("themes.words", &[terms, themes])?.into_owned();
        prior.themes.alpha = tensors.vector("themes.alpha", themes)?;
        prior.metric.centre = tensors.vector("metric.centre", dimension)?;
        prior.metric.whitening =
            tensors.shaped("metric.whitening", &[dimension, dimension])?.into_owned();
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
        let mut tensors: Tensors<R> = self.parameters.iter().map(tensor).collect();
        let Self { themes, metric, settings, .. } = self;
        let terms = themes.words.len() / themes.count;
        let fixed = [
            ("words.unigram", &self.unigram, vec![terms]),
            ("themes.words", &themes.words, vec![terms, themes.count]),
            ("themes.alpha", &themes.alpha, vec![themes.count]),
            ("metric.centre", &metric.centre, vec![settings.dimension]),
            ("metric.whitening", &metric.whitening, vec![settings.dimension; 2]),
        ];
        for (name, values, shape) in fixed {
            tensors.insert(name.to_owned(), Tensor { shape, values: values.clone() });
        }
        tensors
    }
}

fn is_vector(name: &str) -> bool {
    name.ends_with(".bias") || name.ends_with(".evidence") || name == "words.importance"
}
