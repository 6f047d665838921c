//! Whether probabilities come true: whether held-out words are as frequent as was predicted.

use handful::internals::corpus::WordCounts;
use handful::internals::topic_model::TopicModel;
use serde::{Deserialize, Serialize};

/// The least probability of each bin, the likeliest first.
pub const LEAST_PROBABILITIES: [f64; 4] = [0.01, 0.001, 0.0001, 0.0];

const BINS: usize = LEAST_PROBABILITIES.len();

/// Held-out words beside their predictions, in bins of terms that are about as probable: means over all
/// held-out words of an experiment. A term is in the bin of its probability in the document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// How probable it was that a word is one of each bin's terms.
    pub predicted: [f64; BINS],
    /// The share of words that were.
    pub observed: [f64; BINS],
}

impl Calibration {
    /// The share of words that would have to be in another bin: half of all differences.
    pub fn error(&self) -> f64 {
        let gaps = self.predicted.iter().zip(self.observed).map(|(p, o)| (p - o).abs());
        gaps.sum::<f64>() / 2.0
    }

    /// Adds the held-out words of a task, whose documents have these topics.
    pub(crate) fn add(&mut self, model: &TopicModel, query: &WordCounts) {
        for n in (0..query.documents()).filter(|&n| query.words(n) > 0) {
            let probabilities: Vec<f64> =
                (0..model.terms).map(|term| model.probability_in(n, term)).collect();
            for &probability in &probabilities {
                self.predicted[bin(probability)] += query.words(n) as f64 * probability;
            }
            for (term, count) in query.row(n) {
                self.observed[bin(probabilities[term as usize])] += f64::from(count);
            }
        }
    }

    /// Makes means of sums. Returns `None` if there were no words.
    pub(crate) fn over_words(self) -> Option<Self> {
        let words: f64 = self.observed.iter().sum();
        let mean = |sums: [f64; BINS]| sums.map(|sum| sum / words);
        let Self { predicted, observed } = self;
        (words > 0.0).then(|| Self { predicted: mean(predicted), observed: mean(observed) })
    }
}

fn bin(probability: f64) -> usize {
    LEAST_PROBABILITIES.iter().position(|&least| probability >= least).unwrap_or(BINS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two documents and two topics: of twelve terms the first has 0.9 in one topic and 0.098 in the other, the
    /// last next to nothing.
    fn model() -> TopicModel {
        let phi = |term: usize| match term {
            0 => [0.9, 0.098],
            11 => [0.00005, 0.002],
            _ => [0.009_995, 0.09],
        };
        TopicModel {
            topics: 2,
            terms: 12,
            proportions: vec![1.0, 0.0, 0.5, 0.5],
            word_probabilities: (0..12).flat_map(phi).collect(),
            alpha: vec![1.0; 4],
            background: None,
            weights: vec![0.5, 0.5],
            em_steps: 1,
            converged: None,
        }
    }

    #[test]
    fn words_count_in_the_bin_of_their_terms_probability() {
        let mut query = WordCounts::new();
        query.push_row([(0, 2), (3, 1), (11, 1)]);
        query.push_row([(11, 4)]);
        let mut calibration = Calibration::default();
        calibration.add(&model(), &query);
        let found = calibration.over_words().unwrap();
        // In the second document the last term has 0.001025, and all others more than 0.01.
        let first = [0.9, 0.099_95, 0.0, 0.00005];
        let second = [0.998_975, 0.001_025, 0.0, 0.0];
        for (bin, (first, second)) in first.into_iter().zip(second).enumerate() {
            let expected = (4.0 * first + 4.0 * second) / 8.0;
            assert!((found.predicted[bin] - expected).abs() < 1e-6, "{found:?}");
        }
        assert_eq!(found.observed, [2.0 / 8.0, 5.0 / 8.0, 0.0, 1.0 / 8.0]);
        let moved = found.predicted[0] - 2.0 / 8.0;
        assert!((found.error() - moved).abs() < 1e-6, "{}", found.error());
    }

    #[test]
    fn without_words_nothing_is_known() {
        let mut query = WordCounts::new();
        query.push_row([]);
        let mut calibration = Calibration::default();
        calibration.add(&model(), &query);
        assert_eq!(calibration.over_words(), None);
    }
}
