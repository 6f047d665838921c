//! The weights in model files.

use super::subjects::Subjects;
use super::theme_tensors::ABOVE;
use super::themes::Themes;
use super::{Handful, HandfulSettings};
use crate::Result;
use crate::nn::Parameter;
use crate::numeric::Real;
use crate::prior::Unigram;
use crate::storage::{CompactTensors, Tensor, TensorSource, Tensors};

impl<R: Real> Handful<R> {
    /// The weights of a model file, as they are in memory; a matrix of one row is a vector. E stays as
    /// the file stores it if that takes fewer bits: a pass over all rows is faster there.
    pub fn from_tensors(
        settings: HandfulSettings,
        terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<R>,
    ) -> Result<Self> {
        let mut prior = Self::without_weights(settings, terms, topics);
        let words = prior.words.softmax.weight;
        for (p, parameter) in prior.parameters.iter_mut().enumerate() {
            let (name, shape) = (&parameter.name, [parameter.rows, parameter.columns]);
            if p == words {
                prior.words.stored = tensors.stored_rows(name, shape)?;
                if prior.words.stored.is_some() {
                    parameter.values = Vec::new();
                    continue;
                }
            }
            parameter.values = if is_vector(name) {
                tensors.vector(name, parameter.columns)?
            } else {
                tensors.shaped(name, &shape)?.into_owned()
            };
        }
        prior.take_tensors_of_start(tensors)?;
        prior.subjects = Subjects::from_tensors((settings.dimension, settings.themes), tensors)?;
        Ok(prior)
    }

    /// Takes what the start found and training leaves alone.
    pub(super) fn take_tensors_of_start(&mut self, tensors: &dyn TensorSource<R>) -> Result<()> {
        let HandfulSettings { dimension, themes, .. } = self.settings;
        let terms = self.parameters[self.words.softmax.weight].rows;
        self.unigram = Unigram::new(tensors.vector("words.unigram", terms)?);
        self.themes = Themes::from_tensors(terms, themes, tensors)?;
        self.metric.whitening =
            tensors.shaped("metric.whitening", &[dimension, dimension])?.into_owned();
        Ok(())
    }

    /// The weights as a model file has them.
    pub(super) fn tensors(&self) -> Tensors<R> {
        let mut tensors = self.tensors_of_start();
        tensors.extend(self.parameters.iter().map(named_tensor));
        tensors.extend(self.subjects.iter().flat_map(Subjects::to_tensors));
        if let Some(stored) = &self.words.stored {
            let words = &self.parameters[self.words.softmax.weight];
            let mut values = vec![R::ZERO; words.rows * words.columns];
            stored.read(0..words.rows, &mut values);
            let shape = vec![words.rows, words.columns];
            tensors.insert(words.name.clone(), Tensor { shape, values });
        }
        tensors
    }

    /// The weights as a model file with fewer bits has them.
    pub(super) fn compact_tensors(&self) -> CompactTensors<R> {
        let mut tensors = self.tensors();
        tensors.extend(self.themes.to_paged_tensors());
        // Shares of themes are probabilities over many orders of magnitude.
        CompactTensors { tensors, ratios: &[ABOVE] }
    }

    /// What the start found and training leaves alone.
    pub(super) fn tensors_of_start(&self) -> Tensors<R> {
        let Self { metric, settings, unigram, .. } = self;
        let fixed = [
            ("words.unigram", &unigram.words, vec![unigram.words.len()]),
            ("metric.whitening", &metric.whitening, vec![settings.dimension; 2]),
        ];
        let tensor = |(name, values, shape): (&str, &Vec<R>, Vec<usize>)| {
            (name.to_owned(), Tensor { shape, values: values.clone() })
        };
        let mut tensors: Tensors<R> = fixed.map(tensor).into();
        tensors.extend(self.themes.to_tensors());
        tensors
    }
}

/// A parameter as a model file has it.
pub(super) fn named_tensor<R: Real>(parameter: &Parameter<R>) -> (String, Tensor<R>) {
    let tensor = if is_vector(&parameter.name) {
        Tensor::vector(&parameter.values)
    } else {
        Tensor::matrix(parameter)
    };
    (parameter.name.clone(), tensor)
}

pub(super) fn is_vector(name: &str) -> bool {
    name.ends_with(".bias") || name.ends_with(".evidence") || name == "words.importance"
}
