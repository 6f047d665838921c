//! Puts points into groups by their inner products alone: documents of a fit, and of the laboratory.

mod cuts;
mod moves;
mod tree;
mod ward;

pub use cuts::cuts;
pub use moves::ward_and_moves;
pub use tree::{Join, Tree};
pub use ward::ward;
