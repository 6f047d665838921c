//! The record of one method, repeat and number of subjects.

use crate::protocol::Line;
use crate::results::Course;
use crate::{Given, Setting, SettingKey};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The number of subjects in a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Subjects {
    /// K
    pub subjects: usize,
}

impl Setting for Subjects {
    const TASKS: &'static str = "blends";
}

impl fmt::Display for Subjects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "K={}", self.subjects)
    }
}

/// Identifies an experiment.
pub type BlendsKey = SettingKey<Subjects>;

/// How well a method found the subjects of blends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlendsRecord {
    /// The experiment.
    #[serde(flatten)]
    pub key: BlendsKey,
    /// The mean error of the shares of a blend's subjects.
    pub error: f64,
    /// The correlation of these shares with the true ones, over all blends. `None` if all that were
    /// said are the same.
    pub correlation: Option<f64>,
    /// The mean over pure documents of the share that is not their subject's.
    pub pure_error: f64,
    /// The mean over subjects of the share of their words in blends that is given to them.
    pub words_placed: f64,
    /// The same for one blend alone. `None` with more than two subjects, and for methods that need
    /// pure documents.
    pub words_placed_alone: Option<f64>,
    /// How the experiment went.
    #[serde(flatten)]
    pub course: Course,
    /// Each task's error.
    pub task_errors: Vec<f64>,
    /// Each task's error in pure documents.
    pub task_pure_errors: Vec<f64>,
    /// Each task's share of words placed right.
    pub task_words_placed: Vec<f64>,
    /// The same for one blend alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub task_words_placed_alone: Vec<f64>,
}

impl Line for BlendsRecord {
    type Key = BlendsKey;
    const FORMAT: &'static str = "handful-blends";
    const FILE: &'static str = "blends.jsonl";

    fn key(&self) -> &BlendsKey {
        &self.key
    }

    fn seconds(&self) -> f64 {
        self.course.seconds()
    }

    fn given(&self) -> Option<&Given> {
        self.course.given.as_ref()
    }

    fn outcome(&self) -> String {
        format!("error {:.3}, words placed {:.3}", self.error, self.words_placed)
    }
}
