//! A model that was trained elsewhere. It is asked as users have it, and never trained here.

use crate::given::Given;
use crate::groups::largest_topics;
use handful::internals::corpus::WordCounts;
use handful::internals::em::EmStop;
use handful::text::Vocabulary;
use handful::{Error, FitSettings, Model, Result};

/// A model that was trained elsewhere.
#[derive(Clone, Debug)]
pub struct FinishedModel {
    /// The model.
    pub model: Model,
    /// Identifies it.
    pub given: Given,
}

/// The most corpora that a warning names.
const NAMED: usize = 3;

impl FinishedModel {
    /// Takes a model as it is.
    pub fn new(model: Model) -> Self {
        let given = Given::Model { terms: model.terms(), checksum: model.parts().checksum() };
        Self { model, given }
    }

    /// Returns a warning if the model's card lists some of the corpora that are `asked`. A card names
    /// a corpus `set/corpus` if the model was trained on several sets.
    pub fn has_seen<'a>(&self, asked: impl Iterator<Item = &'a str>) -> Option<String> {
        let training = self.model.parts().config.training.as_ref()?;
        let listed: Vec<&String> =
            training.corpora.iter().chain(&training.validation_corpora).collect();
        let is_listed = |name: &str| {
            let is_it =
                |listed: &&&String| **listed == name || listed.ends_with(&format!("/{name}"));
            listed.iter().find(is_it).map(|listed| listed.as_str())
        };
        let asked: Vec<&str> = asked.collect();
        let seen: Vec<&str> = asked.iter().filter_map(|name| is_listed(name)).collect();
        if seen.is_empty() {
            return None;
        }
        let more = if seen.len() > NAMED { ", …" } else { "" };
        Some(format!(
            "the model's card lists {} of the {} corpora that are asked ({}{more}): its figures are \
             better than they would be on new corpora",
            seen.len(),
            asked.len(),
            seen[..seen.len().min(NAMED)].join(", "),
        ))
    }

    /// Refuses tasks of as many `corpora` if the model does not give as many topics.
    pub(crate) fn expect_topics(&self, corpora: usize) -> Result<()> {
        let config = &self.model.parts().config;
        config.prior.check_topics(config.topics, corpora).map_err(|error| {
            Error::bad_setting(
                format!("{corpora} corpora in a task"),
                format!("the model {} cannot give as many topics", self.model.place()),
                format!("{}; change `corpora_per_task`", error.remedy()),
            )
        })
    }

    /// Fits documents to K topics with EM until `stop`, as [`Model::fit`] does, and returns each
    /// document's largest topic.
    pub fn groups(
        &self,
        documents: &WordCounts,
        vocabulary: &Vocabulary,
        (topics, stop): (usize, EmStop),
    ) -> Result<Vec<usize>> {
        let mut settings = FitSettings::default().with_topics(topics);
        settings.em_stop = Some(stop);
        let counts = |n: usize| -> Vec<(&str, u32)> {
            documents.row(n).map(|(term, count)| (vocabulary.term(term), count)).collect()
        };
        let documents = (0..documents.documents()).map(counts);
        let fit = self.model.fit(documents, &settings.without_held_out_words())?;
        Ok(largest_topics(fit.topic_model()))
    }
}
