//! The record of one method, repeat and number of documents.

use crate::Given;
use crate::protocol::{ExperimentKey, Line};
use crate::results::Course;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Identifies an experiment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NumberKey {
    /// The method's id.
    pub method: String,
    /// The repeat, counted from 0.
    pub repeat: usize,
    /// N, the number of documents in a task.
    pub documents: usize,
}

impl ExperimentKey for NumberKey {
    /// Repeat and number of documents.
    type Occasion = (usize, usize);

    fn method(&self) -> &str {
        &self.method
    }

    fn occasion(&self) -> (usize, usize) {
        (self.repeat, self.documents)
    }

    fn kind(&self) -> String {
        format!("{} {}", self.method, self.documents)
    }
}

impl fmt::Display for NumberKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { method, repeat, documents } = self;
        write!(f, "{method} on numbers of topics, repeat {repeat}, N={documents}")
    }
}

/// How well a method found the number of topics of each task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NumberRecord {
    /// The experiment.
    #[serde(flatten)]
    pub key: NumberKey,
    /// The share of tasks with exactly as many topics as subjects.
    pub exact: f64,
    /// The share of tasks with as many topics as subjects, or one more or less.
    pub within_one: f64,
    /// The mean number of topics.
    pub topics: f64,
    /// How the experiment went.
    #[serde(flatten)]
    pub course: Course,
    /// Each task's number of subjects.
    pub task_subjects: Vec<usize>,
    /// Each task's number of topics.
    pub task_topics: Vec<usize>,
    /// Whether each task's documents are short.
    pub task_short: Vec<bool>,
    /// Each task's adjusted Rand index with as many topics as the method chose.
    pub task_aris: Vec<f64>,
    /// The same with as many topics as there are subjects.
    pub task_aris_given: Vec<f64>,
}

impl Line for NumberRecord {
    type Key = NumberKey;
    const FORMAT: &'static str = "handful-number";
    const FILE: &'static str = "number.jsonl";

    fn key(&self) -> &NumberKey {
        &self.key
    }

    fn seconds(&self) -> f64 {
        self.course.seconds()
    }

    fn given(&self) -> Option<&Given> {
        self.course.given.as_ref()
    }

    fn outcome(&self) -> String {
        format!("exactly right {:.2}, mean K {:.1}", self.exact, self.topics)
    }
}
