//! The terms that tell a topic from usual speech and from the other topics.

use super::{Background, TopicModel};
use crate::numeric::largest;

/// The power of p_j in a term's score: of two terms that tell as much, the more usual one is said by more
/// documents.
const USUALNESS: f64 = 0.1;

impl TopicModel {
    /// The `most` terms of topic `k` that tell most of it, the most telling first, by
    ///
    /// ```text
    /// (φ_kj − u_kj)₊ log(φ_kj / q_kj)₊ p_j^0.1
    /// ```
    ///
    /// u_kj is what usual speech would say by itself ([`Background::usually_said`]), q_kj the mean of the
    /// other topics' φ_j, or p_j if there is no other. The first factor is evidence: a term that a topic
    /// has from a word or two is not far above chance. There may be fewer such terms than `most`.
    pub(super) fn telling_terms(&self, background: &Background, k: usize, most: usize) -> Vec<u32> {
        let others = self.topics as f64 - 1.0;
        let mut candidates = Vec::new();
        let mut scores = Vec::new();
        for (j, row) in self.word_probabilities.chunks_exact(self.topics).enumerate() {
            let (phi, p) = (f64::from(row[k]), f64::from(background.words[j]));
            // u is more than p, so most terms are out already.
            if phi <= p {
                continue;
            }
            let excess = phi - background.usually_said(k, j);
            let of_others = match others > 0.0 {
                true => (row.iter().map(|&phi| f64::from(phi)).sum::<f64>() - phi) / others,
                false => p,
            };
            if excess > 0.0 && phi > of_others {
                let ratio = phi / of_others.max(f64::MIN_POSITIVE);
                let usualness = p.max(f64::from(f32::MIN_POSITIVE)).powf(USUALNESS);
                candidates.push(j as u32);
                scores.push(excess * ratio.ln() * usualness);
            }
        }
        largest(&scores, most).into_iter().map(|place| candidates[place as usize]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two topics of 400 words each over four terms.
    fn model(phi: &[f32], words: &[f32]) -> (TopicModel, Background) {
        let topic_words = vec![400.0; 2];
        let background = Background { topic_words, ..Background::by_hand(&[0.5], words) };
        (TopicModel::by_hand(&[0.5; 2], &[0.5; 2], phi), background)
    }

    #[test]
    fn terms_that_both_topics_have_tell_nothing() {
        let phi = [0.2, 0.2, 0.2, 0.1, 0.1, 0.2, 0.5, 0.5];
        let (model, background) = model(&phi, &[0.01; 4]);
        assert_eq!(model.telling_terms(&background, 0, 4), [1]);
        assert_eq!(model.telling_terms(&background, 1, 4), [2]);
    }

    #[test]
    fn a_term_that_chance_explains_comes_in_no_list() {
        // Usual speech says the first term 4 ± 2 times in 400 words: 8 times tell nothing, 12 times do.
        let at = |times: f32| {
            let phi = [times / 400.0, 0.0, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3];
            let (model, background) = model(&phi, &[0.01, 0.3, 0.3, 0.3]);
            model.telling_terms(&background, 0, 4)
        };
        assert!(at(7.9).is_empty());
        assert_eq!(at(12.0), [0]);
    }

    #[test]
    fn more_evidence_comes_first_and_then_more_difference() {
        // 0.1 and 0.3 beyond chance, at four times what the other topic has.
        let phi = [0.15, 0.0375, 0.35, 0.0875, 0.25, 0.4375, 0.25, 0.4375];
        let (model, background) = model(&phi, &[0.01; 4]);
        assert_eq!(model.telling_terms(&background, 0, 2), [1, 0]);
        // Equally frequent, but the other topic has less of the second.
        let phi = [0.25, 0.2, 0.25, 0.05, 0.25, 0.375, 0.25, 0.375];
        let (model, background) = self::model(&phi, &[0.01; 4]);
        assert_eq!(model.telling_terms(&background, 0, 2), [1, 0]);
    }

    #[test]
    fn of_one_topic_the_terms_beyond_usual_speech_are_told() {
        let background =
            Background { topic_words: vec![400.0], ..Background::by_hand(&[0.5], &[0.01, 0.2]) };
        let model = TopicModel::by_hand(&[1.0], &[1.0], &[0.1, 0.2]);
        assert_eq!(model.telling_terms(&background, 0, 5), [0]);
    }
}
