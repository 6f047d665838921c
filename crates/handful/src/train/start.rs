//! Creates the prior of a trainer.

use super::{TrainSettings, Trainer, TrainingCorpora};
use crate::Result;
use crate::prior::{AnyPrior, KnownTerms, StartObserver};
use crate::random::{Purpose, stream};
use std::ops::ControlFlow;

impl<'a> Trainer<'a> {
    /// Creates a trainer whose prior has its initial weights, over these terms.
    pub fn new(
        corpora: &'a TrainingCorpora<'a>,
        terms: impl Into<KnownTerms<'a>>,
        settings: &'a TrainSettings,
    ) -> Result<Self> {
        let go_on = &mut |_| ControlFlow::Continue(());
        Ok(Self::start(corpora, terms, settings, go_on)?.expect("nobody ends the start"))
    }

    /// Works like [`Self::new`], with an observer. Returns `None` if the observer ended the start.
    pub fn start(
        corpora: &'a TrainingCorpora<'a>,
        terms: impl Into<KnownTerms<'a>>,
        settings: &'a TrainSettings,
        observer: &mut StartObserver<'_>,
    ) -> Result<Option<Self>> {
        settings.check()?;
        let TrainSettings { prior, topics, without, .. } = *settings;
        let mut weights = stream(settings.seed, Purpose::Weights, 0);
        let size = (terms.into(), topics);
        AnyPrior::start(prior, without, size, &corpora.training, &mut weights, observer)?
            .map(|prior| Self::with(prior, corpora, settings))
            .transpose()
    }

    /// Creates a trainer with an untrained prior, for a checkpoint to replace.
    pub(super) fn unstarted(
        corpora: &'a TrainingCorpora<'a>,
        terms: usize,
        settings: &'a TrainSettings,
    ) -> Result<Self> {
        settings.check()?;
        let mut weights = stream(settings.seed, Purpose::Weights, 0);
        let prior = AnyPrior::random(settings.prior, terms, settings.topics, &mut weights);
        Self::with(prior, corpora, settings)
    }
}
