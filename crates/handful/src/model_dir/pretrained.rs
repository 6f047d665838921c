//! The built-in model, trained once for any English documents.

use super::ModelParts;
use crate::Result;
use crate::storage::TensorFile;

/// Stands for the directory's name in messages.
pub const PRETRAINED: &str = "the model inside";

const CONFIG: &str = include_str!("../../pretrained/config.json");
const TERMS: &str = include_str!("../../pretrained/vocabulary.txt");
const WEIGHTS: &[u8] = include_bytes!("../../pretrained/model.safetensors");

impl ModelParts {
    /// The built-in model.
    pub fn pretrained() -> Result<Self> {
        let config = serde_json::from_str(CONFIG).expect("a test reads it");
        Self::read(config, (TERMS, PRETRAINED), &TensorFile::from_bytes(PRETRAINED, WEIGHTS)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_inside_is_whole_and_small() {
        let size = CONFIG.len() + TERMS.len() + WEIGHTS.len();
        assert!(size <= 9_000_000, "{size} bytes");
        let model = ModelParts::pretrained().unwrap();
        assert_eq!(include_str!("../../pretrained/README.md"), model.card());
        assert!(model.vocabulary.index("water").is_some());
    }
}
