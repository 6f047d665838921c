//! A whole training run: steps, validations and checkpoints.

use super::checkpoint::{self, CheckpointPlan, RunIdentity};
use super::{EarlyStopping, TrainSettings, Trainer, TrainingCorpora, Validation};
use crate::prior::{AnyPrior, KnownTerms, Starting};
use crate::storage::Claim;
use crate::{Error, Result};
use std::ops::ControlFlow;

/// An event during a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// The prior is getting its initial weights.
    Starting(Starting),
    /// A checkpoint was found, and the run continues from it.
    Resumed {
        /// The number of steps already taken.
        step: u64,
    },
    /// A step was taken.
    Stepped {
        /// The number of steps taken so far.
        step: u64,
        /// The mean loss of its episodes: the negative log-likelihood per query word.
        loss: f64,
    },
    /// A validation was done.
    Validated {
        /// The validation.
        validation: Validation,
        /// Whether it is the best so far.
        best: bool,
    },
    /// A checkpoint was written.
    Saved {
        /// The number of steps taken so far.
        step: u64,
    },
}

/// A trained prior.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The prior with its best weights, or with its last weights if there was no validation.
    pub prior: AnyPrior<f32>,
    /// The number of steps taken.
    pub steps: u64,
    /// The history of validations.
    pub stopping: EarlyStopping,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The run ended by early stopping or at the maximum number of steps.
    Finished(Box<Trained>),
    /// The observer ended the run.
    Interrupted {
        /// The number of steps taken.
        step: u64,
        /// Whether a checkpoint was written from which to resume. There is none without a plan, or
        /// before the prior has its initial weights.
        resumable: bool,
    },
}

impl Outcome {
    /// The trained prior; [`Error::Interrupted`] where the observer ended the run.
    pub fn finished(self) -> Result<Trained> {
        match self {
            Self::Finished(trained) => Ok(*trained),
            Self::Interrupted { step, resumable } => {
                let when = match step {
                    0 => "before the first step".to_owned(),
                    step => format!("after step {step}"),
                };
                Err(Error::Interrupted { when, resumable })
            }
        }
    }
}

/// Trains a prior on the training corpora, over these terms.
///
/// After each event, `observer` decides whether to continue.
pub fn train<'a>(
    corpora: &'a TrainingCorpora<'a>,
    terms: impl Into<KnownTerms<'a>>,
    settings: &'a TrainSettings,
    checkpoints: Option<&CheckpointPlan>,
    observer: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Outcome> {
    let terms = terms.into();
    let run = RunIdentity::new(settings, corpora, terms.count);
    // Another run must not write its checkpoints over ours.
    let claim = checkpoints.map(|plan| Claim::of(&plan.path)).transpose()?;
    let mut stopped = false;
    let mut trainer;
    if let Some(plan) = checkpoints.filter(|plan| plan.resume && plan.path.exists()) {
        trainer = Trainer::unstarted(corpora, terms.count, settings)?;
        checkpoint::load(plan, &run, &mut trainer.state)?;
        stopped = observer(Progress::Resumed { step: trainer.steps() }).is_break();
    } else {
        let observer = &mut |starting| observer(Progress::Starting(starting));
        let Some(started) = Trainer::start(corpora, terms, settings, observer)? else {
            return Ok(Outcome::Interrupted { step: 0, resumable: false });
        };
        trainer = started;
    }
    while !trainer.is_finished() {
        if stopped {
            if let Some(claim) = &claim {
                checkpoint::save(claim, &run, &trainer.state)?;
            }
            let resumable = claim.is_some();
            return Ok(Outcome::Interrupted { step: trainer.steps(), resumable });
        }
        let mut report = |progress| stopped |= observer(progress).is_break();
        let loss = trainer.step()?;
        let step = trainer.steps();
        report(Progress::Stepped { step, loss });
        if trainer.is_validation_due() {
            let (validation, best) = trainer.validate()?;
            report(Progress::Validated { validation, best });
        }
        if let (Some(plan), Some(claim)) = (checkpoints, &claim)
            && step.is_multiple_of(plan.every)
        {
            checkpoint::save(claim, &run, &trainer.state)?;
            report(Progress::Saved { step });
        }
    }
    Ok(Outcome::Finished(Box::new(trainer.finish()?)))
}
