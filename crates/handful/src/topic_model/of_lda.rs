//! The topics of an LDA as a topic model.

use super::{TopicModel, topic_weights};
use crate::corpus::WordCounts;
use crate::lda::Lda;

impl TopicModel {
    /// The topics of an LDA with the proportions of some documents (documents × topics).
    pub fn of_lda(lda: &Lda, proportions: &[f64], documents: &WordCounts) -> Self {
        let single = |numbers: &[f64]| numbers.iter().map(|&x| x as f32).collect::<Vec<f32>>();
        Self {
            topics: lda.topics,
            terms: lda.terms,
            proportions: single(proportions),
            word_probabilities: single(&lda.word_probabilities),
            alpha: single(&lda.alpha).repeat(documents.documents()),
            background: None,
            weights: topic_weights(documents, proportions, lda.topics),
            em_steps: 0,
            converged: None,
        }
    }
}
