//! Puts points into groups by their inner products alone: documents of a fit, and of the laboratory.

mod cuts;
mod moves;
mod nearest_means;
mod points;
mod tree;
mod ward;

pub use cuts::cuts;
pub use moves::ward_and_moves;
pub use nearest_means::nearest_means;
pub use points::Points;
pub use tree::{Join, Tree};
pub use ward::ward;
