//! Documents as sparse word counts, corpora of them, and their readers.

mod word_counts;

pub use word_counts::{Corpus, WordCounts};
