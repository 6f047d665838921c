//! Words that carry no topic.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::decode;
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
    /// A custom list. Case does not matter.
    Custom(Vec<String>),
}

impl StopWords {
    /// Returns the stop words in lower case.
    pub(super) fn words(&self) -> HashSet<String> {
        match self {
            Self::English => ENGLISH.lines().map(str::to_owned).collect(),
            Self::None => HashSet::new(),
            Self::Custom(words) => words.iter().map(|word| word.to_lowercase()).collect(),
        }
    }
}

/// Reads a list of stop words, one per line. Ignores blank lines and case.
pub fn stop_words_from_file(path: &Path) -> Result<StopWords> {
    Ok(StopWords::Custom(word_list(path)?))
}

/// Reads words, one per line, and lower-cases them.
pub(super) fn word_list(path: &Path) -> Result<Vec<String>> {
    let bytes = fs::read(path).map_err(|source| Error::read(path, source))?;
    let decoded = decode(bytes, &path.display().to_string())?;
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
    fn a_file_of_stop_words_is_a_word_a_line() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "\u{feff}Und\r\n\r\n  oder \n#tag\n").unwrap();
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
