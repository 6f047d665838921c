//! The terms that tell a topic from usual speech and from the other topics.

use super::misspelled::Spelling;
use super::term_evidence::{Expression, TermEvidence};
use super::term_lines::lines;
use super::{Background, TopicModel};
use crate::text::Vocabulary;
use serde::{Deserialize, Serialize};

/// The power of p_j in a term's score: of two terms that tell as much, the more usual one is said by more
/// documents.
const USUALNESS: f64 = 0.15;

/// A term of a topic as a person reads it: a word or a phrase, with its other forms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TellingTerm {
    /// The form that the topic says most.
    pub term: String,
    /// Its other forms in the documents, the most frequent first; then the words of a phrase that are said
    /// alone, too, or the phrases of a word.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forms: Vec<String>,
    /// How probable it is in the topic, in any form.
    pub probability: f32,
    /// Its relevance with [`Ranking::LAMBDA`](super::Ranking::LAMBDA), in any form.
    pub relevance: f64,
    /// How much it tells, by what the topic's first term tells; 0 if it tells nothing, or if that was not kept.
    #[serde(default)]
    pub telling: f64,
    /// How often the documents say it, in any form.
    pub count: u64,
    /// How many documents say the form that is shown.
    pub documents: u64,
}

/// An expression that tells a topic.
pub(super) struct Telling<'a> {
    pub(super) expression: &'a Expression,
    pub(super) score: f64,
    /// How often the topic says it.
    pub(super) said: f64,
    pub(super) phi: f64,
    /// p of a word, the least of its words' for a phrase.
    pub(super) usual: f64,
}

impl TopicModel {
    /// The terms that tell most of each topic, the most telling first, by
    ///
    /// ```text
    /// (φ_kj − u_kj)₊ log(φ_kj / q_kj)₊ p_j^0.15
    /// ```
    ///
    /// φ is what the evidence says ([`TermEvidence::probabilities`]). u_kj is what usual speech would say by
    /// itself ([`Background::usually_said`]), q_kj the mean of the other topics' φ_j, or p_j if there is no
    /// other. p of a phrase is that of its rarest word, and as much of it is usual as of its most usual word
    /// ([`TopicModel::usual_share`]). Forms of one word are one term, and so are a phrase and its words; their
    /// scores add up. Words that look misspelled are left out. There may be few such terms.
    pub fn telling_terms(
        &self,
        background: &Background,
        evidence: &TermEvidence,
        vocabulary: &Vocabulary,
        spelling: &Spelling<'_>,
    ) -> Vec<Vec<TellingTerm>> {
        let mut by_topic: Vec<Vec<Telling<'_>>> = (0..self.topics).map(|_| Vec::new()).collect();
        for expression in &evidence.expressions {
            let phi = evidence.probabilities(expression, self, background);
            for (k, telling) in by_topic.iter_mut().enumerate() {
                let score = self.score(background, expression, k, &phi);
                if score > 0.0 {
                    let usual = usual(background, expression);
                    let (said, phi) = (expression.said(k), phi[k]);
                    telling.push(Telling { expression, score, said, phi, usual });
                }
            }
        }
        by_topic.into_iter().map(|telling| lines(telling, vocabulary, spelling)).collect()
    }

    /// How much an expression tells of topic `k`; `phi` are its probabilities in all topics.
    fn score(&self, background: &Background, of: &Expression, k: usize, phi: &[f64]) -> f64 {
        let p = usual(background, of);
        let excess = match of.words[..] {
            [term] => phi[k] - background.usually_said(k, term as usize),
            _ => phi[k] * (1.0 - self.usual_share(background, k, of.term)),
        };
        let others = phi.len() as f64 - 1.0;
        let of_others = if others > 0.0 { (phi.iter().sum::<f64>() - phi[k]) / others } else { p };
        if excess <= 0.0 || phi[k] <= of_others {
            return 0.0;
        }
        // What no other topic says at all has a finite ratio still.
        let least = 0.01 / f64::from(background.topic_words[k]);
        excess * (phi[k] / of_others.max(least)).ln().max(0.0) * p.powf(USUALNESS)
    }
}

/// p: how probable an expression is in usual speech, a phrase as its rarest word. Never 0.
fn usual(background: &Background, of: &Expression) -> f64 {
    let usual = of.words.iter().map(|&term| f64::from(background.words[term as usize]));
    usual.fold(f64::INFINITY, f64::min).max(f64::from(f32::MIN_POSITIVE))
}
