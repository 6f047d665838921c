//! Learns to tell how many subjects documents have, from mixed documents of known corpora.

use super::conditional_logit::{self, Observation};
use super::cut_features::{CUT_FEATURES, CutFeatures, pairs_of};
use super::views::{Likeness, PAIR_FEATURES, RawViews};
use super::{Subjects, log_odds};
use crate::corpus::{Corpus, WordCounts, choose, draw_words, set_of};
use crate::numeric::Real;
use crate::prior::handful::Handful;
use crate::random::{Purpose, stream};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The most tasks to learn from, and how many there are for each corpus if corpora are few.
const MOST_TASKS: usize = 2400;
const TASKS_OF_A_CORPUS: usize = 20;

/// The numbers of documents of a task.
const DOCUMENTS: [usize; 4] = [6, 12, 24, 48];

/// The most subjects of a task.
const MOST_SUBJECTS: usize = 6;

/// A task's documents are all cut to one of these numbers of words.
const WORDS: [usize; 2] = [30, 500];

/// Keeps weights from growing where features say the same.
const RIDGE: f64 = 1e-4;

/// Documents of several corpora of one set.
struct Task {
    documents: WordCounts,
    /// The corpus of each document.
    classes: Vec<usize>,
    subjects: usize,
}

impl<R: Real> Handful<R> {
    /// Learns from mixed documents of the training corpora; `None` if these are too few to mix.
    pub(in crate::prior::handful) fn learn_subjects(
        &self,
        corpora: &[&Corpus],
        seed: u64,
    ) -> Option<Subjects<R>> {
        let sets = sets_of(corpora);
        let mixed: usize = sets.iter().map(Vec::len).sum();
        if mixed == 0 {
            return None;
        }
        let count = MOST_TASKS.min(TASKS_OF_A_CORPUS * mixed) as u64;
        let tasks: Vec<(Task, RawViews<R>)> = (0..count)
            .into_par_iter()
            .map(|number| {
                let task = draw_task(&sets, &mut stream(seed, Purpose::Subjects, number));
                let views = self.raw_views(&task.documents, None);
                (task, views)
            })
            .collect();
        let mean = |rows: &dyn Fn(&RawViews<R>) -> &[R], columns: usize| -> Vec<R> {
            let (mut sums, mut documents) = (vec![0.0; columns], 0.0);
            for row in tasks.iter().flat_map(|(_, views)| rows(views).chunks_exact(columns)) {
                sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x.to_f64());
                documents += 1.0;
            }
            sums.into_iter().map(|sum| R::of(sum / documents)).collect()
        };
        let direction_mean = mean(&|views| &views.directions, self.settings.dimension);
        let theme_mean = mean(&|views| &views.themes, self.settings.themes);
        let means = (&direction_mean[..], &theme_mean[..]);
        let likenesses: Vec<(Task, Likeness)> = tasks
            .into_par_iter()
            .map(|(task, views)| {
                let likeness = views.likeness(means, |row| self.metric.whitened(row));
                (task, likeness)
            })
            .collect();
        let (for_pairs, for_cuts): (Vec<_>, Vec<_>) =
            likenesses.into_iter().enumerate().partition(|(number, _)| number % 2 == 0);
        let pairs: Vec<Observation> = for_pairs
            .iter()
            .flat_map(|(_, (task, likeness))| pair_observations(task, likeness))
            .collect();
        let same_subject = conditional_logit::learn(&pairs, PAIR_FEATURES, RIDGE);
        let cuts: Vec<Observation> = for_cuts
            .par_iter()
            .filter_map(|(_, (task, likeness))| cut_observation(task, likeness, &same_subject))
            .collect();
        let number = conditional_logit::learn(&cuts, CUT_FEATURES, RIDGE);
        Some(Subjects { direction_mean, theme_mean, same_subject, number })
    }
}

/// The corpora of each set that has at least two. Corpora of different sets differ by more than their
/// subjects, so only corpora of one set are mixed.
fn sets_of<'a>(corpora: &[&'a Corpus]) -> Vec<Vec<&'a Corpus>> {
    let mut sets: BTreeMap<Option<&str>, Vec<&Corpus>> = BTreeMap::new();
    for corpus in corpora.iter().filter(|corpus| corpus.documents.documents() > 0) {
        sets.entry(set_of(corpus)).or_default().push(corpus);
    }
    sets.into_values().filter(|set| set.len() > 1).collect()
}

/// Draws a set (of n corpora with a weight of √n), the number of subjects, and their documents.
fn draw_task(sets: &[Vec<&Corpus>], stream: &mut ChaCha8Rng) -> Task {
    let weights: Vec<f64> = sets.iter().map(|set| (set.len() as f64).sqrt()).collect();
    let mut drawn = stream.random_range(0.0..weights.iter().sum());
    let place = weights.iter().position(|weight| {
        drawn -= weight;
        drawn < 0.0
    });
    let set = &sets[place.unwrap_or(sets.len() - 1)];
    let documents = DOCUMENTS[stream.random_range(0..DOCUMENTS.len())];
    let subjects = stream.random_range(1..=MOST_SUBJECTS.min(set.len()).min(documents));
    let words = WORDS[stream.random_range(0..WORDS.len())];
    let (mut corpora, mut ends, mut chosen) = (Vec::new(), Vec::new(), Vec::new());
    choose(set.len(), subjects, stream, &mut corpora);
    // A random composition: the places between documents at which a subject ends.
    choose(documents - 1, subjects - 1, stream, &mut ends);
    ends.sort_unstable();
    ends.iter_mut().for_each(|end| *end += 1);
    ends.push(documents);
    let mut task = Task { documents: WordCounts::new(), classes: Vec::new(), subjects };
    let mut start = 0;
    for (class, (&corpus, &end)) in corpora.iter().zip(&ends).enumerate() {
        let all = &set[corpus].documents;
        choose(all.documents(), all.documents().min(end - start), stream, &mut chosen);
        for &n in &chosen {
            let row = draw_words(all, std::iter::once(n), words, stream);
            task.documents.push_row(row.into_iter().filter(|&(_, count)| count > 0));
            task.classes.push(class);
        }
        start = end;
    }
    task
}

/// Whether each two documents are of one corpus; all pairs of a task together count 1.
fn pair_observations(task: &Task, likeness: &Likeness) -> Vec<Observation> {
    let weight = 1.0 / likeness.pairs.len().max(1) as f64;
    let observation = |((a, b), features): ((usize, usize), &[f64; PAIR_FEATURES])| Observation {
        alternatives: vec![vec![0.0; PAIR_FEATURES], features.to_vec()],
        chosen: usize::from(task.classes[a] == task.classes[b]),
        weight,
    };
    pairs_of(task.classes.len()).zip(&likeness.pairs).map(observation).collect()
}

/// Which cut has as many groups as the task has subjects; `None` if none has.
fn cut_observation(task: &Task, likeness: &Likeness, weights: &[f64]) -> Option<Observation> {
    let odds = log_odds(likeness, weights);
    let CutFeatures { features, .. } = CutFeatures::of(likeness, &odds);
    let chosen = task.subjects - 1;
    (chosen < features.len()).then_some(Observation { alternatives: features, chosen, weight: 1.0 })
}
