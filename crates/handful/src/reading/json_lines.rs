//! Reads JSON lines: one object per line, each a document.

use super::RawDocument;
use super::json::Json;
use super::record::{Place, Record, Requirements, list, place_of_line};
use crate::{Error, Result};

/// Reads the documents of a JSON lines file. Skips blank lines.
pub(super) fn read(text: &str, place: &str, required: Requirements) -> Result<Vec<RawDocument>> {
    let mut documents = Vec::new();
    for (line, json) in (1_u64..).zip(text.lines()) {
        if !json.trim().is_empty() {
            let number = documents.len() + 1;
            documents.push(document(json, Place { file: place, line, number }, required)?);
        }
    }
    if documents.is_empty() {
        let remedy = r#"write one JSON object a line, such as {"id": "a", "text": "…"}"#;
        return Err(Error::input(place, "holds no documents", remedy));
    }
    Ok(documents)
}

fn document(json: &str, place: Place<'_>, required: Requirements) -> Result<RawDocument> {
    let Place { file, line, .. } = place;
    let fail = |problem: String| {
        let remedy = "write one whole JSON object a line";
        Error::input(place_of_line(file, line), problem, remedy)
    };
    let fields = match serde_json::from_str(json) {
        Ok(Json::Object(fields)) => fields,
        Ok(_) => return Err(fail("is no JSON object".into())),
        Err(error) => {
            let reason = error.to_string();
            let reason = reason.split(" at line ").next().unwrap_or_default();
            let problem = format!("is no valid JSON ({reason} at column {})", error.column());
            return Err(fail(problem));
        }
    };
    let names = format!("the fields {}", list(fields.iter().map(|(name, _)| name.as_str())));
    record(&fields, file, line, required)?.into_document(required, place, &names)
}

fn record(
    fields: &[(String, Json)],
    place: &str,
    line: u64,
    required: Requirements,
) -> Result<Record> {
    let settings = required.settings;
    // The last of repeated keys counts, as usual in JSON. Null counts as missing.
    let field = |column: &str| {
        let (_, value) = fields.iter().rfind(|(name, _)| name == column)?;
        (*value != Json::Null).then_some(value)
    };
    let wrong = |column: &str, expected: &str| {
        let problem = format!("{column:?} is no {expected}");
        Error::input(place_of_line(place, line), problem, format!("make it a {expected}"))
    };
    let label = |column: &str| match field(column) {
        None => Ok(None),
        Some(value) => value.label().map(Some).ok_or_else(|| wrong(column, "string or number")),
    };
    let text = match field(&settings.text_column) {
        None => None,
        Some(Json::Text(text)) => Some(text.clone()),
        Some(_) => return Err(wrong(&settings.text_column, "string")),
    };
    let counts = match field(&settings.counts_column) {
        None => None,
        Some(Json::Object(counts)) => Some(counts.clone()),
        // If there is a text, a field with the name of the counts may hold anything.
        Some(_) if text.is_some() => None,
        Some(_) => return Err(wrong(&settings.counts_column, "JSON object of terms and counts")),
    };
    // An empty id is none, as in a table.
    let id = label(&settings.id_column)?.filter(|id| !id.trim().is_empty());
    let corpus = match label(settings.belongs_column()) {
        // A fit does not use corpora, so it ignores the field if it is not a label.
        Err(_) if !required.corpus => None,
        corpus => corpus?,
    };
    Ok(Record { text, counts, id, corpus })
}

#[cfg(test)]
mod tests {
    use super::super::{Content, ReadSettings};
    use super::*;

    fn documents(text: &str) -> Result<Vec<RawDocument>> {
        read(text, "a.jsonl", Requirements { settings: &ReadSettings::default(), corpus: false })
    }

    fn message(text: &str) -> String {
        documents(text).unwrap_err().to_string()
    }

