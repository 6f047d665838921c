//! One repeat: which corpora are held out, and the documents that are made of theirs.

use super::{Blends, Composed, Piece};
use crate::prose::{Prose, Reader};
use crate::results::write_line;
use crate::unseen::{HeldOut, draw_number, shuffle, task_stream};
use handful::Result;
use handful::internals::corpus::{WordCounts, choose};
use handful::internals::random::{Purpose, stream};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use std::io::Write;
use std::ops::Range;

/// The number of pure documents of each subject.
const PURE: usize = 2;
/// The number of blends.
const BLENDS: usize = 2;
/// The number of documents that a task takes of a subject at most: those that are pure, and one for
/// each blend.
pub const LEAST_DOCUMENTS: usize = PURE + BLENDS;
/// The most subjects of a blend.
const MOST_BLENDED: usize = 3;
/// The number of pieces that a subject has in a blend.
const PIECES: usize = 2;

/// Documents of a few subjects: some pure, and some that join parts of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlendTask {
    /// Names the task in `tasks.jsonl.gz` and in files of vectors.
    pub key: String,
    /// The number of each document there.
    pub places: Vec<usize>,
    /// For each subject, the index of its corpus among those held out.
    pub corpora: Vec<usize>,
    /// The documents, shuffled.
    pub documents: Vec<Composed>,
    /// Their terms.
    pub counts: WordCounts,
}

impl BlendTask {
    fn new(key: String, corpora: Vec<usize>, documents: Vec<(usize, Composed)>) -> Self {
        let mut counts = WordCounts::new();
        documents.iter().for_each(|(_, document)| document.count(&mut counts));
        let (places, documents) = documents.into_iter().unzip();
        Self { key, places, corpora, documents, counts }
    }

    /// K
    pub fn subjects(&self) -> usize {
        self.corpora.len()
    }

    /// The first blend without the other documents.
    pub fn alone(&self) -> Self {
        let documents = self.places.iter().copied().zip(self.documents.iter().cloned());
        let blend = documents.into_iter().find(|(_, document)| !document.is_pure());
        Self::new(self.key.clone(), self.corpora.clone(), blend.into_iter().collect())
    }
}

/// One repeat: the corpora held out, and the tasks.
#[derive(Clone, Debug)]
pub struct Draw<'a> {
    /// The corpora, and what the others are for.
    pub(super) held_out: HeldOut<'a>,
    /// The tasks.
    pub tasks: Vec<BlendTask>,
}

impl Blends<'_> {
    /// Draws the corpora and tasks of the `repeat`-th repeat, with K subjects in a task.
    pub fn draw(&self, repeat: usize, subjects: usize) -> Result<Draw<'_>> {
        let number = draw_number(repeat, subjects);
        let held_out = self.unseen.draw(self.settings.training.seed, Purpose::Blends, number)?;
        let texts: Vec<&[Prose]> =
            held_out.corpora.iter().map(|corpus| &*self.texts[&*corpus.name]).collect();
        let task = |number| {
            let mut stream = stream(held_out.seed, Purpose::Blends, task_stream(number));
            let key = format!("K={subjects}/{repeat}/{number}");
            draw_task(key, (&texts, subjects), &self.reader, &mut stream)
        };
        Ok(Draw { tasks: (0..self.settings.tasks).map(task).collect(), held_out })
    }

    /// Writes the tasks of a repeat with K subjects.
    pub(super) fn write_all_tasks(
        &self,
        (repeat, subjects): (usize, usize),
        out: &mut dyn Write,
    ) -> Result<()> {
        let draw = self.draw(repeat, subjects)?;
        for task in &draw.tasks {
            let names: Vec<&str> =
                task.corpora.iter().map(|&i| &*draw.held_out.corpora[i].name).collect();
            let piece = |(subject, id, words): &'_ (usize, String, Range<usize>)| PieceLine {
                corpus: names[*subject].to_owned(),
                id: id.clone(),
                words: [words.start, words.end],
            };
            let document = |document: &Composed| DocumentLine {
                pieces: document.pieces.iter().map(piece).collect(),
                passages: document
                    .passages
                    .iter()
                    .map(|r| document.text[r.clone()].to_owned())
                    .collect(),
            };
            let documents = task.documents.iter().map(document).collect();
            write_line(&TaskLine { task: &task.key, subjects: &names, documents }, out);
        }
        Ok(())
    }
}

