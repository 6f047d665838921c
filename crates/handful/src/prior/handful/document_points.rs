//! Documents as points, for as many documents as there may be: no two of them are compared.

use super::Handful;
use super::documents::DocumentTape;
use super::grouping::{DIRECTIONS, LEAST_REST, THEMES, familiarity, trust_in_vectors, unit_row};
use crate::Result;
use crate::clustering::Points;
use crate::corpus::WordCounts;
use crate::nn::Dropout;
use crate::numeric::{Real, kernels};
use crate::prior::{NewTerms, Origin};
use rayon::prelude::*;

/// Documents that are read together. What is kept of a document's words while it is read is much more than
/// its point.
const BLOCK: usize = 256;

/// Blocks after which it is told how far the work is: a fraction of a second.
const TOGETHER: usize = 16;

impl<R: Real> Handful<R> {
    /// What [`Prior::document_points`](crate::prior::Prior::document_points) promises: the inner products
    /// are those of [`grouping::similarity`](super::grouping::similarity), or those of
    /// [`Self::products_by_subject`](super::Handful::products_by_subject), up to rounding.
    pub(super) fn points_of(
        &self,
        documents: &WordCounts,
        new_terms: Option<&NewTerms>,
        origin: Origin,
        tell: &mut dyn FnMut(usize, usize) -> Result<()>,
    ) -> Result<Option<Points>> {
        let means = match origin {
            Origin::Training => match self.subject_means() {
                None => return Ok(None),
                means => means,
            },
            Origin::Documents => None,
        };
        let trust = trust_in_vectors(familiarity(documents, self.view(new_terms)));
        let blocks: Vec<usize> = (0..documents.documents()).step_by(BLOCK).collect();
        let read = |&first: &usize| {
            let last = (first + BLOCK).min(documents.documents());
            let mut rows = WordCounts::new();
            (first..last).for_each(|n| rows.push_row(documents.row(n)));
            self.points_of_block(&rows, new_terms, means, trust)
        };
        let mut points = Points::new(self.settings.dimension + self.themes.count);
        for (i, together) in blocks.chunks(TOGETHER).enumerate() {
            tell(i * TOGETHER, blocks.len())?;
            let read: Vec<Points> = together.par_iter().map(read).collect();
            read.into_iter().for_each(|block| points.append(block));
        }
        if origin == Origin::Documents {
            let of_directions = (self.settings.dimension, trust * DIRECTIONS);
            let parts = [of_directions, (self.themes.count, trust * THEMES)];
            points.centre_sparse(LEAST_REST);
            points.centre_dense(&parts, LEAST_REST);
        }
        Ok(Some(points))
    }

    /// Points of some documents, in which what all texts have is taken away if it is known.
    fn points_of_block(
        &self,
        documents: &WordCounts,
        new_terms: Option<&NewTerms>,
        means: Option<(&[R], &[R])>,
        trust: f64,
    ) -> Points {
        let words = self.view(new_terms);
        let weight = |term: u32, count: u32| words.weight(term, count);
        let mut tape = DocumentTape::default();
        self.document_stage.direct(words, documents, &mut Dropout::off(), &mut tape);
        let roots = self.themes.root_shares(documents, |term| words.knows(term), weight);
        let (dimension, themes) = (self.settings.dimension, self.themes.count);
        let mut points = Points::new(dimension + themes);
        let rows = tape.directions.chunks_exact(dimension).zip(roots.chunks_exact(themes));
        let scale = R::of((dimension as f64).sqrt().recip());
        for (n, (direction, roots)) in rows.enumerate() {
            let (mut direction, mut roots) = (direction.to_vec(), roots.to_vec());
            if let Some((direction_mean, theme_mean)) = means {
                direction.iter_mut().for_each(|x| *x *= scale);
                kernels::add_scaled(&mut direction, -R::ONE, direction_mean);
                kernels::add_scaled(&mut roots, -R::ONE, theme_mean);
            }
            let mut direction = self.metric.whitened(&direction);
            if means.is_some() {
                scale_to(&mut direction, (trust * DIRECTIONS).sqrt());
                scale_to(&mut roots, (trust * THEMES).sqrt());
            }
            let dense: Vec<f32> =
                direction.iter().chain(&roots).map(|x| x.to_f64() as f32).collect();
            let row = unit_row(documents.row(n), weight);
            points.push(row.iter().map(|&(term, x)| (term, x.to_f64() as f32)), &dense);
        }
        points
    }
}

/// Scales a vector to a length; one of length 0 stays.
fn scale_to<R: Real>(vector: &mut [R], length: f64) {
    let scale = R::of(length) / kernels::dot(vector, vector).sqrt().at_least(R::of(1e-30));
    vector.iter_mut().for_each(|x| *x *= scale);
}

#[cfg(test)]
mod tests {
    use super::super::{HandfulSettings, grouping};
    use super::*;
    use crate::random::{Purpose, stream};

    /// More documents than a block has, of which some share words, and one without words.
    fn documents() -> WordCounts {
        let mut documents = WordCounts::new();
        for n in 0..BLOCK as u32 + 9 {
            let first = n * 7 % 23;
            documents.push_row((first..first + 5).map(|term| (term, 1 + (term + n) % 3)));
        }
        documents.push_row([]);
        documents
    }

    #[test]
    fn products_of_points_are_those_by_which_few_documents_are_grouped() {
        let settings =
            HandfulSettings { dimension: 8, hidden: 4, themes: 4, ..HandfulSettings::default() };
        let prior = Handful::<f64>::random(settings, 30, 3, &mut stream(1, Purpose::Weights, 0));
        let documents = documents();
        let points = prior.points_of(&documents, None, Origin::Documents, &mut |_, _| Ok(()));
        let points = points.unwrap().unwrap();
        let words = prior.view(None);
        let mut tape = DocumentTape::default();
        prior.document_stage.direct(words, &documents, &mut Dropout::off(), &mut tape);
        let fixed = (&prior.metric, &prior.themes);
        let expected = grouping::similarity(&documents, words, fixed, &tape.directions);
        for (a, row) in expected.iter().enumerate() {
            for (b, expected) in row.iter().enumerate() {
                assert!((points.product(a, b) - expected).abs() < 1e-4, "{a}, {b}");
            }
        }
    }

    #[test]
    fn a_prior_that_knows_no_subjects_has_no_mean_of_all_texts() {
        let settings =
            HandfulSettings { dimension: 8, hidden: 4, themes: 4, ..HandfulSettings::default() };
        let prior = Handful::<f64>::random(settings, 30, 3, &mut stream(1, Purpose::Weights, 0));
        let points = prior.points_of(&documents(), None, Origin::Training, &mut |_, _| Ok(()));
        assert!(points.unwrap().is_none());
    }
}
