//! The terms a model knows, with their indices.

use std::sync::Arc;

use super::term_list::TermList;
use crate::{Error, Result};

/// Whether a term contains a line break, which a file with one term per line cannot hold.
fn breaks_line(term: &str) -> bool {
    term.bytes().any(|byte| matches!(byte, b'\n' | b'\r'))
}

/// The terms a model knows, in the order of their indices.
///
/// The file format has one term per line; the line number, counted from 0, is the index. Clones and
/// extended vocabularies share the terms, so both are cheap however large the vocabulary is.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    terms: Arc<TermList>,
    /// The terms added after the shared ones.
    further: TermList,
}

impl Vocabulary {
    /// Creates a vocabulary of these terms in this order. Terms must be distinct, not empty, and
    /// without line breaks.
    pub fn from_terms(terms: Vec<String>) -> Result<Self> {
        let letters = terms.iter().map(String::len).sum();
        let room = TermList::with_capacity(terms.len(), letters);
        Self::checked(terms.iter().map(String::as_str), room, "vocabulary", Error::input)
    }

    /// Parses the file format. `place` is the file's name, for messages.
    pub fn parse(text: &str, place: &str) -> Result<Self> {
        let ends = text.bytes().filter(|&byte| byte == b'\n').count();
        let room = TermList::with_capacity(ends + 1, text.len());
        Self::checked(text.lines(), room, place, Error::damaged)
    }

    /// Writes the file format.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for term in self.iter() {
            text.push_str(term);
            text.push('\n');
        }
        text
    }

    /// The index of a word, which becomes a further term if it is none yet; `None` if a file could not
    /// hold it.
    pub fn index_or_add(&mut self, word: &str) -> Option<u32> {
        self.index(word).or_else(|| {
            if word.is_empty() || breaks_line(word) {
                return None;
            }
            self.further.insert(word);
            Some(self.len() as u32 - 1)
        })
    }

    /// The number of terms J.
    pub fn len(&self) -> usize {
        self.terms.len() + self.further.len()
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the term with this index. Panics if there is none.
    pub fn term(&self, index: u32) -> &str {
        match (index as usize).checked_sub(self.terms.len()) {
            None => self.terms.term(index as usize),
            Some(further) => self.further.term(further),
        }
    }

    /// Returns the index of a term, or `None` if the vocabulary does not have it.
    pub fn index(&self, term: &str) -> Option<u32> {
        let further = || Some(self.terms.len() as u32 + self.further.index(term)?);
        self.terms.index(term).or_else(further)
    }

    /// Returns all terms in the order of their indices.
    pub fn terms(&self) -> Vec<&str> {
        self.iter().collect()
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().chain(self.further.iter())
    }

    /// Checks terms and adds them to the empty list `checked`, which has room for them. `refuse`
    /// makes an error from its place, problem and remedy.
    fn checked<'a>(
        terms: impl Iterator<Item = &'a str>,
        mut checked: TermList,
        place: &str,
        refuse: fn(String, String, &'static str) -> Error,
    ) -> Result<Self> {
        for (index, term) in terms.enumerate() {
            let place = || format!("{place}, line {}", index + 1);
            if term.is_empty() {
                let remedy = "remove the empty line, or restore the file that belongs to the model";
                return Err(refuse(place(), "the term is empty".to_owned(), remedy));
            }
            if breaks_line(term) {
                let problem = format!("the term {term:?} has a line break");
                return Err(refuse(place(), problem, "replace it by a space"));
            }
            if let Some(first) = checked.insert(term) {
                let problem = format!("the term {term:?} stands in line {} already", first + 1);
                return Err(refuse(place(), problem, "keep each term once"));
            }
        }
        Ok(Self { terms: Arc::new(checked), further: TermList::default() })
    }
}

impl PartialEq for Vocabulary {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Vocabulary {}

#[cfg(test)]
mod tests {
    use proptest::collection::btree_set;
    use proptest::prelude::*;

    use super::*;

    fn terms(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn the_line_number_is_the_index() {
        let vocabulary = Vocabulary::parse("cat\r\nant\n", "vocabulary.txt").unwrap();
        assert_eq!((vocabulary.len(), vocabulary.is_empty()), (2, false));
        assert_eq!((vocabulary.index("cat"), vocabulary.index("ant")), (Some(0), Some(1)));
        assert_eq!(vocabulary.index("dog"), None);
        assert_eq!(vocabulary.term(1), "ant");
        assert_eq!(vocabulary.terms(), ["cat", "ant"]);
    }

    fn extended(vocabulary: &Vocabulary, words: impl IntoIterator<Item = String>) -> Vocabulary {
        let mut extended = vocabulary.clone();
        words.into_iter().for_each(|word| {
            extended.index_or_add(&word);
        });
        extended
    }

    #[test]
    fn further_words_come_after_all_others() {
        let vocabulary = Vocabulary::from_terms(terms(&["cat", "ant"])).unwrap();
        let extended = extended(&vocabulary, terms(&["dog", "cat", "", "eel", "a\nb", "dog"]));
        assert_eq!(extended, Vocabulary::from_terms(terms(&["cat", "ant", "dog", "eel"])).unwrap());
        assert_eq!((extended.term(1), extended.term(2)), ("ant", "dog"));
        assert_eq!((extended.index("ant"), extended.index("eel")), (Some(1), Some(3)));
        let twice = super::tests::extended(&extended, terms(&["eel", "fox"]));
        assert_eq!(twice.terms(), ["cat", "ant", "dog", "eel", "fox"]);
        // The original vocabulary is unchanged.
        assert_eq!((vocabulary.len(), vocabulary.index("dog")), (2, None));
    }

    #[test]
    fn every_term_is_found_however_many_come_later() {
        let numbered = |numbers: std::ops::Range<u32>| numbers.map(|n| format!("w{n}"));
        let vocabulary = Vocabulary::from_terms(numbered(0..3000).collect()).unwrap();
        let extended = extended(&vocabulary, numbered(2000..9000));
        assert_eq!(extended.len(), 9000);
        for (index, word) in (0..).zip(numbered(0..9000)) {
            assert_eq!((extended.index(&word), extended.term(index)), (Some(index), &*word));
        }
        assert_eq!(extended.index("w9000"), None);
    }

    #[test]
    fn terms_that_a_file_could_not_hold_are_refused() {
        let message = |words| Vocabulary::from_terms(terms(words)).unwrap_err().to_string();
        assert!(message(&["a", "b", "a"]).contains("line 3: the term \"a\" stands in line 1"));
        assert!(message(&["a", ""]).contains("line 2: the term is empty"));
        assert!(message(&["a\nb"]).contains("line break"));
        assert!(message(&["a\rb"]).contains("line break"));
    }

    #[test]
    fn a_damaged_file_is_named_with_its_line() {
        let message = Vocabulary::parse("a\n\nb\n", "dir/vocabulary.txt").unwrap_err().to_string();
        assert!(message.starts_with("dir/vocabulary.txt, line 2: "), "{message}");
    }

    proptest! {
        #[test]
        fn a_vocabulary_survives_its_file(words in btree_set("[^\r\n]+", 0..20)) {
            let vocabulary = Vocabulary::from_terms(words.into_iter().collect()).unwrap();
            let read = Vocabulary::parse(&vocabulary.to_text(), "a file").unwrap();
            prop_assert_eq!(read, vocabulary);
        }
    }
}
