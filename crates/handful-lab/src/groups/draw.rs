//! One repeat: which corpora are held out, and which of their documents are mixed.

use super::{CORPORA_OF_TASK, DOCUMENTS_OF_CORPUS, HELD_OUT, MixedHandfuls};
use crate::Material;
use crate::results::write_line;
use handful::Result;
use handful::internals::corpus::{Corpus, WordCounts, choose};
use handful::internals::random::{Purpose, stream};
use handful::internals::train::{TrainingCorpora, ValidationChoice};
use rand::{Rng, RngExt};
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
    /// The documents to group.
    pub tasks: Vec<MixedHandful>,
}

/// The stream for drawing held-out corpora. Task n, counted from 0, uses this + 1 + n.
const CORPORA_STREAM: u64 = 0;

impl MixedHandfuls<'_> {
    /// Draws the corpora and tasks of the `repeat`-th repeat.
    pub fn draw(&self, repeat: usize) -> Result<Draw<'_>> {
        let training = &self.settings.training;
        let mut seeds = stream(training.seed, Purpose::MixedHandfuls, repeat as u64);
        // Uses 32 bits, which every JSON reader represents exactly.
        let seed = u64::from(seeds.next_u32());
        let mut chosen = Vec::new();
        let mut corpora = stream(seed, Purpose::MixedHandfuls, CORPORA_STREAM);
        choose(self.corpora.len(), HELD_OUT, &mut corpora, &mut chosen);
        chosen.sort_unstable();
        let held_out: Vec<&Corpus> = chosen.iter().map(|&i| &self.corpora[i]).collect();
        let names: Vec<String> = held_out.iter().map(|corpus| corpus.name.clone()).collect();
        let choice = ValidationChoice::Drawn(self.settings.validation_corpora);
        let roles = TrainingCorpora::choose(self.corpora, &names, &choice, seed)?;
        let tasks = (0..self.settings.tasks).map(|number| mix(&held_out, seed, number)).collect();
        let terms = self.vocabulary.len();
        Ok(Draw { held_out, material: Material { roles, terms, common: training, seed }, tasks })
    }
}

/// Draws a few of the corpora and a few documents of each, and shuffles the documents, so that
/// their order reveals nothing.
fn mix(held_out: &[&Corpus], seed: u64, number: usize) -> MixedHandful {
    let mut stream = stream(seed, Purpose::MixedHandfuls, CORPORA_STREAM + 1 + number as u64);
    let (mut corpora, mut documents) = (Vec::new(), Vec::new());
    choose(held_out.len(), CORPORA_OF_TASK, &mut stream, &mut corpora);
    let mut mixed: Vec<(usize, usize)> = Vec::new();
    for class in corpora {
        let size = held_out[class].documents.documents();
        choose(size, DOCUMENTS_OF_CORPUS, &mut stream, &mut documents);
        mixed.extend(documents.iter().map(|&n| (class, n)));
    }
    for last in (1..mixed.len()).rev() {
        mixed.swap(last, stream.random_range(0..=last));
    }
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
