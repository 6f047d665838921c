//! One repeat: which corpora are held out, which of their documents make handfuls, and which are to be
//! told.

use super::{FoldedText, Folding, Telling};
use crate::groups::TaskShape;
use crate::prose::{Prose, Reader};
use crate::results::write_line;
use crate::unseen::{HeldOut, draw_number, shuffle, task_stream};
use handful::Result;
use handful::internals::corpus::{WordCounts, choose};
use handful::internals::random::{Purpose, stream};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

/// The most documents of a corpus that are to be told.
const MOST_OTHERS: usize = 20;

/// A handful of documents of several corpora, and other documents of these corpora.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TellingTask {
    /// Names the task in `tasks.jsonl.gz` and in files of vectors.
    pub key: String,
    /// For each subject, the index of its corpus among those held out.
    pub corpora: Vec<usize>,
    /// The handful, shuffled.
    pub handful: Vec<HandfulDocument>,
    /// The terms of the handful.
    pub counts: WordCounts,
    /// The documents to be told.
    pub others: Vec<OtherDocument>,
}

/// A document of the handful.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandfulDocument {
    /// Its subject: the place of its corpus among those of the task.
    pub subject: usize,
    /// Its identifier in its corpus.
    pub id: String,
    /// What methods are given.
    pub text: String,
    /// Its words.
    pub words: FoldedText,
}

/// A document to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherDocument {
    /// Its subject.
    pub subject: usize,
    /// Its identifier in its corpus.
    pub id: String,
    /// Its words.
    pub words: FoldedText,
}

impl TellingTask {
    /// K
    pub fn subjects(&self) -> usize {
        self.corpora.len()
    }

    /// The subject of each document of the handful.
    pub fn classes(&self) -> Vec<usize> {
        self.handful.iter().map(|document| document.subject).collect()
    }
}

/// One repeat: the corpora held out, and the tasks.
#[derive(Clone, Debug)]
pub struct Draw<'a> {
    /// The corpora, and what the others are for.
    pub(super) held_out: HeldOut<'a>,
    /// The tasks.
    pub tasks: Vec<TellingTask>,
}

impl Telling<'_> {
    /// Draws the corpora and tasks of the `repeat`-th repeat, with tasks of a shape.
    pub fn draw(&self, repeat: usize, shape: TaskShape) -> Result<Draw<'_>> {
        let TaskShape { corpora, .. } = shape;
        // Shapes have at most six corpora, so no two shapes share a number.
        let number = draw_number(repeat, shape.documents() * (super::MOST_SUBJECTS + 1) + corpora);
        let seed = self.settings.training.seed;
        let held_out = self.unseen.of(shape).draw(seed, Purpose::Telling, number)?;
        let texts: Vec<&[Prose]> =
            held_out.corpora.iter().map(|corpus| &*self.texts[&*corpus.name]).collect();
        let task = |number| {
            let mut stream = stream(held_out.seed, Purpose::Telling, task_stream(number));
            let key = format!("{shape}/{repeat}/{number}");
            draw_task(key, (&texts, shape), &self.reader, &mut stream)
        };
        Ok(Draw { tasks: (0..self.settings.tasks).map(task).collect(), held_out })
    }

    /// Writes the tasks of a repeat with tasks of a shape.
    pub(super) fn write_all_tasks(
        &self,
        (repeat, shape): (usize, TaskShape),
        out: &mut dyn Write,
    ) -> Result<()> {
        let draw = self.draw(repeat, shape)?;
        for task in &draw.tasks {
            let corpus = |subject: usize| &*draw.held_out.corpora[task.corpora[subject]].name;
            let handful = task.handful.iter().map(|document| DocumentLine {
                corpus: corpus(document.subject),
                id: &document.id,
                passages: Some([&document.text]),
            });
            let others = task.others.iter().map(|document| DocumentLine {
                corpus: corpus(document.subject),
                id: &document.id,
                passages: None,
            });
            let (documents, others) = (handful.collect(), others.collect());
            write_line(&TaskLine { task: &task.key, documents, others }, out);
        }
        Ok(())
    }
}

