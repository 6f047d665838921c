//! Builds the vocabulary of training corpora.

use std::collections::BTreeSet;

use crate::reading::{Content, RawDocument};
use crate::text::{TermSelection, TextSettings, Tokenizer, Vocabulary};
use crate::{Error, Result};

/// Builds the vocabulary of documents, in alphabetical order.
///
/// For text, chooses the terms by [`TermSelection`], from the documents whose corpus is not
/// `excluded`: a target corpus must not shape what a model knows. For counts, takes every term of
/// every document: whoever counted the words chose the terms, and perplexities over different
/// vocabularies cannot be compared.
pub fn build_vocabulary(
    documents: &[RawDocument],
    excluded: &[String],
    settings: &TextSettings,
) -> Result<Vocabulary> {
    let texts = documents.iter().filter(|read| matches!(read.content, Content::Text(_))).count();
    if texts == 0 {
        terms_of_counts(documents)
    } else if texts == documents.len() {
        terms_of_texts(documents, excluded, settings)
    } else {
        let problem = format!("{texts} of {} are text, the others counts", documents.len());
        let remedy = "give all documents as text, or all as counts";
        Err(Error::input("documents", problem, remedy))
    }
}

fn terms_of_counts(documents: &[RawDocument]) -> Result<Vocabulary> {
    let mut terms = BTreeSet::new();
    for document in documents {
        if let Content::Counts(counts) = &document.content {
            terms.extend(counts.iter().map(|(term, _)| term));
        }
    }
    if terms.is_empty() {
        return Err(empty("there are no words", "give documents with words"));
    }
    Vocabulary::from_terms(terms.into_iter().cloned().collect())
}

fn terms_of_texts(
    documents: &[RawDocument],
    excluded: &[String],
    settings: &TextSettings,
) -> Result<Vocabulary> {
    settings.check()?;
    let tokenizer = Tokenizer::new(settings);
    let mut selection = TermSelection::new();
    for document in documents {
        let corpus = document.corpus.as_deref().unwrap_or_default();
        let is_excluded = excluded.iter().any(|name| name == corpus);
        if let (Content::Text(text), false) = (&document.content, is_excluded) {
            let tokens = tokenizer.tokens(text);
            selection.push_document(corpus, tokens.iter().map(String::as_str));
        }
    }
    let terms = selection.terms(settings);
    if terms.is_empty() {
        Err(why_empty(&selection, settings))
    } else {
        Vocabulary::from_terms(terms)
    }
}

/// Returns the error that names the filter to loosen: the first one without which terms would
/// remain.
fn why_empty(selection: &TermSelection, settings: &TextSettings) -> Error {
    let all = TextSettings {
        min_documents: 1,
        max_document_share: 1.0,
        min_document_words: 0,
        min_corpora: 1,
        ..settings.clone()
    };
    if selection.terms(&all).is_empty() {
        let remedy =
            "give more documents, exclude fewer corpora, or check `min_length` and the stop words";
        return empty("the documents have no words", remedy);
    }
    let (documents, share, words) =
        (settings.min_documents, settings.max_document_share, settings.min_document_words);
    let corpora = settings.min_corpora;
    let loosened = [
        (
            TextSettings { min_documents: 1, ..settings.clone() },
            format!("no term stands in {documents} documents"),
            "lower `min_documents`",
        ),
        (
            TextSettings { max_document_share: 1.0, ..settings.clone() },
            format!("every term stands in more than {share} of the documents"),
            "raise `max_document_share`",
        ),
        (
            TextSettings { min_document_words: 0, ..settings.clone() },
            format!("no document has {words} words of the vocabulary"),
            "lower `min_document_words`",
        ),
        (
            TextSettings { min_corpora: 1, ..settings.clone() },
            format!("no term stands in {corpora} corpora"),
            "lower `min_corpora`",
        ),
    ];
    for (settings, problem, remedy) in loosened {
        if !selection.terms(&settings).is_empty() {
            return empty(&problem, remedy);
        }
    }
    empty(
        "no term passes the filters",
        "lower `min_documents` and `min_document_words`, and raise `max_document_share`",
    )
}

fn empty(problem: &str, remedy: &str) -> Error {
    Error::input("vocabulary", format!("would be empty, {problem}"), remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(corpus: &str, text: &str) -> RawDocument {
        let content = Content::Text(text.into());
        RawDocument { corpus: Some(corpus.into()), id: String::new(), content }
    }

    fn counts(corpus: &str, terms: &[&str]) -> RawDocument {
        let content = Content::counts(terms.iter().map(|&term| (term.to_owned(), 1)));
        RawDocument { corpus: Some(corpus.into()), id: String::new(), content }
    }

    fn settings(min_documents: usize, share: f64, words: usize) -> TextSettings {
        TextSettings {
            min_documents,
            max_document_share: share,
            min_document_words: words,
            ..TextSettings::default()
        }
    }

    #[test]
    fn words_of_excluded_corpora_are_not_in_the_vocabulary_of_texts() {
        let documents = [text("a", "the moon"), text("b", "moon cheese"), text("c", "rocket")];
        let vocabulary = build_vocabulary(&documents, &["c".into()], &settings(1, 1.0, 0)).unwrap();
        assert_eq!(vocabulary.terms(), ["cheese", "moon"]);
    }

    #[test]
    fn counts_keep_all_terms_excluded_or_not() {
        let documents = [counts("a", &["x", "The"]), counts("b", &["moon", "x"])];
        let vocabulary =
            build_vocabulary(&documents, &["b".into()], &TextSettings::default()).unwrap();
        assert_eq!(vocabulary.terms(), ["The", "moon", "x"]);
    }

    #[test]
    fn text_and_counts_do_not_mix() {
        let documents = [counts("a", &["x"]), text("a", "x")];
        let error = build_vocabulary(&documents, &[], &TextSettings::default()).unwrap_err();
        let expected = "documents: 1 of 2 are text, the others counts; \
            give all documents as text, or all as counts";
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn an_empty_vocabulary_names_the_filter_to_loosen() {
        let documents = [text("a", "moon cheese"), text("a", "moon rocket")];
        let message = |settings: &TextSettings| {
            build_vocabulary(&documents, &[], settings).unwrap_err().to_string()
        };
        assert!(message(&settings(3, 1.0, 0)).ends_with("; lower `min_documents`"));
        assert!(message(&settings(2, 0.9, 0)).ends_with("; lower `min_documents`"));
        assert!(message(&settings(1, 0.4, 0)).ends_with("; raise `max_document_share`"));
        assert!(message(&settings(1, 1.0, 3)).ends_with("; lower `min_document_words`"));
        assert!(message(&settings(2, 0.4, 3)).contains("and raise `max_document_share`"));
        let in_two = TextSettings { min_corpora: 2, ..settings(1, 1.0, 0) };
        assert!(message(&in_two).ends_with("; lower `min_corpora`"));
        let excluded = build_vocabulary(&documents, &["a".into()], &settings(1, 1.0, 0));
        assert!(excluded.unwrap_err().to_string().contains("exclude fewer corpora"));
        let nothing = build_vocabulary(&[], &[], &settings(1, 1.0, 0));
        assert!(nothing.unwrap_err().to_string().contains("there are no words"));
    }
}
