//! What some methods are given beside the corpora: a finished model, or vectors of documents and passages.

use handful::Error;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A kind of thing that a method may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivenKind {
    /// A model that was trained elsewhere.
    Model,
    /// Vectors of the documents, made elsewhere.
    DocumentVectors,
    /// Vectors of the passages of tasks, made elsewhere.
    PassageVectors,
}

impl GivenKind {
    /// The error for a method that needs what nobody gave.
    pub fn missing(self, method: &str) -> Error {
        let (problem, remedy) = match self {
            Self::Model => ("there is no model to ask", "name its directory with `model`"),
            Self::DocumentVectors => {
                ("there are no vectors to group", "name their file with `document_vectors`")
            }
            Self::PassageVectors => {
                ("there are no vectors to group", "name their file with `passage_vectors`")
            }
        };
        Error::bad_setting(format!("method `{method}`"), problem, remedy)
    }
}

/// Identifies what a method was given. Each line of its results has it, so that no folder mixes the
/// results of two models under one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Given {
    /// A model.
    Model {
        /// The number of terms that it knows.
        terms: usize,
        /// CRC-32 of its terms and weights.
        checksum: u32,
    },
    /// Vectors of documents.
    DocumentVectors {
        /// The length of each.
        dimensions: usize,
        /// CRC-32 of all of them.
        checksum: u32,
    },
    /// Vectors of the passages of tasks.
    PassageVectors {
        /// The length of each.
        dimensions: usize,
        /// CRC-32 of all of them.
        checksum: u32,
    },
}

impl Given {
    /// What kind of thing it is.
    pub fn kind(&self) -> GivenKind {
        match self {
            Self::Model { .. } => GivenKind::Model,
            Self::DocumentVectors { .. } => GivenKind::DocumentVectors,
            Self::PassageVectors { .. } => GivenKind::PassageVectors,
        }
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model { terms, checksum } => {
                write!(f, "a model of {terms} terms with the checksum {checksum}")
            }
            Self::DocumentVectors { dimensions, checksum }
            | Self::PassageVectors { dimensions, checksum } => {
                write!(f, "vectors of {dimensions} numbers with the checksum {checksum}")
            }
        }
    }
}
