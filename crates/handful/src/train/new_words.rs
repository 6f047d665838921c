//! Learns what to expect of new words, by hiding known ones.

use super::{TrainSettings, TrainingCorpora};
use crate::Result;
use crate::corpus::{Corpus, Episode, EpisodeSampler, WordCounts};
use crate::em::{EmStop, Likelihood};
use crate::evaluate::{OpenLikelihood, OpenTask};
use crate::prior::{AnyPrior, FitPrior, NewWordPrior, Prior};
use crate::random::{Purpose, stream};
use crate::text::Vocabulary;
use rayon::prelude::*;
use std::ops::ControlFlow;

/// The shares of terms that a prior still knows, the most frequent ones. The others are hidden from
/// it.
const KNOWN: [f64; 3] = [0.75, 0.5, 0.25];

/// The number of priors for each share, and of tasks for each prior. Each prior can use a thread of
/// its own.
const COPIES: usize = 2;
const TASKS: usize = 20;

/// The number of rounds of the search. Each round tries a step up and a step down in every number,
/// and then halves the steps.
const ROUNDS: usize = 6;

/// A prior from which terms are hidden, and tasks in which those terms are new words.
struct Bench {
    prior: AnyPrior<f32>,
    tasks: Vec<OpenTask>,
}

/// Learns what to expect of new words. Hides rare terms, so that documents of the validation
/// corpora (or of the training corpora, if there are none) have new words. Then searches for the
/// numbers that best predict all of their held-out words.
///
/// Before each part, `observer` gets the number of parts done and the number of all parts. Returns
/// `None` if it ends the work, and for a prior that cannot take new words.
pub fn learn_new_words(
    prior: &AnyPrior<f32>,
    vocabulary: &Vocabulary,
    corpora: &TrainingCorpora<'_>,
    settings: &TrainSettings,
    observer: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<Option<NewWordPrior>> {
    let mut benches = Vec::new();
    for number in 0..KNOWN.len() * COPIES {
        match Bench::new(prior, vocabulary, corpora, settings, number)? {
            Some(bench) => benches.push(bench),
            None => return Ok(None),
        }
    }
    let loss = |point: Point| mean_loss(&benches, point.numbers(), settings);
    let mut point = Point::of(NewWordPrior::default());
    let mut least = loss(point);
    let mut steps = FIRST_STEPS;
    let parts = ROUNDS * steps.len();
    for part in 0..parts {
        if observer(part, parts).is_break() {
            return Ok(None);
        }
        let i = part % steps.len();
        for step in [steps[i], -steps[i]] {
            let mut tried = point;
            tried.0[i] += step;
            let found = loss(tried);
            if found < least {
                (point, least) = (tried, found);
                break;
            }
        }
        steps[i] /= 2.0;
    }
    Ok(Some(point.numbers()))
}

impl Bench {
    fn new(
        prior: &AnyPrior<f32>,
        vocabulary: &Vocabulary,
        corpora: &TrainingCorpora<'_>,
        settings: &TrainSettings,
        number: usize,
    ) -> Result<Option<Self>> {
        let terms = prior.terms();
        let known = (terms as f64 * KNOWN[number % KNOWN.len()]).ceil() as usize;
        let Some((prior, mut order)) = prior.with_fewer_terms(known) else { return Ok(None) };
        // Known terms come first, hidden ones after them.
        let mut is_known = vec![false; terms];
        order.iter().for_each(|&term| is_known[term as usize] = true);
        order.extend((0..terms as u32).filter(|&term| !is_known[term as usize]));
        let mut places = vec![0; terms];
        (0..).zip(&order).for_each(|(place, &term)| places[term as usize] = place);
        let words: Vec<&str> = order.iter().map(|&term| vocabulary.term(term)).collect();
        let TrainingCorpora { training, validation, .. } = corpora;
        let corpora = if validation.is_empty() { training } else { validation };
        let corpora: Vec<Corpus> =
            corpora.iter().map(|corpus| renumbered(corpus, &places)).collect();
        let sampler = EpisodeSampler::new(corpora.iter().collect(), settings.episode)?;
        let tasks = (number * TASKS..(number + 1) * TASKS).map(|task| {
            let mut stream = stream(settings.seed, Purpose::NewWords, task as u64);
            let mut episode = Episode::default();
            sampler.draw(&mut stream, &mut episode)?;
            Ok(OpenTask::new(episode, known, &words))
        });
        Ok(Some(Self { prior, tasks: tasks.collect::<Result<_>>()? }))
    }
}

/// Renumbers the terms of a corpus.
fn renumbered(corpus: &Corpus, places: &[u32]) -> Corpus {
    let mut documents = WordCounts::new();
    for n in 0..corpus.documents.documents() {
        let row = corpus.documents.row(n).map(|(term, count)| (places[term as usize], count));
        let mut row: Vec<(u32, u32)> = row.collect();
        row.sort_unstable();
        documents.push_row(row);
    }
    Corpus { name: corpus.name.clone(), ids: corpus.ids.clone(), documents }
}

/// The mean negative log-likelihood of a word, tasks counting alike.
fn mean_loss(benches: &[Bench], expected: NewWordPrior, settings: &TrainSettings) -> f64 {
    let losses: Vec<Vec<f64>> = benches
        .par_iter()
        .map(|Bench { prior, tasks }| {
            let prior = FitPrior::from(prior).with_inference(settings.inference);
            let stop = EmStop::Steps(settings.em_steps);
            let likelihood = |task: &OpenTask| task.likelihood(prior, expected, stop);
            let losses = tasks.iter().map(likelihood);
            losses.map(|found: OpenLikelihood| Likelihood::loss(&found.all())).collect()
        })
        .collect();
    let tasks = losses.iter().map(Vec::len).sum::<usize>();
    losses.iter().flatten().sum::<f64>() / tasks as f64
}

/// The numbers of [`NewWords`] on an unbounded scale.
#[derive(Clone, Copy, Debug)]
struct Point([f64; 4]);

/// The first steps of the search, on the scale of [`Point`].
const FIRST_STEPS: [f64; 4] = [0.7, 0.7, 0.5, 1.4];

impl Point {
    fn of(expected: NewWordPrior) -> Self {
        let NewWordPrior { novelty, occurrences, evidence, kinship } = expected;
        Self([novelty.ln(), occurrences.ln(), evidence, kinship.ln()])
    }

    fn numbers(self) -> NewWordPrior {
        let [novelty, occurrences, evidence, kinship] = self.0;
        NewWordPrior {
            novelty: novelty.exp(),
            occurrences: occurrences.exp(),
            evidence,
            kinship: kinship.exp(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prior::{HandfulSettings, PriorSettings};
    use crate::train::ValidationChoice;
    use rayon::ThreadPoolBuilder;

    /// Makes documents in which half the words are among four frequent terms, the others among rare
    /// ones.
    fn corpora() -> Vec<Corpus> {
        let corpus = |name: &str| {
            let mut documents = WordCounts::new();
            for n in 0..12 {
                let frequent = (0..4).map(|j| (j, 5));
                documents.push_row(frequent.chain([(8 + n % 8, 12), (20 + n, 8)]));
            }
            let ids = (0..12).map(|n| n.to_string()).collect();
            Corpus { name: name.to_owned(), ids, documents }
        };
        ["a", "b"].map(corpus).into()
    }

    fn learn(threads: usize, parts: usize) -> (Option<NewWordPrior>, f64, f64) {
        let corpora = corpora();
        let settings = TrainSettings { em_steps: 4, ..TrainSettings::default() };
        let roles = TrainingCorpora::choose(&corpora, &[], &ValidationChoice::Drawn(1), 1).unwrap();
        let shape =
            HandfulSettings { dimension: 8, hidden: 4, themes: 4, ..HandfulSettings::default() };
        let prior = AnyPrior::start(
            PriorSettings::Handful(shape),
            None,
            (32.into(), 2),
            &roles.training,
            &mut stream(1, Purpose::Weights, 0),
            &mut |_| ControlFlow::Continue(()),
        );
        let prior = prior.unwrap().unwrap();
        let words = (0..32).map(|j| format!("word{j}")).collect();
        let vocabulary = Vocabulary::from_terms(words).unwrap();
        let observer = &mut |done: usize, of: usize| {
            assert_eq!(of, 24);
            if done < parts { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let learned =
                learn_new_words(&prior, &vocabulary, &roles, &settings, observer).unwrap();
            // Uses tasks that the search has not seen.
            let bench = Bench::new(&prior, &vocabulary, &roles, &settings, 1000).unwrap();
            let bench = [bench.unwrap()];
            let loss = |expected| mean_loss(&bench, expected, &settings);
            (learned, loss(NewWordPrior::default()), loss(learned.unwrap_or_default()))
        })
    }

    #[test]
    fn what_is_learned_predicts_words_better_whatever_the_threads() {
        let (learned, first, found) = learn(1, 24);
        assert!(found < first - 0.005, "{first} {found}");
        learned.unwrap().check().unwrap();
        assert_eq!(learn(3, 24), (learned, first, found));
    }

    #[test]
    fn learning_ends_where_the_observer_says_so() {
        assert_eq!(learn(1, 7).0, None);
    }
}
