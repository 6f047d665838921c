//! Settings of a fit.

use crate::Error;
use crate::Result;
use crate::em::{EmStop, Inference};
use crate::prior::PriorSettings;
use crate::text::{Language, StopWords};
use crate::topic_model::Granularity;
use serde::{Deserialize, Serialize};

/// How many topics a fit has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Topics {
    /// As many as the documents have subjects, if the model can tell. Else as many as the documents
    /// support, if there are at most fifty and the model gives any number, or as many as the model was
    /// trained for.
    #[default]
    Usual,
    /// As many as the documents support, however many documents there are.
    Auto,
    /// This many.
    Number(usize),
}

impl From<usize> for Topics {
    fn from(topics: usize) -> Self {
        Self::Number(topics)
    }
}

/// Settings of a fit. `FitSettings::default()` serves; `with_` methods change one thing each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct FitSettings {
    /// How many topics.
    pub topics: Topics,
    /// How finely documents are told apart if they choose how many topics.
    pub granularity: Granularity,
    /// When EM stops; `None` for the model's number of steps.
    pub em_stop: Option<EmStop>,
    /// What a step does; `None` for what it did when the model was trained.
    pub inference: Option<Inference>,
    /// Words to leave out of the documents.
    pub ignore_words: Vec<String>,
    /// The language of the documents; `None` to detect it. Word counts are taken as they are, whatever
    /// the language.
    pub language: Option<Language>,
    /// The stop words of texts; `None` for those of the language.
    pub stop_words: Option<StopWords>,
    /// Whether to hold words out and say how much better topics predict them than no topics do. A
    /// choice of the number of topics needs that anyway.
    pub held_out: bool,
    /// The seed of everything random.
    pub seed: u64,
}

impl Default for FitSettings {
    fn default() -> Self {
        Self {
            topics: Topics::Usual,
            granularity: Granularity::Medium,
            em_stop: None,
            inference: None,
            ignore_words: Vec::new(),
            language: None,
            stop_words: None,
            held_out: true,
            seed: 1,
        }
    }
}

impl FitSettings {
    /// With this many topics, or a choice of them.
    pub fn with_topics(mut self, topics: impl Into<Topics>) -> Self {
        self.topics = topics.into();
        self
    }

    /// With coarser or finer topics, if the documents choose how many.
    pub fn with_granularity(mut self, granularity: Granularity) -> Self {
        self.granularity = granularity;
        self
    }

    /// With another number of EM steps than the model's.
    pub fn with_em_steps(mut self, steps: usize) -> Self {
        self.em_stop = Some(EmStop::Steps(steps));
        self
    }

    /// With topics that are found in this way, whatever the model was trained for.
    pub fn with_inference(mut self, inference: Inference) -> Self {
        self.inference = Some(inference);
        self
    }

    /// With EM until the posterior stops rising.
    pub fn until_converged(mut self) -> Self {
        self.em_stop = Some(EmStop::converged());
        self
    }

    /// Without these words of the documents.
    pub fn without_words(mut self, words: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.ignore_words.extend(words.into_iter().map(Into::into));
        self
    }

    /// With texts in this language, whatever they look like.
    pub fn with_language(mut self, language: Language) -> Self {
        self.language = Some(language);
        self
    }

    /// With other stop words than those of the language.
    pub fn with_stop_words(mut self, stop_words: StopWords) -> Self {
        self.stop_words = Some(stop_words);
        self
    }

    /// Without holding words out to see what the topics are worth: faster.
    pub fn without_held_out_words(mut self) -> Self {
        self.held_out = false;
        self
    }

    /// With another seed.
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Refuses what a model with this prior, trained for `own` topics in `em_steps` EM steps, cannot
    /// do, and settles what was left open.
    pub fn check(
        &self,
        prior: &PriorSettings,
        own: usize,
        (inference, em_steps): (Inference, usize),
    ) -> Result<CheckedFitSettings> {
        let any = prior.gives_any_topics();
        let (topics, choice) = match self.topics {
            Topics::Number(topics) => {
                prior.check_topics(own, topics)?;
                (topics, Choice::No)
            }
            Topics::Usual if any => (own, Choice::OfAFew),
            Topics::Usual => (own, Choice::No),
            Topics::Auto if any => (own, Choice::Yes),
            Topics::Auto => {
                let expected = format!("{own}, the number the model was trained for");
                return Err(Error::setting("topics", "auto", expected));
            }
        };
        let stop = self.em_stop.unwrap_or(EmStop::Steps(em_steps));
        stop.check()?;
        let inference = self.inference.unwrap_or(inference);
        prior.check_inference(inference, stop)?;
        Ok(CheckedFitSettings {
            inference,
            topics,
            choice,
            granularity: self.granularity,
            stop,
            ignore_words: self.ignore_words.clone(),
            language: self.language,
            stop_words: self.stop_words.clone(),
            held_out: self.held_out,
            seed: self.seed,
        })
    }
}

/// Settings that a model can follow, made by [`FitSettings::check`].
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedFitSettings {
    pub(super) inference: Inference,
    pub(super) topics: usize,
    pub(super) choice: Choice,
    pub(super) granularity: Granularity,
    pub(super) stop: EmStop,
    pub(super) ignore_words: Vec<String>,
    pub(super) language: Option<Language>,
    pub(super) stop_words: Option<StopWords>,
    pub(super) held_out: bool,
    pub(super) seed: u64,
}

/// Whether documents choose the number of topics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    No,
    /// Unless they are many.
    OfAFew,
    Yes,
}
