//! Documents as sparse word counts, corpora of them, and their readers.

mod occurrences;
mod word_counts;

pub use occurrences::Occurrences;
pub use word_counts::{Corpus, WordCounts};
