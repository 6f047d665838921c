//! Texts cut into passages: short runs of words, each mostly about one thing.

use super::{TextWord, WordCounts};
use std::collections::BTreeMap;
use std::ops::Range;

/// Words of a passage: enough to tell what it is about, few enough that it is about one thing. Passages
/// of a short text are shorter: in two of twenty words, what a text joins seldom meets between them.
const LEAST_WORDS: f64 = 12.0;
const MOST_WORDS: f64 = 20.0;

/// A passage has one word more for so many words of its text.
const TEXT_WORDS_PER_WORD: f64 = 25.0;

/// A text of fewer words is one passage: an answer of a sentence or two is about one thing.
const LEAST_CUT: usize = 30;

/// The most passages of a document. Pairs of passages are looked at within a document, and a long one
/// is described as well by longer passages.
const MOST_OF_A_DOCUMENT: usize = 200;

/// Documents, cut into runs of their words. Every word that is counted is in one passage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passages {
    /// The words of each passage, document after document.
    pub counts: WordCounts,
    /// The document of each passage.
    pub documents: Vec<usize>,
    /// Where the passages of each document end, and how many words it was cut by; 0 for one that was
    /// given as counts.
    ends: Vec<(usize, usize)>,
}

impl Passages {
    /// Cuts each text into runs of equal length: of about 12 counted words and a 25th of the text's, at
    /// most 20. A text of fewer than 30, and a document that was given as counts, is one passage. With
    /// `most`, passages grow longer until there are about so many in all.
    ///
    /// `words` are the words of each text, in order; `None` for a document given as counts. Words
    /// without a term are not counted.
    pub fn cut(
        documents: &WordCounts,
        words: &[Option<Vec<TextWord>>],
        most: Option<usize>,
    ) -> Self {
        let terms = |n: usize| words[n].iter().flatten().filter_map(|word| word.term);
        let all = (0..documents.documents()).map(|n| terms(n).count()).sum::<usize>() as f64;
        let least = most.map_or(0.0, |most| all / most.max(1) as f64);
        Self::cut_in(|counted| usual_length(counted).max(least), documents, words)
    }

    /// [`Self::cut`] into passages of about `length` words, however long a text is.
    pub fn cut_by(length: f64, documents: &WordCounts, words: &[Option<Vec<TextWord>>]) -> Self {
        Self::cut_in(|_| length, documents, words)
    }

    /// [`Self::cut`] into passages whose length depends on the words of their text.
    fn cut_in(
        length: impl Fn(usize) -> f64,
        documents: &WordCounts,
        words: &[Option<Vec<TextWord>>],
    ) -> Self {
        let terms = |n: usize| words[n].iter().flatten().filter_map(|word| word.term);
        let mut passages = Self::default();
        for n in 0..documents.documents() {
            let counted = terms(n).count();
            if counted == 0 {
                passages.push(n, documents.row(n));
            } else {
                let runs = runs(counted, length(counted));
                let mut rest = terms(n);
                for i in 0..runs {
                    let mut row: BTreeMap<u32, u32> = BTreeMap::new();
                    let run = run(counted, runs, i).len();
                    rest.by_ref().take(run).for_each(|term| *row.entry(term).or_default() += 1);
                    passages.push(n, row);
                }
            }
            passages.ends.push((passages.documents.len(), counted));
        }
        passages
    }

    fn push(&mut self, document: usize, row: impl IntoIterator<Item = (u32, u32)>) {
        self.counts.push_row(row);
        self.documents.push(document);
    }

    /// Number of passages.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether there are none: there are no documents.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// The passages of document `n`.
    pub fn of_document(&self, n: usize) -> Range<usize> {
        let start = if n == 0 { 0 } else { self.ends[n - 1].0 };
        start..self.ends[n].0
    }