    #[test]
    fn a_line_is_a_document_and_blank_lines_are_skipped() {
        let text = "{\"text\": \"a b\", \"id\": 7, \"corpus\": \"x\"}\r\n\r\n  \n{\"text\":\"\",\"corpus\":[]}";
        let documents = documents(text).unwrap();
        assert_eq!(documents.len(), 2);
        assert_eq!((documents[0].id.as_str(), documents[0].corpus.as_deref()), ("7", Some("x")));
        assert_eq!(documents[0].content, Content::Text("a b".into()));
        assert_eq!((documents[1].id.as_str(), documents[1].corpus.as_deref()), ("2", None));
    }

    #[test]
    fn counts_of_a_repeated_term_are_added_up() {
        let documents = documents(r#"{"counts": {"b": 2, "a": 1.0, "b": 1, "c": 0}}"#).unwrap();
        let expected = vec![("a".to_owned(), 1), ("b".to_owned(), 3)];
        assert_eq!(documents[0].content, Content::Counts(expected));
    }

    #[test]
    fn a_wrong_count_is_named_with_its_line_and_term() {
        for (count, problem) in [
            ("-1", "a.jsonl, line 2: the count of \"ant\", -1, is negative"),
            ("1.5", "a.jsonl, line 2: the count of \"ant\", 1.5, is negative or no whole number"),
            ("4294967296", "is above 4294967295"),
            ("\"2\"", "the count of \"ant\" is no number"),
        ] {
            let message =
                message(&format!("{{\"text\":\"\"}}\n{{\"counts\":{{\"ant\":{count}}}}}"));
            assert!(message.contains(problem), "{message}");
        }
        assert!(message(r#"{"counts":{"":1}}"#).contains("is empty or has a line break"));
    }

    #[test]
    fn invalid_json_is_named_with_its_line() {
        let message = message("{\"text\": \"a\"}\n{\"text\": \"a\"");
        assert!(
            message.starts_with(
                "a.jsonl, line 2: is no valid JSON (EOF while parsing an object at column "
            ),
            "{message}"
        );
        assert!(message.ends_with("; write one whole JSON object a line"), "{message}");
    }

    #[test]
    fn a_document_has_either_text_or_counts() {
        assert!(
            message(r#"{"text": "a", "counts": {}}"#).contains("has both \"text\" and \"counts\"")
        );
        let neither = message(r#"{"body": "a", "title": "b"}"#);
        assert!(
            neither.contains("but the fields body, title; name the column with `text_column`"),
            "{neither}"
        );
        assert!(message(r#"{"text": 5}"#).contains("\"text\" is no string"));
        assert!(message(r#"{"counts": [5]}"#).contains("\"counts\" is no JSON object"));
        assert!(message("[1]").contains("is no JSON object"));
        assert!(documents(r#"{"text": "a", "counts": 5}"#).is_ok());
    }

    #[test]
    fn an_id_that_was_asked_for_must_be_there() {
        let settings = ReadSettings { id_column: "key".into(), ..ReadSettings::default() };
        let required = Requirements { settings: &settings, corpus: false };
        let message = read(r#"{"text": "a"}"#, "a.jsonl", required).unwrap_err().to_string();
        assert!(message.contains("\"key\" is missing or empty among the fields text"), "{message}");
        assert_eq!(read(r#"{"text": "a", "key": "k"}"#, "a", required).unwrap()[0].id, "k");
    }

    #[test]
    fn a_corpus_that_is_required_must_be_there() {
        let settings = ReadSettings::default();
        let required = Requirements { settings: &settings, corpus: true };
        for json in [r#"{"text": "a"}"#, r#"{"text": "a", "corpus": " "}"#] {
            let message = read(json, "a.jsonl", required).unwrap_err().to_string();
            assert!(
                message.contains("line 1: \"corpus\" is missing or empty among the fields text"),
                "{message}"
            );
            assert!(message.contains("`corpus_column`"), "{message}");
        }
    }

    #[test]
    fn a_file_without_documents_is_an_error() {
        assert!(message("\n \n").starts_with("a.jsonl: holds no documents; "));
    }
}
