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
        prior.take_fixed_tensors(tensors)?;
        Ok(prior)
    }

    /// Takes what the start found and training leaves as it is.
    pub(in crate::prior) fn take_fixed_tensors(
        &mut self,
        tensors: &dyn TensorSource<R>,
    ) -> Result<()> {
        let HandfulSettings { dimension, themes, .. } = self.settings;
        let terms = self.unigram.len();
        self.unigram = tensors.vector("words.unigram", terms)?;
        self.themes.words = tensors.shaped("themes.words", &[terms, themes])?.into_owned();
        self.themes.alpha = tensors.vector("themes.alpha", themes)?;
        self.metric.centre = tensors.vector("metric.centre", dimension)?;
        self.metric.whitening =
            tensors.shaped("metric.whitening", &[dimension, dimension])?.into_owned();
        Ok(())
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
        let mut tensors = self.fixed_tensors();
        tensors.extend(self.parameters.iter().map(tensor));
        tensors
    }

    /// What the start found and training leaves as it is.
    pub(in crate::prior) fn fixed_tensors(&self) -> Tensors<R> {
        let Self { themes, metric, settings, .. } = self;
        let terms = self.unigram.len();
        let fixed = [
            ("words.unigram", &self.unigram, vec![terms]),
            ("themes.words", &themes.words, vec![terms, themes.count]),
            ("themes.alpha", &themes.alpha, vec![themes.count]),
            ("metric.centre", &metric.centre, vec![settings.dimension]),
            ("metric.whitening", &metric.whitening, vec![settings.dimension; 2]),
        ];
        let tensor = |(name, values, shape): (&str, &Vec<R>, Vec<usize>)| {
            (name.to_owned(), Tensor { shape, values: values.clone() })
        };
        fixed.map(tensor).into()
    }
}

fn is_vector(name: &str) -> bool {
    name.ends_with(".bias") || name.ends_with(".evidence") || name == "words.importance"
}
