//! Words that the user wants to leave out.

use std::collections::HashSet;
use std::path::Path;

use super::Tokenizer;
use super::stop_words::word_list;
use crate::{Error, Result};

/// Words to leave out of documents, in addition to the model's stop words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IgnoredWords {
    words: HashSet<String>,
}

impl IgnoredWords {
    /// Ignores `words` in any case, and also the tokens that `tokenizer` makes of them. If `dog's`
    /// is read as `dog`, ignoring one ignores the other.
    pub fn new(words: &[String], tokenizer: &Tokenizer) -> Self {
        let lower = words.iter().map(|word| word.to_lowercase());
        let words = lower.chain(words.iter().flat_map(|word| tokenizer.tokens(word))).collect();
        Self { words }
    }

    /// Whether to leave out this term of a document.
    pub fn contains(&self, term: &str) -> bool {
        !self.words.is_empty()
            && (self.words.contains(term) || self.words.contains(&term.to_lowercase()))
    }
}

/// Parses a list of words as a user writes it: either words separated by commas, or `@FILE`, a file
/// with one word per line.
pub fn words_of_list(list: &str) -> Result<Vec<String>> {
    let mut words = match list.strip_prefix('@') {
        Some("") => {
            let expected = "a list of words with commas, or @FILE with a word a line";
            return Err(Error::setting("ignore_words", list, expected));
        }
        Some(file) => word_list(Path::new(file))?,
        None => {
            let words = list.split(',').map(str::trim).filter(|word| !word.is_empty());
            words.map(str::to_lowercase).collect()
        }
    };
    words.sort_unstable();
    words.dedup();
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextSettings;

    #[test]
    fn words_are_ignored_in_any_case_and_as_they_are_read() {
        let tokenizer = Tokenizer::new(&TextSettings::default());
        let words = words_of_list(" Bee,,dog’s , bee,New York").unwrap();
        assert_eq!(words, ["bee", "dog’s", "new york"]);
        let ignored = IgnoredWords::new(&words, &tokenizer);
        for term in ["bee", "BEE", "dog", "dog’s", "new york", "york"] {
            assert!(ignored.contains(term), "{term}");
        }
        for term in ["bees", "do", ""] {
            assert!(!ignored.contains(term), "{term}");
        }
        assert!(!IgnoredWords::default().contains("bee"));
    }

    #[test]
    fn a_file_has_a_word_a_line() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "Hive\r\n\n  a, b \nhive").unwrap();
        let words = words_of_list(&format!("@{}", file.path().display())).unwrap();
        assert_eq!(words, ["a, b", "hive"]);
        let message = words_of_list("@nowhere.txt").unwrap_err().to_string();
        assert!(message.starts_with("nowhere.txt: cannot be read"), "{message}");
        let message = words_of_list("@").unwrap_err().to_string();
        assert!(message.starts_with("ignore_words is @; it must be a list"), "{message}");
    }
}
