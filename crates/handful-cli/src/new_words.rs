//! Words of the documents that the model does not know, and where they were placed.

use crate::palette::Palette;
use crate::report::topic_name;
use handful::corpus::WordCounts;
use handful::model_dir::SavedTopicModel;
use handful::topic_model::PlacedWord;
use serde_json::{Value, json};
use std::fmt::Write;

/// So many words of a topic are named for people.
const NAMED: usize = 8;

/// Words of the documents that the model does not know, the most frequent first.
#[derive(Debug)]
pub struct NewWords<'a> {
    saved: &'a SavedTopicModel,
    words: Vec<PlacedWord>,
}

impl<'a> NewWords<'a> {
    pub fn of(saved: &'a SavedTopicModel, documents: &WordCounts) -> Self {
        Self { saved, words: saved.topic_model.placed_words(documents, saved.new_words()) }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let word = |word: &PlacedWord| {
            json!({
                "term": self.saved.vocabulary.term(word.term),
                "count": word.count,
                "topics": word.shares,
            })
        };
        self.words.iter().map(word).collect()
    }

    /// For a terminal: the words that were placed in each topic, the heaviest first.
    pub fn text(&self) -> String {
        let model = &self.saved.topic_model;
        let mut text = String::new();
        if self.is_empty() {
            return text;
        }
        let palette = Palette::of(model);
        let topics = model.by_weight().into_iter().map(Some).chain([None]);
        text.push_str("\nWords that are new to the model, and where they were placed\n\n");
        for topic in topics {
            let words = self.words.iter().filter(|word| word.main_topic() == topic);
            let names: Vec<&str> =
                words.map(|word| self.saved.vocabulary.term(word.term)).collect();
            if names.is_empty() {
                continue;
            }
            let place = topic
                .map_or_else(|| "background".to_owned(), |k| topic_name(k, model.topics, &palette));
            let mut named = names[..names.len().min(NAMED)].join(" ");
            if names.len() > NAMED {
                write!(named, ", and {} more", names.len() - NAMED).expect("a string takes it");
            }
            writeln!(text, "  {place}  {named}").expect("a string takes every line");
        }
        text
    }
}
