//! Topic models from a handful of documents.

pub mod corpus;
pub mod em;
pub mod error;
pub mod nn;
pub mod prior;
pub mod random;
pub mod storage;
pub mod text;
pub mod train;

pub use error::{Error, Result};
