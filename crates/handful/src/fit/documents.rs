//! What can be fitted: texts, texts with identifiers, word counts.

use crate::reading::{Content, RawDocument};
use std::collections::HashSet;

/// Something that is a document: a text, a pair of an identifier and a text, a pair of an identifier
/// and word counts, or a [`RawDocument`].
pub trait IntoDocument {
    /// The document. If it has no identifier of its own, `number` becomes its identifier.
    fn into_document(self, number: usize) -> RawDocument;
}

/// Turns texts, pairs and documents into documents.
pub fn into_documents<D: IntoDocument>(documents: impl IntoIterator<Item = D>) -> Vec<RawDocument> {
    let numbered = documents.into_iter().enumerate();
    numbered.map(|(number, document)| document.into_document(number)).collect()
}

impl IntoDocument for RawDocument {
    fn into_document(self, _number: usize) -> RawDocument {
        self
    }
}

impl IntoDocument for &RawDocument {
    fn into_document(self, _number: usize) -> RawDocument {
        self.clone()
    }
}

/// Says that identifiers do not tell documents apart, if they do not.
pub(super) fn warn_of_ids(documents: &[RawDocument]) -> Option<String> {
    let mut seen = HashSet::with_capacity(documents.len());
    let ids = documents.iter().map(|document| &*document.id);
    let again: Vec<&str> = ids.filter(|id| !seen.insert(*id)).collect();
    let id = match *again.first()? {
        "" => "an empty id".to_owned(),
        id => format!("the id {id:?}"),
    };
    let more = match again.len() {
        1 => String::new(),
        number => format!(" ({number} documents have the id of an earlier one)"),
    };
    Some(format!(
        "two documents have {id}{more}; results list documents in the order in which they were given"
    ))
}

/// The words of a document: a text, or words with their counts.
pub trait IntoContent {
    /// The words.
    fn into_content(self) -> Content;
}

macro_rules! texts {
    ($($text:ty),*) => {$(
        impl IntoContent for $text {
            fn into_content(self) -> Content {
                Content::Text(self.to_string())
            }
        }
    )*};
}

texts!(&str, &&str, &String);

impl IntoContent for String {
    fn into_content(self) -> Content {
        Content::Text(self)
    }
}

impl<W: AsRef<str>> IntoContent for &[(W, u32)] {
    fn into_content(self) -> Content {
        Content::counts(self.iter().map(|(word, count)| (word.as_ref().to_owned(), *count)))
    }
}

impl<W: AsRef<str>> IntoContent for &Vec<(W, u32)> {
    fn into_content(self) -> Content {
        self.as_slice().into_content()
    }
}

impl<W: AsRef<str>> IntoContent for Vec<(W, u32)> {
    fn into_content(self) -> Content {
        self.as_slice().into_content()
    }
}

impl<C: IntoContent> IntoDocument for C {
    fn into_document(self, number: usize) -> RawDocument {
        RawDocument { corpus: None, id: number.to_string(), content: self.into_content() }
    }
}

impl<I: AsRef<str>, C: IntoContent> IntoDocument for (I, C) {
    fn into_document(self, _number: usize) -> RawDocument {
        let (id, content) = (self.0.as_ref().to_owned(), self.1.into_content());
        RawDocument { corpus: None, id, content }
    }
}

impl<'a, I: AsRef<str>, C> IntoDocument for &'a (I, C)
where
    &'a C: IntoContent,
{
    fn into_document(self, number: usize) -> RawDocument {
        (self.0.as_ref(), &self.1).into_document(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_do_not_tell_documents_apart_are_named() {
        let said = |ids: &[&str]| warn_of_ids(&into_documents(ids.iter().map(|id| (*id, "a"))));
        assert_eq!(said(&["a", "b", "A"]), None);
        assert!(said(&["a", "b", "a"]).unwrap().starts_with("two documents have the id \"a\"; "));
        assert!(said(&["", ""]).unwrap().starts_with("two documents have an empty id; "));
        let many = said(&["a", "a", "b", "b", "a"]).unwrap();
        assert!(many.contains("(3 documents have the id of an earlier one)"), "{many}");
    }

    #[test]
    fn texts_are_numbered_and_pairs_keep_their_names() {
        let ids = |documents: Vec<RawDocument>| -> Vec<String> {
            documents.into_iter().map(|document| document.id).collect()
        };
        assert_eq!(ids(into_documents(["a b", "c"])), ["0", "1"]);
        assert_eq!(ids(into_documents(vec!["a".to_owned()])), ["0"]);
        assert_eq!(ids(into_documents([("first", "a b"), ("second", "c")])), ["first", "second"]);
        let counts = vec![("moon", 2), ("cheese", 1), ("moon", 1)];
        let documents = into_documents([&counts]);
        assert_eq!(
            documents[0].content,
            Content::counts([("cheese".into(), 1), ("moon".into(), 3)])
        );
    }
}
