//! What all kinds of experiments have in common, so that they are planned, run and stored in the
//! same way.

use crate::{Given, Settings};
use handful::Result;
use handful::internals::corpus::Corpus;
use handful::text::Vocabulary;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::io::Write;

/// Identifies an experiment.
pub trait ExperimentKey: Clone + Ord + fmt::Debug + fmt::Display + Send + Sync {
    /// What experiments of different methods share, so that they can be compared: the roles of
    /// corpora, and the tasks.
    type Occasion: Clone + Ord + fmt::Debug + Send + Sync;

    /// The method's id.
    fn method(&self) -> &str;

    /// Returns the occasion of this experiment.
    fn occasion(&self) -> Self::Occasion;

    /// Returns the kind of experiment. Experiments of one kind take about the same time.
    fn kind(&self) -> String;
}

/// The result of an experiment: one line in a folder.
pub trait Line: Clone + fmt::Debug + Serialize + DeserializeOwned + Send + Sync {
    /// Identifies the experiment.
    type Key: ExperimentKey;
    /// The name of the folder's format.
    const FORMAT: &'static str;
    /// The name of the file with the lines.
    const FILE: &'static str;

    /// Identifies the experiment.
    fn key(&self) -> &Self::Key;

    /// The CPU seconds that the experiment took.
    fn seconds(&self) -> f64;

    /// What the method was given beside the corpora.
    fn given(&self) -> Option<&Given>;

    /// Returns the result in a few words.
    fn outcome(&self) -> String;
}

/// The key of a line.
pub type KeyOf<L> = <L as Line>::Key;
/// The occasion of a line.
pub type OccasionOf<L> = <KeyOf<L> as ExperimentKey>::Occasion;

/// How to run one kind of experiments.
pub trait Protocol: Sync {
    /// The result of an experiment.
    type Line: Line;
    /// What must be learned for it. Experiments of one occasion with equal recipes share it.
    type Recipe: Clone + PartialEq + Send + Sync;

    /// The settings shared by all experiments.
    fn settings(&self) -> &Settings;

    /// The corpora, sorted by name.
    fn corpora(&self) -> &[Corpus];

    /// The terms of all corpora.
    fn vocabulary(&self) -> &Vocabulary;

    /// What methods are given beside the corpora.
    fn given(&self) -> Vec<Given>;

    /// Learns once, and runs the experiments of one occasion.
    fn conduct(&self, recipe: &Self::Recipe, keys: &[KeyOf<Self::Line>])
    -> Result<Vec<Self::Line>>;

    /// Writes the tasks of an occasion, one line of JSON each, so that anybody can repeat them.
    fn write_tasks(&self, occasion: &OccasionOf<Self::Line>, out: &mut dyn Write) -> Result<()>;
}
