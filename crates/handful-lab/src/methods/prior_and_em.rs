//! One design for most of the paper's methods: a trained prior, optionally followed by EM steps.

use super::{Ablation, Learned, Lesson};
use crate::{Material, Settings};
use handful::Result;
use handful::internals::corpus::{Episode, WordCounts};
use handful::internals::em::{EmStop, Inference, Likelihood};
use handful::internals::evaluate::document_likelihoods;
use handful::internals::prior::{
    AnyPrior, FitPrior, FreeSettings, HandfulSettings, IwataSettings, Prior, PriorSettings,
};
use handful::internals::topic_model::{Assessment, TopicModel};
use handful::internals::train::{Outcome, TrainSettings, Trained, train};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// A prior, and whether EM follows it in training and at test time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PriorAndEm {
    /// The prior that gives α and β.
    pub prior: PriorKind,
    /// Whether training goes through the EM layers ("-E"). Otherwise it ends at the prior's mode.
    pub em_in_training: bool,
    /// Whether EM steps on the support follow at test time. Without EM in training, this is the
    /// paper's fine-tuning ("-F").
    pub em_at_test: bool,
}

/// The prior that gives α and β.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriorKind {
    /// Networks, which may read the corpus representation r ("-R").
    Networks {
        /// Whether they read it.
        corpus_representation: bool,
    },
    /// Handful's own prior: vectors of words, documents and topics.
    Handful {
        /// The ingredient that is left out.
        without: Option<Ablation>,
    },
    /// Handful's own prior, trained for any number of topics. The documents of a task determine the
    /// number of topics.
    HandfulForAll,
    /// α and β, learned directly ("Dir").
    Free,
    /// α and β, learned directly and adapted to the task by gradient steps ("MAML").
    Maml,
}

impl PriorAndEm {
    /// Creates a configuration of the design.
    pub const fn new(prior: PriorKind, em_in_training: bool, em_at_test: bool) -> Self {
        Self { prior, em_in_training, em_at_test }
    }

    pub(super) fn recipe(
        &self,
        settings: &Settings,
        topics: usize,
        em_steps: usize,
    ) -> PriorRecipe {
        let candidates = match self.prior {
            PriorKind::Networks { corpus_representation } => {
                let shape = settings.networks();
                vec![PriorSettings::Iwata(IwataSettings { corpus_representation, ..shape })]
            }
            PriorKind::Handful { without } => {
                let shape = without.map_or_else(HandfulSettings::default, Ablation::prior);
                vec![PriorSettings::Handful(shape)]
            }
            PriorKind::HandfulForAll => vec![PriorSettings::Handful(HandfulSettings::default())],
            PriorKind::Free => vec![PriorSettings::Free(FreeSettings::default())],
            PriorKind::Maml => settings.maml.candidates(),
        };
        let em_steps = if self.em_in_training { em_steps } else { 0 };
        let without = match self.prior {
            PriorKind::Handful { without } => without,
            _ => None,
        };
        let for_all = self.prior == PriorKind::HandfulForAll;
        PriorRecipe { candidates, topics, em_steps, without, for_all }
    }
}

/// How to train a prior.
#[derive(Clone, Debug, PartialEq)]
pub struct PriorRecipe {
    /// The priors to try. The best on validation is kept.
    pub candidates: Vec<PriorSettings>,
    /// K
    pub topics: usize,
    /// T in training.
    pub em_steps: usize,
    /// The part of the training that is left out.
    pub without: Option<Ablation>,
    /// Whether to train for any number of topics, documents and words, instead of those in the
    /// settings.
    pub for_all: bool,
}

/// The record of a training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingCourse {
    /// The prior that was kept.
    pub prior: PriorSettings,
    /// The number of EM steps in training.
    pub training_em_steps: usize,
    /// Adam's learning rate.
    pub learning_rate: f64,
    /// The number of steps taken.
    pub steps: u64,
    /// The step whose weights were kept.
    pub best_step: u64,
    /// Whether early stopping ended the training, and not the maximum number of steps.
    pub stopped_early: bool,
    /// The perplexity of the validation tasks after the best step. `None` if the maximum number of
    /// steps came before the first validation.
    pub validation_perplexity: Option<f64>,
}

impl TrainingCourse {
    fn is_better_than(&self, other: &Self) -> bool {
        let perplexity = |record: &Self| record.validation_perplexity.unwrap_or(f64::INFINITY);
        perplexity(self) < perplexity(other)
    }
}

