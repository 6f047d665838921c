//! Turns documents as read into word counts.

use std::collections::BTreeMap;

use super::{Corpus, WordCounts};
use crate::reading::{Content, RawDocument};
use crate::text::{Tokenizer, Vocabulary};
use crate::{Error, Result};

/// Corpora as word counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corpora {
    /// The corpora, sorted by name.
    pub corpora: Vec<Corpus>,
    /// The number of documents left out because they have too few known words.
    pub documents_left_out: usize,
    /// One sentence for each corpus left out because it has no documents left.
    pub warnings: Vec<String>,
}

/// The vocabulary, and after its terms all other words of some documents, in the order in which they
/// come.
pub fn with_new_words(
    vocabulary: &Vocabulary,
    documents: &[RawDocument],
    tokenizer: &Tokenizer,
) -> Vocabulary {
    let mut open = vocabulary.clone();
    for document in documents {
        for_each_word(&document.content, tokenizer, |word, _| {
            open.index_or_add(word);
        });
    }
    open
}

/// Counts the words of corpora for training and evaluation.
///
/// Keeps documents in reading order. Leaves out documents without a known word and, for text,
/// documents with fewer than `min_document_words` known words. Leaves out corpora that have no
/// documents left.
pub fn corpora_from(
    documents: &[RawDocument],
    tokenizer: &Tokenizer,
    vocabulary: &Vocabulary,
    min_document_words: usize,
) -> Result<Corpora> {
    let mut by_name: BTreeMap<&str, Corpus> = BTreeMap::new();
    let mut documents_left_out = 0;
    for document in documents {
        let Some(name) = document.corpus.as_deref() else {
            let place = format!("document {}", document.id);
            let remedy = "name the corpus of every document";
            return Err(Error::input(place, "belongs to no corpus", remedy));
        };
        let corpus = by_name.entry(name).or_insert_with(|| Corpus {
            name: name.to_owned(),
            ids: Vec::new(),
            documents: WordCounts::new(),
        });
        let row = Row::of(&document.content, tokenizer, vocabulary);
        let least = match document.content {
            Content::Text(_) => min_document_words.max(1) as u64,
            Content::Counts(_) => 1,
        };
        if row.known_words >= least {
            corpus.ids.push(document.id.clone());
            corpus.documents.push_row(row.counts);
        } else {
            documents_left_out += 1;
        }
    }
    let (corpora, empty): (Vec<_>, Vec<_>) =
        by_name.into_values().partition(|corpus| !corpus.ids.is_empty());
    if corpora.is_empty() {
        let problem = "no document has enough words of the vocabulary";
        let remedy = "lower `min_document_words`, or check the documents' language";
        return Err(Error::input("corpora", problem, remedy));
    }
    let warn = |corpus: Corpus| {
        format!("{}: no document has enough words of the vocabulary; it is left out", corpus.name)
    };
    Ok(Corpora { corpora, documents_left_out, warnings: empty.into_iter().map(warn).collect() })
}

/// The counts of a document's known words, in the order of their indices.
struct Row {
    counts: BTreeMap<u32, u32>,
    known_words: u64,
}

impl Row {
    fn of(content: &Content, tokenizer: &Tokenizer, vocabulary: &Vocabulary) -> Self {
        let mut row = Self { counts: BTreeMap::new(), known_words: 0 };
        for_each_word(content, tokenizer, |term, count| {
            if let Some(index) = vocabulary.index(term) {
                let sum = row.counts.entry(index).or_default();
                *sum = sum.saturating_add(count);
                row.known_words += u64::from(count);
            }
        });
        row
    }
}

/// Calls `visit` with every word of a document and its count. Text gives each occurrence by itself,
/// with a count of 1.
fn for_each_word(content: &Content, tokenizer: &Tokenizer, mut visit: impl FnMut(&str, u32)) {
    match content {
        Content::Text(text) => tokenizer.for_each_token(text, |token| visit(token, 1)),
        // Only counts made by hand can contain zeros.
        Content::Counts(counts) => counts
            .iter()
            .filter(|&&(_, count)| count > 0)
            .for_each(|(term, count)| visit(term, *count)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextSettings;

    fn tokenizer() -> Tokenizer {
        Tokenizer::new(&TextSettings::default())
    }

    fn vocabulary() -> Vocabulary {
        Vocabulary::from_terms(vec!["moon".into(), "cheese".into()]).unwrap()
    }

    fn document(corpus: &str, id: &str, text: &str) -> RawDocument {
        let content = Content::Text(text.into());
        RawDocument { corpus: Some(corpus.into()), id: id.into(), content }
    }

    #[test]
    fn corpora_are_sorted_and_their_documents_in_reading_order() {
        let documents = [
            document("z", "2", "moon moon"),
            document("a", "3", "cheese moon"),
            document("z", "1", "moon cheese"),
            document("z", "0", "moon rocket"),
            document("b", "4", "nothing known"),
        ];
        let corpora = corpora_from(&documents, &tokenizer(), &vocabulary(), 2).unwrap();
        let names: Vec<_> = corpora.corpora.iter().map(|corpus| corpus.name.as_str()).collect();
        assert_eq!(names, ["a", "z"]);
        assert_eq!(corpora.corpora[1].ids, ["2", "1"]);
        assert_eq!(corpora.corpora[1].documents.total_words(), 4);
        assert_eq!(corpora.documents_left_out, 2);
        assert_eq!(corpora.warnings.len(), 1);
        assert!(corpora.warnings[0].starts_with("b: "), "{}", corpora.warnings[0]);
    }

    #[test]
    fn counted_documents_need_one_known_word_only() {
        let content = Content::Counts(vec![("moon".into(), 1)]);
        let document = RawDocument { corpus: Some("a".into()), id: "1".into(), content };
        let corpora = corpora_from(&[document], &tokenizer(), &vocabulary(), 10).unwrap();
        assert_eq!(corpora.corpora[0].ids, ["1"]);
    }

    #[test]
    fn corpora_without_any_document_are_an_error() {
        let documents = [document("a", "1", "rocket")];
        let error = corpora_from(&documents, &tokenizer(), &vocabulary(), 0).unwrap_err();
        assert!(error.to_string().contains("`min_document_words`"), "{error}");
    }
}
