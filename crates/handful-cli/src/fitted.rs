//! A fit together with the documents it was made of.

use handful::corpus::WordCounts;
use handful::model_dir::SavedTopicModel;
use handful::reading::{Content, RawDocument};
use handful::text::{IgnoredWords, Tokenizer};
use handful::topic_model::{
    RankedTerm, ReadText, Responsibilities, Sentence, TermOrder, representative_sentences,
};

/// A fit together with the documents it was made of.
#[derive(Debug)]
pub struct Fitted<'a> {
    pub saved: &'a SavedTopicModel,
    pub documents: &'a [RawDocument],
    pub counts: &'a WordCounts,
    pub tokenizer: &'a Tokenizer,
    pub ignored: &'a IgnoredWords,
    pub terms: &'a ShownTerms,
}

/// Which terms of topics are shown.
#[derive(Debug)]
pub struct ShownTerms {
    pub order: TermOrder,
    pub most: usize,
}

impl ShownTerms {
    /// Those of topic `k`.
    pub fn of(&self, saved: &SavedTopicModel, k: usize) -> Vec<RankedTerm> {
        self.order.top(&saved.topic_model, k, self.most)
    }
}

/// A sentence of a document, to be quoted for a topic.
#[derive(Debug)]
pub struct Quote<'a> {
    pub document: &'a str,
    /// On one line.
    pub text: String,
    /// How much of it belongs to the topic.
    pub share: f64,
}

impl<'a> Fitted<'a> {
    /// Whose the words of document `n` are.
    pub fn responsibilities(&self, n: usize) -> Responsibilities {
        let terms = self.counts.row(n).map(|(term, _)| term);
        self.saved.topic_model.responsibilities(n, terms)
    }

    /// The documents' texts; `None` for a document that was given as counts.
    pub fn texts(&self) -> Vec<Option<ReadText<'a>>> {
        let SavedTopicModel { topic_model, vocabulary, .. } = self.saved;
        let read = |(n, document): (usize, &'a RawDocument)| match &document.content {
            Content::Text(text) => {
                Some(ReadText::new(text, n, topic_model, self.tokenizer, self.ignored, vocabulary))
            }
            Content::Counts(_) => None,
        };
        self.documents.iter().enumerate().map(read).collect()
    }

    /// For each topic at most so many sentences that speak for it.
    pub fn quotes(&self, texts: &[Option<ReadText<'a>>], most: usize) -> Vec<Vec<Quote<'a>>> {
        let sentences = representative_sentences(&self.saved.topic_model, texts, most);
        let quote = |sentence: Sentence| {
            let text = texts[sentence.document].as_ref().expect("a sentence is of a text").text;
            // Control characters are for a terminal, not for its reader.
            let is_gap = |c: char| c.is_whitespace() || c.is_control();
            let words = text[sentence.range].split(is_gap).filter(|word| !word.is_empty());
            let words: Vec<&str> = words.collect();
            let document = &self.documents[sentence.document].id;
            Quote { document, text: words.join(" "), share: sentence.share }
        };
        sentences.into_iter().map(|all| all.into_iter().map(quote).collect()).collect()
    }
}
