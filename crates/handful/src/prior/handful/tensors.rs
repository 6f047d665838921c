//! The weights in model files.

use super::themes::Themes;
use super::{Handful, HandfulSettings};
use crate::nn::Parameter;
use crate::numeric::Real;
use crate::prior::Unigram;
use crate::storage::{Tensor, TensorSource, Tensors};
use crate::{Error, Result};
use rayon::prelude::*;

impl<R: Real> Handful<R> {
    /// The weights of a model file, as they are in memory; a matrix of one row is a vector. E stays as
    /// the file stores it if that takes fewer bits: a pass over all rows is faster there.
    pub fn from_tensors(
        settings: HandfulSettings,
        terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<R>,
    ) -> Result<Self> {
        let mut prior = Self::zeros(settings, terms, topics);
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
        Ok(prior)
    }

    /// Takes what the start found and training leaves alone.
    pub(super) fn take_tensors_of_start(&mut self, tensors: &dyn TensorSource<R>) -> Result<()> {
        let HandfulSettings { dimension, themes, .. } = self.settings;
        let terms = self.unigram.words.len();
        self.unigram = Unigram::new(tensors.vector("words.unigram", terms)?);
        self.themes = Themes::from_tensors(terms, themes, tensors)?;
        self.metric.centre = tensors.vector("metric.centre", dimension)?;
        self.metric.whitening =
            tensors.shaped("metric.whitening", &[dimension, dimension])?.into_owned();
        Ok(())
    }

    /// The weights as a model file has them.
    pub(super) fn tensors(&self) -> Tensors<R> {
        let mut tensors = self.tensors_of_start();
        tensors.extend(self.parameters.iter().map(named_tensor));
        if let Some(stored) = &self.words.stored {
            let words = &self.parameters[self.words.softmax.weight];
            let mut values = vec![R::ZERO; words.rows * words.columns];
            stored.read(0..words.rows, &mut values);
            let shape = vec![words.rows, words.columns];
            tensors.insert(words.name.clone(), Tensor { shape, values });
        }
        tensors
    }

    /// What the start found and training leaves alone.
    pub(super) fn tensors_of_start(&self) -> Tensors<R> {
        let Self { metric, settings, unigram, .. } = self;
        let fixed = [
            ("words.unigram", &unigram.words, vec![unigram.words.len()]),
            ("metric.centre", &metric.centre, vec![settings.dimension]),
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

impl<R: Real> Themes<R> {
    /// As a model file has them: `counts` says how many entries of `index` and `above` are of each
    /// term.
    fn to_tensors(&self) -> impl Iterator<Item = (String, Tensor<R>)> {
        let counts = self.starts.windows(2).map(|pair| R::of((pair[1] - pair[0]) as f64));
        let index = self.index.iter().map(|&l| R::of(f64::from(l)));
        let tensors = [
            ("floor", self.floor.clone()),
            ("counts", counts.collect()),
            ("index", index.collect()),
            ("above", self.above.clone()),
            ("alpha", self.alpha.clone()),
        ];
        tensors
            .into_iter()
            .map(|(name, values)| (format!("themes.{name}"), Tensor::vector(&values)))
    }

    fn from_tensors(terms: usize, count: usize, tensors: &dyn TensorSource<R>) -> Result<Self> {
        let wrong = |name: &str, problem: &str| {
            let remedy = "the model is damaged: copy or train it again";
            let problem = format!("tensor `{name}` {problem}");
            Error::damaged(tensors.place(), problem, remedy)
        };
        let below = |bound: usize, name: &str, length: usize, problem: &str| {
            let numbers = tensors.whole_numbers(name, length)?;
            let are_below = |numbers: &Vec<u32>| {
                numbers.iter().copied().max().is_none_or(|most| (most as usize) < bound)
            };
            numbers.filter(are_below).ok_or_else(|| wrong(name, problem))
        };
        let counts = below(count + 1, "themes.counts", terms, "does not count entries")?;
        let mut starts = Vec::with_capacity(terms + 1);
        starts.push(0);
        starts.extend(counts.iter().scan(0, |end, &entries| {
            *end += entries as usize;
            Some(*end)
        }));
        let entries = starts[terms];
        let index = below(count, "themes.index", entries, "does not number themes")?;
        if starts.par_windows(2).any(|pair| !increases(&index[pair[0]..pair[1]])) {
            return Err(wrong("themes.index", "has themes of a term out of order"));
        }
        Ok(Self {
            count,
            floor: tensors.vector("themes.floor", count)?,
            starts,
            index,
            above: tensors.vector("themes.above", entries)?,
            alpha: tensors.vector("themes.alpha", count)?,
        })
    }
}

/// Whether every number is larger than the one before. Looks at all of them, which is faster than
/// stopping at the first that is not.
fn increases(numbers: &[u32]) -> bool {
    let pairs = numbers.iter().zip(numbers.iter().skip(1));
    pairs.fold(true, |increases, (before, after)| increases & (before < after))
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
