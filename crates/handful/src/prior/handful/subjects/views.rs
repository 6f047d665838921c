//! What tells whether two documents speak of one subject: four views of each, and their inner products.

use super::super::Handful;
use super::super::documents::DocumentTape;
use super::super::grouping::{
    DIRECTIONS, THEMES, familiarity, sparse_dot, trust_in_vectors, unit_row,
};
use crate::corpus::WordCounts;
use crate::nn::Dropout;
use crate::numeric::{Real, kernels};
use crate::prior::NewTerms;
use rayon::prelude::*;

/// The surprise −log p of a new word, which has no p: more than that of nearly all known ones.
const SURPRISE_OF_NEW: f64 = 15.0;

/// Documents with fewer words count as having this many: below, length says nothing of likeness.
const LEAST_WORDS: f64 = 20.0;

/// The features of a pair of documents: 1, four inner products, and the logarithms of the smaller and
/// the larger number of words.
pub(super) const PAIR_FEATURES: usize = 7;

/// Directions and roots of theme shares as they are, before what all texts have is taken away.
pub(super) struct RawViews<R> {
    /// Directions of length 1: documents × D
    pub(super) directions: Vec<R>,
    /// √ of the shares of themes: documents × L
    pub(super) themes: Vec<R>,
    /// log(1 + x) w: of words by their weights, length 1.
    words: Vec<Vec<(u32, R)>>,
    /// log(1 + x) w −log p: words that are rare everywhere count more, length 1.
    rare_words: Vec<Vec<(u32, R)>>,
    /// The logarithm of each document's number of words.
    log_words: Vec<f64>,
    /// How much directions and themes count where documents are grouped.
    trust: f64,
}

impl<R: Real> Handful<R> {
    pub(super) fn raw_views(
        &self,
        documents: &WordCounts,
        new_terms: Option<&NewTerms>,
    ) -> RawViews<R> {
        let words = self.view(new_terms);
        let mut tape = DocumentTape::default();
        self.document_stage.direct(words, documents, &mut Dropout::off(), &mut tape);
        let scale = R::of((words.dimension() as f64).sqrt().recip());
        let directions = tape.directions.iter().map(|&x| x * scale).collect();
        let weight = |term: u32, count: u32| words.weight(term, count);
        let rare = |term: u32, count: u32| {
            let known = self.unigram.words.get(term as usize);
            let surprise = known.map_or(SURPRISE_OF_NEW, |p| -p.to_f64().max(1e-30).ln());
            weight(term, count) * R::of(surprise)
        };
        let numbers = 0..documents.documents();
        let length = |n| (documents.words(n) as f64).max(LEAST_WORDS).ln();
        RawViews {
            directions,
            themes: self.themes.root_shares(documents, |term| words.knows(term), weight),
            words: numbers.clone().map(|n| unit_row(documents.row(n), weight)).collect(),
            rare_words: numbers.clone().map(|n| unit_row(documents.row(n), rare)).collect(),
            log_words: numbers.map(length).collect(),
            trust: trust_in_vectors(familiarity(documents, words)),
        }
    }
}

/// How alike each two of some documents are.
pub(super) struct Likeness {
    pub(super) documents: usize,
    /// The features of each pair a < b, in the order of b, then of a.
    pub(super) pairs: Vec<[f64; PAIR_FEATURES]>,
    /// The products by which documents are grouped: symmetric.
    pub(super) products: Vec<Vec<f64>>,
}

impl<R: Real> RawViews<R> {
    /// The likeness of the documents, once the mean direction and the mean roots of theme shares of all
    /// texts are taken away. `whiten` turns a direction into the space where corpora differ.
    pub(super) fn likeness(
        &self,
        (direction_mean, theme_mean): (&[R], &[R]),
        whiten: impl Fn(&[R]) -> Vec<R>,
    ) -> Likeness {
        let rest = |row: &[R], mean: &[R]| -> Vec<R> {
            row.iter().zip(mean).map(|(&x, &mean)| x - mean).collect()
        };
        let directions: Vec<Vec<R>> = self
            .directions
            .chunks_exact(direction_mean.len())
            .map(|row| unit(whiten(&rest(row, direction_mean))))
            .collect();
        let themes: Vec<Vec<R>> = self
            .themes
            .chunks_exact(theme_mean.len())
            .map(|row| unit(rest(row, theme_mean)))
            .collect();
        let (documents, trust) = (self.log_words.len(), self.trust);
        // Of document b: its products with the documents up to it, and the features of its pairs.
        let row = |b: usize| {
            let (mut products, mut pairs) = (Vec::with_capacity(b + 1), Vec::with_capacity(b));
            for a in 0..=b {
                let words = sparse_dot(&self.words[a], &self.words[b]);
                let direction = kernels::dot(&directions[a], &directions[b]).to_f64();
                let theme = kernels::dot(&themes[a], &themes[b]).to_f64();
                products.push(words + trust * DIRECTIONS * direction + trust * THEMES * theme);
                if a < b {
                    let rare = sparse_dot(&self.rare_words[a], &self.rare_words[b]);
                    let (one, other) = (self.log_words[a], self.log_words[b]);
                    let lengths = (one.min(other), one.max(other));
                    pairs.push([1.0, words, rare, direction, theme, lengths.0, lengths.1]);
                }
            }
            (products, pairs)
        };
        let rows: Vec<_> = (0..documents).into_par_iter().map(row).collect();
        let mut pairs = Vec::with_capacity(documents * documents.saturating_sub(1) / 2);
        let mut products = vec![vec![0.0; documents]; documents];
        for (b, (of_row, features)) in rows.into_iter().enumerate() {
            for (a, product) in of_row.into_iter().enumerate() {
                (products[a][b], products[b][a]) = (product, product);
            }
            pairs.extend(features);
        }
        Likeness { documents, pairs, products }
    }
}

/// Scales a vector to length 1; one of length 0 stays.
pub(super) fn unit<R: Real>(mut row: Vec<R>) -> Vec<R> {
    let scale = R::ONE / kernels::dot(&row, &row).sqrt().at_least(R::of(1e-30));
    row.iter_mut().for_each(|x| *x *= scale);
    row
}
