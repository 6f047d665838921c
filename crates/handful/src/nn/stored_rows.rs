//! Weights that stay where a file has them.

use std::fmt::Debug;
use std::ops::Range;

/// The rows of a matrix in its file, where they may take fewer bits than in memory.
///
/// Who needs all rows of a wide matrix, but each of them once, reads them faster there than a copy of
/// the matrix can be made.
pub trait StoredRows<R>: Debug + Send + Sync {
    /// Reads rows, one after the other. Beyond the last there are zeros.
    fn read(&self, rows: Range<usize>, values: &mut [R]);
}
