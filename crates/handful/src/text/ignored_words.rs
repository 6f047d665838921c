//! Words that are in a user's way.

use std::collections::HashSet;
use std::path::Path;

use super::Tokenizer;
use super::stop_words::word_list;
use crate::{Error, Result};

/// Words that are left out of documents beside the stop words of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IgnoredWords {
    words: HashSet<String>,
}

impl IgnoredWords {
    /// These words in any case, and what `tokenizer` makes of them: where `dog's` is read as `dog`,
    /// who ignores the one ignores the other.
    pub fn new(words: &[String], tokenizer: &Tokenizer) -> Self {
        let lower = words.iter().map(|word| word.to_lowercase());
        let words = lower.chain(words.iter().flat_map(|word| tokenizer.tokens(word))).collect();
        Self { words }
    }

    /// Whether a term of a document is to be left out.
    pub fn contains(&self, term: &str) -> bool {
        !self.words.is_empty()
            && (self.words.contains(term) || self.words.contains(&term.to_lowercase()))
    }
}

/// The words of a list as a user writes it: with commas between them, or `@FILE`, a word a line.
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
