//! Documents: how they mix the topics, and which topic each word belongs to.

use super::super::palette;
use super::super::words::{in_place_of_shares, percent};
use super::Source;
use crate::fit;
use crate::model_dir::SavedTopicModel;
use crate::topic_model::{ReadText, TermShares};
use serde::Serialize;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

/// Topics with less of a document, or of a word, than this are not named.
pub(super) const NAMED: f64 = 0.01;
/// Topics with less of a document than this are drawn together: each alone says nothing.
pub(super) const DRAWN: f64 = 0.05;
/// The most topics that are named.
const MOST_NAMED: usize = 5;
/// A segment has room for its topic's number from this share on.
const LABELLED: f64 = 0.06;

#[derive(Debug, Serialize)]
pub(super) struct DocumentView<'a> {
    name: Cow<'a, str>,
    words: u64,
    unknown: String,
    background: String,
    /// What is said in the place of the proportions, where they say nothing.
    instead: Option<&'static str>,
    /// The proportions in words.
    mixture: String,
    segments: Vec<Segment>,
    paragraphs: Vec<Vec<Piece<'a>>>,
    /// What of the document is not shown.
    cut: Option<String>,
    /// Whether it is shown word by word, and open at first.
    read: bool,
    open: bool,
}

/// A part of a stacked bar.
#[derive(Debug, Serialize)]
struct Segment {
    colour: String,
    width: String,
    label: String,
    shares: String,
}

/// A piece of text; a word where it has a class.
#[derive(Debug, Serialize)]
struct Piece<'a> {
    text: Cow<'a, str>,
    class: String,
    shares: String,
    /// 0 for the word of a document that the tab key goes to, −1 for the others.
    tab: i8,
}

/// How a document is shown word by word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    /// The most words of it that are shown.
    pub(super) most_words: usize,
    /// Whether it is open at first.
    pub(super) open: bool,
}

/// Document `n`, whose text is given if it has one; with its proportions alone if it is not to be read.
pub(super) fn view<'a>(
    source: &Source<'a>,
    (n, document): (usize, &fit::FittedDocument<'_>),
    text: Option<&ReadText<'a>>,
    read: Option<Read>,
) -> DocumentView<'a> {
    let (model, saved) = (source.fit.topic_model(), source.fit.saved());
    let record = &saved.documents[n];
    let (mut paragraphs, cut) = match (text, read) {
        (_, None) => (Vec::new(), None),
        (Some(text), Some(read)) => paragraphs(text, saved, read.most_words),
        (None, Some(read)) => (vec![counted_terms(source.fit, n, read.most_words)], None),
    };
    let is_word = |piece: &&mut Piece<'_>| !piece.class.is_empty();
    if let Some(first) = paragraphs.iter_mut().flatten().find(is_word) {
        first.tab = 0;
    }
    DocumentView {
        name: source.fit.title(n),
        words: record.words,
        unknown: match record.words {
            0 => "–".to_owned(),
            words => percent(record.unknown_words as f64 / words as f64),
        },
        background: model
            .background
            .as_ref()
            .map_or_else(String::new, |background| percent(f64::from(background.usual[n]))),
        instead: in_place_of_shares(document),
        mixture: mixture(model.proportions_of(n), None),
        segments: segments(model.proportions_of(n)),
        paragraphs,
        cut,
        read: read.is_some(),
        open: read.is_some_and(|read| read.open),
    }
}

/// Shares in words, the largest first.
fn mixture<S: Copy + Into<f64>>(shares: &[S], background: Option<f64>) -> String {
    let mut named: Vec<(String, f64)> = shares
        .iter()
        .enumerate()
        .map(|(k, &share)| (format!("topic {}", k + 1), share.into()))
        .chain(background.map(|share| ("background".to_owned(), share)))
        .filter(|&(_, share)| share >= NAMED)
        .collect();
    named.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let named = named.into_iter().take(MOST_NAMED);
    let named: Vec<String> =
        named.map(|(name, share)| format!("{name} {}", percent(share))).collect();
    named.join(", ")
}

/// The stacked bar of a document, its largest topic first.
fn segments(proportions: &[f32]) -> Vec<Segment> {
    let segment = |share: f64, colour: String, name: &str, label: String| Segment {
        colour,
        width: format!("{:.2}", 100.0 * share),
        label: if share >= LABELLED { label } else { String::new() },
        shares: format!("{name}: {}", percent(share)),
    };
    let mut shares: Vec<(usize, f64)> =
        proportions.iter().map(|&share| f64::from(share)).enumerate().collect();
    shares.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let rest: f64 = shares.iter().map(|&(_, share)| share).filter(|&share| share < DRAWN).sum();
    let named = shares.into_iter().filter(|&(_, share)| share >= DRAWN);
    let mut segments: Vec<Segment> = named
        .map(|(k, share)| {
            let number = (k + 1).to_string();
            segment(share, palette::classes(k), &format!("topic {number}"), number)
        })
        .collect();
    if rest > 0.0 {
        segments.push(segment(rest, "rest".to_owned(), "other topics", String::new()));
    }
    segments
}

