//! Groups a few documents without a topic model: the baselines that a topic model must beat.

mod gram;
mod k_means;
mod nmf;
mod silhouette;

pub use gram::{Gram, MeanOfPoints};
pub use k_means::k_means;
pub use nmf::{Factors, nmf};
pub use silhouette::{best_silhouette, mean_silhouette};
