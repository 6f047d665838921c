//! Matrix decompositions in float64, computed once, before or beside training.

mod eigen;
mod solve;
mod svd;

pub use eigen::eigen;
pub use solve::solve;
pub use svd::{Rows, SubspaceIteration, leading_vectors};
