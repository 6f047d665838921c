//! The smoothed unigram: no topics at all, and hard to beat.

use super::{Learned, Lesson};
use crate::Material;
use handful::Result;
use handful::corpus::{Episode, unigram};
use handful::evaluate::smoothed_unigram::{PARTS, for_each_word};
use handful::evaluate::{MixtureWords, mix};

/// p(j|n) = λ₁ x_nj/|x_n| + λ₂ Σ_n x_nj/Σ_n|x_n| + λ₃ p_train(j), with x the support, and λ tuned on
/// the validation tasks.
#[derive(Clone, Debug)]
pub struct SmoothedUnigram {
    weights: Vec<f64>,
    background: Vec<f64>,
}

impl SmoothedUnigram {
    pub(super) fn learn(material: &Material<'_>) -> Result<Lesson> {
        let background = unigram(&material.roles.training, material.terms);
        let mut words = MixtureWords::new(PARTS);
        for task in material.validation_tasks()? {
            for_each_word(&task, &background, |_, _, parts, count| words.push(&parts, count));
        }
        let weights = words.best_weights();
        let learned = Box::new(Self { weights: weights.clone(), background });
        Ok(Lesson { learned, training: None, weights })
    }
}

impl Learned for SmoothedUnigram {
    fn log_likelihood(&self, task: &Episode, _: usize, _: usize) -> f64 {
        let mut sum = 0.0;
        for_each_word(task, &self.background, |_, _, parts, count| {
            sum += f64::from(count) * mix(&self.weights, &parts).ln();
        });
        sum
    }
}
