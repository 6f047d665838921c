//! Writes the tasks of all settings, so that anybody can recompute the perplexities.

use super::{Axis, RangeOfUse, Setting};
use crate::results::write_line;
use handful::Result;
use handful::internals::corpus::{Corpus, Episode, WordCounts};
use handful::internals::evaluate::draw_tasks;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

/// A line of `tasks.jsonl.gz`.
#[derive(Serialize)]
struct TaskLine<'a> {
    target: &'a str,
    repeat: usize,
    /// N
    support_size: usize,
    /// The number of words in a document; `null` for documents as they are.
    length: Option<usize>,
    task: usize,
    /// For each document, the ids of the documents that it consists of.
    documents: Vec<Vec<&'a str>>,
    /// For each document, the words of the support, if documents have a given length. Otherwise the
    /// support is every word that is not held out.
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<Vec<BTreeMap<&'a str, u32>>>,
    /// For each document, the held-out words.
    held_out: Vec<BTreeMap<&'a str, u32>>,
}

impl RangeOfUse<'_> {
    /// Draws the tasks of a setting, which are the same for all methods.
    pub(super) fn tasks(
        &self,
        setting: &Setting,
        target: &Corpus,
        seed: u64,
    ) -> Result<Vec<Episode>> {
        draw_tasks(target, setting.episode, self.comparison.settings.tasks, seed)
    }

    /// Lists the settings that have their own tasks. K does not affect the tasks.
    fn settings_of_tasks(&self, target: &Corpus) -> Vec<Setting> {
        let training = &self.comparison.settings.training;
        let mut settings = vec![Setting::usual(training)];
        for axis in [Axis::Documents, Axis::Length] {
            let of_axis = self.values(axis, target).into_iter();
            settings.extend(of_axis.map(|value| axis.setting(training, value)));
        }
        // Lists the usual setting once: its number of documents may be among the values.
        if settings[1..].contains(&settings[0]) {
            settings.remove(0);
        }
        settings
    }

    pub(super) fn write_all_tasks(
        &self,
        target: &str,
        repeat: usize,
        out: &mut dyn Write,
    ) -> Result<()> {
        let experiment = self.comparison.experiment(target, repeat)?;
        let target = experiment.target;
        for setting in self.settings_of_tasks(target) {
            let tasks = self.tasks(&setting, target, experiment.material.seed)?;
            for (number, task) in tasks.iter().enumerate() {
                write_line(&self.line(&setting, target, (repeat, number), task), out);
            }
        }
        Ok(())
    }

    fn line<'t>(
        &'t self,
        setting: &Setting,
        target: &'t Corpus,
        (repeat, number): (usize, usize),
        task: &Episode,
    ) -> TaskLine<'t> {
        let id = |n: usize| &*target.ids[n];
        let mut documents: Vec<Vec<&str>> = task.documents.iter().map(|&n| vec![id(n)]).collect();
        task.joined.iter().for_each(|&(row, n)| documents[row].push(id(n)));
        let length = setting.episode.length;
        TaskLine {
            target: &target.name,
            repeat,
            support_size: setting.episode.support_size,
            length,
            task: number,
            documents,
            seen: length.map(|_| self.in_words(&task.support)),
            held_out: self.in_words(&task.query),
        }
    }

    fn in_words(&self, words: &WordCounts) -> Vec<BTreeMap<&str, u32>> {
        let term = |(term, count)| (self.comparison.vocabulary.term(term), count);
        (0..words.documents()).map(|n| words.row(n).map(term).collect()).collect()
    }
}
