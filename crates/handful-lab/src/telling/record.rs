//! The record of one method, repeat and shape of tasks.

use crate::groups::TaskShape;
use crate::protocol::Line;
use crate::results::Course;
use crate::{Given, Setting, SettingKey};
use serde::{Deserialize, Serialize};

impl Setting for TaskShape {
    const TASKS: &'static str = "telling";
}

/// Identifies an experiment.
pub type TellingKey = SettingKey<TaskShape>;

/// How well the terms that a method shows tell topics: means over tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TellingRecord {
    /// The experiment.
    #[serde(flatten)]
    pub key: TellingKey,
    /// The share of other documents that the terms give to the topic of their corpus.
    pub telling: f64,
    /// The adjusted Rand index of the handful's groups.
    pub ari: f64,
    /// The share of other documents of 100 words or more that contain a term of any topic. `None` if
    /// there is no such document.
    pub reached: Option<f64>,
    /// The share of distinct terms.
    pub diversity: Option<f64>,
    /// The share of common terms. `None` if there are no other corpora to say which are.
    pub common: Option<f64>,
    /// Among terms of topics of 100 words or more, the share that the handful says at most once. `None`
    /// if there is no such topic.
    pub once: Option<f64>,
    /// The NPMI of a topic's terms in the other documents.
    pub coherence: Option<f64>,
    /// How the experiment went.
    #[serde(flatten)]
    pub course: Course,
    /// Each task's share of documents that are told right.
    pub task_telling: Vec<f64>,
    /// Each task's adjusted Rand index.
    pub task_aris: Vec<f64>,
    /// The terms of each topic of the first task.
    pub first_terms: Vec<Vec<String>>,
}

impl Line for TellingRecord {
    type Key = TellingKey;
    const FORMAT: &'static str = "handful-telling";
    const FILE: &'static str = "telling.jsonl";

    fn key(&self) -> &TellingKey {
        &self.key
    }

    fn seconds(&self) -> f64 {
        self.course.seconds()
    }

    fn given(&self) -> Option<&Given> {
        self.course.given.as_ref()
    }

    fn outcome(&self) -> String {
        format!("telling {:.3}", self.telling)
    }
}
