//! One experiment's line.

use super::Prediction;
use crate::methods::Method;
use crate::protocol::{ExperimentKey, Line};
use crate::topics_shown::TopicsShown;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Which experiment it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    /// The method's id.
    pub method: String,
    /// The target corpus.
    pub target: String,
    /// Counted from 0.
    pub repeat: usize,
    /// K; `None` where there are no topics, or each task has its own number of them.
    pub topics: Option<usize>,
    /// EM steps on a task; `None` where there is no EM.
    pub em_steps: Option<usize>,
}

impl Key {
    /// The experiment of a method that is asked for K topics and T EM steps.
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

/// What came of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Which experiment it is.
    #[serde(flatten)]
    pub key: Key,
    /// How well it predicted.
    #[serde(flatten)]
    pub prediction: Prediction,
    /// The likeliest terms of a few topics of the first task.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub top_terms: Vec<Vec<String>>,
    /// What a person is shown of all tasks; `None` where there are no topics, and in results from
    /// before it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topics_shown: Option<TopicsShown>,
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

    fn outcome(&self) -> String {
        self.prediction.in_words()
    }
}
