//! The documents of a fit, read word by word.

use super::WordCounts;
use crate::reading::{Content, RawDocument};
use crate::text::{IgnoredWords, Tokenizer, Vocabulary};
use std::collections::BTreeMap;
use std::ops::Range;

/// A word of a text: one that the tokenizer keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextWord {
    /// Where it stands in the text, in bytes.
    pub range: Range<usize>,
    /// Its index in the vocabulary; `None` if that does not have it.
    pub term: Option<u32>,
}

/// The documents of a fit as word counts. Every document is kept, also one without a known word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountedDocuments {
    /// The documents' identifiers, a row of `counts` each.
    pub ids: Vec<String>,
    /// The counts of the words in the vocabulary, new ones included if they have a place there.
    pub counts: WordCounts,
    /// Each document's number of words, known or not, stop words excepted.
    pub words: Vec<u64>,
    /// Each document's number of words that the model does not know.
    pub unknown_words: Vec<u64>,
    /// Each document's number of words that were to be ignored, which are in no other number.
    pub ignored_words: Vec<u64>,
}

/// What reading documents once gives.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadDocuments {
    /// The vocabulary, and after its terms the documents' new words if these are welcome.
    pub vocabulary: Vocabulary,
    /// The documents as counts.
    pub counted: CountedDocuments,
    /// The words of each text, in order and without the ignored ones; `None` for a document that was
    /// given as counts.
    pub words: Vec<Option<Vec<TextWord>>>,
}

/// Reads documents, each text once. If `welcomes_new_words`, words that the vocabulary does not have
/// become terms after its own, in the order in which they come.
pub fn read_documents(
    documents: &[RawDocument],
    tokenizer: &Tokenizer,
    ignored: &IgnoredWords,
    vocabulary: &Vocabulary,
    welcomes_new_words: bool,
) -> ReadDocuments {
    let known = vocabulary.len() as u32;
    let mut vocabulary = vocabulary.clone();
    let (mut counted, mut words) = (CountedDocuments::default(), Vec::new());
    for document in documents {
        let mut row = Row::default();
        let mut take = |word: &str, count: u32| -> Option<Option<u32>> {
            if ignored.contains(word) {
                row.ignored_words += u64::from(count);
                return None;
            }
            let term = match welcomes_new_words {
                true => vocabulary.index_or_add(word),
                false => vocabulary.index(word),
            };
            row.add(term, count, known);
            Some(term)
        };
        words.push(match &document.content {
            Content::Text(text) => {
                let mut words = Vec::new();
                tokenizer.for_each_token_in_place(text, |word, range| {
                    words.extend(take(word, 1).map(|term| TextWord { range, term }));
                });
                Some(words)
            }
            Content::Counts(counts) => {
                // Zeros are let through by nobody but a caller who made the counts by hand.
                for (word, count) in counts.iter().filter(|(_, count)| *count > 0) {
                    take(word, *count);
                }
                None
            }
        });
        counted.ids.push(document.id.clone());
        counted.words.push(row.words);
        counted.unknown_words.push(row.unknown_words);
        counted.ignored_words.push(row.ignored_words);
        counted.counts.push_row(row.counts);
    }
    ReadDocuments { vocabulary, counted, words }
}

/// A document's words, counted and in the order of their indices.
#[derive(Default)]
struct Row {
    counts: BTreeMap<u32, u32>,
    words: u64,
    unknown_words: u64,
    ignored_words: u64,
}

impl Row {
    fn add(&mut self, term: Option<u32>, count: u32, known: u32) {
        self.words += u64::from(count);
        if term.is_none_or(|term| term >= known) {
            self.unknown_words += u64::from(count);
        }
        if let Some(term) = term {
            let sum = self.counts.entry(term).or_default();
            *sum = sum.saturating_add(count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextSettings;

    fn tokenizer() -> Tokenizer {
        Tokenizer::new(&TextSettings::default())
    }

    fn vocabulary() -> Vocabulary {
        Vocabulary::from_terms(vec!["moon".into(), "cheese".into()]).unwrap()
    }

    fn document(id: &str, text: &str) -> RawDocument {
        RawDocument { corpus: None, id: id.into(), content: Content::Text(text.into()) }
    }

    fn read(documents: &[RawDocument], ignored: &[&str], new: bool) -> ReadDocuments {
        let ignored: Vec<String> = ignored.iter().map(|&word| word.to_owned()).collect();
        let ignored = IgnoredWords::new(&ignored, &tokenizer());
        read_documents(documents, &tokenizer(), &ignored, &vocabulary(), new)
    }

    fn rows(counted: &CountedDocuments) -> Vec<Vec<(u32, u32)>> {
        (0..counted.counts.documents()).map(|n| counted.counts.row(n).collect()).collect()
    }

    #[test]
    fn a_fit_keeps_every_document_and_counts_unknown_words() {
        let documents = [
            document("a", "The cheese, the moon's cheese and a rocket, rocket!"),
            document("b", ""),
            RawDocument {
                corpus: None,
                id: "c".into(),
                content: Content::Counts(vec![("The".into(), 2), ("moon".into(), 3)]),
            },
        ];
        let ReadDocuments { counted, vocabulary, .. } = read(&documents, &[], false);
        assert_eq!(vocabulary.len(), 2);
        assert_eq!(counted.ids, ["a", "b", "c"]);
        assert_eq!(counted.ignored_words, [0; 3]);
        assert_eq!(counted.words, [5, 0, 5]);
        assert_eq!(counted.unknown_words, [2, 0, 2]);
        assert_eq!(rows(&counted), [vec![(0, 1), (1, 2)], vec![], vec![(0, 3)]]);
    }

    #[test]
    fn new_words_have_places_after_the_known_ones() {
        let documents = [
            document("a", "A rocket, the moon, a Rocket!"),
            document("b", "cheese, a lander and a rocket"),
        ];
        let ReadDocuments { counted, vocabulary, .. } = read(&documents, &["lander"], true);
        assert_eq!(vocabulary.terms(), ["moon", "cheese", "rocket"]);
        assert_eq!(rows(&counted), [vec![(0, 1), (2, 2)], vec![(1, 1), (2, 1)]]);
        assert_eq!((counted.words, counted.unknown_words), (vec![3, 2], vec![2, 1]));
    }

    #[test]
    fn ignored_words_are_counted_apart() {
        let counts = vec![("Cheese".into(), 2), ("moon".into(), 3)];
        let documents = [
            document("a", "The cheese, the moon's cheese and a rocket!"),
            RawDocument { corpus: None, id: "b".into(), content: Content::Counts(counts) },
        ];
        let ReadDocuments { counted, .. } = read(&documents, &["CHEESE", "rocket"], false);
        assert_eq!(rows(&counted), [vec![(0, 1)], vec![(0, 3)]]);
        assert_eq!((counted.words, counted.unknown_words), (vec![1, 3], vec![0, 0]));
        assert_eq!(counted.ignored_words, [3, 2]);
    }

    #[test]
    fn words_stand_where_the_text_has_them() {
        let text = "The Moon's cheese: a rocket.";
        let ReadDocuments { words, .. } = read(&[document("a", text)], &["rocket"], false);
        let words = words[0].as_ref().unwrap();
        let found: Vec<_> = words.iter().map(|w| (&text[w.range.clone()], w.term)).collect();
        assert_eq!(found, [("Moon", Some(0)), ("cheese", Some(1))]);
    }
}
