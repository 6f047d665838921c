//! The front door: a trained model, which fits documents and never changes.

mod fitting;
mod training;

pub use fitting::Model;
pub use training::{CheckedTraining, Prepared, TrainProgress, Training};

pub use crate::train::{CheckpointPlan, Progress as RunProgress, Validation, ValidationChoice};
