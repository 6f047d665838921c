//! The training loop (Algorithm 3): episodes, steps, validations, checkpoints.

use super::Validation;
use super::checkpoint::{self, CheckpointPlan, RunIdentity};
use super::{EarlyStopping, EpisodePass, Likelihood, LossKind, TrainSettings, TrainingCorpora};
use crate::corpus::{Episode, EpisodeSampler};
use crate::nn::{Adam, Dropout, Parameter};
use crate::prior::{AnyPrior, AnyTape, Prior};
use crate::random::{Purpose, stream};
use crate::{Error, Result};
use rayon::prelude::*;
use std::ops::ControlFlow;

/// What happens while a run goes on.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// A checkpoint was found: the run goes on after this step.
    Resumed {
        /// Steps already taken.
        step: u64,
    },
    /// A step was taken.
    Stepped {
        /// Steps taken so far.
        step: u64,
        /// Mean loss of its episodes: negative log-likelihood of a query word.
        loss: f64,
    },
    /// The validation tasks were tried.
    Validated {
        /// The validation.
        validation: Validation,
        /// Whether it is the best so far.
        best: bool,
    },
    /// A checkpoint was written.
    Saved {
        /// Steps taken so far.
        step: u64,
    },
}

/// A trained prior.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The prior with its best weights; its last where no validation took place.
    pub prior: AnyPrior<f32>,
    /// Steps taken.
    pub steps: u64,
    /// The course of validations.
    pub stopping: EarlyStopping,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Early stopping or the maximum of steps ended it.
    Finished(Box<Trained>),
    /// The observer ended it; with a checkpoint plan it can be resumed.
    Interrupted {
        /// Steps taken.
        step: u64,
    },
}

/// Everything that changes during a run.
pub(super) struct State {
    pub(super) step: u64,
    pub(super) prior: AnyPrior<f32>,
    pub(super) adam: Adam<f32>,
    pub(super) stopping: EarlyStopping,
    pub(super) best_weights: Option<Vec<Vec<f32>>>,
    /// Sum and number of losses since the last validation.
    pub(super) loss_sum: f64,
    pub(super) loss_steps: u64,
}

/// An episode with the memory it is worked on in, and its result.
#[derive(Default)]
struct Slot {
    episode: Episode,
    pass: EpisodePass<f32, AnyTape<f32>>,
    likelihood: Likelihood,
}

