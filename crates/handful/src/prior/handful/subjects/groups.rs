//! Documents in a given number of groups.

use super::super::documents::DocumentTape;
use super::super::{Handful, grouping};
use super::cut_features::pairs_of;
use super::log_odds;
use crate::clustering::ward_and_moves;
use crate::corpus::WordCounts;
use crate::nn::Dropout;
use crate::numeric::Real;
use crate::prior::NewTerms;

/// With fewer documents for each topic, they are always seen from their own mean: so few say nothing of
/// how unequal their groups are.
const LEAST_PER_TOPIC: usize = 3;

/// The log odds that a pair of documents must have to speak for a group that holds both.
const LEAST_ODDS: f64 = 1.0;

impl<R: Real> Handful<R> {
    /// What [`Prior::subject_groups`](crate::prior::Prior::subject_groups) promises.
    ///
    /// Seen from their own mean, documents fall into groups of about the same size; seen from the mean of
    /// all texts, into groups as large as they may be. Of the two groupings that one is taken whose groups
    /// hold the more probable pairs: Σ (log odds − 1) over the pairs of documents within groups.
    pub(in crate::prior::handful) fn groups_by_subject(
        &self,
        documents: &WordCounts,
        new_terms: Option<&NewTerms>,
        topics: usize,
    ) -> Option<Vec<usize>> {
        let subjects = self.subjects.as_ref()?;
        let with_words: Vec<usize> =
            (0..documents.documents()).filter(|&n| !documents.row_range(n).is_empty()).collect();
        if topics < 2 || with_words.len() <= topics {
            return None;
        }
        let mut spoken = WordCounts::new();
        with_words.iter().for_each(|&n| spoken.push_row(documents.row(n)));
        let mut groups = ward_and_moves(&self.products_from_mean(&spoken, new_terms), topics);
        if with_words.len() >= LEAST_PER_TOPIC * topics {
            let likeness = self.likeness(subjects, &spoken, new_terms);
            let odds = log_odds(&likeness, &subjects.same_subject);
            let unequal = ward_and_moves(&likeness.products, topics);
            if within(&unequal, &odds) > within(&groups, &odds) {
                groups = unequal;
            }
        }
        Some(at_all(&groups, &with_words, documents.documents()))
    }

    /// The inner products of documents that are seen from their own mean.
    fn products_from_mean(
        &self,
        documents: &WordCounts,
        new_terms: Option<&NewTerms>,
    ) -> Vec<Vec<f64>> {
        let (words, mut tape) = (self.view(new_terms), DocumentTape::default());
        self.document_stage.direct(words, documents, &mut Dropout::off(), &mut tape);
        grouping::similarity(documents, words, (&self.metric, &self.themes), &tape.directions)
    }
}

/// Σ (log odds − 1) over the pairs that are in one group.
fn within(group: &[usize], odds: &[f64]) -> f64 {
    let pairs = pairs_of(group.len()).zip(odds);
    let same = pairs.filter(|((a, b), _)| group[*a] == group[*b]);
    same.map(|(_, odds)| odds - LEAST_ODDS).sum()
}

/// The groups of all documents. One without words is where most documents are.
fn at_all(groups: &[usize], with_words: &[usize], documents: usize) -> Vec<usize> {
    let size = |k: &usize| groups.iter().filter(|group| *group == k).count();
    let largest = groups.iter().copied().max_by_key(|k| (size(k), usize::MAX - k)).unwrap_or(0);
    let mut all = vec![largest; documents];
    with_words.iter().zip(groups).for_each(|(&n, &group)| all[n] = group);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_are_hardly_alike_speak_against_a_group() {
        // Pairs (0, 1), (0, 2), (1, 2).
        let odds = [3.0, 0.5, -2.0];
        assert_eq!(within(&[0, 0, 1], &odds), 2.0);
        assert_eq!(within(&[0, 1, 0], &odds), -0.5);
        assert_eq!(within(&[0, 0, 0], &odds), 2.0 - 0.5 - 3.0);
        assert_eq!(within(&[0, 1, 2], &odds), 0.0);
    }

    #[test]
    fn a_document_without_words_goes_where_most_are() {
        assert_eq!(at_all(&[0, 1, 1], &[0, 2, 3], 5), [0, 1, 1, 1, 1]);
        assert_eq!(at_all(&[0, 1], &[1, 2], 3), [0, 0, 1]);
    }
}
