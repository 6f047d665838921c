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

#[cfg(test)]
mod tests {
    use super::super::super::HandfulSettings;
    use super::*;
    use crate::prior::Origin;

    /// Twelve corpora, each with twenty words of its own and ten that all have.
    fn corpora() -> Vec<Corpus> {
        let mut stream = stream(3, Purpose::Weights, 0);
        let corpus = |c: u32| {
            let mut documents = WordCounts::new();
            for _ in 0..30 {
                let mut row = BTreeMap::new();
                for _ in 0..40 {
                    let is_own = stream.random_range(0.0..1.0) < 0.6;
                    let word = if is_own { 10 + 20 * c + stream.random_range(0..20u32) } else { 0 };
                    let word = if is_own { word } else { stream.random_range(0..10u32) };
                    *row.entry(word).or_default() += 1;
                }
                documents.push_row(row);
            }
            let ids = (0..30).map(|n| n.to_string()).collect();
            Corpus { name: format!("c{c}"), ids, documents }
        };
        (0..12).map(corpus).collect()
    }

    fn prior() -> Handful<f64> {
        let settings =
            HandfulSettings { dimension: 8, hidden: 4, themes: 6, ..HandfulSettings::default() };
        let mut prior = Handful::random(settings, 250, 3, &mut stream(1, Purpose::Weights, 0));
        // What all corpora have is usual, and counts little.
        prior.unigram.words = (0..250).map(|j| if j < 10 { 0.04 } else { 0.0025 }).collect();
        let importance = prior.words.importance;
        prior.parameters[importance].values[..10].fill(0.2);
        prior
    }

    #[test]
    fn the_number_of_subjects_is_found_in_documents_that_were_not_learned_from() {
        let (mut prior, corpora) = (prior(), corpora());
        let (known, asked) = corpora.split_at(8);
        prior.subjects = prior.learn_subjects(&known.iter().collect::<Vec<_>>(), 1);
        for subjects in 1..=4 {
            let mut documents = WordCounts::new();
            let mut classes = Vec::new();
            for n in 0..12 {
                let class = n % subjects;
                documents.push_row(asked[class].documents.row(n));
                classes.push(class);
            }
            let cuts = prior.cuts_by_subject(&documents, None).unwrap().cuts;
            assert!((cuts.iter().map(|cut| cut.probability).sum::<f64>() - 1.0).abs() < 1e-9);
            let likeliest = cuts.iter().max_by(|a, b| a.probability.total_cmp(&b.probability));
            assert_eq!(likeliest.unwrap().group, classes, "{subjects} subjects");
        }
    }

    #[test]
    fn points_have_the_products_by_which_cuts_are_made() {
        let (mut prior, corpora) = (prior(), corpora());
        prior.subjects = prior.learn_subjects(&corpora.iter().collect::<Vec<_>>(), 1);
        let documents = &corpora[0].documents;
        let points = prior.points_of(documents, None, Origin::Training, &mut |_, _| Ok(()));
        let points = points.unwrap().unwrap();
        let expected = prior.products_by_subject(documents, None).unwrap();
        for (a, row) in expected.iter().enumerate() {
            for (b, expected) in row.iter().enumerate() {
                assert!((points.product(a, b) - expected).abs() < 1e-5, "{a}, {b}");
            }
        }
    }

    #[test]
    fn what_is_learned_is_the_same_for_any_number_of_threads() {
        let (prior, corpora) = (prior(), corpora());
        let corpora: Vec<&Corpus> = corpora.iter().collect();
        let learned = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let subjects = pool.install(|| prior.learn_subjects(&corpora, 1)).unwrap();
            subjects.to_tensors().map(|(name, it)| (name, it.values)).collect::<Vec<_>>()
        };
        assert_eq!(learned(1), learned(2));
    }

    #[test]
    fn one_corpus_is_too_few_to_learn_from() {
        let (prior, corpora) = (prior(), corpora());
        assert!(prior.learn_subjects(&[&corpora[0]], 1).is_none());
        assert!(prior.cuts_by_subject(&corpora[0].documents, None).is_none());
    }

    #[test]
    fn tasks_have_every_subject_and_as_many_documents_as_can_be() {
        let corpora = corpora();
        let sets = sets_of(&corpora.iter().collect::<Vec<_>>());
        for number in 0..200 {
            let task = draw_task(&sets, &mut stream(1, Purpose::Subjects, number));
            let mut classes = task.classes.clone();
            classes.dedup();
            assert_eq!(classes, (0..task.subjects).collect::<Vec<_>>());
            assert_eq!(task.documents.documents(), task.classes.len());
            // A corpus has thirty documents, fewer than the largest tasks want.
            assert!(DOCUMENTS.contains(&task.classes.len()) || task.classes.len() >= 30);
        }
    }
}
