//! Matrices that stay in their file until their rows are needed.

use super::compact_entries::CompactEntries;
use crate::nn::StoredRows;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A file's bytes.
pub(super) type Content = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// A matrix with four or eight bits per entry, read from its file on demand.
pub(super) struct SmallRows {
    content: Content,
    entries: CompactEntries,
    /// The matrix's byte range in the file.
    place: Range<usize>,
    columns: usize,
    /// One unit per row.
    units: Vec<f32>,
}

impl SmallRows {
    /// Returns `None` if an entry might not be finite. `units` has one for each row.
    pub(super) fn new(
        content: &Content,
        entries: CompactEntries,
        place: Range<usize>,
        columns: usize,
        units: &[f32],
    ) -> Option<Self> {
        let is_finite = |unit: &f32| (unit * f32::from(i8::MIN)).is_finite();
        let (content, units) = (Arc::clone(content), units.to_vec());
        units.iter().all(is_finite).then_some(Self { content, entries, place, columns, units })
    }
}

impl fmt::Debug for SmallRows {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SmallRows").field("place", &self.place).finish_non_exhaustive()
    }
}

impl StoredRows<f32> for SmallRows {
    fn read(&self, rows: Range<usize>, values: &mut [f32]) {
        let Self { content, entries, place, columns, units } = self;
        let end = rows.end.min(units.len());
        let start = rows.start.min(end);
        let (values, beyond) = values.split_at_mut((end - start) * columns);
        let row = entries.bytes(*columns);
        let bytes = &(**content).as_ref()[place.clone()][start * row..end * row];
        entries.read(bytes, *columns, &units[start..end], values);
        beyond.fill(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_those_of_the_whole_matrix_and_zeros_after_it() {
        let bytes: Vec<u8> = (0..20).map(|i| i * 13).collect();
        let content: Content = Arc::new(bytes.clone());
        let units = [0.5, 1.0, 2.0, 1e-3, 7.0];
        for (entries, columns) in [(CompactEntries::Small, 3), (CompactEntries::Nibbles, 6)] {
            let place = 2..2 + 5 * 3;
            let mut all = entries.values(&bytes[place.clone()], &units);
            all.resize(8 * columns, 0.0);
            let stored = SmallRows::new(&content, entries, place, columns, &units).unwrap();
            for range in [0..5, 1..3, 4..4, 3..7, 5..5, 6..8] {
                let mut read = vec![9.0; range.len() * columns];
                stored.read(range.clone(), &mut read);
                assert_eq!(read, all[range.start * columns..range.end * columns]);
            }
        }
    }

    #[test]
    fn rows_that_may_not_be_finite_are_not_left_in_their_file() {
        let content: Content = Arc::new(vec![0u8; 4]);
        let stored = |unit: f32| {
            SmallRows::new(&content, CompactEntries::Small, 0..4, 2, &[1.0, unit]).is_some()
        };
        assert!(stored(2e36) && !stored(3e36) && !stored(f32::NAN) && !stored(f32::INFINITY));
    }
}
