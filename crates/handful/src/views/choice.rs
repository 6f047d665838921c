//! Why there are as many topics as there are, for people and for programs.

use super::words::plural;
use crate::fit::Fit;
use crate::topic_model::Tried;

/// Why there are as many topics as there are.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ShownChoice {
    /// Numbers of topics tried, in increasing order, with the perplexity of held-out words.
    pub(super) tried: Vec<Tried>,
    /// What they say, in a sentence.
    pub(super) sentence: String,
}

impl ShownChoice {
    /// What was tried for the documents of a fit; `None` if their number of topics was asked for.
    pub(super) fn of(fit: &Fit) -> Option<Self> {
        let config = &fit.saved().config;
        let tried = config.assessment.tried.as_ref()?;
        Some(Self::saying(tried, config.topics, config.documents))
    }

    /// What was tried for `documents` documents, and that `topics` topics came of it.
    fn saying(tried: &[Tried], topics: usize, documents: usize) -> Self {
        let support = if documents == 1 { "supports" } else { "support" };
        let why = match tried.last() {
            None => "there are too few words to tell",
            Some(last) if last.topics == topics => "more were not tried",
            Some(_) => "more would split hairs, for they predict held-out words no better",
        };
        let (documents, topics) = (counted(documents, "document"), counted(topics, "topic"));
        let sentence = format!("{documents} {support} {topics}: {why}.");
        let mut letters = sentence.chars();
        let first = letters.next().map(|letter| letter.to_uppercase().to_string());
        let sentence = first.unwrap_or_default() + letters.as_str();
        Self { tried: tried.to_vec(), sentence }
    }

    /// For a terminal.
    pub(super) fn text(&self) -> String {
        let tried: Vec<String> = self
            .tried
            .iter()
            .map(|Tried { topics, perplexity }| format!("{topics}: {perplexity:.0}"))
            .collect();
        if tried.is_empty() {
            return format!("{}\n", self.sentence);
        }
        let tried = tried.join("  ");
        format!("{}\n  perplexity of held-out words by topics: {tried}\n", self.sentence)
    }
}

/// A small number as a word, and what it counts.
fn counted(number: usize, thing: &str) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let word = WORDS.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned());
    format!("{word} {}", plural(number, thing))
}
