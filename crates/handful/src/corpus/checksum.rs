//! Detects whether documents have changed.

use super::Corpus;

/// Computes the CRC-32 of all counts of the corpora.
pub fn checksum<'a>(corpora: impl IntoIterator<Item = &'a Corpus>) -> u32 {
    let mut sum = flate2::Crc::new();
    for corpus in corpora {
        for n in 0..corpus.documents.documents() {
            for (term, count) in corpus.documents.row(n) {
                sum.update(&term.to_le_bytes());
                sum.update(&count.to_le_bytes());
            }
            sum.update(b"\n");
        }
    }
    sum.sum()
}
