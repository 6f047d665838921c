//! What views show of a fit.

use crate::fit::TopicTerm;

/// What views show of a fit. `Shown::default()` serves; `with_` methods change one thing each.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Shown {
    /// Terms of each topic.
    pub terms: usize,
    /// λ of the terms' relevance, from 0 to 1; `None` for the usual order, which puts words that are
    /// usual everywhere last.
    pub relevance: Option<f64>,
    /// Sentences that speak for each topic; `None` for as many as the view usually has.
    pub sentences: Option<usize>,
    /// Whether JSON says where every word of every document belongs.
    pub words: bool,
    /// Whether the text has numbers for those who want to know more: perplexities, probabilities.
    pub details: bool,
    /// Whether the text shows every document, however many there are.
    pub all_documents: bool,
}

impl Default for Shown {
    fn default() -> Self {
        Self {
            terms: 10,
            relevance: None,
            sentences: None,
            words: false,
            details: false,
            all_documents: false,
        }
    }
}

impl Shown {
    /// With this many terms of each topic.
    pub fn with_terms(mut self, terms: usize) -> Self {
        self.terms = terms;
        self
    }

    /// With terms ordered by relevance λ log φ + (1 − λ) log(φ / p).
    pub fn with_relevance(mut self, lambda: f64) -> Self {
        self.relevance = Some(lambda);
        self
    }

    /// With this many sentences for each topic.
    pub fn with_sentences(mut self, sentences: usize) -> Self {
        self.sentences = Some(sentences);
        self
    }

    /// With numbers for those who want to know more, in the text.
    pub fn with_details(mut self) -> Self {
        self.details = true;
        self
    }

    /// With every document in the text, however many there are.
    pub fn with_all_documents(mut self) -> Self {
        self.all_documents = true;
        self
    }

    /// A term of a topic, with its other forms among the details.
    pub(super) fn term(&self, term: &TopicTerm<'_>) -> String {
        match self.details && !term.forms.is_empty() {
            true => format!("{} ({})", term.term, term.forms.join(", ")),
            false => term.term.to_owned(),
        }
    }

    /// With the place of every word, in JSON.
    pub fn with_words(mut self) -> Self {
        self.words = true;
        self
    }
}
