//! The smoothed unigram: a baseline without topics that is hard to beat.

use super::{Learned, Lesson};
use crate::Material;
use handful::Result;
use handful::internals::corpus::{Episode, unigram};
use handful::internals::em::{EmStop, Likelihood};
use handful::internals::evaluate::SmoothedUnigram;

/// Counts the words of the training corpora, and tunes the weights on the validation tasks.
pub(super) fn learn(material: &Material<'_>) -> Result<Lesson> {
    let background = unigram(&material.roles.training, material.terms);
    let learned = SmoothedUnigram::tuned(&material.validation_tasks()?, background);
    let weights = learned.weights.clone();
    Ok(Lesson { learned: Box::new(learned), training: None, weights, given: None })
}

impl Learned for SmoothedUnigram {
    fn likelihoods(&self, task: &Episode, _: usize, _: EmStop) -> Vec<Likelihood> {
        self.document_likelihoods(task, false)
    }
}
