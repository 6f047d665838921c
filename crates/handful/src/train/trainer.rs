//! A prior in training: steps (Algorithm 3) and validations.

use super::average::Average;
use super::{EarlyStopping, EpisodePass, LossKind, TrainSettings, TrainingCorpora};
use super::{Trained, Validation};
use crate::attendance::attended;
use crate::corpus::{Episode, EpisodeSampler, VARIED, log_uniform};
use crate::em::Likelihood;
use crate::nn::{Adam, Dropout, EpisodeGradient, Parameter};
use crate::prior::{AnyPrior, AnyTape, Prior};
use crate::random::{Purpose, stream};
use crate::{Error, Result};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// The numbers of topics that steps of a training for any use have.
const TOPICS: [f64; 2] = [1.0, 50.0];

/// Everything that changes during a run.
pub(super) struct State {
    pub(super) step: u64,
    /// The weights as the optimiser has them: deferred rows may be behind.
    pub(super) prior: AnyPrior<f32>,
    pub(super) adam: Adam<f32>,
    /// The mean of the weights, where it is asked for.
    pub(super) average: Option<Average>,
    pub(super) stopping: EarlyStopping,
    pub(super) best_weights: Option<Vec<Vec<f32>>>,
    /// Sum and number of losses since the last validation.
    pub(super) loss_sum: f64,
    pub(super) loss_steps: u64,
}

/// An episode, and the stream it was drawn from, which goes on with its dropout.
struct Draw {
    number: u64,
    stream: ChaCha8Rng,
    episode: Episode,
}

/// The memory an episode is worked on in, and its result.
#[derive(Default)]
struct Slot {
    /// The corpus of the episode.
    corpus: usize,
    pass: EpisodePass<f32, AnyTape<f32>>,
    likelihood: Likelihood,
}

impl AsRef<EpisodeGradient<f32>> for Slot {
    fn as_ref(&self) -> &EpisodeGradient<f32> {
        &self.pass.gradient
    }
}

/// A prior in training, step by step.
///
/// Work is shared among the threads of the current rayon pool; their number changes no bit of the
/// result.
pub struct Trainer<'a> {
    settings: &'a TrainSettings,
    corpora: &'a TrainingCorpora<'a>,
    sampler: EpisodeSampler<'a>,
    /// The tasks of every validation: drawn once, so that perplexities compare.
    tasks: Vec<Episode>,
    /// The episodes of the next step, drawn ahead.
    draws: Vec<Draw>,
    slots: Vec<Slot>,
    pub(super) state: State,
}

