//! What stands behind the topics: words that come up whatever a document is about.

use super::TopicModel;

/// A background. Document `n` says term j with probability
/// share_n words_j + (1 − share_n) Σ_k θ_nk φ_kj.
#[derive(Clone, Debug, PartialEq)]
pub struct Background {
    /// Its share of each document.
    pub shares: Vec<f32>,
    /// How probable each term is in it.
    pub words: Vec<f32>,
    /// α of the documents' priors that is the background's.
    pub alpha: Vec<f32>,
}

impl Background {
    /// All that has to be from 0 to 1.
    pub(super) fn probabilities(&self) -> impl Iterator<Item = &f32> {
        self.shares.iter().chain(&self.words)
    }
}

impl TopicModel {
    /// Makes the last topic the background. Proportions are then those among the others, which have
    /// the words that it leaves.
    pub(super) fn set_background_apart(&mut self) {
        let all = self.topics;
        self.topics -= 1;
        let shares = take_last(&mut self.proportions, all);
        let words = take_last(&mut self.word_probabilities, all);
        let alpha = take_last(&mut self.alpha, all);
        self.weights.pop();
        make_shares(&mut self.proportions, self.topics);
        self.background = Some(Background { shares, words, alpha });
    }
}

/// Scales what each document has of the topics, so that it sums to 1.
pub(super) fn make_shares(proportions: &mut [f32], topics: usize) {
    for proportions in proportions.chunks_exact_mut(topics) {
        let sum: f32 = proportions.iter().sum();
        let even = 1.0 / proportions.len() as f32;
        // A document that is all background says nothing about the topics.
        let share = |share: f32| if sum > 0.0 { share / sum } else { even };
        proportions.iter_mut().for_each(|x| *x = share(*x));
    }
}

/// Takes the last number of each row of `columns`.
pub(super) fn take_last(rows: &mut Vec<f32>, columns: usize) -> Vec<f32> {
    let count = rows.len() / columns;
    let mut last = Vec::with_capacity(count);
    for row in 0..count {
        last.push(rows[(row + 1) * columns - 1]);
        rows.copy_within(row * columns..(row + 1) * columns - 1, row * (columns - 1));
    }
    rows.truncate(count * (columns - 1));
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_as_probable_with_the_background_apart_as_before() {
        let (proportions, phi) = ([0.5, 0.2, 0.3, 0.0, 0.0, 1.0], [0.1, 0.4, 0.25, 0.9, 0.6, 0.75]);
        let mut model = TopicModel {
            alpha: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
            ..TopicModel::by_hand(&[0.4, 0.1, 0.5], &proportions, &phi)
        };
        let probability = |n: usize, j: usize| -> f32 {
            (0..3).map(|k| proportions[n * 3 + k] * phi[j * 3 + k]).sum()
        };
        model.set_background_apart();
        let background = model.background.clone().unwrap();
        assert_eq!((model.topics, &background.alpha[..]), (2, &[3.0, 6.0][..]));
        assert_eq!(model.weights, [0.4, 0.1]);
        for n in 0..2 {
            assert_eq!(model.proportions_of(n).iter().sum::<f32>(), 1.0);
            for j in 0..2 {
                let of_topics: f32 =
                    (0..2).map(|k| model.proportions_of(n)[k] * model.probability(k, j)).sum();
                let share = background.shares[n];
                let apart = share * background.words[j] + (1.0 - share) * of_topics;
                assert!((apart - probability(n, j)).abs() < 1e-6);
            }
        }
    }
}
