//! The shape of the prior, and what can be said of it before there are weights.

use super::layout::MOST_TOPICS;
use super::{Handful, Ingredient, new_document};
use crate::corpus::Corpus;
use crate::error::{MOST, expect_within};
use crate::numeric::Real;
use crate::prior::{KnownTerms, PriorShape, ReadsNewDocuments, StartObserver};
use crate::storage::TensorSource;
use crate::{Error, Result};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// The shape of the networks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HandfulSettings {
    /// Length of the vectors of words, documents and topics.
    pub dimension: usize,
    /// Hidden units of every network.
    pub hidden: usize,
    /// L, the themes that LDA finds in the training corpora; best a multiple of 16, so that they fill
    /// registers.
    pub themes: usize,
    /// Share of an episode's words that the networks do not see in training.
    pub word_dropout: f64,
    /// Share of a document's vector that is dropped in training.
    pub input_dropout: f64,
    /// The learning rate of word vectors, in units of the networks'.
    #[serde(default = "slow_words", skip_serializing_if = "are_slow_words")]
    pub word_rate: f64,
}

/// Words learn slower than networks: their first values are good already, and there are many of them.
const SLOW_WORDS: f64 = 0.1;

/// A larger learning rate of words, in units of the networks', learns nothing.
const MOST_RATE: f64 = 1000.0;

fn slow_words() -> f64 {
    SLOW_WORDS
}

fn are_slow_words(rate: &f64) -> bool {
    *rate == SLOW_WORDS
}

impl Default for HandfulSettings {
    fn default() -> Self {
        Self {
            dimension: 128,
            hidden: 256,
            themes: 384,
            word_dropout: 0.5,
            input_dropout: 0.3,
            word_rate: SLOW_WORDS,
        }
    }
}

impl<R: Real> PriorShape<R> for HandfulSettings {
    type Prior = Handful<R>;

    fn check(&self) -> Result<()> {
        expect_within("dimension", self.dimension, 1, MOST)?;
        expect_within("hidden", self.hidden, 1, MOST)?;
        expect_within("themes", self.themes, 1, MOST)?;
        let dropouts = [("word_dropout", self.word_dropout), ("input_dropout", self.input_dropout)];
        for (name, share) in dropouts {
            if !(0.0..1.0).contains(&share) {
                return Err(Error::setting(name, share, "at least 0 and less than 1"));
            }
        }
        if !(0.0..=MOST_RATE).contains(&self.word_rate) {
            return Err(Error::setting(
                "word_rate",
                self.word_rate,
                format!("from 0 to {MOST_RATE}"),
            ));
        }
        Ok(())
    }

    fn gives_any_topics(&self) -> bool {
        true
    }

    /// Refuses numbers of topics that there are no slots for.
    fn check_topics(&self, _own: usize, topics: usize) -> Result<()> {
        expect_within("topics", topics, 1, MOST_TOPICS)
    }

    fn makes_background(&self) -> bool {
        true
    }

    fn can_average(&self) -> bool {
        true
    }

    fn describe(&self) -> String {
        let Self { dimension, hidden, .. } = self;
        format!(
            "words, documents and topics as vectors of length {dimension}, networks with {hidden} \
             hidden units"
        )
    }

    fn random(&self, terms: usize, topics: usize, stream: &mut ChaCha8Rng) -> Handful<R> {
        Handful::random(*self, terms, topics, stream)
    }

    fn start(
        &self,
        without: Option<Ingredient>,
        size: (KnownTerms<'_>, usize),
        corpora: &[&Corpus],
        stream: &mut ChaCha8Rng,
        observer: &mut StartObserver<'_>,
    ) -> Result<Option<Handful<R>>> {
        Handful::start(*self, without, size, corpora, stream, observer)
    }

    fn read(
        &self,
        terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<R>,
    ) -> Result<Handful<R>> {
        Handful::from_tensors(*self, terms, topics, tensors)
    }

    fn read_new_document_prior(
        &self,
        terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<R>,
        wanted: &[u32],
    ) -> Result<Box<dyn ReadsNewDocuments<R>>> {
        new_document::from_tensors(*self, terms, topics, tensors, wanted)
    }
}
