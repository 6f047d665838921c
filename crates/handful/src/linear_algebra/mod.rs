//! What is computed once, before or beside training, in float64: decompositions of matrices.

mod eigen;
mod svd;

pub use eigen::eigen;
pub use svd::{Rows, SubspaceIteration, leading_vectors};
