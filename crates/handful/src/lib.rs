//! Topic models from a handful of documents.

pub mod corpus;
pub mod em;
pub mod error;
pub mod evaluate;
pub mod model_dir;
pub mod nn;
pub mod prior;
pub mod random;
pub mod reading;
pub mod storage;
pub mod text;
pub mod topic_model;
pub mod train;

pub use error::{Error, Result};
