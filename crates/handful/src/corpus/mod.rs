//! Documents as sparse word counts, corpora, and the episodes drawn from them.

mod checksum;
mod counting;
mod episode;
mod episode_settings;
mod familiarity;
mod length;
mod occurrences;
mod passages;
mod phrases;
mod pooled;
mod read_documents;
mod tf_idf;
mod vocabulary_of_documents;
mod weights;
mod word_counts;

pub use checksum::checksum;
pub use counting::{Corpora, corpora_from, with_new_words};
pub use episode::{Episode, EpisodeSampler, VARIED, choose, log_uniform, split};
pub use episode_settings::{EpisodeSettings, SplitUnit};
pub use familiarity::warn_of_unfamiliar;
pub use length::draw_words;
pub use occurrences::{Occurrence, Occurrences};
pub use passages::Passages;
pub use pooled::{all_documents, unigram};
pub use read_documents::{CountedDocuments, ReadDocuments, TextWord, read_documents};
pub use tf_idf::TfIdf;
pub use vocabulary_of_documents::build_vocabulary;
pub use weights::{draw_documents, set_of};
pub use word_counts::{Corpus, OpenRow, WordCounts};
