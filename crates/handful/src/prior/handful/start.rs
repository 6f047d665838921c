//! First values that know the training corpora.

use super::grouping::Metric;
use super::themes::Themes;
use super::{Handful, HandfulSettings, Ingredient, first_vectors};
use crate::Result;
use crate::corpus::{Corpus, TfIdf, all_documents, unigram};
use crate::lda::{LdaFitting, LdaSettings};
use crate::linear_algebra::{Rows, eigen};
use crate::numeric::Real;
use crate::prior::{KnownTerms, StartObserver, StartPart, Unigram};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Sweeps of the sampler that finds the themes.
const SWEEPS: usize = 300;
/// Those before the first sample.
const BURN_IN: usize = 200;

/// What is added to the covariance of documents of one corpus before it is inverted, in units of its
/// mean variance: without, directions in which documents hardly differ would count most.
const RIDGE: f64 = 1.0;

impl<R: Real> Handful<R> {
    /// Random networks over the words of some corpora: vectors as given, or by a truncated singular
    /// value decomposition of the documents (tf-idf), b the logarithm of how frequent a word is, w how
    /// much it tells, themes by LDA. `None` where the observer ended the work.
    /// `without` leaves out a part.
    pub fn start(
        settings: HandfulSettings,
        without: Option<Ingredient>,
        (known, topics): (KnownTerms<'_>, usize),
        corpora: &[&Corpus],
        stream: &mut ChaCha8Rng,
        observer: &mut StartObserver<'_>,
    ) -> Result<Option<Self>> {
        let (terms, dimension) = (known.count, settings.dimension);
        let mut prior = Self::random(settings, terms, topics, stream);
        if let Some(ingredient) = without {
            prior.leave_out_part(ingredient);
        }
        let tf_idf = TfIdf::of(corpora, terms);
        let documents = tf_idf.vectors(corpora);
        let vectors = match known.vectors {
            Some(vectors) => Some(first_vectors::given(&documents, vectors)),
            None => first_vectors::decomposed(&documents, (terms, dimension), stream, observer),
        };
        let Some(vectors) = vectors else { return Ok(None) };
        let weight = &mut prior.parameters[prior.words.softmax.weight].values;
        if without != Some(Ingredient::VectorStart) {
            weight
                .iter_mut()
                .zip(vectors.iter().flatten())
                .for_each(|(x, &first)| *x = R::of(first));
        }
        // As long, on average, as random vectors would be.
        let squares: f64 = weight.iter().map(|x| x.to_f64().powi(2)).sum();
        let scale = R::of((terms as f64 / squares.max(1e-30)).sqrt());
        weight.iter_mut().for_each(|weight| *weight *= scale);
        let unigram = unigram(corpora, terms);
        let bias = &mut prior.parameters[prior.words.softmax.bias].values;
        for (bias, probability) in bias.iter_mut().zip(&unigram) {
            *bias = R::of(probability.ln());
        }
        prior.unigram = Unigram::new(unigram.into_iter().map(R::of).collect());
        let mean = tf_idf.idf().iter().sum::<f64>() / terms as f64;
        let importance = &mut prior.parameters[prior.words.importance].values;
        for (importance, idf) in importance.iter_mut().zip(tf_idf.idf()) {
            *importance = R::of(idf / mean.max(1e-30));
        }
        let stream = ChaCha8Rng::from_rng(stream);
        let Some(themes) = themes(corpora, terms, settings.themes, stream, observer)? else {
            return Ok(None);
        };
        prior.themes = themes;
        prior.metric = metric(&documents, corpora, &vectors);
        Ok(Some(prior))
    }
}

/// The topics of all documents; `None` where the observer ended the work.
fn themes<R: Real>(
    corpora: &[&Corpus],
    terms: usize,
    count: usize,
    stream: ChaCha8Rng,
    observer: &mut StartObserver<'_>,
) -> Result<Option<Themes<R>>> {
    let sampling =
        LdaSettings { topics: count, sweeps: SWEEPS, burn_in: BURN_IN, ..LdaSettings::default() };
    let documents = all_documents(corpora);
    let mut fitting = LdaFitting::new(&documents, terms, &sampling, stream)?;
    if StartPart::Themes.work(SWEEPS, observer, || fitting.advance()).is_break() {
        return Ok(None);
    }
    let lda = fitting.finish().model;
    Ok(Some(Themes::from_probabilities(&lda.word_probabilities, &lda.alpha)))
}

/// Whitening by the covariance of documents within their corpora.
fn metric<R: Real>(tf_idf: &Rows, corpora: &[&Corpus], vectors: &[Vec<f64>]) -> Metric<R> {
    let dimension = vectors.first().map_or(0, Vec::len);
    let directions: Vec<Vec<f64>> =
        tf_idf.iter().map(|document| first_vectors::direction(document, vectors)).collect();
    let mut rest = &directions[..];
    let (mut centre, mut covariance) =
        (vec![0.0; dimension], vec![vec![0.0; dimension]; dimension]);
    for corpus in corpora {
        let (own, others) = rest.split_at(corpus.documents.documents());
        rest = others;
        let mean = mean_of(own, dimension);
        centre.iter_mut().zip(&mean).for_each(|(c, m)| *c += m / corpora.len() as f64);
        for direction in own {
            let from_mean: Vec<f64> = direction.iter().zip(&mean).map(|(x, m)| x - m).collect();
            for (row, a) in covariance.iter_mut().zip(&from_mean) {
                row.iter_mut().zip(&from_mean).for_each(|(sum, b)| *sum += a * b);
            }
        }
    }
    let documents = directions.len().max(1) as f64;
    covariance.iter_mut().flatten().for_each(|x| *x /= documents);
    let trace: f64 = (0..dimension).map(|i| covariance[i][i]).sum();
    let ridge = (RIDGE * trace / dimension as f64).max(1e-12);
    let (squares, basis) = eigen(covariance);
    let scales: Vec<f64> = squares.iter().map(|x| (x.max(0.0) + ridge).sqrt().recip()).collect();
    let entry = |i: usize, j: usize| -> f64 {
        (0..dimension).map(|k| basis[i][k] * scales[k] * basis[j][k]).sum()
    };
    let pairs = (0..dimension).flat_map(|i| (0..dimension).map(move |j| (i, j)));
    Metric {
        centre: centre.into_iter().map(R::of).collect(),
        whitening: pairs.map(|(i, j)| R::of(entry(i, j))).collect(),
    }
}

fn mean_of(rows: &[Vec<f64>], dimension: usize) -> Vec<f64> {
    let mut mean = vec![0.0; dimension];
    for row in rows {
        mean.iter_mut().zip(row).for_each(|(mean, x)| *mean += x / rows.len() as f64);
    }
    mean
}
