//! One repeat: which corpora are held out, and which of their documents make tasks.

use super::{Documents, LONG, MOST_SUBJECTS, NumberOfTopics, SHORT};
use crate::prose::{Prose, Reader};
use crate::results::write_line;
use crate::unseen::{HeldOut, draw_number, shuffle, task_stream};
use handful::Result;
use handful::internals::corpus::{WordCounts, choose};
use handful::internals::random::{Purpose, stream};
use handful::reading::{Content, RawDocument};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

/// A document that may be asked.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// A text.
    Text(Prose),
    /// The terms that the vocabulary has, with their counts.
    Counts { id: String, counts: Vec<(u32, u32)> },
}

impl Source {
    /// Reads a document. Returns `None` for one that is shorter than a short document.
    pub(super) fn of(document: &RawDocument, reader: &Reader<'_>) -> Option<Self> {
        let (source, words) = match &document.content {
            Content::Text(text) => {
                let prose = reader.prose(&document.id, text, LONG);
                let words = prose.words();
                (Self::Text(prose), words)
            }
            Content::Counts(counts) => {
                let term = |(term, count): &(String, u32)| {
                    Some((reader.vocabulary().index(term)?, *count))
                };
                let mut counts: Vec<(u32, u32)> = counts.iter().filter_map(term).collect();
                counts.sort_unstable();
                let words = counts.iter().map(|(_, count)| *count as usize).sum();
                (Self::Counts { id: document.id.clone(), counts }, words)
            }
        };
        (words >= SHORT).then_some(source)
    }

    fn id(&self) -> &str {
        match self {
            Self::Text(prose) => &prose.id,
            Self::Counts { id, .. } => id,
        }
    }

    /// The first words of a text, at most `most`. Counts have no order: as many are drawn.
    fn cut(&self, most: usize, reader: &Reader<'_>, stream: &mut ChaCha8Rng) -> Content {
        match self {
            Self::Text(prose) => Content::Text(prose.part(0..prose.words().min(most)).to_owned()),
            Self::Counts { counts, .. } => {
                let named = |term: u32| (reader.vocabulary().term(term).to_owned(), 1);
                Content::counts(drawn_words(counts, most, stream).into_iter().map(named))
            }
        }
    }
}

/// A document with more words than this is not laid out word by word.
const MOST_LAID_OUT: u64 = 1_000_000;

/// Draws at most `most` words of a document without putting any back.
fn drawn_words(counts: &[(u32, u32)], most: usize, stream: &mut ChaCha8Rng) -> Vec<u32> {
    let words: u64 = counts.iter().map(|&(_, count)| u64::from(count)).sum();
    if words <= MOST_LAID_OUT {
        let repeated =
            counts.iter().flat_map(|&(term, count)| std::iter::repeat_n(term, count as usize));
        let mut terms: Vec<u32> = repeated.collect();
        shuffle(&mut terms, stream);
        terms.truncate(most);
        return terms;
    }
    let mut places = Vec::new();
    choose(usize::try_from(words).unwrap_or(usize::MAX), most, stream, &mut places);
    let ends: Vec<u64> = counts
        .iter()
        .scan(0, |end, &(_, count)| {
            *end += u64::from(count);
            Some(*end)
        })
        .collect();
    let term = |place: usize| counts[ends.partition_point(|end| *end <= place as u64)].0;
    places.into_iter().map(term).collect()
}

/// Documents of one or several subjects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberTask {
    /// Names the task in `tasks.jsonl.gz` and in files of vectors.
    pub key: String,
    /// For each document, the index of its corpus among those held out.
    pub classes: Vec<usize>,
    /// The documents' identifiers in their corpora.
    pub ids: Vec<String>,
    /// The documents, all short or all long.
    pub contents: Vec<Content>,
    /// Their terms.
    pub counts: WordCounts,
    /// Whether the documents are short.
    pub is_short: bool,
}

impl NumberTask {
    /// K, the number of subjects.
    pub fn subjects(&self) -> usize {
        let mut classes = self.classes.clone();
        classes.sort_unstable();
        classes.dedup();
        classes.len()
    }

    /// The documents without what tells their corpora.
    pub(super) fn documents(&self) -> Vec<RawDocument> {
        let document = |(n, content): (usize, &Content)| RawDocument {
            corpus: None,
            id: n.to_string(),
            content: content.clone(),
        };
        self.contents.iter().enumerate().map(document).collect()
    }
}

/// One repeat: the corpora held out, and the tasks.
#[derive(Clone, Debug)]
pub struct Draw<'a> {
    /// The corpora, and what the others are for.
    pub(super) held_out: HeldOut<'a>,
    /// The tasks.
    pub tasks: Vec<NumberTask>,
}

