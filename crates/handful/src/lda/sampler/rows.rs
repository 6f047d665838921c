//! Rows of counts, one per document or term, laid out for SIMD.

use pulp::Simd;

/// The length and alignment of rows are multiples of this. A row of up to 16 topics is then one
/// cache line and one register of the widest kind.
const BLOCK: usize = 16;

/// Rows of `topics` numbers, padded with zeros and aligned to cache lines.
#[derive(Debug)]
pub struct Rows {
    topics: usize,
    width: usize,
    /// Where the first row begins in `values`.
    start: usize,
    length: usize,
    values: Vec<f32>,
}

impl Rows {
    pub fn zeros(rows: usize, topics: usize) -> Self {
        let width = topics.next_multiple_of(BLOCK);
        let length = rows * width;
        let values = vec![0.0f32; length + BLOCK];
        // An address that cannot be aligned costs speed only.
        let start = values.as_ptr().align_offset(BLOCK * size_of::<f32>()).min(BLOCK);
        Self { topics, width, start, length, values }
    }

    pub fn row(&self, row: usize) -> &[f32] {
        let start = self.start + row * self.width;
        &self.values[start..start + self.topics]
    }

    pub fn row_mut(&mut self, row: usize) -> &mut [f32] {
        let start = self.start + row * self.width;
        &mut self.values[start..start + self.topics]
    }

    /// The number of registers in a row.
    pub fn registers<S: Simd>(&self) -> usize {
        self.width / S::F32_LANES
    }

    /// Returns all rows, register by register.
    #[inline(always)]
    pub fn as_registers<S: Simd>(&mut self) -> &mut [S::f32s] {
        S::as_mut_simd_f32s(&mut self.values[self.start..self.start + self.length]).0
    }
}