/// Draws a few of the corpora, and makes the documents of a task of theirs.
fn draw_task(
    key: String,
    (texts, subjects): (&[&[Prose]], usize),
    reader: &Reader<'_>,
    stream: &mut ChaCha8Rng,
) -> BlendTask {
    let mut corpora = Vec::new();
    choose(texts.len(), subjects, stream, &mut corpora);
    let mut documents = Vec::new();
    // For each blend, a document of each subject.
    let mut to_blend: Vec<Vec<&Prose>> = vec![Vec::new(); BLENDS];
    for (subject, &corpus) in corpora.iter().enumerate() {
        let mut chosen = Vec::new();
        choose(texts[corpus].len(), LEAST_DOCUMENTS, stream, &mut chosen);
        shuffle(&mut chosen, stream);
        let chosen: Vec<&Prose> = chosen.into_iter().map(|n| &texts[corpus][n]).collect();
        let (pure, others) = chosen.split_at(PURE);
        for source in pure {
            let piece = Piece { subject, source, words: 0..source.words() };
            documents.push(Composed::join(&[piece], reader));
        }
        to_blend.iter_mut().zip(others).for_each(|(blend, source)| blend.push(source));
    }
    for of_subjects in to_blend {
        let mut chosen = Vec::new();
        choose(subjects, MOST_BLENDED, stream, &mut chosen);
        shuffle(&mut chosen, stream);
        let sources: Vec<(usize, &Prose)> =
            chosen.into_iter().map(|subject| (subject, of_subjects[subject])).collect();
        let shares = draw_shares(sources.len(), stream);
        documents.push(Composed::join(&pieces(&sources, &shares, stream), reader));
    }
    shuffle(&mut documents, stream);
    BlendTask::new(key, corpora, documents.into_iter().enumerate().collect())
}

/// Draws the shares of the subjects of a blend. The first is uniform between 0.1 and 0.9. A second
/// and a third divide the rest so that neither has more than twice the other's.
fn draw_shares(subjects: usize, stream: &mut ChaCha8Rng) -> Vec<f64> {
    let first = stream.random_range(0.1..0.9);
    let rest = 1.0 - first;
    if subjects == 2 {
        return vec![first, rest];
    }
    let second = rest * stream.random_range(1.0 / 3.0..2.0 / 3.0);
    vec![first, second, rest - second]
}

/// Takes a contiguous part of each source, as long as its share of the shortest source, and
/// alternates halves of the parts.
fn pieces<'a>(
    sources: &[(usize, &'a Prose)],
    shares: &[f64],
    stream: &mut ChaCha8Rng,
) -> Vec<Piece<'a>> {
    let length = sources.iter().map(|(_, source)| source.words()).min().unwrap_or(0);
    let part = |((subject, source), share): (&(usize, &'a Prose), &f64)| {
        let words = ((share * length as f64).round() as usize).max(1);
        (*subject, *source, stream.random_range(0..=source.words() - words), words)
    };
    let parts: Vec<(usize, &Prose, usize, usize)> = sources.iter().zip(shares).map(part).collect();
    let mut pieces = Vec::new();
    for i in 0..PIECES {
        for &(subject, source, start, words) in &parts {
            let range = start + words * i / PIECES..start + words * (i + 1) / PIECES;
            if !range.is_empty() {
                pieces.push(Piece { subject, source, words: range });
            }
        }
    }
    pieces
}

/// A line of `tasks.jsonl.gz`.
#[derive(Serialize)]
struct TaskLine<'a> {
    task: &'a str,
    /// The corpora.
    subjects: &'a [&'a str],
    documents: Vec<DocumentLine>,
}

#[derive(Serialize)]
struct DocumentLine {
    pieces: Vec<PieceLine>,
    /// The whole text, cut into passages.
    passages: Vec<String>,
}

#[derive(Serialize)]
struct PieceLine {
    corpus: String,
    id: String,
    /// The first word, counted from 0, and the first that is not in the piece.
    words: [usize; 2],
}