impl NumberOfTopics<'_> {
    /// Draws the corpora and tasks of the `repeat`-th repeat, with N documents in a task.
    pub fn draw(&self, repeat: usize, documents: usize) -> Result<Draw<'_>> {
        let unseen = self.unseen.of(Documents { documents });
        let number = draw_number(repeat, documents);
        let seed = self.settings.training.seed;
        let held_out = unseen.draw(seed, Purpose::NumberOfTopics, number)?;
        let sources: Vec<&[Source]> =
            held_out.corpora.iter().map(|corpus| &*self.sources[&*corpus.name]).collect();
        let task = |number| {
            let mut stream = stream(held_out.seed, Purpose::NumberOfTopics, task_stream(number));
            let key = format!("N={documents}/{repeat}/{number}");
            draw_task(key, (&sources, documents), &self.reader, &mut stream)
        };
        Ok(Draw { tasks: (0..self.settings.tasks).map(task).collect(), held_out })
    }

    /// Writes the tasks of a repeat with N documents.
    pub(super) fn write_all_tasks(
        &self,
        (repeat, documents): (usize, usize),
        out: &mut dyn Write,
    ) -> Result<()> {
        let draw = self.draw(repeat, documents)?;
        for task in &draw.tasks {
            let document = |n: usize| DocumentLine {
                corpus: &draw.held_out.corpora[task.classes[n]].name,
                id: &task.ids[n],
                passages: match &task.contents[n] {
                    Content::Text(text) => Some([text]),
                    Content::Counts(_) => None,
                },
                counts: match &task.contents[n] {
                    Content::Text(_) => None,
                    Content::Counts(counts) => {
                        Some(counts.iter().map(|(term, count)| (&**term, *count)).collect())
                    }
                },
            };
            let task_key = &task.key;
            let documents = (0..task.classes.len()).map(document).collect();
            write_line(&TaskLine { task: task_key, short: task.is_short, documents }, out);
        }
        Ok(())
    }
}

/// Draws how many subjects there are, which, and how many documents each has.
fn draw_task(
    key: String,
    (sources, documents): (&[&[Source]], usize),
    reader: &Reader<'_>,
    stream: &mut ChaCha8Rng,
) -> NumberTask {
    let subjects = stream.random_range(1..=MOST_SUBJECTS.min(sources.len()).min(documents));
    let mut corpora = Vec::new();
    choose(sources.len(), subjects, stream, &mut corpora);
    let mut mixed: Vec<(usize, &Source)> = Vec::new();
    for (class, size) in corpora.into_iter().zip(composition(documents, subjects, stream)) {
        let mut chosen = Vec::new();
        choose(sources[class].len(), size, stream, &mut chosen);
        mixed.extend(chosen.into_iter().map(|n| (class, &sources[class][n])));
    }
    shuffle(&mut mixed, stream);
    let is_short = stream.random::<bool>();
    let most = if is_short { SHORT } else { LONG };
    let mut counts = WordCounts::new();
    let mut contents = Vec::new();
    for (_, source) in &mixed {
        let content = source.cut(most, reader, stream);
        counts.push_row(row(&content, reader));
        contents.push(content);
    }
    let ids = mixed.iter().map(|(_, source)| source.id().to_owned()).collect();
    let classes = mixed.iter().map(|(class, _)| *class).collect();
    NumberTask { key, classes, ids, contents, counts, is_short }
}

/// Draws one of all ways to write `sum` as a sum of `parts` numbers, none of them 0: it chooses where
/// one part ends and the next begins.
fn composition(sum: usize, parts: usize, stream: &mut ChaCha8Rng) -> Vec<usize> {
    let mut ends = Vec::new();
    choose(sum - 1, parts - 1, stream, &mut ends);
    ends.iter_mut().for_each(|end| *end += 1);
    ends.push(sum);
    ends.sort_unstable();
    let starts = [0].into_iter().chain(ends.iter().copied());
    starts.zip(&ends).map(|(start, end)| end - start).collect()
}

/// The terms of a document with their counts.
fn row(content: &Content, reader: &Reader<'_>) -> BTreeMap<u32, u32> {
    let mut row = BTreeMap::new();
    match content {
        Content::Text(text) => {
            let terms = reader.terms(text).into_iter().filter_map(|word| word.term);
            terms.for_each(|term| *row.entry(term).or_default() += 1);
        }
        Content::Counts(counts) => {
            let terms = counts
                .iter()
                .filter_map(|(term, count)| Some((reader.vocabulary().index(term)?, *count)));
            row.extend(terms);
        }
    }
    row
}

/// A line of `tasks.jsonl.gz`.
#[derive(Serialize)]
struct TaskLine<'a> {
    task: &'a str,
    short: bool,
    documents: Vec<DocumentLine<'a>>,
}

