//! Documents as sparse word counts, corpora of them, and their readers.

mod counting;
mod episode;
mod file_reader;
mod folder;
mod format;
mod json;
mod json_lines;
mod occurrences;
mod raw_document;
mod read_corpora;
mod read_documents;
mod record;
mod table;
mod vocabulary_of_documents;
mod word_counts;

pub use counting::{Corpora, CountedDocuments, corpora_from, count_words};
pub use episode::{Episode, EpisodeSampler, EpisodeSettings, split};
pub use format::{Format, ReadSettings};
pub use occurrences::Occurrences;
pub use raw_document::{Content, RawDocument, Reading};
pub use read_corpora::read_corpora;
pub use read_documents::read_documents;
pub use vocabulary_of_documents::build_vocabulary;
pub use word_counts::{Corpus, OpenRow, WordCounts};
