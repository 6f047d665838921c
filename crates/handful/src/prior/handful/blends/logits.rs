//! How well each passage suits each topic: against the means of the topics' passages.

use super::Cuts;
use super::views::{Rows, Views, WordRows};
use crate::numeric::kernels;
use rayon::prelude::*;

/// What the cosines of directions and of themes count. Words told passages apart no better beside
/// them, except in a document that is alone.
const DIRECTIONS: f64 = 4.0;
const THEMES: f64 = 4.5;
const WORDS_ALONE: f64 = 0.5;

/// What a document's own passages count in the means that its passages are held against. At 1 every
/// document looked whole: its passages are nearest to themselves.
const OWN: f64 = 0.1;

/// The least weight of a topic, and the least square length of a mean.
const LEAST_WEIGHT: f64 = 1e-9;
const LEAST_SQUARE: f64 = 1e-12;

/// L_pk = 4 cos(directions of p, C_nk) + 4.5 cos(themes of p, C_nk), passages × topics. C_nk is the mean
/// of topic k's passages as document n, which has p, sees it, less the mean of C_nk over k. A passage q
/// counts in it by its words times r_qk, `shares`, and times 0.1 if it is n's own. A document that is
/// alone has nothing but its own, and its words count 0.5.
pub(super) fn logits(views: &Views, cuts: &Cuts, shares: &[f64], topics: usize) -> Vec<f64> {
    let is_alone = cuts.documents.len() == 1;
    let own = if is_alone { 1.0 } else { OWN };
    let weights: Vec<f64> = shares
        .chunks_exact(topics)
        .zip(&cuts.lengths)
        .flat_map(|(shares, length)| shares.iter().map(move |share| length * share))
        .collect();
    let mut logits = vec![0.0; shares.len()];
    for (scale, rows) in [(DIRECTIONS, &views.directions), (THEMES, &views.themes)] {
        add_cosines(&mut logits, scale, rows, cuts, &weights, topics, own);
    }
    if is_alone {
        add_word_cosines(&mut logits, &views.words, &weights, topics);
    }
    logits
}

/// Σ_q weight_qk y_q and Σ_q weight_qk of some passages.
#[derive(Clone)]
struct Sums {
    vectors: Vec<f64>,
    weights: Vec<f64>,
}

impl Sums {
    fn none(topics: usize, dimension: usize) -> Self {
        Self { vectors: vec![0.0; topics * dimension], weights: vec![0.0; topics] }
    }

    fn add(&mut self, rows: &Rows, weights: &[f64], passages: impl Iterator<Item = usize>) {
        let topics = self.weights.len();
        for q in passages {
            for (k, &weight) in weights[q * topics..(q + 1) * topics].iter().enumerate() {
                if weight != 0.0 {
                    let vector = &mut self.vectors[k * rows.dimension..][..rows.dimension];
                    kernels::add_scaled(vector, weight, rows.row(q));
                    self.weights[k] += weight;
                }
            }
        }
    }

    /// C_k: the means less their own mean, of length 1.
    fn centroids(mut self) -> Vec<f64> {
        let topics = self.weights.len();
        let dimension = self.vectors.len() / topics;
        let mut mean = vec![0.0; dimension];
        for (vector, weight) in self.vectors.chunks_exact_mut(dimension).zip(&self.weights) {
            let scale = weight.max(LEAST_WEIGHT).recip();
            vector.iter_mut().for_each(|x| *x *= scale);
            kernels::add_scaled(&mut mean, 1.0 / topics as f64, vector);
        }
        for vector in self.vectors.chunks_exact_mut(dimension) {
            kernels::add_scaled(vector, -1.0, &mean);
            let scale = kernels::dot(vector, vector).max(LEAST_SQUARE).sqrt().recip();
            vector.iter_mut().for_each(|x| *x *= scale);
        }
        self.vectors
    }
}

/// Adds `scale` times the cosines of one view. What a document sees comes from the sums of all passages
/// less (1 − own) times its own, so the work grows with the passages and not with their pairs.
fn add_cosines(
    logits: &mut [f64],
    scale: f64,
    rows: &Rows,
    cuts: &Cuts,
    weights: &[f64],
    topics: usize,
    own: f64,
) {
    let mut all = Sums::none(topics, rows.dimension);
    all.add(rows, weights, 0..cuts.lengths.len());
    let of_document = |document: &std::ops::Range<usize>| -> Vec<f64> {
        let (mut seen, mut owned) = (all.clone(), Sums::none(topics, rows.dimension));
        owned.add(rows, weights, document.clone());
        kernels::add_scaled(&mut seen.vectors, own - 1.0, &owned.vectors);
        kernels::add_scaled(&mut seen.weights, own - 1.0, &owned.weights);
        let centroids = seen.centroids();
        let of_passage = |p: usize| {
            let row = rows.row(p);
            centroids.chunks_exact(rows.dimension).map(move |it| scale * kernels::dot(row, it))
        };
        document.clone().flat_map(of_passage).collect()
    };
    let cosines: Vec<Vec<f64>> = cuts.documents.par_iter().map(of_document).collect();
    logits.iter_mut().zip(cosines.iter().flatten()).for_each(|(logit, cosine)| *logit += cosine);
}

/// The same for the words of a document that is alone, by their products.
fn add_word_cosines(logits: &mut [f64], words: &WordRows, weights: &[f64], topics: usize) {
    let passages = weights.len() / topics;
    let mut sums = vec![0.0; topics];
    for row in weights.chunks_exact(topics) {
        kernels::add(&mut sums, row);
    }
    // The centroids as sums of passages: topics × passages.
    let mut centroids = vec![0.0; weights.len()];
    for (q, row) in weights.chunks_exact(topics).enumerate() {
        let shares: Vec<f64> =
            row.iter().zip(&sums).map(|(weight, sum)| weight / sum.max(LEAST_WEIGHT)).collect();
        let mean = shares.iter().sum::<f64>() / topics as f64;
        shares.iter().enumerate().for_each(|(k, x)| centroids[k * passages + q] = x - mean);
    }
    let products: Vec<Vec<f64>> =
        (0..passages).map(|p| (0..passages).map(|q| words.product(p, q)).collect()).collect();
    for (k, centroid) in centroids.chunks_exact(passages).enumerate() {
        let with: Vec<f64> = products.iter().map(|row| kernels::dot(row, centroid)).collect();
        let length = kernels::dot(&with, centroid).max(LEAST_SQUARE).sqrt();
        with.iter()
            .enumerate()
            .for_each(|(p, with)| logits[p * topics + k] += WORDS_ALONE * with / length);
    }
}
