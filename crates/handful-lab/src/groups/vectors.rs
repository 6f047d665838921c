//! Documents as vectors, for methods that group vectors.

use crate::Material;
use crate::clustering::Gram;
use handful::internals::corpus::{TfIdf, WordCounts};
use handful::internals::linear_algebra::leading_vectors;
use handful::internals::random::{Purpose, stream};

/// The number of dimensions of the decomposition.
const DIMENSIONS: usize = 128;
/// The stream from which the decomposition starts. Task n, counted from 0, uses this + 1 + n.
pub(crate) const TRAINING_STREAM: u64 = 0;

/// Weights terms and projects documents.
#[derive(Clone, Debug)]
pub struct DocumentVectors {
    tf_idf: TfIdf,
    /// The leading right singular vectors of the training documents: terms × dimensions.
    axes: Option<Vec<Vec<f64>>>,
}

impl DocumentVectors {
    pub(super) fn learn(material: &Material<'_>, svd: bool) -> Self {
        let training = &material.roles.training;
        let tf_idf = TfIdf::of(training, material.terms);
        let decompose = || {
            let rows = tf_idf.vectors(training);
            let mut stream = stream(material.seed, Purpose::Clustering, TRAINING_STREAM);
            leading_vectors(&rows, material.terms, DIMENSIONS, &mut stream).1
        };
        Self { axes: svd.then(decompose), tf_idf }
    }

    fn sparse(&self, words: &WordCounts) -> Vec<Vec<(u32, f64)>> {
        (0..words.documents()).map(|n| self.tf_idf.vector(words.row(n))).collect()
    }

    /// Returns the terms that occur in any of some documents, in increasing order, and the tf-idf of
    /// the documents: documents × these terms.
    pub(crate) fn matrix(&self, words: &WordCounts) -> (Vec<u32>, Vec<Vec<f64>>) {
        let terms = words.distinct_terms();
        let dense = |vector: Vec<(u32, f64)>| {
            let mut row = vec![0.0; terms.len()];
            for (term, x) in vector {
                row[terms.binary_search(&term).expect("it occurs")] = x;
            }
            row
        };
        let rows = self.sparse(words).into_iter().map(dense).collect();
        (terms, rows)
    }

    /// Returns the inner products of the documents' tf-idf.
    pub(crate) fn tf_idf_gram(&self, words: &WordCounts) -> Gram {
        let rows = self.sparse(words);
        Gram::new(rows.len(), |i, j| sparse_product(&rows[i], &rows[j]))
    }

    /// Returns the inner products of the documents' projections.
    pub(super) fn svd_gram(&self, words: &WordCounts) -> Gram {
        let rows = self.projections(words);
        Gram::new(rows.len(), |i, j| product(&rows[i], &rows[j]))
    }

    /// Projects documents onto the axes, and scales each to length 1.
    fn projections(&self, words: &WordCounts) -> Vec<Vec<f64>> {
        let axes = self.axes.as_ref().expect("whoever projects has learned where to");
        let dimensions = axes.first().map_or(0, Vec::len);
        let project = |vector: Vec<(u32, f64)>| {
            let mut place = vec![0.0; dimensions];
            for (term, x) in vector {
                let axes = &axes[term as usize];
                place.iter_mut().zip(axes).for_each(|(place, axis)| *place += x * axis);
            }
            let length = place.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.0 {
                place.iter_mut().for_each(|x| *x /= length);
            }
            place
        };
        self.sparse(words).into_iter().map(project).collect()
    }
}

/// Returns the inner products of some vectors.
pub(crate) fn gram_of(rows: &[&[f64]]) -> Gram {
    Gram::new(rows.len(), |i, j| product(rows[i], rows[j]))
}

/// ⟨a, b⟩
fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// ⟨a, b⟩ of two vectors with terms in increasing order.
fn sparse_product(a: &[(u32, f64)], b: &[(u32, f64)]) -> f64 {
    let (mut i, mut j, mut sum) = (0, 0, 0.0);
    while let (Some(&(left, x)), Some(&(right, y))) = (a.get(i), b.get(j)) {
        if left == right {
            sum += x * y;
        }
        i += usize::from(left <= right);
        j += usize::from(right <= left);
    }
    sum
}
