//! Documents of a task: whole texts, or parts of several joined, with the source of every word.

use crate::prose::{Prose, Reader};
use handful::internals::corpus::WordCounts;
use std::collections::BTreeMap;
use std::ops::Range;

/// The number of words in a passage.
const PASSAGE_WORDS: usize = 25;

/// A piece of a document, and whose it is.
#[derive(Clone, Debug)]
pub struct Piece<'a> {
    /// The subject: the place of its corpus among those of the task.
    pub subject: usize,
    /// The document that it is a piece of.
    pub source: &'a Prose,
    /// Its words there, at least one.
    pub words: Range<usize>,
}

/// A term in a text, and where it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourcedWord {
    /// Where it begins in the text, in bytes.
    pub start: usize,
    /// Its index in the vocabulary.
    pub term: u32,
    /// The subject that it came from.
    pub subject: usize,
}

/// A document of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composed {
    /// The text.
    pub text: String,
    /// For each piece, its subject, the identifier of its document, and its words there.
    pub pieces: Vec<(usize, String, Range<usize>)>,
    /// The terms, in order. Words that are no terms have no part in any measure.
    pub words: Vec<SourcedWord>,
    /// Where its passages stand in the text: every 25 words.
    pub passages: Vec<Range<usize>>,
}

impl Composed {
    /// Joins pieces, with nothing but a space between them, so that no gap shows where one ends.
    pub fn join(pieces: &[Piece<'_>], reader: &Reader<'_>) -> Self {
        let (mut text, mut ends) = (String::new(), Vec::new());
        for piece in pieces {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(piece.source.part(piece.words.clone()));
            ends.push(text.len());
        }
        let subject = |start: usize| pieces[ends.partition_point(|&end| end <= start)].subject;
        let sourced = reader.terms(&text).into_iter().map(|word| SourcedWord {
            start: word.range.start,
            term: word.term.expect("a reader finds terms only"),
            subject: subject(word.range.start),
        });
        let words = sourced.collect();
        let passages = passages(&text, &reader.places(&text));
        let named =
            |piece: &Piece<'_>| (piece.subject, piece.source.id.clone(), piece.words.clone());
        Self { words, passages, pieces: pieces.iter().map(named).collect(), text }
    }

    /// Whether all of it is of one subject.
    pub fn is_pure(&self) -> bool {
        self.pieces.iter().all(|(subject, ..)| *subject == self.pieces[0].0)
    }

    /// The share of the terms that came from each of `subjects` subjects.
    pub fn shares(&self, subjects: usize) -> Vec<f64> {
        let mut words = vec![0u32; subjects];
        self.words.iter().for_each(|word| words[word.subject] += 1);
        let all = self.words.len().max(1) as f64;
        words.into_iter().map(|words| f64::from(words) / all).collect()
    }

    /// The passage that stands at a byte of the text.
    pub(super) fn passage_at(&self, byte: usize) -> usize {
        self.passages.partition_point(|passage| passage.end <= byte)
    }

    /// Appends the terms as a row of counts.
    pub(super) fn count(&self, counts: &mut WordCounts) {
        let mut row: BTreeMap<u32, u32> = BTreeMap::new();
        self.words.iter().for_each(|word| *row.entry(word.term).or_default() += 1);
        counts.push_row(row);
    }
}

/// Cuts a text into passages. The last may have fewer words.
fn passages(text: &str, words: &[Range<usize>]) -> Vec<Range<usize>> {
    let starts: Vec<usize> =
        words.chunks(PASSAGE_WORDS).skip(1).map(|chunk| chunk[0].start).collect();
    let ends = starts.iter().copied().chain([text.len()]);
    let starts = [0].into_iter().chain(starts.iter().copied());
    starts.zip(ends).map(|(start, end)| start..end).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use handful::text::{TextSettings, Vocabulary};

    /// `number` words that are made of a letter and a number, in letters.
    pub(crate) fn words(letter: char, number: usize) -> String {
        let word = |i: usize| {
            let end = ["aa", "bb", "cc", "dd", "ee", "ff", "gg", "hh", "ii", "jj"];
            format!("{letter}{}{}", end[i / 10 % 10], end[i % 10])
        };
        (0..number).map(word).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn vocabulary() -> Vocabulary {
        let terms = ["x", "y", "z"].map(|letter| words(letter.chars().next().unwrap(), 100));
        let terms = terms.iter().flat_map(|words| words.split(' ')).map(str::to_owned);
        Vocabulary::from_terms(terms.collect()).unwrap()
    }

    #[test]
    fn shares_are_what_the_words_say_and_every_word_knows_its_source() {
        let vocabulary = vocabulary();
        let reader = Reader::new(&TextSettings::default(), &vocabulary);
        let (x, y) = (words('x', 100), words('y', 100));
        let (x, y) = (reader.prose("x", &x, 500), reader.prose("y", &y, 500));
        let piece = |subject: usize, source, words| Piece { subject, source, words };
        let pieces = [piece(0, &x, 10..20), piece(1, &y, 0..5), piece(0, &x, 20..25)];
        let blend = Composed::join(&pieces, &reader);
        assert_eq!(blend.shares(3), [0.75, 0.25, 0.0]);
        assert!(!blend.is_pure());
        for word in &blend.words {
            let letter = ["x", "y"][word.subject];
            assert!(blend.text[word.start..].starts_with(letter), "{word:?}");
            assert!(vocabulary.term(word.term).starts_with(letter), "{word:?}");
        }
        let expected = [x.part(10..20), y.part(0..5), x.part(20..25)].join(" ");
        assert_eq!(blend.text, expected);
        let pure = Composed::join(&[piece(1, &y, 0..100)], &reader);
        assert!(pure.is_pure() && pure.shares(2) == [0.0, 1.0]);
    }

    #[test]
    fn words_that_are_no_terms_have_no_share() {
        let vocabulary = vocabulary();
        let reader = Reader::new(&TextSettings::default(), &vocabulary);
        let known = reader.prose("a", "the xaaaa of the xaabb", 500);
        let other = reader.prose("b", "yaaaa and nothing else that is known", 500);
        let pieces = [
            Piece { subject: 0, source: &known, words: 0..5 },
            Piece { subject: 1, source: &other, words: 0..7 },
        ];
        let blend = Composed::join(&pieces, &reader);
        assert_eq!(blend.words.len(), 3);
        let shares = blend.shares(2);
        assert!((shares[0] - 2.0 / 3.0).abs() < 1e-12 && (shares[1] - 1.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn passages_are_the_whole_text_in_steps_of_25_words() {
        let vocabulary = vocabulary();
        let reader = Reader::new(&TextSettings::default(), &vocabulary);
        let prose = reader.prose("x", &words('x', 60), 500);
        let document =
            Composed::join(&[Piece { subject: 0, source: &prose, words: 0..60 }], &reader);
        let texts: Vec<&str> =
            document.passages.iter().map(|range| &document.text[range.clone()]).collect();
        let sizes: Vec<usize> = texts.iter().map(|text| text.split_whitespace().count()).collect();
        assert_eq!(sizes, [25, 25, 10]);
        assert_eq!(texts.concat(), document.text);
        for (i, word) in document.words.iter().enumerate() {
            assert_eq!(document.passage_at(word.start), i / 25);
        }
    }
}
