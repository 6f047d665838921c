//! The settings of a model's use, of which one is varied at a time.

use handful::internals::corpus::EpisodeSettings;
use handful::internals::train::TrainSettings;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The setting that is varied, while all others are fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// K
    Topics,
    /// N
    Documents,
    /// The number of words in a document.
    Length,
}

/// One way to use a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// K
    pub topics: usize,
    /// N, R, and the length of documents.
    pub episode: EpisodeSettings,
}

impl Setting {
    /// Returns the usual setting, that of training.
    pub fn usual(training: &TrainSettings) -> Self {
        Self { topics: training.topics, episode: training.episode }
    }
}

impl Axis {
    /// All axes, in the order of the tables.
    pub const ALL: [Self; 3] = [Self::Topics, Self::Documents, Self::Length];

    /// The values to try.
    pub fn values(self) -> &'static [usize] {
        match self {
            Self::Topics => &[1, 2, 5, 10, 20, 50],
            Self::Documents => &[1, 2, 3, 5, 10, 20, 50],
            Self::Length => &[5, 20, 50, 200, 1000, 5000],
        }
    }

    /// Returns the usual setting with one value changed.
    pub fn setting(self, training: &TrainSettings, value: usize) -> Setting {
        let mut setting = Setting::usual(training);
        match self {
            Self::Topics => setting.topics = value,
            Self::Documents => setting.episode.support_size = value,
            Self::Length => setting.episode.length = Some(value),
        }
        setting
    }

    /// Describes values of the setting in words.
    pub(super) fn in_words(self, values: &str) -> String {
        match self {
            Self::Topics => format!("K={values}"),
            Self::Documents => format!("N={values}"),
            Self::Length => format!("documents of {values} words"),
        }
    }
}

/// The name in the command and in results.
impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Topics => "topics",
            Self::Documents => "documents",
            Self::Length => "length",
        })
    }
}
