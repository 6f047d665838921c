//! Words that carry no topic.

use std::collections::HashSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Language;
use super::decode::decode_within;
use super::input::{InputLimit, read_file};
use super::tokenizer::normalized;
use crate::{Error, Result};

/// The 318 words of scikit-learn's `ENGLISH_STOP_WORDS` (`sklearn.feature_extraction.text`, BSD
/// licence), which come from the Glasgow Information Retrieval Group. Trained models depend on this
/// exact list, so it must never change.
const ENGLISH: &str = include_str!("english_stop_words.txt");

/// Which words the tokenizer leaves out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StopWords {
    /// The 318 English stop words of scikit-learn.
    #[default]
    English,
    /// No stop words.
    None,
    /// Those of a language, as Stopwords ISO (MIT licence) has them, by the crate `stop-words`. English
    /// stays with its own list ([`StopWords::of`]).
    Language(Language),
    /// A custom list. Case does not matter.
    Custom(Vec<String>),
}

impl StopWords {
    /// The stop words of a language. A language without a list has none.
    pub fn of(language: Language) -> Self {
        if language == Language::ENGLISH { Self::English } else { Self::Language(language) }
    }

    /// Returns the stop words in lower case.
    pub(crate) fn words(&self) -> HashSet<String> {
        match self {
            Self::English => ENGLISH.lines().map(str::to_owned).collect(),
            Self::None => HashSet::new(),
            Self::Language(language) => {
                let words = stop_words::lookup(language.code()).unwrap_or_default();
                words.iter().map(|word| normalized(word).into_owned()).collect()
            }
            Self::Custom(words) => words.iter().map(|word| word.to_lowercase()).collect(),
        }
    }
}

/// The stop words that a user names: `english`, `none`, the code of a language, or else a file with one
/// word per line.
pub fn stop_words_of_name(name: &str) -> Result<StopWords> {
    let language = Language::of_code(name);
    match (name, language) {
        ("english", _) => Ok(StopWords::English),
        ("none", _) => Ok(StopWords::None),
        (_, Some(language)) => Ok(StopWords::of(language)),
        _ if name.chars().all(char::is_alphanumeric) && !Path::new(name).exists() => {
            let expected = "english, none, the two-letter code of a language such as de, or a file \
                            with one word per line";
            Err(Error::setting("stop_words", name, expected))
        }
        _ => stop_words_from_file(Path::new(name)),
    }
}

/// Reads a list of stop words, one per line. Ignores blank lines and case.
pub fn stop_words_from_file(path: &Path) -> Result<StopWords> {
    Ok(StopWords::Custom(word_list(path)?))
}

/// Reads words, one per line, and lower-cases them.
pub(super) fn word_list(path: &Path) -> Result<Vec<String>> {
    let bytes = read_file(path, InputLimit::LIST)?;
    let decoded = decode_within(bytes, &path.display().to_string(), InputLimit::LIST)?;
    let words = decoded.text.lines().map(str::trim).filter(|word| !word.is_empty());
    Ok(words.map(str::to_lowercase).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_english_list_is_the_pinned_one() {
        let words: Vec<&str> = ENGLISH.lines().collect();
        assert_eq!(words.len(), 318);
        assert!(words.is_sorted());
        assert_eq!(StopWords::English.words().len(), 318);
        assert!(words.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase())));
        for word in ["a", "the", "whereupon", "yourselves", "cant", "system"] {
            assert!(words.contains(&word), "{word}");
        }
    }

    #[test]
    fn thirty_languages_and_more_have_lists() {
        let codes = stop_words::available_languages();
        assert!(codes.len() >= 30, "{codes:?}");
        for code in codes {
            let words = StopWords::of(code.parse().unwrap()).words();
            assert!(words.len() > 20, "{code}");
        }
        let words = |code: &str| StopWords::of(code.parse().unwrap()).words();
        for (code, word) in [("de", "und"), ("fr", "avec"), ("ru", "это"), ("zh", "我们")] {
            assert!(words(code).contains(word), "{code}");
        }
        assert!(words("ka").is_empty());
    }

    #[test]
    fn english_keeps_the_list_that_models_were_trained_with() {
        assert_eq!(StopWords::of(Language::ENGLISH), StopWords::English);
        assert_eq!(stop_words_of_name("en").unwrap(), StopWords::English);
    }

    #[test]
    fn stop_words_are_named_by_a_list_a_language_or_a_file() {
        assert_eq!(stop_words_of_name("english").unwrap(), StopWords::English);
        assert_eq!(stop_words_of_name("none").unwrap(), StopWords::None);
        let german = Language::of_code("de").unwrap();
        assert_eq!(stop_words_of_name("de").unwrap(), StopWords::Language(german));
        let message = stop_words_of_name("german").unwrap_err().to_string();
        assert!(message.starts_with("stop_words is german; it must be english, none"), "{message}");
        let message = stop_words_of_name("words.txt").unwrap_err().to_string();
        assert!(message.starts_with("words.txt: cannot be read"), "{message}");
    }

    #[test]
    fn a_file_of_stop_words_is_a_word_a_line() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "\u{feff}Und\r\n\r\n  oder \n#tag\n").unwrap();
        let words = stop_words_from_file(file.path()).unwrap();
        let expected = ["und", "oder", "#tag"].map(String::from).to_vec();
        assert_eq!(words, StopWords::Custom(expected));
    }

    #[test]
    fn a_missing_file_of_stop_words_is_named() {
        let message = stop_words_from_file(Path::new("no-such-list.txt")).unwrap_err().to_string();
        assert!(message.starts_with("no-such-list.txt: cannot be read"), "{message}");
    }
}
