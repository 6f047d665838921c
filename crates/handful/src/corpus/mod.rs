//! Documents as sparse word counts, corpora of them, and their readers.

mod episode;
mod occurrences;
mod word_counts;

pub use episode::{Episode, EpisodeSampler, EpisodeSettings, split};
pub use occurrences::Occurrences;
pub use word_counts::{Corpus, OpenRow, WordCounts};
