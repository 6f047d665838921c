//! First values that know the training corpora.

use super::{Handful, HandfulSettings};
use crate::corpus::Corpus;
use crate::linear_algebra::{Rows, leading_vectors};
use crate::nn::Real;
use rand_chacha::ChaCha8Rng;

/// What each term's count in the training corpora is raised by, so that none is impossible.
const PSEUDO_COUNT: f64 = 0.5;

impl<R: Real> Handful<R> {
    /// Random networks over the words of some corpora: vectors by a truncated singular value
    /// decomposition of the documents (tf-idf), b the logarithm of how frequent a word is, w how much it
    /// tells.
    pub fn start(
        settings: HandfulSettings,
        terms: usize,
        topics: usize,
        corpora: &[&Corpus],
        stream: &mut ChaCha8Rng,
    ) -> Self {
        let mut prior = Self::random(settings, terms, topics, stream);
        let words = Words::of(corpora, terms);
        let dimension = settings.dimension;
        let (values, vectors) = leading_vectors(&words.tf_idf(corpora), terms, dimension, stream);
        let weight = &mut prior.parameters[prior.words.weight].values;
        for (row, vector) in weight.chunks_exact_mut(dimension).zip(&vectors) {
            for (i, (weight, vector)) in row.iter_mut().zip(vector).enumerate() {
                *weight = R::of(vector * values[i].sqrt());
            }
        }
        // As long, on average, as random vectors would be.
        let squares: f64 = weight.iter().map(|x| x.to_f64().powi(2)).sum();
        let scale = R::of((terms as f64 / squares.max(1e-30)).sqrt());
        weight.iter_mut().for_each(|weight| *weight *= scale);
        let total: f64 = words.counts.iter().map(|count| count + PSEUDO_COUNT).sum();
        let bias = &mut prior.parameters[prior.words.bias].values;
        for (bias, count) in bias.iter_mut().zip(&words.counts) {
            *bias = R::of(((count + PSEUDO_COUNT) / total).ln());
        }
        let mean = words.idf.iter().sum::<f64>() / terms as f64;
        let importance = &mut prior.parameters[prior.word_weights].values;
        for (importance, idf) in importance.iter_mut().zip(&words.idf) {
            *importance = R::of(idf / mean.max(1e-30));
        }
        prior
    }
}

/// How often words occur, and in how many documents.
struct Words {
    counts: Vec<f64>,
    /// log(documents / (1 + documents with the term))
    idf: Vec<f64>,
}

impl Words {
    fn of(corpora: &[&Corpus], terms: usize) -> Self {
        let (mut counts, mut documents) = (vec![0.0; terms], vec![0.0; terms]);
        let mut all = 0;
        for corpus in corpora {
            all += corpus.documents.documents();
            for (&term, &count) in corpus.documents.terms().iter().zip(corpus.documents.counts()) {
                counts[term as usize] += f64::from(count);
                documents[term as usize] += 1.0;
            }
        }
        let idf = |with: &f64| (all as f64 / (1.0 + with)).ln().max(0.0);
        Self { counts, idf: documents.iter().map(idf).collect() }
    }

    /// A row of length 1 a document: log(1 + count) times idf.
    fn tf_idf(&self, corpora: &[&Corpus]) -> Rows {
        let mut rows = Rows::new();
        for corpus in corpora {
            for n in 0..corpus.documents.documents() {
                let weigh = |(term, count): (u32, u32)| {
                    (term, f64::from(count).ln_1p() * self.idf[term as usize])
                };
                let mut row: Vec<(u32, f64)> = corpus.documents.row(n).map(weigh).collect();
                let length = row.iter().map(|(_, x)| x * x).sum::<f64>().sqrt().max(1e-30);
                row.iter_mut().for_each(|(_, x)| *x /= length);
                rows.push(row);
            }
        }
        rows
    }
}