    /// The passages of document `n`, each with the numbers of its words among the document's counted
    /// words. A document that was given as counts has no such numbers.
    pub fn runs_of(&self, n: usize) -> impl Iterator<Item = (usize, Range<usize>)> + '_ {
        let (passages, counted) = (self.of_document(n), self.ends[n].1);
        let runs = passages.len();
        passages.enumerate().map(move |(i, passage)| (passage, run(counted, runs, i)))
    }
}

/// About how many words a passage of a text of so many has.
fn usual_length(words: usize) -> f64 {
    (LEAST_WORDS + words as f64 / TEXT_WORDS_PER_WORD).min(MOST_WORDS)
}

/// Into how many runs of about `length` words a text is cut.
fn runs(words: usize, length: f64) -> usize {
    if words < LEAST_CUT {
        return 1;
    }
    ((words as f64 / length).round_ties_even() as usize).clamp(1, MOST_OF_A_DOCUMENT)
}

/// Run `i` of equal runs of some words.
fn run(words: usize, runs: usize, i: usize) -> Range<usize> {
    let end = |i: usize| (words as f64 * i as f64 / runs as f64).round_ties_even() as usize;
    end(i)..end(i + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Texts of these terms, as [`Passages::cut`] gets them.
    fn read(texts: &[Vec<Option<u32>>]) -> (WordCounts, Vec<Option<Vec<TextWord>>>) {
        let mut counts = WordCounts::new();
        for text in texts {
            let mut row: BTreeMap<u32, u32> = BTreeMap::new();
            text.iter().flatten().for_each(|&term| *row.entry(term).or_default() += 1);
            counts.push_row(row);
        }
        let word = |(i, &term): (usize, &Option<u32>)| TextWord { range: i..i + 1, term };
        let words = |text: &Vec<Option<u32>>| Some(text.iter().enumerate().map(word).collect());
        (counts, texts.iter().map(words).collect())
    }

    proptest! {
        #[test]
        fn passages_partition_every_document(
            texts in prop::collection::vec(prop::collection::vec(prop::option::of(0u32..9), 0..300), 1..5),
            most in prop::option::of(1usize..20),
        ) {
            let (counts, words) = read(&texts);
            let passages = Passages::cut(&counts, &words, most);
            prop_assert_eq!(passages.of_document(texts.len() - 1).end, passages.len());
            for (n, text) in texts.iter().enumerate() {
                let terms: Vec<u32> = text.iter().flatten().copied().collect();
                let mut next = 0;
                for (p, run) in passages.runs_of(n) {
                    prop_assert_eq!((passages.documents[p], run.start), (n, next));
                    next = run.end;
                    let mut row: BTreeMap<u32, u32> = BTreeMap::new();
                    terms[run].iter().for_each(|&term| *row.entry(term).or_default() += 1);
                    prop_assert!(passages.counts.row(p).eq(row));
                }
                prop_assert_eq!(next, terms.len());
            }
            if let Some(most) = most {
                prop_assert!(passages.len() <= most + most / 2 + texts.len());
            }
        }
    }

    #[test]
    fn a_passage_has_about_twenty_words_or_fewer_in_a_short_text() {
        // 30 words by 13.2, 40 by 13.6, 100 by 16, and 300 by 20.
        for (words, passages) in
            [(0, 1), (1, 1), (29, 1), (30, 2), (40, 3), (100, 6), (300, 15), (1_000_000, 200)]
        {
            let (counts, words) = read(&[vec![Some(3); words]]);
            assert_eq!(Passages::cut(&counts, &words, None).len(), passages);
        }
    }

    #[test]
    fn a_document_given_as_counts_is_one_passage() {
        let mut counts = WordCounts::new();
        counts.push_row([(1, 900), (4, 200)]);
        counts.push_row([]);
        let passages = Passages::cut(&counts, &[None, Some(Vec::new())], None);
        assert_eq!(passages.len(), 2);
        assert_eq!(passages.counts, counts);
    }
}
