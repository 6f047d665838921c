//! Turns bytes into words: decoding, the tokenizer, stop words and the vocabulary.

mod binary;
mod decode;
mod ignored_words;
mod mail;
mod script;
mod settings;
mod spelling;
mod stop_words;
mod term_list;
mod term_selection;
mod tokenizer;
mod vocabulary;
mod word_forms;

pub use decode::{Decoded, decode};
pub(crate) use decode::{Recognised, recognise};
pub use ignored_words::{IgnoredWords, words_of_list};
pub use script::is_latin;
pub use settings::TextSettings;
pub use spelling::{Relative, is_misspelling, relatives};
pub use stop_words::{StopWords, stop_words_from_file};
pub use term_selection::TermSelection;
pub use tokenizer::Tokenizer;
pub use vocabulary::Vocabulary;
pub use word_forms::base_form;
