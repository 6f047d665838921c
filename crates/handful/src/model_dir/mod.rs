//! Stores models and topic models as directories of JSON, plain text and safetensors. Nothing in
//! them is executable.

mod card;
mod config;
mod directory;
mod model_parts;
#[cfg(feature = "pretrained")]
mod pretrained;
mod topic_model_dir;

pub use config::{DirectoryKind, ModelConfig, TopicModelConfig, TrainingRecord};
pub use config::{check_output, claim_output};
pub use directory::{Directory, FileContents};
pub use model_parts::{ModelParts, tokenizer};
#[cfg(feature = "pretrained")]
pub use pretrained::PRETRAINED;
pub use topic_model_dir::{DocumentRecord, SavedTopicModel, new_document_tensors};
