//! Groups a few documents without a topic model: the baselines that a topic model must beat.

mod gram;
mod k_means;
mod nmf;

pub use gram::{Gram, MeanOfPoints};
pub use k_means::k_means;
pub use nmf::{Factors, nmf};
