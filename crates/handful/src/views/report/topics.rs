//! Topics as cards.

use super::super::palette;
use super::super::words::{in_place_of_shares, percent};
use super::Source;
use super::words::DRAWN;
use crate::fit::{Quote, TopicTerm};
use serde::Serialize;
use std::borrow::Cow;

/// A topic with less of all words has no card.
const LEAST_WEIGHT: f64 = 0.005;

/// The shortest bar of a term, by the longest: a term that tells next to nothing is shown all the same.
const SHORTEST: f64 = 0.02;

#[derive(Debug, Serialize)]
pub(super) struct TopicView<'a> {
    number: usize,
    colour: String,
    weight: String,
    /// Whether it is so small that it has no card.
    small: bool,
    /// Whether it stands in the legend: it has a card, or a document shows it.
    legend: bool,
    name: Cow<'a, str>,
    terms: Vec<TermView<'a>>,
    sentences: Vec<SentenceView<'a>>,
}

#[derive(Debug, Serialize)]
struct TermView<'a> {
    term: &'a str,
    /// Its other forms, and how many there are.
    forms: String,
    more: usize,
    probability: String,
    /// The bar's length, in percent of the topic's longest.
    width: String,
}

#[derive(Debug, Serialize)]
struct SentenceView<'a> {
    text: &'a str,
    /// What the document is called.
    document: &'a str,
    share: String,
}

/// All topics, the largest first.
pub(super) fn views<'a>(source: &Source<'a>, quotes: &'a [Vec<Quote<'a>>]) -> Vec<TopicView<'a>> {
    let model = source.fit.topic_model();
    let mut drawn = source.fit.documents();
    drawn.retain(|document| in_place_of_shares(document).is_none());
    let is_shown = |k: usize| drawn.iter().any(|it| f64::from(it.topics[k]) >= DRAWN);
    let view = |k: usize| TopicView {
        number: k + 1,
        colour: palette::classes(k),
        weight: percent(model.weights[k]),
        small: model.weights[k] < LEAST_WEIGHT,
        legend: model.weights[k] >= LEAST_WEIGHT || is_shown(k),
        name: source.fit.topics()[k].name(),
        terms: term_views(source, k),
        sentences: quotes.get(k).into_iter().flatten().map(SentenceView::of).collect(),
    };
    (0..model.topics).map(view).collect()
}

fn term_views<'a>(source: &Source<'a>, k: usize) -> Vec<TermView<'a>> {
    let terms = source.fit.topics()[k].shown_terms(&source.order, source.terms);
    let length = |top: &TopicTerm<'a>| match bars_tell(&terms) {
        true => top.telling.max(SHORTEST),
        false => f64::from(top.probability),
    };
    let longest = terms.iter().map(length).fold(f64::MIN_POSITIVE, f64::max);
    let view = |top: &TopicTerm<'a>| TermView {
        term: top.term,
        forms: top.forms.join(", "),
        more: top.forms.len(),
        probability: probability(top.probability),
        width: format!("{:.1}", 100.0 * length(top) / longest),
    };
    terms.iter().map(view).collect()
}

/// Whether bars are as long as terms tell of their topic, in whose order they are. Otherwise, as long as terms
/// are probable: in another order, or where it was not kept how much they tell.
fn bars_tell(terms: &[TopicTerm<'_>]) -> bool {
    terms.first().is_some_and(|first| first.telling > 0.0)
}

/// What the bars of all topics say, in a few words.
pub(super) fn said_of_bars(source: &Source<'_>) -> &'static str {
    let topics = source.fit.topics();
    let mut terms = topics.iter().map(|it| it.shown_terms(&source.order, source.terms));
    match terms.any(|terms| bars_tell(&terms)) {
        true => "the more a term tells, the longer its bar",
        false => "a bar is as long as the term is probable in its topic",
    }
}

impl<'a> SentenceView<'a> {
    fn of(quote: &'a Quote<'a>) -> Self {
        Self { text: &quote.text, document: &quote.title, share: percent(quote.share) }
    }
}

/// The topics that have no cards, in a sentence.
pub(super) fn small(topics: &[TopicView<'_>]) -> Option<String> {
    let named: Vec<String> = topics
        .iter()
        .filter(|topic| topic.small)
        .map(|topic| format!("{} ({})", topic.number, topic.name))
        .collect();
    let of = if named.len() == 1 { "Topic" } else { "Topics" };
    let have = if named.len() == 1 { "has" } else { "each have" };
    (!named.is_empty())
        .then(|| format!("{of} {} {have} less than 1% of all words.", named.join(", ")))
}

/// A probability in percent, with three digits that say something.
fn probability(share: f32) -> String {
    match 100.0 * share {
        percent if percent >= 9.995 => format!("{percent:.1}%"),
        percent if percent >= 0.01 => format!("{percent:.2}%"),
        _ => "<0.01%".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_without_cards_are_named_in_a_sentence() {
        let view = |number: usize, small: bool| TopicView {
            number,
            colour: String::new(),
            weight: String::new(),
            small,
            legend: true,
            name: "tide, wave".into(),
            terms: Vec::new(),
            sentences: Vec::new(),
        };
        assert_eq!(small(&[view(0, false)]), None);
        let one = "Topic 4 (tide, wave) has less than 1% of all words.";
        assert_eq!(small(&[view(0, false), view(4, true)]).unwrap(), one);
        let two = "Topics 4 (tide, wave), 2 (tide, wave) each have less than 1% of all words.";
        assert_eq!(small(&[view(4, true), view(2, true)]).unwrap(), two);
    }

    #[test]
    fn a_probability_has_digits_that_say_something() {
        let shown = [0.12345, 0.05094, 0.0001, 0.00001].map(probability);
        assert_eq!(shown, ["12.3%", "5.09%", "0.01%", "<0.01%"]);
    }
}
