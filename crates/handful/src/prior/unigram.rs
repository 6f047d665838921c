//! How frequent words are in the training corpora.

use crate::numeric::Real;

/// The share of known words that are rarer than a new one is taken to be.
const RARER: f64 = 0.1;

/// How probable each word is in the training corpora, and a word they do not have.
#[derive(Clone, Debug, PartialEq)]
pub struct Unigram<R> {
    /// p_j
    pub words: Vec<R>,
    /// p of a new word: that of a rare known one.
    pub of_new: R,
}

impl<R: Real> Unigram<R> {
    /// The unigram of these probabilities.
    pub fn new(words: Vec<R>) -> Self {
        let mut frequencies = words.clone();
        let place = (RARER * frequencies.len() as f64) as usize;
        let order = |a: &R, b: &R| a.to_f64().total_cmp(&b.to_f64());
        let of_new = match frequencies.is_empty() {
            true => R::ZERO,
            false => *frequencies.select_nth_unstable_by(place, order).1,
        };
        Self { words, of_new }
    }

    /// p_j of a term, new or not.
    pub fn of(&self, term: usize) -> R {
        self.words.get(term).copied().unwrap_or(self.of_new)
    }
}
