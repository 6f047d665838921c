//! The terms that tell a topic from usual speech and from the other topics.

use super::ranking::relevance;
use super::term_evidence::{Expression, TermEvidence};
use super::{Background, Ranking, TopicModel};
use crate::text::{Vocabulary, base_form, is_misspelling};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The power of p_j in a term's score: of two terms that tell as much, the more usual one is said by more
/// documents.
const USUALNESS: f64 = 0.15;

/// How many terms of each topic are kept.
const MOST: usize = 100;

/// A new word that is said no oftener may be misspelled.
const SELDOM: u64 = 2;

/// If more of the documents' words are new, the model does not know their language well enough to tell
/// misspelled words.
const MOST_NEW: f64 = 0.3;

/// A term of a topic as a person reads it: a word or a phrase, with its other forms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TellingTerm {
    /// The form that the topic says most.
    pub term: String,
    /// Its other forms in the documents, the most frequent first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forms: Vec<String>,
    /// How probable it is in the topic, in any form.
    pub probability: f32,
    /// Its relevance with [`Ranking::LAMBDA`], in any form.
    pub relevance: f64,
    /// How much it tells, by what the topic's first term tells; 0 if it tells nothing, or if that was not kept.
    #[serde(default)]
    pub telling: f64,
    /// How often the documents say it, in any form.
    pub count: u64,
    /// How many documents say its most frequent form.
    pub documents: u64,
}

/// An expression that tells a topic.
struct Telling<'a> {
    expression: &'a Expression,
    score: f64,
    phi: f64,
    /// p of a word, the least of its words' for a phrase.
    usual: f64,
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
    /// other. A phrase is as usual as its words are. Forms of one word are one term, whose scores add up.
    /// Words that look misspelled are left out. There may be few such terms.
    pub fn telling_terms(
        &self,
        background: &Background,
        evidence: &TermEvidence,
        vocabulary: &Vocabulary,
    ) -> Vec<Vec<TellingTerm>> {
        let mut by_topic: Vec<Vec<Telling<'_>>> = (0..self.topics).map(|_| Vec::new()).collect();
        let tells_spelling = mostly_known(background, evidence);
        for expression in &evidence.expressions {
            let phi = evidence.probabilities(expression, self, background);
            for (k, telling) in by_topic.iter_mut().enumerate() {
                let score = self.score(background, expression, k, &phi);
                if score > 0.0 {
                    let usual = usual(background, expression);
                    telling.push(Telling { expression, score, phi: phi[k], usual });
                }
            }
        }
        let is_misspelled = |expression: &Expression| {
            let term = expression.term as usize;
            let is_new = expression.words.len() == 1 && term >= background.known_terms;
            tells_spelling
                && is_new
                && expression.count <= SELDOM
                && looks_misspelled(vocabulary.term(term as u32), |word| {
                    vocabulary.index(word).is_some_and(|j| (j as usize) < background.known_terms)
                })
        };
        by_topic.into_iter().map(|telling| folded(telling, vocabulary, is_misspelled)).collect()
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

/// How probable an expression is in usual speech: a phrase as its rarest word. Never 0.
fn usual(background: &Background, of: &Expression) -> f64 {
    let usual = of.words.iter().map(|&term| f64::from(background.words[term as usize]));
    usual.fold(f64::INFINITY, f64::min).max(f64::from(f32::MIN_POSITIVE))
}

/// Whether most of the documents' words are the model's.
fn mostly_known(background: &Background, evidence: &TermEvidence) -> bool {
    let (mut all, mut new) = (0, 0);
    for expression in evidence.expressions.iter().filter(|it| it.words.len() == 1) {
        all += expression.count;
        let is_new = expression.term as usize >= background.known_terms;
        new += if is_new { expression.count } else { 0 };
    }
    new as f64 <= MOST_NEW * all as f64
}

/// Whether a new word is like a known one, and no other form of it.
fn looks_misspelled(word: &str, is_known: impl Fn(&str) -> bool) -> bool {
    base_form(word, &is_known) == word && is_misspelling(word, is_known)
}

/// The most telling terms, forms of one word together.
fn folded(
    telling: Vec<Telling<'_>>,
    vocabulary: &Vocabulary,
    is_misspelled: impl Fn(&Expression) -> bool,
) -> Vec<TellingTerm> {
    let mut telling = telling;
    telling.sort_by(|a, b| b.score.total_cmp(&a.score));
    // Forms of the first terms may stand far behind them.
    telling.truncate(4 * MOST);
    let is_word = |word: &str| vocabulary.index(word).is_some();
    let mut lines: BTreeMap<String, Vec<Telling<'_>>> = BTreeMap::new();
    for one in telling {
        if is_misspelled(one.expression) {
            continue;
        }
        let bases = one.expression.words.iter();
        let bases: Vec<_> = bases.map(|&term| base_form(vocabulary.term(term), is_word)).collect();
        lines.entry(bases.join(" ")).or_default().push(one);
    }
    let mut lines: Vec<Vec<Telling<'_>>> = lines.into_values().collect();
    let score = |line: &[Telling<'_>]| line.iter().map(|one| one.score).sum::<f64>();
    lines.sort_by(|a, b| score(b).total_cmp(&score(a)));
    lines.truncate(MOST);
    let most = lines.first().map_or(1.0, |line| score(line));
    lines.into_iter().map(|line| line_of(line, most, vocabulary)).collect()
}

/// The forms of one word as one term. The topic's first term scores `most`.
fn line_of(mut line: Vec<Telling<'_>>, most: f64, vocabulary: &Vocabulary) -> TellingTerm {
    line.sort_by_key(|one| Reverse(one.expression.count));
    let spell = |one: &Telling<'_>| vocabulary.term(one.expression.term).to_owned();
    let phi: f64 = line.iter().map(|one| one.phi).sum();
    let usual: f64 = line.iter().map(|one| one.usual).sum();
    TellingTerm {
        term: spell(&line[0]),
        forms: line[1..].iter().map(spell).collect(),
        probability: phi as f32,
        relevance: relevance(Ranking::LAMBDA, phi, usual),
        telling: line.iter().map(|one| one.score).sum::<f64>() / most,
        count: line.iter().map(|one| one.expression.count).sum(),
        documents: line[0].expression.documents,
    }
}