/// Trains a prior on the training corpora, over a vocabulary of `terms` terms.
///
/// Work is shared among the threads of the current rayon pool; their number changes no bit of
/// the result. After each event the observer says whether to go on.
pub fn train(
    corpora: &TrainingCorpora<'_>,
    terms: usize,
    settings: &TrainSettings,
    checkpoints: Option<&CheckpointPlan>,
    observer: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Outcome> {
    settings.check()?;
    let sampler = EpisodeSampler::new(corpora.training.clone(), settings.episode)?;
    let tasks = validation_tasks(corpora, settings)?;
    let run = RunIdentity::new(settings, corpora, terms);
    let prior = AnyPrior::random(
        settings.prior,
        terms,
        settings.topics,
        &mut stream(settings.seed, Purpose::Weights, 0),
    );
    let adam = Adam::new(settings.adam, prior.parameters());
    let mut state = State {
        step: 0,
        prior,
        adam,
        stopping: EarlyStopping::default(),
        best_weights: None,
        loss_sum: 0.0,
        loss_steps: 0,
    };
    let mut go_on = ControlFlow::Continue(());
    if let Some(plan) = checkpoints.filter(|plan| plan.resume)
        && checkpoint::load(plan, &run, &mut state)?
    {
        go_on = observer(Progress::Resumed { step: state.step });
    }
    let mut slots: Vec<Slot> = (0..settings.episodes_per_step).map(|_| Slot::default()).collect();
    while state.step < settings.max_steps && state.stopping.since_best < settings.patience {
        if go_on.is_break() {
            if let Some(plan) = checkpoints {
                checkpoint::save(plan, &run, &state)?;
            }
            return Ok(Outcome::Interrupted { step: state.step });
        }
        let loss = step(&mut state, &mut slots, &sampler, settings)?;
        go_on = observer(Progress::Stepped { step: state.step, loss });
        if !tasks.is_empty() && state.step.is_multiple_of(settings.validation_every) {
            let (validation, best) = validate(&mut state, corpora, &tasks, settings)?;
            let answer = observer(Progress::Validated { validation, best });
            go_on = if go_on.is_break() { go_on } else { answer };
        }
        if let Some(plan) = checkpoints.filter(|plan| state.step.is_multiple_of(plan.every)) {
            checkpoint::save(plan, &run, &state)?;
            let answer = observer(Progress::Saved { step: state.step });
            go_on = if go_on.is_break() { go_on } else { answer };
        }
    }
    if let Some(best) = state.best_weights {
        for (parameter, best) in state.prior.parameters_mut().iter_mut().zip(best) {
            parameter.values = best;
        }
    }
    let State { prior, step: steps, stopping, .. } = state;
    // Weights that no episode touched since they broke have not shown in any loss.
    if !prior.parameters().iter().all(Parameter::is_finite) {
        let corpus = sampler.corpora()[slots[0].episode.corpus].name.clone();
        return Err(Error::NotFinite { episode: steps * slots.len() as u64, corpus });
    }
    Ok(Outcome::Finished(Box::new(Trained { prior, steps, stopping })))
}

/// One step: the mean gradient of some episodes, then Adam. Returns their mean loss.
fn step(
    state: &mut State,
    slots: &mut [Slot],
    sampler: &EpisodeSampler<'_>,
    settings: &TrainSettings,
) -> Result<f64> {
    let first_episode = state.step * slots.len() as u64;
    let share = 1.0 / slots.len() as f64;
    let prior = &state.prior;
    slots.par_iter_mut().enumerate().try_for_each(|(i, slot)| -> Result<()> {
        let number = first_episode + i as u64;
        let Slot { episode, pass, likelihood } = slot;
        let mut stream = stream(settings.seed, Purpose::Training, number);
        sampler.draw(&mut stream, episode)?;
        let mut dropout = Dropout::on(settings.dropout, &mut stream);
        *likelihood = pass.forward(prior, episode, settings.em_steps, &mut dropout);
        if !likelihood.log_likelihood.is_finite() {
            let corpus = sampler.corpora()[episode.corpus].name.clone();
            return Err(Error::NotFinite { episode: number, corpus });
        }
        let scale = match settings.loss {
            LossKind::Mean => share / likelihood.words as f64,
            LossKind::Sum => share,
        };
        pass.backward(prior, episode, scale);
        Ok(())
    })?;
    let gradients: Vec<_> = slots.iter().map(|slot| &slot.pass.gradient).collect();
    state.adam.step(state.prior.parameters_mut(), &gradients);
    state.step += 1;
    let loss = share * slots.iter().map(|slot| slot.likelihood.loss()).sum::<f64>();
    state.loss_sum += loss;
    state.loss_steps += 1;
    Ok(loss)
}

/// The tasks of every validation: drawn once, so that perplexities compare.
fn validation_tasks(
    corpora: &TrainingCorpora<'_>,
    settings: &TrainSettings,
) -> Result<Vec<Episode>> {
    if corpora.validation.is_empty() {
        return Ok(Vec::new());
    }
    let sampler = EpisodeSampler::new(corpora.validation.clone(), settings.episode)?;
    (0..settings.validation_tasks as u64)
        .map(|number| {
            let mut episode = Episode::default();
            sampler.draw(&mut stream(settings.seed, Purpose::Validation, number), &mut episode)?;
            Ok(episode)
        })
        .collect()
}

/// Perplexity of the validation tasks, noted for early stopping.
///
/// What is watched is what is trained: with a mean loss, a task of one very long document counts as
/// much as any other, and does not decide alone when to stop.
fn validate(
    state: &mut State,
    corpora: &TrainingCorpora<'_>,
    tasks: &[Episode],
    settings: &TrainSettings,
) -> Result<(Validation, bool)> {
    let prior = &state.prior;
    let likelihoods: Vec<Likelihood> = tasks
        .par_iter()
        .map_init(EpisodePass::<f32, AnyTape<f32>>::default, |pass, task| {
            pass.forward(prior, task, settings.em_steps, &mut Dropout::off())
        })
        .collect();
    if let Some(task) = likelihoods.iter().position(|task| !task.log_likelihood.is_finite()) {
        let corpus = corpora.validation[tasks[task].corpus].name.clone();
        return Err(Error::NotFinite { episode: task as u64, corpus });
    }
    let mean_loss = likelihoods.iter().map(Likelihood::loss).sum::<f64>() / tasks.len() as f64;
    let pooled_perplexity = likelihoods.into_iter().sum::<Likelihood>().perplexity();
    let validation = Validation {
        step: state.step,
        training_loss: state.loss_sum / state.loss_steps as f64,
        perplexity: match settings.loss {
            LossKind::Mean => mean_loss.exp(),
            LossKind::Sum => pooled_perplexity,
        },
        pooled_perplexity,
    };
    (state.loss_sum, state.loss_steps) = (0.0, 0);
    let best = state.stopping.note(validation);
    if best {
        let weights = state.prior.parameters().iter().map(|parameter| parameter.values.clone());
        state.best_weights = Some(weights.collect());
    }
    Ok((validation, best))
}
