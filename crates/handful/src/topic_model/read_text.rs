//! A document's text, word by word, with the topics its words belong to.

use super::{Responsibilities, TopicModel};
use crate::corpus::TextWord;

/// The text of a document of a topic model.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadText<'a> {
    /// The text as it was given.
    pub text: &'a str,
    /// Its words, in order.
    pub words: &'a [TextWord],
    /// Whose its known words are.
    pub responsibilities: Responsibilities,
}

impl<'a> ReadText<'a> {
    /// The text of document `n` of a topic model.
    pub fn new(text: &'a str, words: &'a [TextWord], n: usize, model: &TopicModel) -> Self {
        let mut terms: Vec<u32> = words.iter().filter_map(|word| word.term).collect();
        terms.sort_unstable();
        terms.dedup();
        let responsibilities = model.responsibilities(n, terms);
        Self { text, words, responsibilities }
    }
}