#[cfg(test)]
mod tests {
    use super::super::composed::tests::{vocabulary, words};
    use super::*;
    use handful::text::TextSettings;

    fn numbered(number: u64) -> ChaCha8Rng {
        stream(7, Purpose::Blends, number)
    }

    #[test]
    fn shares_are_between_a_tenth_and_nine_tenths_and_sum_to_one() {
        let mut first = Vec::new();
        for number in 0..500 {
            let two = draw_shares(2, &mut numbered(number));
            assert!(two.iter().all(|share| (0.1..=0.9).contains(share)), "{two:?}");
            assert!((two.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            first.push(two[0]);
            let three = draw_shares(3, &mut numbered(number));
            assert!((three.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{three:?}");
            let ratio = three[1] / three[2];
            assert!((0.5 - 1e-9..=2.0 + 1e-9).contains(&ratio), "{three:?}");
        }
        // A uniform variable on [0.1, 0.9] has the mean 0.5 and the deviation 0.8/√12 = 0.231; four
        // standard errors of 500 draws are 0.041.
        let mean = first.iter().sum::<f64>() / 500.0;
        assert!((mean - 0.5).abs() < 0.041, "{mean}");
        let tails = first.iter().filter(|share| **share < 0.2 || **share > 0.8).count();
        assert!((75..175).contains(&tails), "a quarter of 500, and not {tails}");
    }

    #[test]
    fn a_task_has_two_pure_documents_of_each_subject_and_two_blends_of_other_documents() {
        let vocabulary = vocabulary();
        let reader = Reader::new(&TextSettings::default(), &vocabulary);
        let texts: Vec<Vec<Prose>> = ['x', 'y', 'z', 'x']
            .iter()
            .map(|&letter| {
                let prose = |n: usize| reader.prose(&n.to_string(), &words(letter, 80 + n), 500);
                (0..5).map(prose).collect()
            })
            .collect();
        let texts: Vec<&[Prose]> = texts.iter().map(|texts| &**texts).collect();
        for subjects in 2..=4 {
            for number in 0..30 {
                let task =
                    draw_task(String::new(), (&texts, subjects), &reader, &mut numbered(number));
                assert_eq!(task.documents.len(), 2 * subjects + 2);
                let (pure, blends): (Vec<&Composed>, Vec<&Composed>) =
                    task.documents.iter().partition(|document| document.is_pure());
                let mut of_subject = vec![0; subjects];
                pure.iter().for_each(|document| of_subject[document.pieces[0].0] += 1);
                assert_eq!(of_subject, vec![2; subjects]);
                let mut used: Vec<(usize, &str)> =
                    pure.iter().map(|pure| (pure.pieces[0].0, &*pure.pieces[0].1)).collect();
                for blend in blends {
                    let mut sources: Vec<(usize, &str)> =
                        blend.pieces.iter().map(|(subject, id, _)| (*subject, &**id)).collect();
                    sources.sort_unstable();
                    sources.dedup();
                    assert_eq!(sources.len(), subjects.min(3), "a document of each subject");
                    used.extend(sources);
                    assert!((79..=86).contains(&blend.words.len()), "{}", blend.words.len());
                }
                let all = used.len();
                used.sort_unstable();
                used.dedup();
                assert_eq!(used.len(), all, "no document is used twice");
            }
        }
    }

    #[test]
    fn pieces_of_subjects_alternate_and_each_part_is_contiguous() {
        let vocabulary = vocabulary();
        let reader = Reader::new(&TextSettings::default(), &vocabulary);
        let (x, y) = (words('x', 100), words('y', 90));
        let (x, y) = (reader.prose("x", &x, 500), reader.prose("y", &y, 500));
        for number in 0..50 {
            let pieces = pieces(&[(1, &x), (0, &y)], &[0.3, 0.7], &mut numbered(number));
            let order: Vec<usize> = pieces.iter().map(|piece| piece.subject).collect();
            assert_eq!(order, [1, 0, 1, 0]);
            for of in 0..2 {
                assert_eq!(pieces[of].words.end, pieces[of + 2].words.start);
            }
            let length = |of: usize| pieces[of].words.len() + pieces[of + 2].words.len();
            assert_eq!((length(0), length(1)), (27, 63), "of 90 words");
        }
    }
}
