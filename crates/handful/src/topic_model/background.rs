//! What stands behind the topics: words that come up whatever a document is about.
//!
//! Usual words are in the topics, too: to predict the words of a document, a topic has to expect that
//! it says `month` or `think`. So what is usual is told from what is the topic's word by word, once
//! topics are found. It changes no prediction.

use super::{Mixing, TopicModel};
use crate::corpus::WordCounts;

/// z: how many standard deviations above its mean usual speech may say a word by chance.
const CHANCE: f64 = 2.0;

/// The largest g. What is left tells to which topics the word's passage belongs.
const MOST_USUAL: f64 = 0.99;

/// A background. Document `n` says term j with probability
/// share_n words_j + (1 − share_n) Σ_k θ_nk φ_kj.
#[derive(Clone, Debug, PartialEq)]
pub struct Background {
    /// EM's share of each document.
    pub shares: Vec<f32>,
    /// p_j: how probable each term is in it.
    pub words: Vec<f32>,
    /// α of the documents' priors that is the background's.
    pub alpha: Vec<f32>,
    /// Z_k: how many words each topic was made of, those that the prior counts for among them. Empty if
    /// that is not known, as in a directory of an older version.
    pub topic_words: Vec<f32>,
    /// How many terms the prior knows. Those after them are new words, which are never usual, and phrases.
    pub known_terms: usize,
    /// The words of each phrase; phrases are the last terms.
    pub phrases: Vec<Vec<u32>>,
    /// The share of each document's words that is the background's, by all that is known of them.
    pub usual: Vec<f32>,
}

impl Background {
    /// All that has to be from 0 to 1.
    pub(super) fn probabilities(&self) -> impl Iterator<Item = &f32> {
        self.shares.iter().chain(&self.words).chain(&self.usual)
    }

    /// The words of a term, if it is a phrase.
    pub fn words_of(&self, term: u32) -> Option<&[u32]> {
        let first = self.words.len() - self.phrases.len();
        self.phrases.get((term as usize).checked_sub(first)?).map(|words| &words[..])
    }

    /// g_kj: the share of topic k's words j that is the background's,
    ///
    /// ```text
    /// g_kj = min(1, u_kj / φ_kj)
    /// ```
    ///
    /// Among Z_k words, usual speech says term j some Z_k p_j times, and by chance up to z standard
    /// deviations more. What a topic says beyond that is its own.
    pub(super) fn usual_share(&self, k: usize, term: usize, phi: f64) -> f64 {
        if self.topic_words.is_empty() {
            return 0.0;
        }
        let usual = self.usually_said(k, term);
        if usual >= MOST_USUAL * phi { MOST_USUAL } else { usual / phi }
    }

    /// u_kj = p_j + z √(p_j / Z_k): how probable usual speech makes a term among as many words as topic
    /// `k` has, chance included.
    pub(super) fn usually_said(&self, k: usize, term: usize) -> f64 {
        if term >= self.known_terms {
            return 0.0;
        }
        let p = f64::from(self.words[term]);
        p + CHANCE * (p / f64::from(self.topic_words[k])).sqrt()
    }
}

impl TopicModel {
    /// The words that a term is made of: those of a phrase, or the word itself.
    pub fn words_of<'a>(&'a self, term: &'a u32) -> &'a [u32] {
        let words = self.background.as_ref().and_then(|background| background.words_of(*term));
        words.unwrap_or(std::slice::from_ref(term))
    }

    /// g_kj of topic `k` and `term` ([`Background::usual_share`]). Of a phrase as much is the background's as
    /// of its most usual word, whatever the topic says of that word inside the phrase or apart, so that
    /// `said` makes no phrase tell anything.
    pub(super) fn usual_share(&self, background: &Background, k: usize, term: u32) -> f64 {
        let phi = |term: u32| f64::from(self.probability(k, term as usize));
        match background.words_of(term) {
            None => background.usual_share(k, term as usize, phi(term)),
            Some(words) => {
                let of_phrase = phi(term);
                let usual =
                    |&word: &u32| background.usual_share(k, word as usize, of_phrase + phi(word));
                words.iter().map(usual).fold(0.0, f64::max)
            }
        }
    }

    /// Makes the last topic the background. Proportions are then those among the others, which have
    /// the words that it leaves.
    pub(super) fn set_background_apart(&mut self, known_terms: usize, phrases: &[Vec<u32>]) {
        let all = self.topics;
        self.topics -= 1;
        let shares = take_last(&mut self.proportions, all);
        let words = take_last(&mut self.word_probabilities, all);
        let alpha = take_last(&mut self.alpha, all);
        self.weights.pop();
        make_shares(&mut self.proportions, self.topics);
        let usual = shares.clone();
        self.background = Some(Background {
            shares,
            words,
            alpha,
            topic_words: Vec::new(),
            known_terms,
            phrases: phrases.to_vec(),
            usual,
        });
    }