#[derive(Serialize)]
struct DocumentLine<'a> {
    corpus: &'a str,
    id: &'a str,
    /// The text, as one passage.
    #[serde(skip_serializing_if = "Option::is_none")]
    passages: Option<[&'a String; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<BTreeMap<&'a str, u32>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use handful::text::{TextSettings, Vocabulary};

    fn numbered(number: u64) -> ChaCha8Rng {
        stream(7, Purpose::NumberOfTopics, number)
    }

    #[test]
    fn compositions_have_n_documents_none_empty_and_all_are_as_likely() {
        let mut seen: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
        for number in 0..5000 {
            let parts = composition(6, 3, &mut numbered(number));
            assert_eq!((parts.len(), parts.iter().sum::<usize>()), (3, 6));
            assert!(parts.iter().all(|part| *part > 0), "{parts:?}");
            *seen.entry(parts).or_default() += 1;
        }
        // Of the 10 ways each is expected 500 times, with a deviation of 21.
        assert_eq!(seen.len(), 10);
        assert!(seen.values().all(|times| (400..600).contains(times)), "{seen:?}");
        assert_eq!(composition(24, 1, &mut numbered(0)), [24]);
        assert_eq!(composition(6, 6, &mut numbered(0)), [1; 6]);
    }

    #[test]
    fn tasks_have_one_to_six_subjects_and_documents_of_one_length() {
        let vocabulary = Vocabulary::from_terms(vec!["moon".to_owned(), "sun".to_owned()]).unwrap();
        let reader = Reader::new(&TextSettings::default(), &vocabulary);
        let source = |n: usize| {
            let content = match n % 2 {
                0 => Content::Text("moon and sun ".repeat(200)),
                _ => Content::counts([("moon".to_owned(), 100), ("sun".to_owned(), 450)]),
            };
            let document = RawDocument { corpus: None, id: n.to_string(), content };
            Source::of(&document, &reader).unwrap()
        };
        let sources: Vec<Source> = (0..12).map(source).collect();
        let corpora: Vec<&[Source]> = vec![&sources; 7];
        let mut subjects = BTreeMap::new();
        let mut short = 0;
        for number in 0..600 {
            let task = draw_task(String::new(), (&corpora, 12), &reader, &mut numbered(number));
            assert_eq!(task.counts.documents(), 12);
            let mut distinct: Vec<(usize, &String)> =
                task.classes.iter().copied().zip(&task.ids).collect();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), 12, "no document comes twice");
            for content in &task.contents {
                let words = match content {
                    Content::Text(text) => text.split_whitespace().count(),
                    Content::Counts(counts) => counts.iter().map(|(_, c)| *c as usize).sum(),
                };
                assert_eq!(words, if task.is_short { 30 } else { 500 });
            }
            *subjects.entry(task.subjects()).or_insert(0) += 1;
            short += usize::from(task.is_short);
        }
        assert_eq!(subjects.keys().copied().collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
        // 100 each are expected, with a deviation of 9, and 300 short tasks, with one of 12.
        assert!(subjects.values().all(|times| (60..140).contains(times)), "{subjects:?}");
        assert!((250..350).contains(&short), "{short}");
    }

    #[test]
    fn words_of_a_huge_document_are_drawn_by_their_shares() {
        let counts = [(3, 1_000_000_000), (5, 0), (8, 3_000_000_000), (9, 1)];
        let mut of_each: BTreeMap<u32, usize> = BTreeMap::new();
        for number in 0..100 {
            let drawn = drawn_words(&counts, LONG, &mut numbered(number));
            assert_eq!(drawn.len(), LONG);
            drawn.into_iter().for_each(|term| *of_each.entry(term).or_default() += 1);
        }
        // A quarter of 50,000 is expected, with a deviation of 97.
        assert!((12_000..13_000).contains(&of_each[&3]), "{of_each:?}");
        assert!(!of_each.contains_key(&5), "{of_each:?}");
    }

    #[test]
    fn documents_shorter_than_a_short_one_are_not_used() {
        let vocabulary = Vocabulary::from_terms(vec!["moon".to_owned()]).unwrap();
        let reader = Reader::new(&TextSettings::default(), &vocabulary);
        let is_used = |content: Content| {
            let document = RawDocument { corpus: None, id: String::new(), content };
            Source::of(&document, &reader).is_some()
        };
        assert!(is_used(Content::Text("the moon ".repeat(15))));
        assert!(!is_used(Content::Text("the moon ".repeat(14))));
        assert!(is_used(Content::counts([("moon".to_owned(), 30)])));
        assert!(!is_used(Content::counts([("moon".to_owned(), 29), ("rocket".to_owned(), 9)])));
    }
}
