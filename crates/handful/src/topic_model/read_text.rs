//! A document's text, word by word, with the topics its words belong to.

use super::{Responsibilities, TopicModel};
use crate::text::{IgnoredWords, Tokenizer, Vocabulary};
use std::ops::Range;

/// A word of a text: one that the tokenizer keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextWord {
    /// Where it stands in the text, in bytes.
    pub range: Range<usize>,
    /// Its index in the vocabulary; `None` where that does not have it.
    pub term: Option<u32>,
}

/// The text of a document of a topic model.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadText<'a> {
    /// The text as it was given.
    pub text: &'a str,
    /// Its words, in order.
    pub words: Vec<TextWord>,
    /// Whose its known words are.
    pub responsibilities: Responsibilities,
}

impl<'a> ReadText<'a> {
    /// Reads document `n` of a topic model; what was ignored is no word.
    pub fn new(
        text: &'a str,
        n: usize,
        model: &TopicModel,
        tokenizer: &Tokenizer,
        ignored: &IgnoredWords,
        vocabulary: &Vocabulary,
    ) -> Self {
        let mut words = Vec::new();
        tokenizer.for_each_token_in_place(text, |token, range| {
            if !ignored.contains(token) {
                words.push(TextWord { range, term: vocabulary.index(token) });
            }
        });
        let mut terms: Vec<u32> = words.iter().filter_map(|word| word.term).collect();
        terms.sort_unstable();
        terms.dedup();
        let responsibilities = model.responsibilities(n, terms);
        Self { text, words, responsibilities }
    }
}
