//! Words held out of the documents themselves, and how well they are predicted.

use crate::corpus::{Episode, SplitUnit, WordCounts, split};
use crate::em::{EmStop, Likelihood};
use crate::evaluate::{Beside, SmoothedUnigram, task_likelihoods};
use crate::prior::{FitPrior, Unigram};
use crate::random::{Purpose, stream};

/// How often the words are split anew into those that are seen and those that are to be predicted.
pub(super) const SPLITS: usize = 10;

/// The share of words that is seen.
pub(super) const SEEN: f64 = 0.8;

/// Documents whose words are split, several times anew, into those that are seen and those that are
/// to be predicted.
#[derive(Clone, Debug)]
pub struct HeldOut {
    splits: Vec<Episode>,
}

impl HeldOut {
    /// Ten splits of the documents, each of which holds out a fifth of the words. Of words from term
    /// `known` on, which are new, only those are asked for that are still seen: others nobody could know
    /// of.
    pub fn new(documents: &WordCounts, known: usize, seed: u64) -> Self {
        let numbers = 0..SPLITS as u64;
        let hold_out = |number| hold_out(documents, known, seed, number);
        Self { splits: numbers.map(hold_out).collect() }
    }

    /// Number of documents N.
    pub fn documents(&self) -> usize {
        self.splits[0].support.documents()
    }

    /// How well the words are predicted, once the others were fitted, with each of some numbers of
    /// topics. They share work, also with what is asked `beside`.
    pub fn with_topics(
        &self,
        prior: FitPrior<'_>,
        numbers: &[usize],
        beside: Option<Beside<'_>>,
        stop: EmStop,
    ) -> Vec<HeldOutLikelihood> {
        let asked = numbers.iter().map(|&topics| prior.with_topics(topics));
        let tasks: Vec<(&Episode, FitPrior<'_>)> =
            asked.flat_map(|asked| self.splits.iter().map(move |task| (task, asked))).collect();
        let likelihoods = task_likelihoods(&tasks, beside, stop);
        let by_number = likelihoods.chunks_exact(self.splits.len());
        by_number.map(|splits| HeldOutLikelihood { splits: splits.to_vec() }).collect()
    }

    /// How well a smoothed unigram predicts them. Its weights are the best there are for these very
    /// words. `training` is how probable each of `terms` terms is in the training corpora.
    pub fn without_topics(&self, training: &Unigram<f32>, terms: usize) -> HeldOutLikelihood {
        let rival = SmoothedUnigram::tuned_beside(training, terms, &self.splits);
        HeldOutLikelihood {
            splits: self.splits.iter().map(|task| rival.likelihood(task)).collect(),
        }
    }
}

/// The documents with some of their words held out.
fn hold_out(documents: &WordCounts, known: usize, seed: u64, number: u64) -> Episode {
    let mut stream = stream(seed, Purpose::TopicChoice, number);
    let mut task = Episode::default();
    for n in 0..documents.documents() {
        split(
            documents.row(n),
            (SEEN, SplitUnit::Words),
            &mut stream,
            &mut task.support,
            &mut task.query,
        );
    }
    let seen = task.support.distinct_terms();
    let mut query = WordCounts::new();
    for n in 0..documents.documents() {
        let is_asked = |term: &u32| (*term as usize) < known || seen.binary_search(term).is_ok();
        query.push_row(task.query.row(n).filter(|(term, _)| is_asked(term)));
    }
    task.query = query;
    task
}

/// How well held-out words were predicted.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldOutLikelihood {
    /// The likelihood of the words held out in each split.
    pub splits: Vec<Likelihood>,
}

impl HeldOutLikelihood {
    /// Of all held-out words; not a number where there are none.
    pub fn perplexity(&self) -> f64 {
        self.pooled().perplexity()
    }

    fn pooled(&self) -> Likelihood {
        self.splits.iter().copied().sum()
    }

    pub(super) fn loss(&self) -> f64 {
        self.pooled().loss()
    }

    /// The standard error of how much larger the loss is than another's, over the splits that held
    /// out any word.
    pub(super) fn error_beside(&self, other: &Self) -> f64 {
        let pairs = self.splits.iter().zip(&other.splits).filter(|(own, _)| own.words > 0);
        let gaps: Vec<f64> = pairs.map(|(own, other)| own.loss() - other.loss()).collect();
        let count = gaps.len() as f64;
        let mean = gaps.iter().sum::<f64>() / count;
        let squares: f64 = gaps.iter().map(|gap| (gap - mean).powi(2)).sum();
        (squares / (count - 1.0) / count).sqrt()
    }
}

#[cfg(test)]
impl HeldOutLikelihood {
    /// One with these losses of a word, ten words a split.
    pub(super) fn of_losses(losses: &[f64]) -> Self {
        let split = |loss: &f64| Likelihood { log_likelihood: -10.0 * loss, words: 10 };
        Self { splits: losses.iter().map(split).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documents() -> WordCounts {
        let mut documents = WordCounts::new();
        documents.push_row([(1, 300), (4, 200)]);
        documents.push_row([]);
        documents
    }

    #[test]
    fn new_words_that_are_not_seen_are_not_asked_for() {
        let mut documents = WordCounts::new();
        documents.push_row((0..40).map(|term| (term, 1)));
        documents.push_row((20..40).map(|term| (term, 1)));
        for Episode { support, query, .. } in HeldOut::new(&documents, 10, 1).splits {
            let seen = support.distinct_terms();
            assert!(query.terms().iter().all(|term| *term < 10 || seen.contains(term)));
            assert!((0..10).all(|term| seen.contains(&term) || query.terms().contains(&term)));
        }
    }

    #[test]
    fn words_are_held_out_anew_in_every_split_and_none_is_lost() {
        let HeldOut { splits } = HeldOut::new(&documents(), 5, 1);
        for task in &splits {
            let (seen, held_out) = (task.support.total_words(), task.query.total_words());
            assert_eq!((seen + held_out, task.query.documents()), (500, 2));
            // Five standard deviations of 500 draws.
            assert!(held_out.abs_diff(100) < 45, "{held_out}");
        }
        assert_ne!(splits[0], splits[1]);
    }

    #[test]
    fn the_rival_knows_the_frequencies_of_the_documents() {
        let held_out = HeldOut::new(&documents(), 5, 1);
        // Nothing predicts these words better than their frequencies, 3/5 and 2/5.
        let entropy = -(0.6 * 0.6f64.ln() + 0.4 * 0.4f64.ln());
        let prediction = held_out.without_topics(&Unigram::new(vec![0.2; 5]), 5);
        let excess = prediction.perplexity() / entropy.exp() - 1.0;
        assert!(excess.abs() < 0.02, "{excess}");
        // Terms that the training corpora call impossible are no obstacle.
        assert!(held_out.without_topics(&Unigram::new(vec![0.0; 5]), 5).perplexity().is_finite());
    }

    #[test]
    fn splits_without_a_held_out_word_are_no_evidence() {
        let with = |losses: &[f64], silent: usize| {
            let mut prediction = HeldOutLikelihood::of_losses(losses);
            prediction.splits.extend(vec![Likelihood::default(); silent]);
            prediction
        };
        let error = |silent| {
            with(&[6.0, 6.3, 5.7, 6.1], silent).error_beside(&with(&[6.1, 6.2, 5.6, 6.1], silent))
        };
        assert!((error(0) - 0.0478713).abs() < 1e-6);
        assert_eq!(error(3), error(0));
    }
}
