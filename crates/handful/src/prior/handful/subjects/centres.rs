//! Whether a document that comes after a fit is about any of its topics.

use super::super::documents::DocumentTape;
use super::super::metric::Metric;
use super::super::topics::TopicTape;
use super::super::{Handful, HandfulSettings};
use super::DIRECTION_MEAN;
use crate::Result;
use crate::numeric::{Real, kernels};
use crate::storage::{Tensor, TensorSource, Tensors};

/// The mean of the unit vectors of the documents that started each topic, and how many these are. Fits that
/// were saved before it was asked whether a document is about any topic have neither.
const CENTRES: &str = "topics.subject_centres";
const DOCUMENTS: &str = "topics.documents";
const WHITENING: &str = "metric.whitening";

/// What the log odds that a document is about one of the topics take from: its cosine to the nearest
/// centre, how alike the documents of a topic are, the logarithm of their number, and one. A logistic
/// regression on Reuters, OHSUMED, Brown, NIPS and reviews, with one to four topics of one to ten documents
/// and as many documents of the same subjects as of others (decision 75).
const ABOUT: [f64; 4] = [6.59, -3.10, -0.38, -0.99];

/// Below these log odds a document is outside. A tenth of the documents of the same subjects were.
const LEAST_ODDS: f64 = -0.81;

/// How alike documents of a topic are where no topic has two: the mean over those with several.
const USUAL_LIKENESS: f64 = 0.35;

/// More documents of a topic than were learned from count as this many.
const MOST_DOCUMENTS: f64 = 10.0;

/// Where the topics of a fit lie among all subjects.
#[derive(Clone, Debug)]
pub(in crate::prior::handful) struct SubjectCentres<R> {
    /// The mean direction of all texts.
    direction_mean: Vec<R>,
    metric: Metric<R>,
    /// The mean of the unit vectors of each topic's documents: topics × D
    centres: Vec<f64>,
    /// How many documents started each topic.
    documents: Vec<f64>,
}

impl<R: Real> Handful<R> {
    /// What the centres of a fit are made of; nothing if subjects were not learned, or if a topic does not
    /// start from documents.
    pub(in crate::prior::handful) fn centre_tensors(
        &self,
        documents: &DocumentTape<R>,
        topics: &TopicTape<R>,
    ) -> Tensors<R> {
        let Some((direction_mean, _)) = self.subject_means() else { return Tensors::new() };
        if topics.groups < topics.topics {
            return Tensors::new();
        }
        let dimension = self.settings.dimension;
        let rows = documents.directions.chunks_exact(dimension);
        let units: Vec<R> =
            rows.flat_map(|row| subject_direction(row, direction_mean, &self.metric)).collect();
        let counts =
            |k: usize| R::of(topics.group.iter().filter(|group| **group == k).count() as f64);
        let counts: Vec<R> = (0..topics.topics).map(counts).collect();
        let matrix = |rows: usize, values: Vec<R>| Tensor { shape: vec![rows, dimension], values };
        Tensors::from([
            (CENTRES.to_owned(), matrix(topics.topics, topics.means(&units))),
            (DOCUMENTS.to_owned(), Tensor::vector(&counts)),
            (DIRECTION_MEAN.to_owned(), Tensor::vector(direction_mean)),
            (WHITENING.to_owned(), matrix(dimension, self.metric.whitening.clone())),
        ])
    }
}

/// The direction of a document, once what all texts have is taken away, where corpora differ: of length 1.
fn subject_direction<R: Real>(direction: &[R], mean: &[R], metric: &Metric<R>) -> Vec<R> {
    let scale = R::of((direction.len() as f64).sqrt().recip());
    let rest: Vec<R> = direction.iter().zip(mean).map(|(&x, &mean)| x * scale - mean).collect();
    super::views::unit(metric.whitened(&rest))
}

impl<R: Real> SubjectCentres<R> {
    /// Reads what [`Handful::centre_tensors`] gave; `None` if that was nothing.
    pub(in crate::prior::handful) fn from_tensors(
        settings: HandfulSettings,
        topics: usize,
        tensors: &dyn TensorSource<R>,
    ) -> Result<Option<Self>> {
        if tensors.shape(CENTRES).is_none() {
            return Ok(None);
        }
        let dimension = settings.dimension;
        let numbers = |values: &[R]| values.iter().map(|x| x.to_f64()).collect();
        let whitening = tensors.shaped(WHITENING, &[dimension, dimension])?.into_owned();
        Ok(Some(Self {
            direction_mean: tensors.vector(DIRECTION_MEAN, dimension)?,
            metric: Metric { whitening },
            centres: numbers(&tensors.shaped(CENTRES, &[topics, dimension])?),
            documents: numbers(&tensors.vector(DOCUMENTS, topics)?),
        }))
    }

