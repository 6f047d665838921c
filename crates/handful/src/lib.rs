//! Topic models from a handful of documents.

pub mod corpus;
pub mod error;
pub mod text;

pub use error::{Error, Result};
