//! The result: topics, and how each document mixes them.

mod fit;

pub(crate) use fit::LocalFit;
pub use fit::{TopTerm, TopicModel, largest};
