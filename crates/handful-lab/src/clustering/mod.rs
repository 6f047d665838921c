//! Grouping a few documents without a topic model: what a topic model has to beat.

mod gram;
mod k_means;
mod nmf;

pub use gram::Gram;
pub use k_means::k_means;
pub use nmf::{Factors, nmf};
