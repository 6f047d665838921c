//! The record of one method, repeat and number of documents.

use super::Trust;
use crate::protocol::Line;
use crate::results::Course;
use crate::{Given, Setting, SettingKey};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The number of documents in a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Documents {
    /// N
    pub documents: usize,
}

impl Setting for Documents {
    const TASKS: &'static str = "numbers of topics";
}

impl fmt::Display for Documents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "N={}", self.documents)
    }
}

/// Identifies an experiment.
pub type NumberKey = SettingKey<Documents>;

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
    /// What each task's fit says of how far its groups are to be trusted. Empty if the method says
    /// nothing of it, and in results that lack it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub task_trust: Vec<Trust>,
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
