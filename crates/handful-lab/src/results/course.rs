//! How an experiment on unseen corpora went, whatever was measured.

use crate::Given;
use crate::methods::TrainingCourse;
use handful::internals::corpus::Corpus;
use serde::{Deserialize, Serialize};

/// How an experiment on unseen corpora went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// The repeat's own seed.
    pub seed: u64,
    /// The number of tasks.
    pub tasks: usize,
    /// The CPU seconds to learn.
    pub train_seconds: f64,
    /// The mean CPU seconds to answer a task.
    pub fit_seconds: f64,
    /// For a trained prior, the record of its training.
    #[serde(flatten)]
    pub training: Option<TrainingCourse>,
    /// What the method was given beside the corpora.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<Given>,
    /// The corpora that documents were drawn from.
    pub held_out_corpora: Vec<String>,
    /// The validation corpora. The corpora that are neither these nor held out were trained on.
    pub validation_corpora: Vec<String>,
}

impl Course {
    /// The CPU seconds to learn and to answer.
    pub fn seconds(&self) -> f64 {
        self.train_seconds + self.fit_seconds * self.tasks as f64
    }
}

/// The names of corpora.
pub(crate) fn names(corpora: &[&Corpus]) -> Vec<String> {
    corpora.iter().map(|corpus| corpus.name.clone()).collect()
}
