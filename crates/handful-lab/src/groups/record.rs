//! The record of one method and repeat.

use crate::Given;
use crate::protocol::{ExperimentKey, Line};
use crate::results::Course;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Identifies an experiment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GroupsKey {
    /// The method's id.
    pub method: String,
    /// The repeat, counted from 0.
    pub repeat: usize,
}

impl ExperimentKey for GroupsKey {
    /// The repeat.
    type Occasion = usize;

    fn method(&self) -> &str {
        &self.method
    }

    fn occasion(&self) -> usize {
        self.repeat
    }

    fn kind(&self) -> String {
        self.method.clone()
    }
}

impl fmt::Display for GroupsKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on mixed handfuls, repeat {}", self.method, self.repeat)
    }
}

/// How well a method grouped documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupsRecord {
    /// The experiment.
    #[serde(flatten)]
    pub key: GroupsKey,
    /// The mean purity over tasks.
    pub purity: f64,
    /// The mean normalised mutual information over tasks.
    pub nmi: f64,
    /// The mean adjusted Rand index over tasks. `None` in results that lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ari: Option<f64>,
    /// How the experiment went.
    #[serde(flatten)]
    pub course: Course,
    /// Each task's purity.
    pub task_purities: Vec<f64>,
    /// Each task's normalised mutual information.
    pub task_nmis: Vec<f64>,
    /// Each task's adjusted Rand index. Empty in results that lack it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub task_aris: Vec<f64>,
}

impl Line for GroupsRecord {
    type Key = GroupsKey;
    const FORMAT: &'static str = "handful-groups";
    const FILE: &'static str = "groups.jsonl";

    fn key(&self) -> &GroupsKey {
        &self.key
    }

    fn seconds(&self) -> f64 {
        self.course.seconds()
    }

    fn given(&self) -> Option<&Given> {
        self.course.given.as_ref()
    }

    fn outcome(&self) -> String {
        format!("purity {:.3}", self.purity)
    }
}
