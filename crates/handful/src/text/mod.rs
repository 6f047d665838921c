//! Turns bytes into words: decoding, the tokenizer, stop words and the vocabulary.

mod binary;
mod decode;
mod detection;
mod ignored_words;
mod input;
mod language;
mod mail;
mod script;
mod segmentation;
mod settings;
mod spelling;
mod stop_words;
mod term_list;
mod term_selection;
mod tokenizer;
mod vocabulary;
mod word_forms;

pub use decode::{Decoded, decode};
pub(crate) use decode::{Recognised, decode_within, recognise};
pub use detection::{DetectedLanguages, LanguageCount, detect_languages};
pub use ignored_words::{IgnoredWords, words_of_list};
pub(crate) use input::{InputLimit, read_file, read_stream};
pub use language::Language;
pub use script::is_latin;
pub use settings::TextSettings;
pub use spelling::{Relative, is_misspelling, relatives};
pub use stop_words::{StopWords, stop_words_from_file, stop_words_of_name};
pub use term_selection::TermSelection;
pub use tokenizer::Tokenizer;
pub use vocabulary::Vocabulary;
pub use word_forms::base_form;
