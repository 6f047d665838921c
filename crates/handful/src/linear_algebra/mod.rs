//! What is computed once, before or beside training, in float64: decompositions of sparse matrices.

mod svd;

pub use svd::{Rows, leading_vectors};
