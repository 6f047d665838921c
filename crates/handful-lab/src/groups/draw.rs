//! One repeat: which corpora are held out, and which of their documents are mixed.

use super::{GivenVectors, MixedHandfuls, TaskShape};
use crate::results::write_line;
use crate::unseen::{HeldOut, shuffle, task_stream};
use crate::{FinishedModel, Material};
use handful::Result;
use handful::internals::corpus::{Corpus, WordCounts, choose};
use handful::internals::em::EmStop;
use handful::internals::random::{Purpose, stream};
use handful::text::Vocabulary;
use serde::Serialize;
use std::io::Write;

/// Documents of several corpora, shuffled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MixedHandful {
    /// For each document, the index of its corpus among those held out. This is what methods must
    /// find.
    pub classes: Vec<usize>,
    /// For each document, its index in its corpus.
    pub documents: Vec<usize>,
    /// The words of the documents.
    pub words: WordCounts,
}

/// One repeat: what every method learns from, and the tasks it is given.
#[derive(Clone, Debug)]
pub struct Draw<'a> {
    /// The corpora that no method learns from.
    pub held_out: Vec<&'a Corpus>,
    /// What methods learn from.
    pub material: Material<'a>,
    /// How many corpora and documents a task has.
    pub shape: TaskShape,
    /// The terms of all corpora.
    pub(super) vocabulary: &'a Vocabulary,
    /// A model that was trained elsewhere, if one is to be asked.
    pub(super) model: Option<&'a FinishedModel>,
    /// Vectors of the documents that were made elsewhere.
    pub(super) vectors: Option<&'a GivenVectors>,
    /// When EM of that model ends.
    pub(super) stop: EmStop,
    /// The documents to group.
    pub tasks: Vec<MixedHandful>,
}

impl MixedHandfuls<'_> {
    /// Draws the corpora and tasks of the `repeat`-th repeat.
    pub fn draw(&self, repeat: usize) -> Result<Draw<'_>> {
        let training = &self.settings.training;
        let held_out = self.unseen.draw(training.seed, Purpose::MixedHandfuls, repeat as u64)?;
        let HeldOut { seed, corpora: held_out, roles } = held_out;
        let task = |number| mix(&held_out, self.shape, seed, number);
        let tasks = (0..self.settings.tasks).map(task).collect();
        let terms = self.vocabulary.len();
        Ok(Draw {
            held_out,
            material: Material::new(roles, terms, &self.settings, seed),
            shape: self.shape,
            vocabulary: self.vocabulary,
            model: self.model.as_ref(),
            vectors: self.vectors.as_ref(),
            stop: self.settings.em_stop(training.em_steps),
            tasks,
        })
    }
}

/// Draws a few of the corpora and a few documents of each, and shuffles the documents, so that
/// their order reveals nothing.
fn mix(held_out: &[&Corpus], shape: TaskShape, seed: u64, number: usize) -> MixedHandful {
    let mut stream = stream(seed, Purpose::MixedHandfuls, task_stream(number));
    let (mut corpora, mut documents) = (Vec::new(), Vec::new());
    choose(held_out.len(), shape.corpora, &mut stream, &mut corpora);
    let mut mixed: Vec<(usize, usize)> = Vec::new();
    for class in corpora {
        let size = held_out[class].documents.documents();
        choose(size, shape.documents_of_each, &mut stream, &mut documents);
        mixed.extend(documents.iter().map(|&n| (class, n)));
    }
    shuffle(&mut mixed, &mut stream);
    let mut words = WordCounts::new();
    mixed.iter().for_each(|&(class, n)| words.push_row(held_out[class].documents.row(n)));
    let (classes, documents) = mixed.into_iter().unzip();
    MixedHandful { classes, documents, words }
}

/// A line of `tasks.jsonl.gz`.
#[derive(Serialize)]
struct TaskLine<'a> {
    repeat: usize,
    task: usize,
    documents: Vec<DocumentOfTask<'a>>,
}

#[derive(Serialize)]
struct DocumentOfTask<'a> {
    corpus: &'a str,
    id: &'a str,
}

impl Draw<'_> {
    pub(super) fn write_tasks(&self, repeat: usize, out: &mut dyn Write) {
        for (number, task) in self.tasks.iter().enumerate() {
            let document = |(&class, &n): (&usize, &usize)| {
                let corpus = self.held_out[class];
                DocumentOfTask { corpus: &corpus.name, id: &corpus.ids[n] }
            };
            let documents = task.classes.iter().zip(&task.documents).map(document).collect();
            write_line(&TaskLine { repeat, task: number, documents }, out);
        }
    }
}
