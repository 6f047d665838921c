//! Texts word by word, for tasks in which the order of words matters.

use handful::internals::corpus::TextWord;
use handful::reading::{Content, RawDocument};
use handful::text::{StopWords, TextSettings, Tokenizer, Vocabulary};
use handful::{Error, Result};
use std::collections::BTreeMap;
use std::ops::Range;

/// A text, cut after its first words, with the place of each. Words are all words here, stop words
/// too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prose {
    /// The document's identifier.
    pub id: String,
    text: String,
    words: Vec<Range<usize>>,
}

impl Prose {
    /// The number of words.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// The text of some words, at least one, with what stands between them.
    pub fn part(&self, words: Range<usize>) -> &str {
        &self.text[self.words[words.start].start..self.words[words.end - 1].end]
    }
}

/// Cuts texts into words, and finds the terms among them.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    /// Finds the terms.
    terms: Tokenizer,
    /// Finds all words, in text that is already free of what is never read.
    words: Tokenizer,
    vocabulary: &'a Vocabulary,
}

impl<'a> Reader<'a> {
    /// Creates a reader that finds the terms of `vocabulary` as these settings say.
    pub fn new(settings: &TextSettings, vocabulary: &'a Vocabulary) -> Self {
        let all = TextSettings {
            min_length: 1,
            letters_only: false,
            stop_words: StopWords::None,
            keep_mail: true,
            ..settings.clone()
        };
        Self { terms: Tokenizer::new(settings), words: Tokenizer::new(&all), vocabulary }
    }

    /// The terms that are found.
    pub fn vocabulary(&self) -> &'a Vocabulary {
        self.vocabulary
    }

    /// Reads the first words of a text, at most `most`. What is never read, such as mail headers, is
    /// left out.
    pub fn prose(&self, id: &str, text: &str, most: usize) -> Prose {
        let text = self.terms.readable(text);
        let mut words = self.places(&text);
        words.truncate(most);
        let start = words.first().map_or(0, |first| first.start);
        let end = words.last().map_or(start, |last| last.end);
        words.iter_mut().for_each(|word| *word = word.start - start..word.end - start);
        Prose { id: id.to_owned(), text: text[start..end].to_owned(), words }
    }

    /// Returns where the words of a text stand.
    pub fn places(&self, text: &str) -> Vec<Range<usize>> {
        let mut words = Vec::new();
        self.words.for_each_token_in_place(text, |_, range| words.push(range));
        words
    }

    /// Returns the words of a text, in order and as they are read: stop words and words that are no terms,
    /// too.
    pub fn words(&self, text: &str) -> Vec<String> {
        self.words.tokens(text)
    }

    /// Returns the terms of a text, in order, with their places. Other words are left out.
    pub fn terms(&self, text: &str) -> Vec<TextWord> {
        let mut terms = Vec::new();
        self.terms.for_each_token_in_place(text, |word, range| {
            let term = self.vocabulary.index(word);
            terms.extend(term.map(|_| TextWord { range, term }));
        });
        terms
    }
}

/// Returns the documents of at least `least` words, by corpus, each cut after `most`. Refuses documents
/// that are not text, and says what the `problem` is.
pub(crate) fn long_texts<'a>(
    documents: &'a [RawDocument],
    reader: &Reader<'_>,
    (least, most): (usize, usize),
    problem: &str,
) -> Result<BTreeMap<&'a str, Vec<Prose>>> {
    let mut texts: BTreeMap<&str, Vec<Prose>> = BTreeMap::new();
    for document in documents {
        let Content::Text(text) = &document.content else {
            let place = format!("document {}", document.id);
            return Err(Error::input(place, problem, "give the documents as text"));
        };
        let prose = reader.prose(&document.id, text, most);
        if let Some(corpus) = document.corpus.as_deref().filter(|_| prose.words() >= least) {
            texts.entry(corpus).or_default().push(prose);
        }
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        Vocabulary::from_terms(["bees", "hive", "queen"].map(str::to_owned).to_vec()).unwrap()
    }

    #[test]
    fn a_text_is_cut_after_its_first_words_and_any_part_can_be_taken() {
        let vocabulary = vocabulary();
        let reader = Reader::new(&TextSettings::default(), &vocabulary);
        let prose = reader.prose("a", "  The bees' hive, a hive of 30,\nhas one queen.", 7);
        assert_eq!(prose.words(), 7);
        assert_eq!(prose.part(0..7), "The bees' hive, a hive of 30");
        assert_eq!(prose.part(1..4), "bees' hive, a");
        assert_eq!(reader.prose("a", "The queen.", 7).part(0..2), "The queen");
        assert_eq!(reader.prose("a", " ", 7).words(), 0);
    }

    #[test]
    fn headers_of_mail_are_no_words() {
        let vocabulary = vocabulary();
        let mail =
            "From: a@b.org (A B)\nOrganization: Hive Inc\nSubject: bees\n\nThe queen is here.\n";
        let reader = Reader::new(&TextSettings::default(), &vocabulary);
        let prose = reader.prose("a", mail, 100);
        let text = prose.part(0..prose.words());
        assert!(text.ends_with("The queen is here"), "{text:?}");
        assert!(!text.contains("Organization") && !text.contains("Inc"), "{text:?}");
    }

    #[test]
    fn terms_stand_where_the_text_has_them() {
        let vocabulary = vocabulary();
        let reader = Reader::new(&TextSettings::default(), &vocabulary);
        let text = "The Queen's bees know no hive.";
        let found: Vec<(&str, &str)> = reader
            .terms(text)
            .into_iter()
            .map(|word| (&text[word.range], vocabulary.term(word.term.unwrap())))
            .collect();
        assert_eq!(found, [("Queen", "queen"), ("bees", "bees"), ("hive", "hive")]);
    }
}
