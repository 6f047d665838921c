//! What some methods are given beside the corpora: a finished model, or vectors of documents and passages.

use crate::methods::MODEL;
use crate::{FinishedModel, PassageVectors};
use handful::{Error, Result};
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

/// What the methods of a protocol are given beside the corpora.
#[derive(Clone, Debug, Default)]
pub(crate) struct Supplies {
    /// A model that was trained elsewhere, if one is to be asked.
    pub(crate) model: Option<FinishedModel>,
    /// Vectors of the passages of tasks that were made elsewhere.
    pub(crate) vectors: Option<PassageVectors>,
}

impl Supplies {
    /// Identifies all of it.
    pub(crate) fn all(&self) -> Vec<Given> {
        let model = self.model.iter().map(|model| model.given);
        model.chain(self.vectors.iter().map(|vectors| vectors.given)).collect()
    }

    /// Identifies what a method asks for.
    pub(crate) fn of(&self, asked: Option<GivenKind>) -> Option<Given> {
        let asked = asked?;
        self.all().into_iter().find(|given| given.kind() == asked)
    }

    /// The model.
    pub(crate) fn model(&self) -> Result<&FinishedModel> {
        self.model.as_ref().ok_or_else(|| GivenKind::Model.missing(MODEL))
    }

    /// The vectors, which `method` asks for.
    pub(crate) fn vectors(&self, method: &str) -> Result<&PassageVectors> {
        self.vectors.as_ref().ok_or_else(|| GivenKind::PassageVectors.missing(method))
    }
}
