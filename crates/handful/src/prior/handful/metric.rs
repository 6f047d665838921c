//! How alike documents' directions are, so that what tells corpora apart counts.

use super::{Handful, first_vectors};
use crate::corpus::{Corpus, WordCounts};
use crate::linear_algebra::eigen;
use crate::numeric::{Real, kernels};
use rayon::prelude::*;

/// What is added to the covariance of documents of one corpus before it is inverted, in units of its
/// mean variance: without, directions in which documents hardly differ would count most.
const RIDGE: f64 = 0.3;

/// Whitens what differs between documents of one corpus, so that what differs between corpora counts.
#[derive(Clone, Debug)]
pub(super) struct Metric<R> {
    /// dimension × dimension, symmetric
    pub(super) whitening: Vec<R>,
}

impl<R: Real> Metric<R> {
    /// The metric in which all directions count alike.
    pub(super) fn plain(dimension: usize) -> Self {
        let mut whitening = vec![R::ZERO; dimension * dimension];
        whitening.iter_mut().step_by(dimension + 1).for_each(|x| *x = R::ONE);
        Self { whitening }
    }

    /// A document's vector, scaled to length 1 and whitened.
    pub(super) fn whitened(&self, vector: &[R]) -> Vec<R> {
        let length = kernels::dot(vector, vector).sqrt().at_least(R::of(1e-30));
        let direction: Vec<R> = vector.iter().map(|&x| x / length).collect();
        let rows = self.whitening.chunks_exact(direction.len());
        rows.map(|row| kernels::dot(row, &direction)).collect()
    }
}

impl<R: Real> Handful<R> {
    /// Learns the metric from documents of known corpora, for the word vectors as they are now:
    /// whitening by the covariance of documents within their corpora.
    pub(super) fn learn_metric(&mut self, corpora: &[&Corpus]) {
        let dimension = self.settings.dimension;
        let mut covariance = vec![vec![0.0; dimension]; dimension];
        for corpus in corpora {
            let directions = self.plain_directions(&corpus.documents);
            let mean = mean_of(&directions, dimension);
            for direction in &directions {
                let from_mean: Vec<f64> = direction.iter().zip(&mean).map(|(x, m)| x - m).collect();
                for (row, a) in covariance.iter_mut().zip(&from_mean) {
                    row.iter_mut().zip(&from_mean).for_each(|(sum, b)| *sum += a * b);
                }
            }
        }
        let documents: usize = corpora.iter().map(|corpus| corpus.documents.documents()).sum();
        covariance.iter_mut().flatten().for_each(|x| *x /= documents.max(1) as f64);
        let whitening = whitening(covariance).into_iter().map(R::of).collect();
        self.metric = Metric { whitening };
    }

    /// The direction of each document, of length 1, in the space of the word vectors.
    fn plain_directions(&self, documents: &WordCounts) -> Vec<Vec<f64>> {
        let words = self.view(None);
        let vectors = &self.parameters[self.words.softmax.weight];
        let direction = |n: usize| {
            let weighted = documents.row(n).map(|(term, count)| {
                let weight = f64::from(count).ln_1p() * words.importance(term).to_f64();
                (weight, vectors.row(term as usize))
            });
            first_vectors::direction(vectors.columns, weighted)
        };
        (0..documents.documents()).into_par_iter().map(direction).collect()
    }
}

/// The inverse root of a covariance with a ridge: a symmetric matrix, row by row.
fn whitening(covariance: Vec<Vec<f64>>) -> Vec<f64> {
    let dimension = covariance.len();
    let trace: f64 = (0..dimension).map(|i| covariance[i][i]).sum();
    let ridge = (RIDGE * trace / dimension as f64).max(1e-12);
    let (squares, basis) = eigen(covariance);
    let scales: Vec<f64> = squares.iter().map(|x| (x.max(0.0) + ridge).sqrt().recip()).collect();
    let entry = |i: usize, j: usize| -> f64 {
        (0..dimension).map(|k| basis[i][k] * scales[k] * basis[j][k]).sum()
    };
    (0..dimension)
        .flat_map(|i| (0..dimension).map(move |j| (i, j)))
        .map(|(i, j)| entry(i, j))
        .collect()
}

fn mean_of(rows: &[Vec<f64>], dimension: usize) -> Vec<f64> {
    let mut mean = vec![0.0; dimension];
    for row in rows {
        mean.iter_mut().zip(row).for_each(|(mean, x)| *mean += x / rows.len() as f64);
    }
    mean
}
