//! How many topics some documents support.

use crate::corpus::{Episode, WordCounts, split};
use crate::em::EmStop;
use crate::evaluate::task_likelihood;
use crate::prior::AnyPrior;
use crate::random::{Purpose, stream};
use crate::train::Likelihood;
use rayon::prelude::*;

/// How often the words are split anew into those that are seen and those that are to be predicted.
const SPLITS: u64 = 10;

/// The share of words that is seen.
const SEEN: f64 = 0.8;

/// Numbers of topics to try, those that are not above one more than the number of documents: each
/// document may have a topic of its own, and whether still more are of use shows in the next.
const NUMBERS: [usize; 17] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50];

/// How well a number of topics predicts held-out words.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// K
    pub topics: usize,
    /// The likelihood of the words held out in each split.
    pub splits: Vec<Likelihood>,
}

impl Candidate {
    /// Of all held-out words.
    pub fn perplexity(&self) -> f64 {
        self.pooled().perplexity()
    }

    fn pooled(&self) -> Likelihood {
        self.splits.iter().copied().sum()
    }

    fn loss(&self) -> f64 {
        self.pooled().loss()
    }

    /// The standard error of how much larger the loss is than another's, over splits.
    fn error_beside(&self, other: &Self) -> f64 {
        let pairs = self.splits.iter().zip(&other.splits);
        let gaps: Vec<f64> = pairs.map(|(own, other)| own.loss() - other.loss()).collect();
        let count = gaps.len() as f64;
        let mean = gaps.iter().sum::<f64>() / count;
        let squares: f64 = gaps.iter().map(|gap| (gap - mean).powi(2)).sum();
        (squares / (count - 1.0) / count).sqrt()
    }
}

/// A number of topics, and what speaks for it.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicChoice {
    /// The fewest topics that predict words about as well as the best number does.
    pub topics: usize,
    /// Every number that was tried.
    pub candidates: Vec<Candidate>,
}

/// Tries numbers of topics on the documents' own words: a fifth of them is held out, the others are
/// fitted, and those held out predicted. The prior must give any number of topics; it is asked for the
/// one chosen from then on.
pub fn choose_topics(
    prior: &mut AnyPrior<f32>,
    documents: &WordCounts,
    stop: EmStop,
    seed: u64,
) -> TopicChoice {
    let tasks: Vec<Episode> = (0..SPLITS).map(|number| hold_out(documents, seed, number)).collect();
    let candidates: Vec<Candidate> = NUMBERS
        .into_iter()
        .filter(|&topics| topics <= documents.documents() + 1)
        .map(|topics| {
            prior.set_topics(topics);
            let prior = &*prior;
            let splits = tasks.par_iter().map(|task| task_likelihood(prior, task, stop)).collect();
            Candidate { topics, splits }
        })
        .collect();
    let topics = fewest_of_the_best(&candidates);
    prior.set_topics(topics);
    TopicChoice { topics, candidates }
}

/// The documents with some of their words held out.
fn hold_out(documents: &WordCounts, seed: u64, number: u64) -> Episode {
    let mut stream = stream(seed, Purpose::TopicChoice, number);
    let mut task = Episode::default();
    for n in 0..documents.documents() {
        split(documents.row(n), SEEN, &mut stream, &mut task.support, &mut task.query);
    }
    task
}

/// The smallest number whose loss is not larger than the least by more than a standard error of
/// their difference.
fn fewest_of_the_best(candidates: &[Candidate]) -> usize {
    let best = candidates
        .iter()
        .min_by(|a, b| a.loss().total_cmp(&b.loss()))
        .expect("one topic is always tried");
    candidates
        .iter()
        .find(|candidate| candidate.loss() - best.loss() <= candidate.error_beside(best))
        .map_or(best.topics, |candidate| candidate.topics)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A candidate with these losses of a word, ten words a split.
    fn candidate(topics: usize, losses: &[f64]) -> Candidate {
        let split = |loss: &f64| Likelihood { log_likelihood: -10.0 * loss, words: 10 };
        Candidate { topics, splits: losses.iter().map(split).collect() }
    }

    #[test]
    fn the_fewest_topics_within_a_standard_error_of_the_best_are_chosen() {
        let one = candidate(1, &[7.0, 7.2, 6.8, 7.0]);
        let two = candidate(2, &[6.0, 6.3, 5.7, 6.1]);
        // Better than two by 0.025 on average, with a standard error of 0.048.
        let three = candidate(3, &[6.1, 6.2, 5.6, 6.1]);
        let four = candidate(4, &[6.5, 6.5, 6.5, 6.5]);
        let all = [one, two, three, four];
        assert!((all[1].error_beside(&all[2]) - 0.0478713).abs() < 1e-6);
        assert_eq!(fewest_of_the_best(&all), 2);
        assert_eq!(fewest_of_the_best(&all[..1]), 1);
        // Where there is nothing to tell them apart, one topic is enough.
        let same = [candidate(1, &[5.0; 4]), candidate(2, &[5.0; 4])];
        assert_eq!(fewest_of_the_best(&same), 1);
    }

    #[test]
    fn documents_without_words_have_one_topic() {
        let silent = [candidate(1, &[f64::NAN; 4]), candidate(2, &[f64::NAN; 4])];
        assert_eq!(fewest_of_the_best(&silent), 1);
    }

    #[test]
    fn words_are_held_out_anew_in_every_split_and_none_is_lost() {
        let mut documents = WordCounts::new();
        documents.push_row([(1, 300), (4, 200)]);
        documents.push_row([]);
        let tasks: Vec<Episode> = (0..3).map(|number| hold_out(&documents, 1, number)).collect();
        for task in &tasks {
            let (seen, held_out) = (task.support.total_words(), task.query.total_words());
            assert_eq!((seen + held_out, task.query.documents()), (500, 2));
            // Five standard deviations of 500 draws.
            assert!(held_out.abs_diff(100) < 45, "{held_out}");
        }
        assert_ne!(tasks[0], tasks[1]);
    }
}