    /// Counts what of its documents is the background's: passage by passage if passages tell what they
    /// are about. A document without words keeps EM's share, and so do all if it is not known how many
    /// words topics are made of.
    pub fn count_background(&mut self, documents: &WordCounts, mixing: Option<&Mixing>) {
        if self.background.as_ref().is_none_or(|it| it.topic_words.is_empty()) {
            return;
        }
        let mut sums = vec![0.0; documents.documents()];
        let mut add = |n: usize, theta: &[f64], row: &mut dyn Iterator<Item = (u32, u32)>| {
            let row: Vec<(u32, u32)> = row.collect();
            let responsibilities = self.responsibilities_in(n, theta, row.iter().map(|it| it.0));
            for (term, count) in row {
                let shares = responsibilities.of(term).expect("asked for above");
                sums[n] += f64::from(count) * shares.background;
            }
        };
        self.for_each_run(documents, mixing, &mut add);
        let Some(background) = &mut self.background else { return };
        for (n, sum) in sums.into_iter().enumerate().filter(|&(n, _)| documents.words(n) > 0) {
            background.usual[n] = (sum / documents.words(n) as f64) as f32;
        }
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
impl Background {
    /// EM's shares and words as they are given; every α is 1, and the words of topics are not known.
    pub(crate) fn by_hand(shares: &[f32], words: &[f32]) -> Self {
        Self {
            shares: shares.to_vec(),
            words: words.to_vec(),
            alpha: vec![1.0; shares.len()],
            topic_words: Vec::new(),
            known_terms: words.len(),
            phrases: Vec::new(),
            usual: shares.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_usual_speech_would_say_by_itself_is_the_backgrounds() {
        let words = [0.01, 0.0004, 0.0];
        let background =
            Background { topic_words: vec![400.0], ..Background::by_hand(&[0.0], &words) };
        // Of 400 words 4, and by chance two standard deviations of 2 more: 8 of them.
        assert!((background.usual_share(0, 0, 16.0 / 400.0) - 0.5).abs() < 1e-7);
        assert_eq!(background.usual_share(0, 0, 7.0 / 400.0), MOST_USUAL);
        // 0.16 of them, and 0.8 by chance: nearly all of one occurrence, a tenth of nine or ten.
        assert!((background.usual_share(0, 1, 9.6 / 400.0) - 0.1).abs() < 1e-7);
        assert_eq!(background.usual_share(0, 2, 0.001), 0.0);
        let new = Background { known_terms: 1, ..background.clone() };
        assert_eq!(new.usual_share(0, 1, 9.6 / 400.0), 0.0);
        // A directory of an older version does not know how many words a topic has.
        assert_eq!(Background::by_hand(&[0.0], &words).usual_share(0, 0, 0.02), 0.0);
    }

    #[test]
    fn a_phrase_is_as_usual_as_its_most_usual_word() {
        // Two known words, a new one, and the phrases of the first and second, the second and third.
        let background = Background {
            topic_words: vec![400.0],
            known_terms: 2,
            phrases: vec![vec![0, 1], vec![1, 2]],
            ..Background::by_hand(&[0.0], &[0.01, 0.0, 0.0, 0.0, 0.0])
        };
        let phi = [6.0, 0.0, 2.0, 10.0, 3.0].map(|said| said / 400.0);
        let model = TopicModel::by_hand(&[1.0], &[1.0], &phi);
        // Usual speech says the first word up to 8 times. The topic says it 6 times apart and 10 times inside.
        assert!((model.usual_share(&background, 0, 3) - 0.5).abs() < 1e-6);
        assert_eq!(model.usual_share(&background, 0, 4), 0.0);
        assert_eq!(model.usual_share(&background, 0, 0), MOST_USUAL);
    }

    #[test]
    fn a_documents_background_is_counted_word_by_word() {
        let phi = [0.02, 0.98];
        let background = Background {
            topic_words: vec![100.0],
            ..Background::by_hand(&[0.0, 0.25], &[0.02, 0.0])
        };
        let mut model = TopicModel {
            background: Some(background),
            ..TopicModel::by_hand(&[1.0], &[1.0, 1.0], &phi)
        };
        let mut documents = WordCounts::new();
        documents.push_row([(0, 1), (1, 3)]);
        documents.push_row([]);
        model.count_background(&documents, None);
        // One word of four is usual; of a document without words EM's share is all that is known.
        let usual = &model.background.unwrap().usual;
        assert!((f64::from(usual[0]) - MOST_USUAL / 4.0).abs() < 1e-6);
        assert_eq!(usual[1], 0.25);
    }

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
        model.set_background_apart(2, &[]);
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
