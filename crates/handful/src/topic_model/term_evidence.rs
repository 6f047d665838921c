//! What the documents say of each topic, word by word and phrase by phrase.
//!
//! A topic is named by what its documents share. So of a word that one document says x times only 1 + log x
//! count, and a word inside a phrase counts for the phrase.

use super::{Background, Mixing, ReadText, TopicModel};
use crate::corpus::{Phrases, WordCounts};
use std::collections::BTreeMap;

/// A word or a phrase of the documents.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// Its terms; one of a word.
    pub terms: Vec<u32>,
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
#[derive(Clone, Debug, PartialEq)]
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

/// A phrase belongs where its words belong: the geometric mean of their shares.
fn shares_of_phrase<'a>(words: impl Iterator<Item = &'a [f64]> + Clone) -> Option<Vec<f64>> {
    let (count, topics) = (words.clone().count() as f64, words.clone().next()?.len());
    let mean = |k: usize| {
        let product: f64 = words.clone().map(|shares| shares[k]).product();
        product.powf(1.0 / count)
    };
    among_topics(&(0..topics).map(mean).collect::<Vec<f64>>())
}

/// The occurrences of an expression in one document.
#[derive(Clone, Debug, Default)]
struct InDocument {
    count: u64,
    /// Each topic's part.
    shares: Vec<f64>,
    /// Each topic's part of those inside phrases.
    in_phrases: Vec<f64>,
    counted_in_phrases: u64,
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
    /// The term or, numbered after all terms, the phrase of this number, which nobody has said yet.
    fn unsaid(number: u32, model: &TopicModel, phrases: &Phrases) -> Self {
        let terms = match (number as usize).checked_sub(model.terms) {
            None => vec![number],
            Some(phrase) => phrases.terms[phrase].clone(),
        };
        let none = vec![0.0; model.topics];
        Self { terms, count: 0, documents: 0, said: none.clone(), evidence: none }
    }

    /// Adds what one document says.
    fn add(&mut self, of: InDocument) {
        add_times(&mut self.said, 1.0, &of.shares);
        let apart = of.count - of.counted_in_phrases;
        if apart == 0 {
            return;
        }
        self.count += apart;
        self.documents += 1;
        let counts = (1.0 + (apart as f64).ln()) / apart as f64;
        add_times(&mut self.evidence, counts, &of.shares);
        add_times(&mut self.evidence, -counts, &of.in_phrases);
    }
}

impl TermEvidence {
    /// Gathers what documents say, one document at a time. `read` reads the text of a document, if it is at
    /// hand; it is asked for those that have phrases.
    pub fn of<'t>(
        model: &TopicModel,
        background: &Background,
        documents: &WordCounts,
        mixing: Option<&Mixing>,
        (read, phrases): (&dyn Fn(usize) -> Option<ReadText<'t>>, &Phrases),
    ) -> Self {
        let mut pooled: BTreeMap<u32, Expression> = BTreeMap::new();
        let mut row: BTreeMap<u32, InDocument> = BTreeMap::new();
        let mut end_document = |n: usize, mut row: BTreeMap<u32, InDocument>| {
            let places = phrases.places.get(n).map_or(&[][..], |places| places);
            if !places.is_empty()
                && let Some(text) = read(n)
            {
                add_phrases(&mut row, model.terms as u32, &text, phrases, places);
            }
            for (number, of_document) in row {
                let expression = pooled
                    .entry(number)
                    .or_insert_with(|| Expression::unsaid(number, model, phrases));
                expression.add(of_document);
            }
        };
        // Runs come in the order of their documents.
        let mut document = 0;
        let mut add = |n: usize, theta: &[f64], run: &mut dyn Iterator<Item = (u32, u32)>| {
            if n != document {
                end_document(std::mem::replace(&mut document, n), std::mem::take(&mut row));
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
        end_document(document, row);
        Self::of_expressions(pooled.into_values().collect(), background)
    }

    fn of_expressions(expressions: Vec<Expression>, background: &Background) -> Self {
        let mut topic_words: Vec<f64> =
            background.topic_words.iter().map(|&words| words.into()).collect();
        for expression in &expressions {
            if expression.terms.len() == 1 {
                add_times(&mut topic_words, -1.0, &expression.said);
            }
            add_times(&mut topic_words, 1.0, &expression.evidence);
        }
        // What the prior counts for is left in any case, but for rounding.
        topic_words.iter_mut().for_each(|words| *words = words.max(1.0));
        Self { expressions, topic_words }
    }

    /// How probable an expression is in each topic: what the prior expects of a word, and the evidence.
    pub fn probabilities(
        &self,
        expression: &Expression,
        model: &TopicModel,
        background: &Background,
    ) -> Vec<f64> {
        let of_topic = |k: usize| {
            let expected = match expression.terms[..] {
                [term] => {
                    let phi = f64::from(model.probability(k, term as usize));
                    (phi * f64::from(background.topic_words[k]) - expression.said[k]).max(0.0)
                }
                _ => 0.0,
            };
            (expected + expression.evidence[k].max(0.0)) / self.topic_words[k]
        };
        (0..model.topics).map(of_topic).collect()
    }
}

/// Adds the phrases of a text, numbered after all `terms`, and takes their words into them.
fn add_phrases(
    row: &mut BTreeMap<u32, InDocument>,
    terms: u32,
    text: &ReadText<'_>,
    phrases: &Phrases,
    places: &[(usize, usize)],
) {
    let placed: Vec<Option<Vec<f64>>> = text
        .placed()
        .map(|(_, shares)| shares.and_then(|shares| among_topics(shares.topics)))
        .collect();
    for &(start, phrase) in places {
        let length = phrases.terms[phrase].len();
        let words = placed[start..start + length].iter().flatten().map(|shares| &shares[..]);
        if words.clone().count() < length {
            continue;
        }
        let Some(shares) = shares_of_phrase(words.clone()) else { continue };
        row.entry(terms + phrase as u32).or_default().add(1, &shares);
        for (term, shares) in phrases.terms[phrase].iter().zip(words) {
            if let Some(word) = row.get_mut(term) {
                word.counted_in_phrases += 1;
                add_times(&mut word.in_phrases, 1.0, shares);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::TextWord;

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
        let none = Phrases::default();
        let evidence = TermEvidence::of(&model, &background, &documents, None, (&|_| None, &none));
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
    fn a_word_inside_a_phrase_counts_for_the_phrase() {
        let (model, background) = model(1);
        let documents = counts(&[&[(0, 3), (1, 2)]]);
        let text = "a b a b a";
        let word = |(i, term): (usize, u32)| TextWord { range: 2 * i..2 * i + 1, term: Some(term) };
        let words: Vec<TextWord> = [0, 1, 0, 1, 0].into_iter().enumerate().map(word).collect();
        let read = |n: usize| Some(ReadText::new(text, &words, n, &model, None));
        let phrases = Phrases { terms: vec![vec![0, 1]], places: vec![vec![(0, 0), (2, 0)]] };
        let evidence = TermEvidence::of(&model, &background, &documents, None, (&read, &phrases));
        let counted: Vec<(Vec<u32>, u64)> =
            evidence.expressions.iter().map(|it| (it.terms.clone(), it.count)).collect();
        assert_eq!(counted, [(vec![0], 1), (vec![1], 0), (vec![0, 1], 2)]);
        assert!((evidence.expressions[0].evidence[0] - 1.0).abs() < 1e-12);
        assert_eq!(evidence.expressions[1].evidence[0], 0.0);
        assert!((evidence.expressions[2].evidence[0] - (1.0 + 2f64.ln())).abs() < 1e-12);
    }
}
