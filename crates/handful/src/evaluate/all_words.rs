//! Perplexity of all held-out words, including those the model does not know.

use super::{OpenLikelihood, OpenTask, draw_tasks, task_likelihood};
use crate::Result;
use crate::corpus::{Corpus, EpisodeSettings};
use crate::em::{EmStop, Likelihood};
use crate::prior::{FitPrior, NewWordPrior, Prior};
use crate::text::Vocabulary;
use rayon::prelude::*;

/// Tasks that a thread takes at a time.
const BLOCK: usize = 16;

/// The likelihood of all words of some tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct AllWords {
    /// With new words as ordinary terms.
    pub welcome: OpenLikelihood,
    /// The likelihood of known words when new words are left out of the documents.
    known_alone: Likelihood,
    /// The number of distinct new words in the vocabulary.
    new_terms: usize,
}

impl AllWords {
    /// The share of words that are new.
    pub fn new_share(&self) -> f64 {
        self.welcome.new.words as f64 / self.welcome.all().words as f64
    }

    /// Returns the likelihood with new words left out of the documents. A fixed share of all words
    /// is then expected to be new, and all new words are equally probable. The share is the best
    /// possible one: the actual share of new words among the held-out words.
    pub fn dropped(&self) -> OpenLikelihood {
        let (share, Likelihood { words, log_likelihood }) = (self.new_share(), self.known_alone);
        let new = self.welcome.new.words;
        // If there is no word of a kind, 0 log 0 = 0.
        let times_log =
            |words: u64, share: f64| if words == 0 { 0.0 } else { words as f64 * share.ln() };
        OpenLikelihood {
            known: Likelihood {
                log_likelihood: log_likelihood + times_log(words, 1.0 - share),
                words,
            },
            new: Likelihood {
                log_likelihood: times_log(new, share / self.new_terms as f64),
                words: new,
            },
        }
    }
}

/// Draws tasks from a corpus, and computes the likelihood of all held-out words. The prior knows
/// the first terms of the vocabulary.
///
/// The other terms are all new words of the corpus, so the vocabulary does not tell which of them
/// were held out.
pub fn evaluate_all_words<'a>(
    prior: impl Into<FitPrior<'a>>,
    expected: NewWordPrior,
    (target, vocabulary): (&Corpus, &Vocabulary),
    settings: EpisodeSettings,
    tasks: usize,
    stop: EmStop,
    seed: u64,
) -> Result<AllWords> {
    let prior = prior.into();
    let known = prior.prior.terms();
    let tasks = draw_tasks(target, settings, tasks, seed)?;
    let words = vocabulary.terms();
    let tasks: Vec<OpenTask> =
        tasks.into_iter().map(|task| OpenTask::new(task, known, &words)).collect();
    let blocks: Vec<(Vec<OpenLikelihood>, Likelihood)> = tasks
        .par_chunks(BLOCK)
        .map(|tasks| {
            let alone = tasks.iter().map(|task| {
                let task = task.without_new_words();
                task_likelihood(prior, &task, stop)
            });
            let alone = alone.sum();
            let of = |task: &OpenTask| task.likelihood(prior, expected, stop);
            (tasks.iter().map(of).collect(), alone)
        })
        .collect();
    let welcome = blocks.iter().flat_map(|(welcome, _)| welcome);
    Ok(AllWords {
        new_terms: vocabulary.len() - known,
        welcome: welcome.copied().sum(),
        known_alone: blocks.iter().map(|(_, alone)| *alone).sum(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::WordCounts;
    use crate::prior::{AnyPrior, HandfulSettings, PriorSettings};
    use crate::random::{Purpose, stream};

    #[test]
    fn dropped_words_have_the_best_fixed_share() {
        let likelihood = |log_likelihood, words| Likelihood { log_likelihood, words };
        let all = AllWords {
            welcome: OpenLikelihood { known: likelihood(-60.0, 6), new: likelihood(-8.0, 2) },
            known_alone: likelihood(-50.0, 6),
            new_terms: 5,
        };
        let dropped = all.dropped();
        assert!((dropped.known.log_likelihood - (-50.0 + 6.0 * 0.75f64.ln())).abs() < 1e-12);
        // One of five equally probable words, with a quarter of the probability together.
        assert!((dropped.new.log_likelihood - 2.0 * 0.05f64.ln()).abs() < 1e-12);
        assert_eq!(dropped.all().words, 8);
    }

    #[test]
    fn a_corpus_without_new_words_is_evaluated_as_ever() {
        let settings =
            HandfulSettings { dimension: 8, hidden: 4, themes: 4, ..HandfulSettings::default() };
        let settings = PriorSettings::Handful(settings);
        let prior = AnyPrior::random(settings, 10, 2, &mut stream(1, Purpose::Weights, 0));
        let mut documents = WordCounts::new();
        (0..6).for_each(|n| documents.push_row([(n, 4), (n + 1, 9), (n + 4, 2)]));
        let ids = (0..6).map(|n| n.to_string()).collect();
        let corpus = Corpus { name: "c".to_owned(), ids, documents };
        let terms = (0..10).map(|j| format!("word{j}")).collect();
        let vocabulary = Vocabulary::from_terms(terms).unwrap();
        let (episode, stop) = (EpisodeSettings::default(), EmStop::Steps(3));
        let target = (&corpus, &vocabulary);
        let all = evaluate_all_words(&prior, NewWordPrior::default(), target, episode, 40, stop, 1)
            .unwrap();
        let tasks = draw_tasks(&corpus, episode, 40, 1).unwrap();
        let plain = super::super::evaluate(&prior, &tasks, stop).pooled();
        assert_eq!(all.new_share(), 0.0);
        for found in [all.welcome.all(), all.dropped().all()] {
            assert_eq!(found.words, plain.words);
            assert!((found.log_likelihood - plain.log_likelihood).abs() < 1e-6);
        }
    }
}
