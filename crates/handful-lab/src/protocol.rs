//! What all kinds of experiments have in common, so that they are planned, run side by side and kept
//! in one way.

use crate::Settings;
use handful::Result;
use handful::corpus::Corpus;
use handful::text::Vocabulary;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::io::Write;

/// Which experiment it is.
pub trait ExperimentKey: Clone + Ord + fmt::Debug + fmt::Display + Send + Sync {
    /// What the experiments of different methods share, so that they compare: the roles of corpora,
    /// and the tasks.
    type Occasion: Clone + Ord + fmt::Debug + Send + Sync;

    /// The occasion of this one.
    fn occasion(&self) -> Self::Occasion;

    /// Experiments of one kind take about the same time.
    fn kind(&self) -> String;
}

/// What came of an experiment: a line of a folder.
pub trait Line: Clone + fmt::Debug + Serialize + DeserializeOwned + Send + Sync {
    /// Which experiment it is.
    type Key: ExperimentKey;
    /// The name of the folder's format.
    const FORMAT: &'static str;
    /// The file of lines.
    const FILE: &'static str;

    /// Which experiment it is.
    fn key(&self) -> &Self::Key;

    /// CPU seconds it took.
    fn seconds(&self) -> f64;

    /// What came of it, in a few words.
    fn outcome(&self) -> String;
}

/// The key of a line.
pub type KeyOf<L> = <L as Line>::Key;
/// The occasion of a line.
pub type OccasionOf<L> = <KeyOf<L> as ExperimentKey>::Occasion;

/// How experiments of one kind are made.
pub trait Protocol: Sync {
    /// What comes of one.
    type Line: Line;
    /// What has to be learned for it. Experiments of one occasion with equal recipes share it.
    type Recipe: Clone + PartialEq + Send + Sync;

    /// What the experiments have in common.
    fn settings(&self) -> &Settings;

    /// The corpora, sorted by name.
    fn corpora(&self) -> &[Corpus];

    /// The terms of all corpora.
    fn vocabulary(&self) -> &Vocabulary;

    /// Learns once, and makes the experiments, which are of one occasion.
    fn conduct(&self, recipe: &Self::Recipe, keys: &[KeyOf<Self::Line>])
    -> Result<Vec<Self::Line>>;

    /// Writes the tasks of an occasion, a line of JSON each, so that anybody can try them again.
    fn write_tasks(&self, occasion: &OccasionOf<Self::Line>, out: &mut dyn Write) -> Result<()>;
}
