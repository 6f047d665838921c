//! What the methods of an experiment learn from.

use crate::methods::ModelOverTerms;
use crate::{LdaSampling, Settings};
use handful::Result;
use handful::internals::corpus::Episode;
use handful::internals::prior::PriorSettings;
use handful::internals::train::{TrainSettings, TrainingCorpora, validation_tasks};
use std::sync::Arc;

/// What the methods of an experiment learn from, the same for all of them.
#[derive(Clone, Debug)]
pub struct Material<'a> {
    /// Which corpora train, and which validate.
    pub roles: TrainingCorpora<'a>,
    /// J
    pub terms: usize,
    /// The settings shared by the training of all priors.
    pub common: &'a TrainSettings,
    /// The factor by which the learning rate is larger where α and β are learned directly.
    pub direct_rate: f64,
    /// The factor of α and β where EM follows at test a prior that was trained without.
    pub prior_weight: f32,
    /// How to sample the topics of LDA.
    pub lda: LdaSampling,
    /// The seed of everything random in the experiment.
    pub seed: u64,
    /// A model that was trained elsewhere, if one is to be asked.
    pub model: Option<Arc<ModelOverTerms>>,
}

impl<'a> Material<'a> {
    /// What methods learn from by these settings, without a model from elsewhere.
    pub fn new(
        roles: TrainingCorpora<'a>,
        terms: usize,
        settings: &'a Settings,
        seed: u64,
    ) -> Self {
        let &Settings { training: ref common, direct_rate, prior_weight, lda, .. } = settings;
        Self { roles, terms, common, direct_rate, prior_weight, lda, seed, model: None }
    }

    /// Returns the tasks on which every method makes its choices.
    pub fn validation_tasks(&self) -> Result<Vec<Episode>> {
        validation_tasks(&self.roles, &TrainSettings { seed: self.seed, ..self.common.clone() })
    }

    /// Returns the settings for training a prior.
    pub fn training(&self, prior: PriorSettings, topics: usize, em_steps: usize) -> TrainSettings {
        TrainSettings { prior, topics, em_steps, seed: self.seed, ..self.common.clone() }
    }

    /// Returns the names of the validation corpora.
    pub fn validation_names(&self) -> Vec<String> {
        self.roles.validation.iter().map(|corpus| corpus.name.clone()).collect()
    }
}
