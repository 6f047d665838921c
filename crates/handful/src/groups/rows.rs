//! The rows that are kept of a fit.

use crate::fit::{Fit, Topic};
use serde::{Deserialize, Serialize};

/// What is kept of the fit of one group. As JSON, every number is read back to the last bit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GroupRows {
    /// Its topics, by their share of all words.
    pub topics: Vec<TopicRow>,
    /// Its documents, in the order they were given in.
    pub documents: Vec<DocumentRow>,
    /// What a person should know of the fit.
    pub warnings: Vec<String>,
    /// Why the group has no topics, if it has none.
    pub error: Option<String>,
}

/// A topic of a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TopicRow {
    /// Its number in the group, from 1.
    pub topic: u32,
    /// What people call it.
    pub name: String,
    /// Its share of all words.
    pub share: f64,
    /// Its first terms.
    pub terms: Vec<String>,
    /// How probable each of them is in the topic.
    pub probabilities: Vec<f32>,
}

/// A document of a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DocumentRow {
    /// Its identifier.
    pub document: String,
    /// Number of its words, stop words and ignored words excepted.
    pub words: u64,
    /// Number of its words that are new to the model.
    pub unknown_words: u64,
    /// The share of it that is background. `None` for models without a background.
    pub background: Option<f32>,
    /// The number of the topic that it has most of, from 1; of equal ones the first.
    pub main_topic: u32,
    /// Its proportions of the topics, which sum to 1.
    pub proportions: Vec<f32>,
}

impl GroupRows {
    /// The rows of a fit, with this many terms of each topic.
    pub(super) fn of(fit: &Fit, terms: usize) -> Self {
        let topics =
            (1..).zip(fit.topics()).map(|(number, topic)| TopicRow::of(number, &topic, terms));
        let documents = fit.documents().into_iter().enumerate().map(|(n, one)| DocumentRow {
            document: one.id.to_owned(),
            words: one.words,
            unknown_words: one.unknown_words,
            background: one.background,
            main_topic: fit.topic_model().main_topic(n) as u32 + 1,
            proportions: one.topics.to_vec(),
        });
        Self {
            topics: topics.collect(),
            documents: documents.collect(),
            warnings: fit.warnings().iter().map(ToString::to_string).collect(),
            error: None,
        }
    }

    /// A group that has no fit.
    pub(super) fn failed(error: impl Into<String>) -> Self {
        Self { error: Some(error.into()), ..Self::default() }
    }
}

impl TopicRow {
    fn of(topic: u32, of: &Topic<'_>, terms: usize) -> Self {
        let told = of.weighted_terms(terms);
        Self {
            topic,
            name: of.name().into_owned(),
            share: of.share,
            terms: told.iter().map(|term| term.term.to_owned()).collect(),
            probabilities: told.iter().map(|term| term.probability).collect(),
        }
    }
}
