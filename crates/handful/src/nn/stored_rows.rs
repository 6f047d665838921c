//! Weights that stay in their file.

use std::fmt::Debug;
use std::ops::Range;

/// The rows of a matrix in its file, where they may take fewer bits than in memory.
///
/// Code that needs each row of a wide matrix once reads them faster from here than it could copy
/// the matrix.
pub trait StoredRows<R>: Debug + Send + Sync {
    /// Reads consecutive rows. Rows past the end are zero.
    fn read(&self, rows: Range<usize>, values: &mut [R]);
}
