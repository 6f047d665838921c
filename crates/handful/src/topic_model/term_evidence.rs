//! What the documents say of each topic, word by word and phrase by phrase.
//!
//! A topic is named by what its documents share. So of a term that one document says x times only 1 + log x
//! count.

use super::{Background, Mixing, TopicModel};
use crate::corpus::WordCounts;
use std::collections::BTreeMap;

/// A word or a phrase of the documents.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// Its index in the vocabulary.
    pub term: u32,
    /// The words it is made of; a word is made of itself.
    pub words: Vec<u32>,
    /// How often the documents say it.
    pub count: u64,
    /// How many documents say it.
    pub documents: u64,
    /// Each topic's part of all occurrences.
    said: Vec<f64>,
    /// Each topic's part of the occurrences that count as evidence.
    evidence: Vec<f64>,
}

/// All words and phrases of the documents of a topic model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TermEvidence {
    /// Words in the order of their terms, then phrases.
    pub expressions: Vec<Expression>,
    /// How many words each topic is made of, as evidence counts them.
    topic_words: Vec<f64>,
}

/// The shares of the topics in a word, without the background.
fn among_topics(shares: &[f64]) -> Option<Vec<f64>> {
    let sum: f64 = shares.iter().sum();
    (sum > 0.0).then(|| shares.iter().map(|share| share / sum).collect())
}

/// The occurrences of an expression in one document.
#[derive(Clone, Debug, Default)]
struct InDocument {
    count: u64,
    /// Each topic's part.
    shares: Vec<f64>,
}

impl InDocument {
    fn add(&mut self, count: u64, shares: &[f64]) {
        self.count += count;
        add_times(&mut self.shares, count as f64, shares);
    }
}

fn add_times(sums: &mut Vec<f64>, times: f64, shares: &[f64]) {
    sums.resize(sums.len().max(shares.len()), 0.0);
    sums.iter_mut().zip(shares).for_each(|(sum, share)| *sum += times * share);
}

impl Expression {
    /// A term that nobody has said yet.
    fn unsaid(term: u32, model: &TopicModel) -> Self {
        let none = vec![0.0; model.topics];
        let words = model.words_of(&term).to_vec();
        Self { term, words, count: 0, documents: 0, said: none.clone(), evidence: none }
    }

    /// How often topic `k` says it: its part of all occurrences.
    pub(super) fn said(&self, k: usize) -> f64 {
        self.said[k]
    }

    /// Adds what one document says.
    fn add(&mut self, of: InDocument) {
        add_times(&mut self.said, 1.0, &of.shares);
        self.count += of.count;
        self.documents += 1;
        let counts = (1.0 + (of.count as f64).ln()) / of.count as f64;
        add_times(&mut self.evidence, counts, &of.shares);
    }
}

impl TermEvidence {
    /// Gathers what documents say, one document at a time.
    pub fn of(
        model: &TopicModel,
        background: &Background,
        documents: &WordCounts,
        mixing: Option<&Mixing>,
    ) -> Self {
        let mut pooled: BTreeMap<u32, Expression> = BTreeMap::new();
        let mut row: BTreeMap<u32, InDocument> = BTreeMap::new();
        let mut end_document = |row: BTreeMap<u32, InDocument>| {
            for (term, of_document) in row {
                let expression =
                    pooled.entry(term).or_insert_with(|| Expression::unsaid(term, model));
                expression.add(of_document);
            }
        };
        // Runs come in the order of their documents.
        let mut document = 0;
        let mut add = |n: usize, theta: &[f64], run: &mut dyn Iterator<Item = (u32, u32)>| {
            if n != document {
                document = n;
                end_document(std::mem::take(&mut row));
            }
            let run: Vec<(u32, u32)> = run.collect();
            let responsibilities =
                model.responsibilities_in(n, theta, run.iter().map(|&(term, _)| term));
            for (term, count) in run {
                let shares = responsibilities.of(term).expect("asked for above");
                if let Some(shares) = among_topics(shares.topics) {
                    row.entry(term).or_default().add(count.into(), &shares);
                }
            }
        };
        model.for_each_run(documents, mixing, &mut add);
        end_document(row);
        Self::of_expressions(pooled.into_values().collect(), background)
    }

