//! What networks see of a document's words.

use serde::{Deserialize, Serialize};

/// What networks that read word counts see of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentInput {
    /// Its counts, as the paper writes it. A document longer than all in training leads the networks to
    /// where they have learned nothing.
    #[default]
    Counts,
    /// Its counts per hundred words, so that documents of any length look alike.
    Shares,
}

impl DocumentInput {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Counts, Self::Shares];

    /// Whether it is counts, which files do not name.
    pub(crate) fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// The factor of the counts of a document with so many `words`.
    pub(super) fn scale(self, words: u64) -> f64 {
        match self {
            Self::Counts => 1.0,
            Self::Shares => 100.0 / words.max(1) as f64,
        }
    }
}