impl PriorRecipe {
    /// Trains the candidates, and keeps the best on validation.
    pub(super) fn learn(&self, material: &Material<'_>) -> Result<Lesson> {
        let mut best: Option<(TrainingCourse, AnyPrior<f32>)> = None;
        for &candidate in &self.candidates {
            let (record, prior) = self.train(candidate, material)?;
            if best.as_ref().is_none_or(|(best, _)| record.is_better_than(best)) {
                best = Some((record, prior));
            }
        }
        let (record, prior) = best.expect("a recipe has at least one candidate");
        let topics = (!self.for_all).then(|| prior.topics());
        // Also where training has no steps and there are some at test: fine-tuning.
        let inference = inference_of(record.prior, 1, material.common);
        let weight = if self.em_steps == 0 { material.prior_weight } else { 1.0 };
        let learned = Box::new(LearnedPrior { prior, topics, inference, weight });
        Ok(Lesson { learned, training: Some(record), weights: Vec::new(), given: None })
    }

    fn train(
        &self,
        prior: PriorSettings,
        material: &Material<'_>,
    ) -> Result<(TrainingCourse, AnyPrior<f32>)> {
        let mut settings = material.training(prior, self.topics, self.em_steps);
        settings.inference = inference_of(prior, self.em_steps, material.common);
        settings.vary = self.for_all;
        match prior {
            PriorSettings::Iwata(_) => {}
            PriorSettings::Handful(_) => {
                own_course(&mut settings);
                if let Some(ablation) = self.without {
                    ablation.train_without(&mut settings);
                }
            }
            PriorSettings::Free(_) | PriorSettings::Maml(_) => {
                settings.adam.learning_rate *= material.direct_rate;
            }
        }
        let go_on = &mut |_| ControlFlow::Continue(());
        let outcome = train(&material.roles, material.terms, &settings, None, go_on)?;
        let Outcome::Finished(trained) = outcome else { unreachable!("nobody interrupts it") };
        let Trained { prior: trained, steps, stopping } = *trained;
        let record = TrainingCourse {
            prior,
            training_em_steps: self.em_steps,
            learning_rate: settings.adam.learning_rate,
            steps,
            best_step: stopping.best.map_or(steps, |best| best.step),
            stopped_early: stopping.since_best >= settings.patience,
            validation_perplexity: stopping.best.map(|best| best.perplexity),
        };
        Ok((record, trained))
    }
}

/// What a step of the settings does for a prior: EM for `maml`, which has nothing else, and where no step
/// is taken.
fn inference_of(prior: PriorSettings, em_steps: usize, common: &TrainSettings) -> Inference {
    match prior {
        PriorSettings::Maml(_) => Inference::Em,
        _ if em_steps == 0 => Inference::Em,
        _ => common.inference,
    }
}

/// Sets the training of Handful's own prior. Corpora, episodes, validations and patience are the
/// same as for the others.
fn own_course(settings: &mut TrainSettings) {
    let TrainSettings { dropout, episodes_per_step, adam, max_steps, average, .. } =
        TrainSettings::of(settings.prior);
    (settings.dropout, settings.episodes_per_step, settings.adam) =
        (dropout, episodes_per_step, adam);
    settings.average = average;
    settings.max_steps = settings.max_steps.min(max_steps);
    settings.adam.cosine_steps = Some(settings.max_steps);
}

/// A trained prior.
#[derive(Clone, Debug)]
pub struct LearnedPrior {
    prior: AnyPrior<f32>,
    /// K; `None` if a task's documents choose it.
    topics: Option<usize>,
    inference: Inference,
    /// The factor of α and β.
    weight: f32,
}

impl LearnedPrior {
    /// The prior with as many topics as the documents of task `number` get.
    fn for_task(&self, support: &WordCounts, number: usize, stop: EmStop) -> FitPrior<'_> {
        let prior =
            FitPrior::from(&self.prior).with_inference(self.inference).with_weight(self.weight);
        let topics = self
            .topics
            .unwrap_or_else(|| Assessment::choosing(prior, support, stop, number as u64).0);
        prior.with_topics(topics)
    }
}

impl Learned for LearnedPrior {
    fn likelihoods(&self, task: &Episode, number: usize, stop: EmStop) -> Vec<Likelihood> {
        document_likelihoods(self.for_task(&task.support, number, stop), task, stop)
    }

    fn set_topics(&mut self, topics: usize) {
        self.topics = Some(topics);
    }

    fn topic_model(
        &self,
        support: &WordCounts,
        number: usize,
        stop: EmStop,
    ) -> Result<Option<TopicModel>> {
        Ok(Some(TopicModel::fit(self.for_task(support, number, stop), support, stop)))
    }
}
