//! Why a document is where it is: the words and sentences that decided.

use super::fitted::{Fit, printed_words};
use crate::topic_model::{Sentence, representative_sentences};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Topics that have less of the document are not explained.
const LEAST_SHARE: f32 = 0.05;
/// Words and sentences for each topic.
const WORDS: usize = 8;
const SENTENCES: usize = 2;
/// Nothing is less probable in the other topics, so that no ratio is infinite.
const LEAST_PROBABILITY: f64 = 1e-7;

/// Why a document is where it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The document's identifier.
    pub document: String,
    /// Its topics, the largest first.
    pub topics: Vec<TopicReasons>,
}

/// What speaks for one topic of a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TopicReasons {
    /// The topic's index, from 0.
    pub id: usize,
    /// Its number, from 1.
    pub number: usize,
    /// Its share of the document.
    pub share: f64,
    /// The words that decided, those that weigh most first.
    pub words: Vec<DecidingWord>,
    /// The document's sentences that belong most to the topic.
    pub sentences: Vec<String>,
}

/// A word that speaks for a topic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DecidingWord {
    /// The word.
    pub term: String,
    /// How often the document has it.
    pub count: u64,
    /// Its part of what speaks for the topic, from 0 to 1.
    pub weight: f64,
}

impl Fit {
    /// Why the document of this identifier is where it is; an error if there is none, or if its text and
    /// words are not at hand.
    ///
    /// A word weighs Σ γ log(φ_k / φ_other), over its occurrences: as much of it as is the topic's, times how
    /// much more the topic says it than the others do on average, or than is usual if there is no other.
    pub fn explain(&self, id: &str) -> Result<Explanation> {
        self.expect_whole("an explanation")?;
        let found = self.saved().documents.iter().position(|record| record.id == id);
        let Some(n) = found else {
            let ids = self.saved().documents.iter().map(|record| &*record.id);
            let remedy = match nearest(id, ids) {
                Some(near) => format!("did you mean {near:?}?"),
                None => "give the identifier of a document".to_owned(),
            };
            return Err(Error::input(format!("document {id:?}"), "is not there", remedy));
        };
        let shares = self.topic_model().proportions_of(n);
        let mut topics: Vec<usize> =
            (0..shares.len()).filter(|&k| shares[k] >= LEAST_SHARE).collect();
        topics.sort_by(|&a, &b| shares[b].total_cmp(&shares[a]));
        let sentences = self.sentences_of(n);
        let reasons = |k: usize| TopicReasons {
            id: k,
            number: k + 1,
            share: shares[k].into(),
            words: self.deciding_words(n, k),
            sentences: sentences.get(k).cloned().unwrap_or_default(),
        };
        Ok(Explanation {
            document: id.to_owned(),
            topics: topics.into_iter().map(reasons).collect(),
        })
    }

    fn deciding_words(&self, n: usize, k: usize) -> Vec<DecidingWord> {
        let model = self.topic_model();
        let usual = model.background.as_ref().map(|background| &background.words);
        let difference = |term: usize| {
            let phi = |k: usize| f64::from(model.probability(k, term));
            let others: f64 = (0..model.topics).filter(|&other| other != k).map(phi).sum();
            let other = match model.topics {
                1 => usual.map_or(0.0, |words| f64::from(words[term])),
                topics => others / (topics - 1) as f64,
            };
            (phi(k).max(LEAST_PROBABILITY) / other.max(LEAST_PROBABILITY)).ln()
        };
        // Of each term: how often it is there, and how much of it is the topic's.
        let mut terms: BTreeMap<u32, (u64, f64)> = BTreeMap::new();
        let mut add = |term: u32, count: u64, share: f64| {
            let (words, shares) = terms.entry(term).or_default();
            (*words, *shares) = (*words + count, *shares + share * count as f64);
        };
        match self.read_text(n) {
            Some(text) => text.placed().for_each(|(word, shares)| {
                if let (Some(term), Some(shares)) = (word.term, shares) {
                    add(term, 1, shares.topics[k]);
                }
            }),
            None => {
                let row: Vec<(u32, u32)> = self.counts().row(n).collect();
                let shares = model.responsibilities(n, row.iter().map(|&(term, _)| term));
                for (term, count) in row {
                    let of_term = shares.of(term).expect("asked for above");
                    add(term, count.into(), of_term.topics[k]);
                }
            }
        }
        let mut words: Vec<(u32, u64, f64)> = terms
            .into_iter()
            .map(|(term, (count, share))| (term, count, share * difference(term as usize)))
            .filter(|&(_, _, weight)| weight > 0.0)
            .collect();
        let all: f64 = words.iter().map(|&(_, _, weight)| weight).sum();
        words.sort_by(|(_, _, a), (_, _, b)| b.total_cmp(a));
        let word = |(term, count, weight): (u32, u64, f64)| DecidingWord {
            term: self.saved().vocabulary.term(term).to_owned(),
            count,
            weight: weight / all,
        };
        words.into_iter().take(WORDS).map(word).collect()
    }

    /// For each topic the document's sentences that belong most to it.
    fn sentences_of(&self, n: usize) -> Vec<Vec<String>> {
        let text = [self.read_text(n)];
        let Some(read) = &text[0] else { return Vec::new() };
        let spell = |sentence: Sentence| {
            printed_words(&read.text[sentence.range]).collect::<Vec<_>>().join(" ")
        };
        let terms = self.first_terms();
        let by_topic = representative_sentences(self.topic_model(), &text, &terms, SENTENCES);
        by_topic.into_iter().map(|all| all.into_iter().map(spell).collect()).collect()
    }
}

/// The identifier that is most like another, if one is.
fn nearest<'a>(id: &str, ids: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |other: &&str| strsim::normalized_damerau_levenshtein(id, other);
    let near = ids.max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (near.contains(id) || likeness(&near) > 0.6).then_some(near)
}
