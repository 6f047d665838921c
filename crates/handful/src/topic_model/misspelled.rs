//! New words of the documents that look misspelled. No topic is told by them.

use super::{Background, TermEvidence};
use crate::text::{Vocabulary, base_form, is_misspelling};

/// A new word that is said no oftener may be misspelled.
const SELDOM: u64 = 2;

/// If more of the documents' words are new, the model does not know their language well enough to tell
/// misspelled words.
const MOST_NEW: f64 = 0.3;

/// Tells which words of some documents look misspelled. It looks at a word when it is asked: of many
/// documents few words come so far that they might be shown.
#[derive(Clone, Copy, Debug)]
pub struct Spelling<'a> {
    background: &'a Background,
    vocabulary: &'a Vocabulary,
    /// Whether the model knows the documents' language well enough.
    knows_language: bool,
}

impl<'a> Spelling<'a> {
    /// For the documents that gave this evidence.
    pub fn of(
        background: &'a Background,
        evidence: &TermEvidence,
        vocabulary: &'a Vocabulary,
    ) -> Self {
        let (mut all, mut new) = (0, 0);
        for expression in evidence.expressions.iter().filter(|it| it.words.len() == 1) {
            all += expression.count;
            let is_new = expression.term as usize >= background.known_terms;
            new += if is_new { expression.count } else { 0 };
        }
        let knows_language = new as f64 <= MOST_NEW * all as f64;
        Self { background, vocabulary, knows_language }
    }

    /// Whether a term that the documents say `count` times is a new word like a known one, and no other form
    /// of it.
    pub fn is_misspelled(&self, term: u32, count: u64) -> bool {
        let known_terms = self.background.known_terms;
        let is_known =
            |word: &str| self.vocabulary.index(word).is_some_and(|j| (j as usize) < known_terms);
        let is_new = term as usize >= known_terms && self.background.words_of(term).is_none();
        let word = self.vocabulary.term(term);
        self.knows_language
            && is_new
            && count <= SELDOM
            && base_form(word, is_known) == word
            && is_misspelling(word, is_known)
    }
}
