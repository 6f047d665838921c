//! The record of one method, target, repeat and setting.

use super::Axis;
use crate::Given;
use crate::protocol::{ExperimentKey, Line};
use crate::results::Prediction;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Identifies an experiment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RangeKey {
    /// The method's id.
    pub method: String,
    /// The target corpus.
    pub target: String,
    /// The repeat, counted from 0.
    pub repeat: usize,
    /// The setting that is varied.
    pub axis: Axis,
    /// Its value.
    pub value: usize,
}

impl ExperimentKey for RangeKey {
    /// Target and repeat. Every setting learns from the same corpora.
    type Occasion = (String, usize);

    fn method(&self) -> &str {
        &self.method
    }

    fn occasion(&self) -> (String, usize) {
        (self.target.clone(), self.repeat)
    }

    fn kind(&self) -> String {
        format!("{} {} {}", self.method, self.axis, self.value)
    }
}

impl fmt::Display for RangeKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { method, target, repeat, axis, value } = self;
        let setting = axis.in_words(&value.to_string());
        write!(f, "{method} on {target}, repeat {repeat}, {setting}")
    }
}

/// The result of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RangeRecord {
    /// The experiment.
    #[serde(flatten)]
    pub key: RangeKey,
    /// How well it predicted.
    #[serde(flatten)]
    pub prediction: Prediction,
}

impl Line for RangeRecord {
    type Key = RangeKey;
    const FORMAT: &'static str = "handful-range";
    const FILE: &'static str = "range.jsonl";

    fn key(&self) -> &RangeKey {
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