impl<'a> Trainer<'a> {
    /// A prior before its first step.
    pub(super) fn with(
        prior: AnyPrior<f32>,
        corpora: &'a TrainingCorpora<'a>,
        settings: &'a TrainSettings,
    ) -> Result<Self> {
        let adam = Adam::new(settings.adam, prior.parameters());
        let average = settings.average.then(|| Average::new(prior.parameters()));
        let sampler = EpisodeSampler::new(corpora.training.clone(), settings.episode)?;
        let sampler = if settings.vary { sampler.varied() } else { sampler };
        let draw = |_| Draw {
            number: u64::MAX,
            stream: stream(settings.seed, Purpose::Training, 0),
            episode: Episode::default(),
        };
        Ok(Self {
            settings,
            corpora,
            sampler,
            tasks: validation_tasks(corpora, settings)?,
            draws: (0..settings.episodes_per_step).map(draw).collect(),
            slots: (0..settings.episodes_per_step).map(|_| Slot::default()).collect(),
            state: State {
                step: 0,
                prior,
                adam,
                average,
                stopping: EarlyStopping::default(),
                best_weights: None,
                loss_sum: 0.0,
                loss_steps: 0,
            },
        })
    }

    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.state.step
    }

    /// Whether early stopping or the maximum of steps says that it is enough.
    pub fn is_finished(&self) -> bool {
        let State { step, stopping, .. } = &self.state;
        let most = self.settings.adam.cosine_steps.unwrap_or(u64::MAX).min(self.settings.max_steps);
        *step >= most || stopping.since_best >= self.settings.patience
    }

    /// Whether a validation is due after the last step.
    pub fn is_validation_due(&self) -> bool {
        !self.tasks.is_empty() && self.state.step.is_multiple_of(self.settings.validation_every)
    }

    /// One step: the mean gradient of some episodes, then Adam. Returns their mean loss, the
    /// negative log-likelihood of a query word.
    pub fn step(&mut self) -> Result<f64> {
        attended(|| self.attended_step())
    }

    fn attended_step(&mut self) -> Result<f64> {
        let Self { settings, sampler, draws, slots, state, .. } = self;
        draw(draws, state.step, sampler, settings.seed)?;
        let topics = if settings.vary {
            let mut stream = stream(settings.seed, Purpose::Topics, state.step);
            let varied = stream.random_bool(VARIED);
            if varied { log_uniform(TOPICS, &mut stream) } else { settings.topics }
        } else {
            settings.topics
        };
        slots.par_iter_mut().zip(&*draws).for_each(|(slot, Draw { episode, .. })| {
            slot.corpus = episode.corpus;
            slot.pass.read(episode);
        });
        state.adam.catch_up(state.prior.parameters_mut(), slots);
        let prior = &state.prior;
        let share = 1.0 / slots.len() as f64;
        slots.par_iter_mut().zip(&mut *draws).try_for_each(|(slot, draw)| -> Result<()> {
            let Slot { pass, likelihood, .. } = slot;
            let Draw { number, stream, episode } = draw;
            let mut dropout = Dropout::on(settings.dropout, stream);
            pass.inference = settings.inference;
            *likelihood = pass.forward(prior, episode, topics, settings.em_steps, &mut dropout);
            if !likelihood.log_likelihood.is_finite() {
                let corpus = sampler.corpora()[episode.corpus].name.clone();
                return Err(Error::NotFinite { episode: format!("episode {number}"), corpus });
            }
            let scale = match settings.loss {
                LossKind::Mean => share / likelihood.words as f64,
                LossKind::Sum => share,
            };
            pass.backward(prior, episode, scale);
            Ok(())
        })?;
        let next = state.step + 1;
        rayon::join(
            || state.adam.step(state.prior.parameters_mut(), slots),
            // What cannot be drawn is an error once it is needed.
            || draw(draws, next, sampler, settings.seed).ok(),
        );
        state.step = next;
        if let Some(average) = &mut state.average {
            average.note(next, state.prior.parameters());
        }
        let loss = share * slots.iter().map(|slot| slot.likelihood.loss()).sum::<f64>();
        state.loss_sum += loss;
        state.loss_steps += 1;
        Ok(loss)
    }

    /// The prior as one would use it now: with all weights up to date, or with their mean.
    pub fn prior(&self) -> AnyPrior<f32> {
        let mut prior = self.state.prior.clone();
        let parameters = prior.parameters_mut();
        match &self.state.average {
            None => self.state.adam.settle(parameters),
            Some(average) => {
                for (parameter, mean) in parameters.iter_mut().zip(&average.weights) {
                    parameter.values.clone_from(mean);
                }
            }
        }
        prior
    }

    /// Perplexity of the validation tasks, noted for early stopping, and whether it is the best so
    /// far.
    ///
    /// What is watched is what is trained: with a mean loss, a task of one very long document
    /// counts as much as any other, and does not decide alone when to stop.
    pub fn validate(&mut self) -> Result<(Validation, bool)> {
        let (settings, tasks, mut prior) = (self.settings, &self.tasks, self.prior());
        let likelihoods: Vec<Likelihood> = tasks
            .par_iter()
            .map_init(EpisodePass::<f32, AnyTape<f32>>::default, |pass, task| {
                pass.read(task);
                pass.inference = settings.inference;
                pass.forward(&prior, task, settings.topics, settings.em_steps, &mut Dropout::off())
            })
            .collect();
        if let Some(task) = likelihoods.iter().position(|task| !task.log_likelihood.is_finite()) {
            let corpus = self.corpora.validation[tasks[task].corpus].name.clone();
            return Err(Error::NotFinite { episode: format!("validation task {task}"), corpus });
        }
        let mean_loss = likelihoods.iter().map(Likelihood::loss).sum::<f64>() / tasks.len() as f64;
        let pooled_perplexity = likelihoods.into_iter().sum::<Likelihood>().perplexity();
        let state = &mut self.state;
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
            let weights = prior.parameters_mut().iter_mut();
            let take = |parameter: &mut Parameter<f32>| std::mem::take(&mut parameter.values);
            state.best_weights = Some(weights.map(take).collect());
        }
        Ok((validation, best))
    }

    /// The prior with its best weights, or its last where no validation took place.
    pub fn finish(self) -> Result<Trained> {
        let mut prior = self.prior();
        let State { step: steps, stopping, best_weights, .. } = self.state;
        for (parameter, best) in
            prior.parameters_mut().iter_mut().zip(best_weights.into_iter().flatten())
        {
            parameter.values = best;
        }
        // Weights that no episode touched since they broke have not shown in any loss.
        if !prior.parameters().iter().all(Parameter::is_finite) {
            let last = &self.slots[self.slots.len() - 1];
            let corpus = self.sampler.corpora()[last.corpus].name.clone();
            let number = (steps * self.slots.len() as u64).saturating_sub(1);
            return Err(Error::NotFinite { episode: format!("episode {number}"), corpus });
        }
        prior.settle(&self.corpora.training, self.settings.seed);
        Ok(Trained { prior, steps, stopping })
    }
}

/// Draws the episodes of a step, unless they are already there.
fn draw(draws: &mut [Draw], step: u64, sampler: &EpisodeSampler<'_>, seed: u64) -> Result<()> {
    let first = step * draws.len() as u64;
    draws.par_iter_mut().enumerate().try_for_each(|(i, draw)| {
        let number = first + i as u64;
        if draw.number == number {
            return Ok(());
        }
        draw.stream = stream(seed, Purpose::Training, number);
        sampler.draw(&mut draw.stream, &mut draw.episode)?;
        draw.number = number;
        Ok(())
    })
}

/// The tasks of every validation of a run; none where no corpus is held back for it.
pub fn validation_tasks(
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
