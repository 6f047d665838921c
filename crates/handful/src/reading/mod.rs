//! Reads documents from files, folders and standard input, in every supported format.

mod file_reader;
mod flowing_text;
mod folder;
mod format;
mod html;
mod json;
mod json_lines;
mod paragraphs;
mod raw_document;
mod read_corpora;
mod read_documents;
mod record;
mod table;
mod word_vectors;

pub use format::{Format, ReadSettings};
pub use paragraphs::split_paragraphs;
pub use raw_document::{Content, RawDocument, Reading};
pub use read_corpora::read_corpora;
pub use read_documents::read_documents;
pub use word_vectors::WordVectors;
