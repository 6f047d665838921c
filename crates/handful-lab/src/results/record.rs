//! The record of one experiment.

use super::Prediction;
use crate::methods::Method;
use crate::protocol::{ExperimentKey, Line};
use crate::topics_shown::TopicsShown;
use crate::{Calibration, Given};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Identifies an experiment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    /// The method's id.
    pub method: String,
    /// The target corpus.
    pub target: String,
    /// The repeat, counted from 0.
    pub repeat: usize,
    /// K. `None` if the method has no topics, or chooses their number for each task.
    pub topics: Option<usize>,
    /// The number of EM steps on a task; if EM goes on until it converges, the number that was asked
    /// for. `None` if there is no EM.
    pub em_steps: Option<usize>,
}

impl Key {
    /// Creates the key of a method when K topics and T EM steps are asked for.
    pub fn new(
        method: &Method,
        target: &str,
        repeat: usize,
        (topics, em_steps): (usize, usize),
    ) -> Self {
        Self {
            method: method.id.to_owned(),
            target: target.to_owned(),
            repeat,
            topics: method.topics(topics),
            em_steps: method.em_steps(em_steps),
        }
    }
}

impl ExperimentKey for Key {
    /// Target and repeat.
    type Occasion = (String, usize);

    fn method(&self) -> &str {
        &self.method
    }

    fn occasion(&self) -> (String, usize) {
        (self.target.clone(), self.repeat)
    }

    fn kind(&self) -> String {
        format!("{} {:?} {:?}", self.method, self.topics, self.em_steps)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}, repeat {}", self.method, self.target, self.repeat)?;
        self.topics.map_or(Ok(()), |topics| write!(f, ", K={topics}"))?;
        self.em_steps.map_or(Ok(()), |em_steps| write!(f, ", T={em_steps}"))
    }
}

/// The result of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The experiment.
    #[serde(flatten)]
    pub key: Key,
    /// How well it predicted.
    #[serde(flatten)]
    pub prediction: Prediction,
    /// The most probable terms of a few topics of the first task.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub top_terms: Vec<Vec<String>>,
    /// Measures of the topics as shown to a person, over all tasks. `None` if there are no topics,
    /// and in results that lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topics_shown: Option<TopicsShown>,
    /// Whether the probabilities of words came true. `None` if there are no topics, and in results that
    /// lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
}

impl Line for Record {
    type Key = Key;
    const FORMAT: &'static str = "handful-comparison";
    const FILE: &'static str = "results.jsonl";

    fn key(&self) -> &Key {
        &self.key
    }

    fn seconds(&self) -> f64 {
        self.prediction.seconds()
    }

    fn given(&self) -> Option<&Given> {
        self.prediction.given.as_ref()
    }

    fn outcome(&self) -> String {
        self.prediction.in_words()
    }
}
