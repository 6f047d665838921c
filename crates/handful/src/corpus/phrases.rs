//! Phrases: words that documents say together, like `white house`.

use super::{ReadDocuments, TextWord};
use crate::reading::{Content, RawDocument};
use hashbrown::HashMap;
use std::collections::BTreeMap;

/// A phrase is said at least so often.
const LEAST: u32 = 3;

/// The words of a phrase are said together at least as often as this share of the geometric mean of how
/// often each is said.
const TOGETHER: f64 = 0.3;

/// The words of the longest phrase.
const LONGEST: usize = 3;

/// A text with its words; `None` is a document that was given as counts.
type Text<'a> = Option<(&'a str, &'a [TextWord])>;

/// The phrases of some texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Phrases {
    /// The terms of each phrase, in the order in which they are first said.
    terms: Vec<Vec<u32>>,
    /// The phrases of each text: where the first word stands among the text's words, and which phrase it
    /// is. They do not overlap.
    places: Vec<Vec<(usize, usize)>>,
}

impl Phrases {
    /// Finds the phrases of texts. Words stand together if nothing but white space or a hyphen is between
    /// them. A run of terms that `is_taken` is no phrase.
    fn find(texts: &[Text<'_>], is_taken: impl Fn(&[u32]) -> bool) -> Self {
        let mut counts = Counts::default();
        for length in 1..=LONGEST {
            for (text, words) in texts.iter().flatten() {
                counts.add(text, words, length);
            }
            counts.runs.retain(|run, said| run.len() < length || said.times >= LEAST);
        }
        let mut phrases = Self::default();
        let mut numbers: HashMap<Vec<u32>, usize> = HashMap::new();
        let number = |run: &[u32]| {
            if !counts.is_phrase(run) || is_taken(run) {
                return None;
            }
            if let Some(&number) = numbers.get(run) {
                return Some(number);
            }
            numbers.insert(run.to_vec(), phrases.terms.len());
            phrases.terms.push(run.to_vec());
            Some(phrases.terms.len() - 1)
        };
        phrases.places = places(texts, number);
        phrases
    }

    /// Where texts say phrases that are known.
    fn known(texts: &[Text<'_>], terms: &[Vec<u32>]) -> Self {
        let numbers: HashMap<&[u32], usize> =
            terms.iter().enumerate().map(|(number, run)| (&run[..], number)).collect();
        let places = places(texts, |run| numbers.get(run).copied());
        Self { terms: terms.to_vec(), places }
    }
}

/// Where each text says which phrase, the longest first. `number` tells which phrase a run of terms is.
fn places(
    texts: &[Text<'_>],
    mut number: impl FnMut(&[u32]) -> Option<usize>,
) -> Vec<Vec<(usize, usize)>> {
    let mut of_text = |(text, words): (&str, &[TextWord])| {
        let (mut places, mut i) = (Vec::new(), 0);
        while i < words.len() {
            let mut runs = (2..=LONGEST).rev().filter_map(|length| run_of(text, words, i, length));
            let found = runs.find_map(|run| Some((number(&run)?, run.len())));
            if let Some((phrase, _)) = found {
                places.push((i, phrase));
            }
            i += found.map_or(1, |(_, length)| length);
        }
        places
    };
    texts.iter().map(|text| text.map_or_else(Vec::new, &mut of_text)).collect()
}

impl ReadDocuments {
    /// Makes terms of the phrases of the texts, after all others. A phrase takes the place of its words, in
    /// the texts and in their counts. Returns the terms of each phrase's words.
    pub fn join_phrases(&mut self, documents: &[RawDocument]) -> Vec<Vec<u32>> {
        let vocabulary = &self.vocabulary;
        let name = |run: &[u32]| {
            let words: Vec<&str> = run.iter().map(|&term| vocabulary.term(term)).collect();
            words.join(" ")
        };
        let texts = texts_of(documents, &self.words);
        let phrases = Phrases::find(&texts, |run| vocabulary.index(&name(run)).is_some());
        let names: Vec<String> = phrases.terms.iter().map(|run| name(run)).collect();
        let first = self.vocabulary.len() as u32;
        for name in &names {
            self.vocabulary.index_or_add(name);
        }
        self.join(&phrases, first);
        phrases.terms
    }

    /// Counts phrases that the vocabulary has from its term `first` on, given by the terms of their words, in
    /// the place of their words.
    pub fn join_known_phrases(
        &mut self,
        documents: &[RawDocument],
        phrases: &[Vec<u32>],
        first: u32,
    ) {
        if !phrases.is_empty() {
            self.join(&Phrases::known(&texts_of(documents, &self.words), phrases), first);
        }
    }

    fn join(&mut self, phrases: &Phrases, first: u32) {
        if phrases.places.iter().all(Vec::is_empty) {
            return;
        }
        let mut counts = super::WordCounts::new();
        for (n, (words, places)) in self.words.iter_mut().zip(&phrases.places).enumerate() {
            match words {
                Some(words) if !places.is_empty() => {
                    *words = joined(words, places, phrases, first);
                    let mut row: BTreeMap<u32, u32> = BTreeMap::new();
                    let terms = words.iter().filter_map(|word| word.term);
                    terms.for_each(|term| *row.entry(term).or_default() += 1);
                    counts.push_row(row);
                }
                _ => counts.push_row(self.counted.counts.row(n)),
            }
        }
        self.counted.counts = counts;
    }
}

/// The words of a text, phrases in the place of theirs.
fn joined(
    words: &[TextWord],
    places: &[(usize, usize)],
    phrases: &Phrases,
    first: u32,
) -> Vec<TextWord> {
    let (mut joined, mut next) = (Vec::with_capacity(words.len()), 0);
    for &(start, phrase) in places {
        let end = start + phrases.terms[phrase].len();
        joined.extend_from_slice(&words[next..start]);
        let range = words[start].range.start..words[end - 1].range.end;
        joined.push(TextWord { range, term: Some(first + phrase as u32) });
        next = end;
    }
    joined.extend_from_slice(&words[next..]);
    joined
}

fn texts_of<'a>(documents: &'a [RawDocument], words: &'a [Option<Vec<TextWord>>]) -> Vec<Text<'a>> {
    let text = |(document, words): (&'a RawDocument, &'a Option<Vec<TextWord>>)| match document {
        RawDocument { content: Content::Text(text), .. } => Some((&text[..], &words.as_ref()?[..])),
        _ => None,
    };
    documents.iter().zip(words).map(text).collect()
}

/// How often words, and runs of words, are said. Only runs are kept that are said often enough: longer ones
/// are said no oftener than their parts, so few have to be counted.
#[derive(Debug, Default)]
struct Counts {
    words: HashMap<u32, u32>,
    runs: HashMap<Vec<u32>, Said>,
}

/// How a run of words is said.
#[derive(Debug, Default)]
struct Said {
    times: u32,
    /// The words before and after it, where it was said first.
    first: Surroundings,
    /// Whether it is said elsewhere between other words. A run that never is belongs to a text that is
    /// repeated, such as a signature or a copy of the document.
    varies: bool,
}

type Surroundings = [Option<u32>; 2];

impl Counts {
    /// Counts the runs of `length` words. Shorter ones must be counted already.
    fn add(&mut self, text: &str, words: &[TextWord], length: usize) {
        for (i, word) in words.iter().enumerate() {
            if length == 1 {
                word.term.iter().for_each(|&term| *self.words.entry(term).or_default() += 1);
                continue;
            }
            let Some(run) = run_of(text, words, i, length) else { continue };
            let parts = [&run[1..], &run[..length - 1]];
            if length == 2 || parts.iter().all(|&part| self.runs.contains_key(part)) {
                let around = [i.checked_sub(1), Some(i + length)]
                    .map(|place| words.get(place?).and_then(|word| word.term));
                let said = self.runs.entry(run).or_default();
                if said.times == 0 {
                    said.first = around;
                }
                said.times += 1;
                said.varies |= around != said.first;
            }
        }
    }

    fn is_phrase(&self, run: &[u32]) -> bool {
        let Some(said) = self.runs.get(run).filter(|said| said.varies) else { return false };
        let logs: f64 = run.iter().map(|term| f64::from(self.words[term]).ln()).sum();
        let repeats = run.windows(2).any(|pair| pair[0] == pair[1]);
        !repeats && f64::from(said.times).ln() >= TOGETHER.ln() + logs / run.len() as f64
    }
}

/// The terms of `length` words from word `i` on, if they stand together.
fn run_of(text: &str, words: &[TextWord], i: usize, length: usize) -> Option<Vec<u32>> {
    let words = words.get(i..i + length)?;
    let stand_together = words.windows(2).all(|pair| {
        let gap = &text[pair[0].range.end..pair[1].range.start];
        gap == "-" || (!gap.is_empty() && gap.chars().all(char::is_whitespace))
    });
    if stand_together { words.iter().map(|word| word.term).collect() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::read_documents;
    use crate::text::{IgnoredWords, TextSettings, Tokenizer, Vocabulary};

    /// Each distinct word is a term, except `the`, which is no word.
    fn read<'a>(texts: &[&'a str]) -> (Vec<&'a str>, Vec<Vec<TextWord>>) {
        let mut terms: Vec<&str> = Vec::new();
        let read = texts.iter().map(|text| {
            let pieces = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
            let pieces = pieces.filter(|word| *word != "the");
            pieces
                .map(|word| {
                    let start = word.as_ptr() as usize - text.as_ptr() as usize;
                    let term = terms.iter().position(|term| *term == word);
                    let term = term.unwrap_or_else(|| {
                        terms.push(word);
                        terms.len() - 1
                    });
                    TextWord { range: start..start + word.len(), term: Some(term as u32) }
                })
                .collect()
        });
        let read = read.collect();
        (terms, read)
    }

    fn found(texts: &[&str]) -> (Vec<String>, Vec<Vec<(usize, usize)>>) {
        let (terms, words) = read(texts);
        let given: Vec<_> =
            texts.iter().zip(&words).map(|(&text, words)| Some((text, &words[..]))).collect();
        let phrases = Phrases::find(&given, |_| false);
        let spell = |run: &Vec<u32>| {
            run.iter().map(|&term| terms[term as usize]).collect::<Vec<_>>().join(" ")
        };
        (phrases.terms.iter().map(spell).collect(), phrases.places)
    }

    #[test]
    fn words_that_are_said_together_are_a_phrase() {
        let texts = ["white house, white\nhouse and white-house", "house of a white house"];
        let (phrases, places) = found(&texts);
        assert_eq!(phrases, ["white house"]);
        assert_eq!(places, [vec![(0, 0), (2, 0), (5, 0)], vec![(3, 0)]]);
    }

    #[test]
    fn words_with_something_between_them_are_none() {
        assert!(found(&["white, house; white the house. white (house! white. house"]).0.is_empty());
    }

    #[test]
    fn words_that_meet_by_chance_are_none() {
        // Three times together, and each ten times and more apart.
        let text = format!("red car red car red car {} {}", "red. ".repeat(12), "car. ".repeat(12));
        assert!(found(&[&text]).0.is_empty());
        assert!(found(&["red car, red car"]).0.is_empty());
        assert!(found(&["bang bang bang bang bang"]).0.is_empty());
    }

    #[test]
    fn copies_of_a_text_have_no_phrases() {
        let text = "write to the white house today";
        assert!(found(&[text; 5]).0.is_empty());
        assert_eq!(found(&[text, text, "the white house burns"]).0, ["white house"]);
    }

    #[test]
    fn the_longest_phrase_is_found() {
        let (phrases, places) = found(&["new york city. new york city. new york city. new york"]);
        assert_eq!(phrases, ["new york city", "new york"]);
        assert_eq!(places, [vec![(0, 0), (3, 0), (6, 0), (9, 1)]]);
    }

    fn read_texts(texts: &[&str], vocabulary: &[&str]) -> (Vec<RawDocument>, ReadDocuments) {
        let document = |(n, text): (usize, &&str)| RawDocument {
            corpus: None,
            id: n.to_string(),
            content: Content::Text((*text).to_owned()),
        };
        let documents: Vec<RawDocument> = texts.iter().enumerate().map(document).collect();
        let tokenizer = Tokenizer::new(&TextSettings::default());
        let ignored = IgnoredWords::new(&[], &tokenizer);
        let terms = vocabulary.iter().map(|&term| term.to_owned()).collect();
        let vocabulary = Vocabulary::from_terms(terms).unwrap();
        let read = read_documents(&documents, &tokenizer, &ignored, &vocabulary, true);
        (documents, read)
    }

    #[test]
    fn a_phrase_is_a_term_in_the_place_of_its_words() {
        let text = "White house, the white house and a white-house. A red house!";
        let (documents, mut read) = read_texts(&[text, "red"], &["white", "house"]);
        let before = read.counted.clone();
        assert_eq!(read.join_phrases(&documents), [vec![0, 1]]);
        assert_eq!(read.vocabulary.terms(), ["white", "house", "red", "white house"]);
        let rows: Vec<Vec<(u32, u32)>> =
            (0..2).map(|n| read.counted.counts.row(n).collect()).collect();
        assert_eq!(rows, [vec![(1, 1), (2, 1), (3, 3)], vec![(2, 1)]]);
        let words = read.words[0].as_ref().unwrap();
        let said: Vec<&str> = words.iter().map(|word| &text[word.range.clone()]).collect();
        assert_eq!(said, ["White house", "white house", "white-house", "red", "house"]);
        // A document has as many words as a reader counts.
        assert_eq!(read.counted.words, before.words);
    }

    #[test]
    fn a_phrase_that_is_a_term_already_is_left_alone() {
        let (documents, mut read) = read_texts(
            &["white house, white house, white house"],
            &["white", "house", "white house"],
        );
        assert!(read.join_phrases(&documents).is_empty());
        assert_eq!(read.counted.counts.row(0).collect::<Vec<_>>(), [(0, 3), (1, 3)]);
    }

    #[test]
    fn known_phrases_are_counted_where_they_are_said_once() {
        let terms = ["white", "house", "new", "white house", "new white house"];
        let (documents, mut read) = read_texts(&["A new white house; white! House"], &terms);
        read.join_known_phrases(&documents, &[vec![0, 1], vec![2, 0, 1]], 3);
        assert_eq!(read.counted.counts.row(0).collect::<Vec<_>>(), [(0, 1), (1, 1), (4, 1)]);
    }
}