    fn of_expressions(expressions: Vec<Expression>, background: &Background) -> Self {
        let mut topic_words: Vec<f64> =
            background.topic_words.iter().map(|&words| words.into()).collect();
        for expression in &expressions {
            add_times(&mut topic_words, -1.0, &expression.said);
            add_times(&mut topic_words, 1.0, &expression.evidence);
        }
        // What the prior counts for is left in any case, but for rounding.
        topic_words.iter_mut().for_each(|words| *words = words.max(1.0));
        Self { expressions, topic_words }
    }

    /// How probable an expression is in each topic: what the prior expects of it, and the evidence.
    pub fn probabilities(
        &self,
        expression: &Expression,
        model: &TopicModel,
        background: &Background,
    ) -> Vec<f64> {
        let of_topic = |k: usize| {
            let phi = f64::from(model.probability(k, expression.term as usize));
            let expected =
                (phi * f64::from(background.topic_words[k]) - expression.said[k]).max(0.0);
            (expected + expression.evidence[k].max(0.0)) / self.topic_words[k]
        };
        (0..model.topics).map(of_topic).collect()
    }
}

#[cfg(test)]
impl Expression {
    /// A term that one document says so often, as no topic's.
    pub(super) fn by_hand(term: u32, words: Vec<u32>, count: u64) -> Self {
        Self { term, words, count, documents: 1, said: Vec::new(), evidence: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two topics, the second of which says the last term; 10 words each.
    fn model(documents: usize) -> (TopicModel, Background) {
        let words = [0.0; 3];
        let background = Background {
            topic_words: vec![10.0; 2],
            ..Background::by_hand(&vec![0.0; documents], &words)
        };
        let theta = vec![0.5; 2 * documents];
        let phi = [0.6, 0.0, 0.4, 0.0, 0.0, 1.0];
        let model = TopicModel {
            background: Some(background.clone()),
            ..TopicModel::by_hand(&[0.5; 2], &theta, &phi)
        };
        (model, background)
    }

    fn counts(rows: &[&[(u32, u32)]]) -> WordCounts {
        let mut counts = WordCounts::new();
        rows.iter().for_each(|row| counts.push_row(row.iter().copied()));
        counts
    }

    #[test]
    fn what_one_document_repeats_is_less_evidence_than_what_two_share() {
        let (model, background) = model(2);
        let documents = counts(&[&[(0, 4), (1, 2)], &[(1, 2), (2, 1)]]);
        let evidence = TermEvidence::of(&model, &background, &documents, None);
        let [repeated, shared, other] = &evidence.expressions[..] else { panic!("three words") };
        assert_eq!((repeated.count, repeated.documents), (4, 1));
        assert_eq!((shared.count, shared.documents), (4, 2));
        assert!((repeated.evidence[0] - (1.0 + 4f64.ln())).abs() < 1e-12);
        assert!((shared.evidence[0] - 2.0 * (1.0 + 2f64.ln())).abs() < 1e-12);
        assert_eq!((other.evidence[0], other.evidence[1]), (0.0, 1.0));
        // Of the first topic's ten words eight were said; the prior expected 6 - 4 of the first term.
        let words = 10.0 - 8.0 + repeated.evidence[0] + shared.evidence[0];
        let phi = evidence.probabilities(repeated, &model, &background);
        assert!((phi[0] - (2.0 + repeated.evidence[0]) / words).abs() < 1e-6);
        assert_eq!(phi[1], 0.0);
    }

    #[test]
    fn a_phrase_is_evidence_of_its_own() {
        let (model, background) = model(1);
        // The last term is the phrase of the two others.
        let background = Background { phrases: vec![vec![0, 1]], known_terms: 2, ..background };
        let model = TopicModel { background: Some(background.clone()), ..model };
        let documents = counts(&[&[(0, 1), (2, 2)]]);
        let evidence = TermEvidence::of(&model, &background, &documents, None);
        let [word, phrase] = &evidence.expressions[..] else { panic!("a word and a phrase") };
        assert_eq!((&word.words[..], word.count), (&[0][..], 1));
        assert_eq!((&phrase.words[..], phrase.count), (&[0, 1][..], 2));
        assert!((phrase.evidence[1] - (1.0 + 2f64.ln())).abs() < 1e-12);
    }
}
