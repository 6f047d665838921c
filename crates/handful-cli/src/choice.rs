//! Why there are as many topics as there are, for people and for programs.

use crate::report::plural;
use handful::topic_model::TopicChoice;
use serde_json::{Value, json};

/// Why there are as many topics as there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShownChoice {
    /// Numbers of topics tried, in increasing order, with the perplexity of held-out words.
    pub perplexities: Vec<(usize, f64)>,
    /// What they say, in a sentence.
    pub sentence: String,
}

impl ShownChoice {
    /// What was tried for so many documents, and what came of it.
    pub fn of(choice: &TopicChoice, documents: usize) -> Self {
        // Where no word was held out there is no perplexity.
        let perplexities: Vec<(usize, f64)> = choice
            .candidates
            .iter()
            .map(|tried| (tried.topics, tried.prediction.perplexity()))
            .filter(|(_, perplexity)| perplexity.is_finite())
            .collect();
        let support = if documents == 1 { "supports" } else { "support" };
        let (documents, topics) = (counted(documents, "document"), counted(choice.topics, "topic"));
        let is_last = choice.candidates.last().is_some_and(|last| last.topics == choice.topics);
        let why = if perplexities.is_empty() {
            "there are too few words to tell"
        } else if is_last {
            "more were not tried"
        } else {
            "more would split hairs, for they predict held-out words no better"
        };
        let sentence = format!("{documents} {support} {topics}: {why}.");
        let mut letters = sentence.chars();
        let first = letters.next().map(|letter| letter.to_uppercase().to_string());
        Self { perplexities, sentence: first.unwrap_or_default() + letters.as_str() }
    }

    /// For a terminal.
    pub fn text(&self) -> String {
        let tried: Vec<String> = self
            .perplexities
            .iter()
            .map(|(topics, perplexity)| format!("{topics}: {perplexity:.0}"))
            .collect();
        if tried.is_empty() {
            return format!("{}\n", self.sentence);
        }
        let tried = tried.join("  ");
        format!("{}\n  perplexity of held-out words by topics: {tried}\n", self.sentence)
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let tried = self.perplexities.iter();
        let tried: Vec<Value> = tried
            .map(|(topics, perplexity)| json!({"topics": topics, "perplexity": perplexity}))
            .collect();
        json!({"tried": tried, "sentence": self.sentence})
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
