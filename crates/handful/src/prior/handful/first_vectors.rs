//! Word vectors before training: learned elsewhere, or from the training documents.

use crate::linear_algebra::{Rows, SubspaceIteration};
use crate::numeric::Real;
use crate::prior::{StartObserver, StartPart, TermVectors};
use rand_chacha::ChaCha8Rng;

/// A truncated singular value decomposition of the documents; `None` where the observer ended the
/// work.
pub(super) fn decomposed(
    documents: &Rows,
    (terms, dimension): (usize, usize),
    stream: &mut ChaCha8Rng,
    observer: &mut StartObserver<'_>,
) -> Option<Vec<Vec<f64>>> {
    let mut iteration = SubspaceIteration::new(documents, terms, dimension, stream);
    let advance = || iteration.advance();
    if StartPart::WordVectors.work(SubspaceIteration::STEPS, observer, advance).is_break() {
        return None;
    }
    let (values, mut vectors) = iteration.finish();
    for vector in &mut vectors {
        // A vector may be longer than there are terms.
        vector.resize(dimension, 0.0);
        vector.iter_mut().zip(&values).for_each(|(x, value)| *x *= value.sqrt());
    }
    Some(vectors)
}

/// The given vectors. A term that has none gets the mean direction of the documents it is in: it
/// means what is spoken of where it stands.
pub(super) fn given(documents: &Rows, vectors: &TermVectors) -> Vec<Vec<f64>> {
    let TermVectors { dimension, rows } = vectors;
    let own = |row: &Option<Vec<f32>>| match row {
        Some(row) => row.iter().map(|&x| f64::from(x)).collect(),
        None => vec![0.0; *dimension],
    };
    let mut all: Vec<Vec<f64>> = rows.iter().map(own).collect();
    let lengths: f64 = all.iter().map(|row| length(row)).sum();
    let usual = lengths / rows.iter().flatten().count().max(1) as f64;
    let mut means = vec![vec![0.0; *dimension]; rows.len()];
    for document in documents {
        let weighted = document.iter().map(|&(term, weight)| (weight, &*all[term as usize]));
        let direction = direction(*dimension, weighted);
        for &(term, _) in document.iter().filter(|(term, _)| rows[*term as usize].is_none()) {
            means[term as usize].iter_mut().zip(&direction).for_each(|(sum, x)| *sum += x);
        }
    }
    for (term, mean) in means.into_iter().enumerate().filter(|(term, _)| rows[*term].is_none()) {
        let scale = usual / length(&mean).max(1e-30);
        all[term] = mean.into_iter().map(|x| x * scale).collect();
    }
    all
}

/// The sum of a document's word vectors by their weights, scaled to length 1.
pub(super) fn direction<'a, R: Real>(
    dimension: usize,
    weighted: impl Iterator<Item = (f64, &'a [R])>,
) -> Vec<f64> {
    let mut direction = vec![0.0; dimension];
    for (weight, vector) in weighted {
        direction.iter_mut().zip(vector).for_each(|(sum, x)| *sum += weight * x.to_f64());
    }
    let length = length(&direction).max(1e-30);
    direction.iter_mut().for_each(|x| *x /= length);
    direction
}

fn length(vector: &[f64]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_without_a_vector_means_what_its_documents_mean() {
        let rows = vec![Some(vec![3.0, 0.0]), Some(vec![0.0, 1.0]), None, None];
        let vectors = TermVectors { dimension: 2, rows };
        // Term 2 stands with term 0 and with both; term 3 in no document.
        let documents =
            vec![vec![(0, 1.0), (2, 1.0)], vec![(0, 1.0), (1, 3.0), (2, 1.0)], vec![(1, 2.0)]];
        let all = given(&documents, &vectors);
        assert_eq!(all[..2], [[3.0, 0.0], [0.0, 1.0]]);
        // (1, 0) + (1, 1)/√2, as long as the given vectors are on average.
        let (x, y) = (1.0 + 0.5f64.sqrt(), 0.5f64.sqrt());
        let scale = 2.0 / x.hypot(y);
        assert!((all[2][0] - scale * x).abs() < 1e-12 && (all[2][1] - scale * y).abs() < 1e-12);
        assert_eq!(all[3], [0.0, 0.0]);
    }
}