/// Draws a few of the corpora, documents of each for the handful, and others to be told.
fn draw_task(
    key: String,
    (texts, shape): (&[&[Prose]], TaskShape),
    reader: &Reader<'_>,
    stream: &mut ChaCha8Rng,
) -> TellingTask {
    let folding = Folding::new(reader.vocabulary());
    let folded = |text: &str| folding.text(&reader.words(text));
    let mut corpora = Vec::new();
    choose(texts.len(), shape.corpora, stream, &mut corpora);
    let (mut handful, mut others) = (Vec::new(), Vec::new());
    for (subject, &corpus) in corpora.iter().enumerate() {
        let mut chosen = Vec::new();
        let most = shape.documents_of_each + MOST_OTHERS;
        choose(texts[corpus].len(), most, stream, &mut chosen);
        shuffle(&mut chosen, stream);
        for (i, n) in chosen.into_iter().enumerate() {
            let prose = &texts[corpus][n];
            let (id, text) = (prose.id.clone(), prose.part(0..prose.words()).to_owned());
            let words = folded(&text);
            match i < shape.documents_of_each {
                true => handful.push(HandfulDocument { subject, id, text, words }),
                false => others.push(OtherDocument { subject, id, words }),
            }
        }
    }
    shuffle(&mut handful, stream);
    let mut counts = WordCounts::new();
    for document in &handful {
        let mut row: BTreeMap<u32, u32> = BTreeMap::new();
        let terms = reader.terms(&document.text).into_iter().filter_map(|word| word.term);
        terms.for_each(|term| *row.entry(term).or_default() += 1);
        counts.push_row(row);
    }
    TellingTask { key, corpora, handful, counts, others }
}

/// A line of `tasks.jsonl.gz`.
#[derive(Serialize)]
struct TaskLine<'a> {
    task: &'a str,
    documents: Vec<DocumentLine<'a>>,
    others: Vec<DocumentLine<'a>>,
}

#[derive(Serialize)]
struct DocumentLine<'a> {
    corpus: &'a str,
    id: &'a str,
    /// The text, as one passage.
    #[serde(skip_serializing_if = "Option::is_none")]
    passages: Option<[&'a String; 1]>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use handful::text::{TextSettings, Vocabulary};

    #[test]
    fn a_task_has_its_shape_and_tells_other_documents_of_the_same_corpora() {
        let vocabulary = Vocabulary::from_terms(vec!["moon".to_owned(), "sun".to_owned()]).unwrap();
        let reader = Reader::new(&TextSettings::default(), &vocabulary);
        let prose = |n: usize| reader.prose(&n.to_string(), &"the moons and suns ".repeat(9), 500);
        let texts: Vec<Vec<Prose>> =
            [12, 40, 18, 25].iter().map(|&size| (0..size).map(prose).collect()).collect();
        let sizes: Vec<usize> = texts.iter().map(Vec::len).collect();
        let texts: Vec<&[Prose]> = texts.iter().map(|texts| &**texts).collect();
        let shape = TaskShape { corpora: 3, documents_of_each: 4 };
        for number in 0..30 {
            let mut stream = stream(7, Purpose::Telling, number);
            let task = draw_task(String::new(), (&texts, shape), &reader, &mut stream);
            assert_eq!((task.handful.len(), task.counts.documents()), (12, 12));
            for (subject, &corpus) in task.corpora.iter().enumerate() {
                let in_handful = task.handful.iter().filter(|it| it.subject == subject);
                let told = task.others.iter().filter(|it| it.subject == subject);
                let mut ids: Vec<&String> = in_handful.map(|document| &document.id).collect();
                assert_eq!(ids.len(), 4);
                ids.extend(told.map(|document| &document.id));
                assert_eq!(ids.len(), sizes[corpus].min(24));
                ids.sort_unstable();
                ids.dedup();
                assert_eq!(ids.len(), sizes[corpus].min(24), "no document comes twice");
            }
            assert_eq!(task.others[0].words.count(&["moon".to_owned()]), 9, "in any form");
        }
    }
}