    /// Whether a document of this direction, with these proportions of the topics, is about none of them.
    pub(in crate::prior::handful) fn is_outside(&self, direction: &[R], theta: &[f64]) -> bool {
        let unit = subject_direction(direction, &self.direction_mean, &self.metric);
        let unit: Vec<f64> = unit.iter().map(|x| x.to_f64()).collect();
        let features = [self.nearest(&unit, theta), self.likeness(), self.log_documents(), 1.0];
        features.iter().zip(ABOUT).map(|(feature, weight)| feature * weight).sum::<f64>()
            < LEAST_ODDS
    }

    /// The cosine to the nearest centre, or to the mean of the centres by the document's proportions: a
    /// document that joins two topics lies between them.
    fn nearest(&self, unit: &[f64], theta: &[f64]) -> f64 {
        let rows = || self.centres.chunks_exact(unit.len());
        let mut joined = vec![0.0; unit.len()];
        rows().zip(theta).for_each(|(row, &share)| kernels::add_scaled(&mut joined, share, row));
        rows().chain([&joined[..]]).map(|row| cosine(unit, row)).fold(-1.0, f64::max)
    }

    /// The mean cosine c of two documents of one topic, over the topics that have two. By it the mean of m unit
    /// vectors has the square length (1 + (m − 1) c) / m.
    fn likeness(&self) -> f64 {
        let dimension = self.direction_mean.len();
        let several = self.centres.chunks_exact(dimension).zip(&self.documents);
        let of_topics: Vec<f64> = several
            .filter(|(_, documents)| **documents > 1.0)
            .map(|(row, &m)| (m * kernels::dot(row, row) - 1.0) / (m - 1.0))
            .collect();
        if of_topics.is_empty() {
            return USUAL_LIKENESS;
        }
        of_topics.iter().sum::<f64>() / of_topics.len() as f64
    }

    fn log_documents(&self) -> f64 {
        let logarithm = |documents: &f64| documents.clamp(1.0, MOST_DOCUMENTS).ln();
        self.documents.iter().map(logarithm).sum::<f64>() / self.documents.len() as f64
    }
}

/// The cosine of a unit vector and another, which may be of length 0.
fn cosine(unit: &[f64], other: &[f64]) -> f64 {
    kernels::dot(unit, other) / kernels::dot(other, other).sqrt().max(1e-30)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two topics of two documents each, along the axes.
    fn centres(length: f64) -> SubjectCentres<f64> {
        SubjectCentres {
            direction_mean: vec![0.0; 3],
            metric: Metric::plain(3),
            centres: vec![length, 0.0, 0.0, 0.0, length, 0.0],
            documents: vec![2.0; 2],
        }
    }

    #[test]
    fn a_document_along_no_topic_is_outside() {
        let centres = centres(0.8);
        assert!(!centres.is_outside(&[2.0, 0.0, 0.0], &[1.0, 0.0]));
        assert!(!centres.is_outside(&[0.0, 1.0, 0.0], &[0.0, 1.0]));
        assert!(centres.is_outside(&[0.0, 0.0, 1.0], &[0.5, 0.5]));
        assert!(centres.is_outside(&[-1.0, -1.0, 0.0], &[0.5, 0.5]));
    }

    #[test]
    fn a_document_that_joins_two_topics_lies_between_them() {
        let (centres, diagonal) = (centres(0.8), [0.5f64.sqrt(), 0.5f64.sqrt(), 0.0]);
        assert!((centres.nearest(&diagonal, &[0.5, 0.5]) - 1.0).abs() < 1e-12);
        assert!((centres.nearest(&diagonal, &[1.0, 0.0]) - 0.5f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn the_length_of_a_mean_says_how_alike_its_documents_are() {
        // Two unit vectors with the cosine 0.28 have a mean of square length (1 + 0.28) / 2 = 0.8².
        assert!((centres(0.8).likeness() - 0.28).abs() < 1e-12);
        let alone = SubjectCentres { documents: vec![1.0; 2], ..centres(1.0) };
        assert_eq!((alone.likeness(), alone.log_documents()), (USUAL_LIKENESS, 0.0));
    }
}
