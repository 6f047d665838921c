//! The model that is inside: trained once, for any English documents.

use super::ModelFiles;
use crate::Result;
use crate::storage::TensorFile;
use crate::text::Vocabulary;
use std::path::Path;

/// What stands in place of a directory's name.
pub const PRETRAINED: &str = "the model inside";

const CONFIG: &str = include_str!("../../pretrained/config.json");
const TERMS: &str = include_str!("../../pretrained/vocabulary.txt");
const WEIGHTS: &[u8] = include_bytes!("../../pretrained/model.safetensors");

impl ModelFiles {
    /// The model that is inside, its weights not read yet.
    pub fn pretrained() -> Result<Self> {
        Ok(Self {
            config: serde_json::from_str(CONFIG).expect("a test reads it"),
            vocabulary: Vocabulary::parse(TERMS, PRETRAINED)?,
            weights: TensorFile::from_bytes(PRETRAINED, WEIGHTS)?,
        })
    }

    /// The model of a directory, or the one that is inside where none is named.
    pub fn open_or_pretrained(path: Option<&Path>) -> Result<Self> {
        path.map_or_else(Self::pretrained, Self::open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::TermRows;

    #[test]
    fn the_model_inside_is_whole_and_small() {
        let size = CONFIG.len() + TERMS.len() + WEIGHTS.len();
        assert!(size <= 9_000_000, "{size} bytes");
        let model = ModelFiles::pretrained().unwrap().read(TermRows::All).unwrap();
        assert_eq!(include_str!("../../pretrained/README.md"), model.card());
        assert!(model.vocabulary.index("water").is_some());
    }
}
