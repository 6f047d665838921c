//! The sentences of the documents that say most plainly what a topic is about.

use super::{ReadText, TopicModel};
use std::collections::HashSet;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// A sentence with fewer known words says too little.
const LEAST_WORDS: usize = 4;
/// A longer one, in bytes, is a table or a list, and not for reading.
const LONGEST: usize = 500;

/// A sentence of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentence {
    /// Which of the documents.
    pub document: usize,
    /// Where it stands in the document's text, in bytes.
    pub range: Range<usize>,
    /// How much of it belongs to the topic: the mean responsibility over its known words.
    pub share: f64,
}

/// A sentence that may be quoted.
#[derive(Clone, Debug)]
struct Candidate {
    /// Whether it says a term that tells its topic.
    tells: bool,
    /// Number of its known words.
    words: usize,
    sentence: Sentence,
}

/// For each topic the `most` sentences with the largest share of it, the largest first, from as many
/// documents as have one: a second sentence of a document is quoted only if there is no other document's. A
/// sentence speaks for the topic alone that has most of it, so a topic may have none. One that stands in
/// several places is quoted once.
///
/// A sentence that says none of the topic's `telling` terms is quoted only if there is no other. Its words may
/// belong to the topic because the passage they stand in does, and a reader cannot see why.
///
/// `texts` are the documents of the topic model; `None` for one without text.
pub fn representative_sentences(
    model: &TopicModel,
    texts: &[Option<ReadText<'_>>],
    telling: &[HashSet<u32>],
    most: usize,
) -> Vec<Vec<Sentence>> {
    let mut by_topic: Vec<Vec<Candidate>> = vec![Vec::new(); model.topics];
    let mut seen = HashSet::new();
    for (n, document) in texts.iter().enumerate() {
        let Some(read) = document else { continue };
        let (text, mut words) = (read.text, read.placed().peekable());
        for range in sentences(text) {
            let mut shares = vec![0.0; model.topics];
            let mut terms = Vec::new();
            while let Some((word, shares_of_word)) =
                words.next_if(|(word, _)| word.range.start < range.end)
            {
                let Some(of_term) = shares_of_word else { continue };
                terms.extend(word.term);
                shares.iter_mut().zip(of_term.topics).for_each(|(share, of)| *share += of);
            }
            if terms.len() < LEAST_WORDS
                || range.len() > LONGEST
                || !seen.insert(said(&text[range.clone()]))
            {
                continue;
            }
            let by_size = |a: &usize, b: &usize| shares[*a].total_cmp(&shares[*b]).then(b.cmp(a));
            let k = (0..model.topics).max_by(by_size).expect("there is a topic");
            let share = shares[k] / terms.len() as f64;
            by_topic[k].push(Candidate {
                tells: terms.iter().any(|term| telling[k].contains(term)),
                words: terms.len(),
                sentence: Sentence { document: n, range, share },
            });
        }
    }
    let best = |mut candidates: Vec<Candidate>| {
        // Of two that are alike in this, the one with more to say.
        candidates.sort_by(|a, b| {
            b.sentence.share.total_cmp(&a.sentence.share).then(b.words.cmp(&a.words))
        });
        let (telling, others): (Vec<Candidate>, Vec<Candidate>) =
            candidates.into_iter().partition(|candidate| candidate.tells);
        let mut quoted = from_several(telling, most);
        quoted.extend(from_several(others, most - quoted.len()));
        quoted.sort_by(|a, b| b.share.total_cmp(&a.share));
        quoted
    };
    by_topic.into_iter().map(best).collect()
}

/// The words of a sentence, whatever stands between them.
fn said(sentence: &str) -> String {
    sentence.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The first `most` of some sentences: the first of every document, then the others.
fn from_several(candidates: Vec<Candidate>, most: usize) -> Vec<Sentence> {
    let mut documents = HashSet::new();
    let sentences = candidates.into_iter().map(|candidate| candidate.sentence);
    let (mut quoted, further): (Vec<Sentence>, Vec<Sentence>) =
        sentences.partition(|sentence| documents.insert(sentence.document));
    quoted.extend(further);
    quoted.truncate(most);
    quoted
}

/// The sentences of a text, as Unicode cuts them (UAX #29), without the white space around them.
/// There a line is a paragraph; here a paragraph ends at an empty line.
fn sentences(text: &str) -> impl Iterator<Item = Range<usize>> {
    let flowing = in_flowing_lines(text);
    let bounds: Vec<(usize, usize)> =
        flowing.split_sentence_bound_indices().map(|(at, piece)| (at, at + piece.len())).collect();
    bounds.into_iter().filter_map(|(start, end)| {
        let piece = &text[start..end];
        let start = start + piece.len() - piece.trim_start().len();
        let end = start + piece.trim().len();
        (start < end).then_some(start..end)
    })
}

/// The text with spaces for the line breaks inside its paragraphs. Each is a byte, so everything
/// stays in its place.
fn in_flowing_lines(text: &str) -> String {
    let mut flowing = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\n', '\r']) {
        let (before, after) = rest.split_at(at);
        let gap_end = after.find(|c: char| !c.is_whitespace()).unwrap_or(after.len());
        let (gap, next) = after.split_at(gap_end);
        let is_paragraph = gap.replace("\r\n", "\n").matches(['\n', '\r']).count() > 1;
        flowing += before;
        if is_paragraph {
            flowing += gap;
        } else {
            flowing += &gap.replace(['\n', '\r'], " ");
        }
        rest = next;
    }
    flowing + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::TextWord;
    use crate::text::{TextSettings, Tokenizer, Vocabulary};
    use proptest::prelude::*;

    fn cut(text: &str) -> Vec<&str> {
        sentences(text).map(|range| &text[range]).collect()
    }

    #[test]
    fn a_sentence_goes_on_in_the_next_line_and_ends_with_its_paragraph() {
        let text = "A title\n\nBees fly\r\nout. They\n come back!\n \nNo full stop\n";
        let expected = ["A title", "Bees fly\r\nout.", "They\n come back!", "No full stop"];
        assert_eq!(cut(text), expected);
        assert_eq!(cut(" \n "), [""; 0]);
    }

    proptest! {
        #[test]
        fn any_text_is_cut_without_losing_a_word(text in "([a-z.é!? \n\r]){0,60}|.*") {
            let all: String = cut(&text).concat().split_whitespace().collect();
            prop_assert_eq!(all, text.split_whitespace().collect::<String>());
        }
    }

    /// Topic 0 says `bee` and `hive`, topic 1 `soup` and `salt`, both say `water`.
    fn fitted(texts: &[&str], most: usize) -> Vec<Vec<(usize, String)>> {
        fitted_with(&[], texts, most)
    }

    /// The same, where these terms tell the first topic.
    fn fitted_with(telling: &[&str], texts: &[&str], most: usize) -> Vec<Vec<(usize, String)>> {
        let terms = ["bee", "hive", "salt", "soup", "water"].map(str::to_owned).to_vec();
        let vocabulary = Vocabulary::from_terms(terms).unwrap();
        let (high, low) = (0.4, 0.05);
        let phi = [high, low, high, low, low, high, low, high, 0.1, 0.1];
        let model = TopicModel::by_hand(&[0.5; 2], &vec![0.5; 2 * texts.len()], &phi);
        let tokenizer = Tokenizer::new(&TextSettings::default());
        let words: Vec<Vec<TextWord>> = texts
            .iter()
            .map(|text| {
                let mut words = Vec::new();
                tokenizer.for_each_token_in_place(text, |token, range| {
                    words.push(TextWord { range, term: vocabulary.index(token) });
                });
                words
            })
            .collect();
        let read: Vec<_> = texts
            .iter()
            .zip(&words)
            .enumerate()
            .map(|(n, (text, words))| Some(ReadText::new(text, words, n, &model, None)))
            .collect();
        let shown = |sentence: Sentence| {
            (sentence.document, texts[sentence.document][sentence.range].to_owned())
        };
        let telling = telling.iter().map(|term| vocabulary.index(term).unwrap()).collect();
        let by_topic = representative_sentences(&model, &read, &[telling, HashSet::new()], most);
        by_topic.into_iter().map(|all| all.into_iter().map(shown).collect()).collect()
    }

    #[test]
    fn a_topic_is_represented_by_the_sentences_that_have_most_of_it() {
        let texts = [
            "Salt the soup: soup, salt. Bee, hive, water, water. Bee bee.",
            "Bee and hive, hive and bee. Water, water, soup, salt, soup. Bee and hive, hive and bee.",
        ];
        let [bees, soup] = &fitted(&texts, 2)[..] else { panic!("two topics") };
        let pair = |n, text: &str| (n, text.to_owned());
        // `Bee bee.` has too few words, and a sentence that stands twice is one.
        assert_eq!(
            *bees,
            [pair(1, "Bee and hive, hive and bee."), pair(0, "Bee, hive, water, water.")]
        );
        assert_eq!(soup[0], pair(0, "Salt the soup: soup, salt."));
        assert_eq!(soup[1], pair(1, "Water, water, soup, salt, soup."));
        assert_eq!(fitted(&texts, 1)[0].len(), 1);
    }

    #[test]
    fn quotes_come_from_several_documents_and_do_not_repeat() {
        let texts = [
            "Bee and hive and bee, hive. Bee, bee, bee and hive.",
            "Bee and hive\nand bee, HIVE. Water, water, water, bee, bee.",
        ];
        let quoted = fitted(&texts, 2);
        let documents: Vec<usize> = quoted[0].iter().map(|(n, _)| *n).collect();
        // The first sentence stands in both; the last one says least of bees.
        assert_eq!(documents, [0, 1]);
        assert_eq!(fitted(&texts, 3)[0].len(), 3);
    }

    #[test]
    fn a_sentence_that_says_a_telling_term_is_quoted_before_one_that_does_not() {
        let texts = [
            "Bee, bee, bee and bee.",
            "Hive, water, water, hive. Hive, water, water, water, water.",
        ];
        let quoted = |telling: &[&str], most| -> Vec<String> {
            let of_bees = fitted_with(telling, &texts, most).swap_remove(0);
            of_bees.into_iter().map(|(_, text)| text).collect()
        };
        assert_eq!(quoted(&[], 1), ["Bee, bee, bee and bee."]);
        assert_eq!(quoted(&["hive"], 1), ["Hive, water, water, hive."]);
        // Not even one of another document comes before.
        assert!(!quoted(&["hive"], 2).contains(&"Bee, bee, bee and bee.".to_owned()));
        assert_eq!(quoted(&["hive"], 3)[0], "Bee, bee, bee and bee.");
    }

    #[test]
    fn a_topic_that_no_sentence_is_about_has_none() {
        assert_eq!(fitted(&["Soup, salt, soup and salt."], 3)[0], []);
    }
}