/// A text's paragraphs in pieces, and what was left out.
fn paragraphs<'a>(
    read: &ReadText<'a>,
    saved: &SavedTopicModel,
    most_words: usize,
) -> (Vec<Vec<Piece<'a>>>, Option<String>) {
    let ReadText { text, words, .. } = read;
    let end = words.get(most_words).map_or(text.len(), |next| next.range.start);
    let mut words_left = read.placed().take(most_words).peekable();
    let mut paragraphs = Vec::new();
    for range in paragraph_ranges(&text[..end]) {
        let (mut pieces, mut at) = (Vec::new(), range.start);
        while let Some((word, shares)) =
            words_left.next_if(|(word, _)| word.range.start < range.end)
        {
            // Two tokens may stand in one place.
            if word.range.start < at {
                continue;
            }
            pieces.push(Piece::plain(&text[at..word.range.start]));
            let written = Cow::Borrowed(&text[word.range.clone()]);
            pieces.push(Piece::word(written, word.term, saved, shares));
            at = word.range.end;
        }
        pieces.push(Piece::plain(&text[at..range.end]));
        paragraphs.push(pieces);
    }
    let cut = (words.len() > most_words)
        .then(|| format!("These are the first {most_words} of {} words.", words.len()));
    (paragraphs, cut)
}

/// Where the paragraphs of a text are: between empty lines.
fn paragraph_ranges(text: &str) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let (mut at, mut goes_on) = (0, false);
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        let is_empty = line.trim().is_empty();
        match ranges.last_mut() {
            Some(last) if goes_on && !is_empty => last.end = end,
            _ if !is_empty => ranges.push(at..end),
            _ => {}
        }
        (at, goes_on) = (end, !is_empty);
    }
    ranges
}

/// The terms of a document that was given as counts, the most frequent first.
fn counted_terms<'a>(fit: &'a fit::Fit, n: usize, most_words: usize) -> Vec<Piece<'a>> {
    let fit::Source::Counts(counts) = fit.source(n) else { return Vec::new() };
    let (responsibilities, saved) = (fit.responsibilities(n), fit.saved());
    let mut counts: Vec<(&str, u32)> =
        counts.iter().map(|(term, count)| (&**term, *count)).collect();
    counts.sort_by_key(|&(_, count)| Reverse(count));
    let pieces = counts.into_iter().take(most_words).flat_map(|(term, count)| {
        let written = match count {
            1 => Cow::Borrowed(term),
            count => Cow::Owned(format!("{term} ×{count}")),
        };
        let index = saved.vocabulary.index(term);
        let shares = index.and_then(|term| responsibilities.of(term));
        [Piece::word(written, index, saved, shares), Piece::plain(" ")]
    });
    pieces.collect()
}

impl<'a> Piece<'a> {
    fn plain(text: &'a str) -> Self {
        Self { text: text.into(), class: String::new(), shares: String::new(), tab: -1 }
    }

    /// A word or a phrase, by its index in the vocabulary of a topic model, and whose it is.
    fn word(
        text: Cow<'a, str>,
        term: Option<u32>,
        saved: &SavedTopicModel,
        shares: Option<TermShares<'_>>,
    ) -> Self {
        let mut class = shares.map_or_else(String::new, |shares| class(shares));
        let is_new = term.is_none_or(|term| saved.is_new(term));
        if is_new {
            class.push_str(" new");
        }
        let placed =
            shares.map(|TermShares { topics, background }| mixture(topics, Some(background)));
        let said: Vec<String> =
            is_new.then(|| "new to the model".to_owned()).into_iter().chain(placed).collect();
        let shares = format!("{text}: {}", said.join(", "));
        Self { text, class, shares, tab: -1 }
    }
}

/// A word has the colour of the topic it belongs to most, in one of five strengths. The background's
/// words are grey.
fn class(shares: TermShares<'_>) -> String {
    match shares.main_topic() {
        None => "background".to_owned(),
        Some(k) => {
            let strength = (5.0 * shares.topics[k]).ceil().clamp(1.0, 5.0);
            format!("word {} s{strength}", palette::classes(k))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_end_at_empty_lines() {
        let text = "\n a\nb\r\n \r\n\nc\n";
        let paragraphs: Vec<&str> =
            paragraph_ranges(text).into_iter().map(|range| text[range].trim()).collect();
        assert_eq!(paragraphs, ["a\nb", "c"]);
        assert_eq!(paragraph_ranges(" \n"), []);
    }

    #[test]
    fn shares_are_named_from_the_largest_on() {
        assert_eq!(
            mixture(&[0.25, 0.004, 0.5], Some(0.246)),
            "topic 3 50%, topic 1 25%, background 25%"
        );
        assert_eq!(mixture(&[1.0f32], None), "topic 1 100%");
        assert_eq!(mixture(&[0.1; 10], None).split(", ").count(), MOST_NAMED);
    }
}
