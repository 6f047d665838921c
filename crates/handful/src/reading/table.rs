//! Reads tables of comma- or tab-separated values, one document per row.

use std::io::Read;

use csv::{ReaderBuilder, StringRecord, Trim};

use super::json::Json;
use super::record::{Place, Record, Requirements, list, place_of_line};
use super::{RawDocument, ReadSettings};
use crate::{Error, Result};

/// The positions of the columns.
struct Columns {
    text: Option<usize>,
    counts: Option<usize>,
    id: Option<usize>,
    corpus: Option<usize>,
    /// The number of columns.
    number: usize,
    /// The names of all columns, for messages.
    names: String,
}

/// The remedy for rows that were split in the wrong places.
const QUOTE: &str =
    r#"put fields with separators or line breaks in quotes ("…"), and double the quotes in them"#;

/// Reads the documents of a table with a header. Accepts semicolons in place of commas, as
/// spreadsheets in much of Europe write them, if the header has semicolons and no comma.
pub(super) fn read(
    text: &str,
    separator: u8,
    place: &str,
    required: Requirements,
) -> Result<Vec<RawDocument>> {
    let Some(header) = text.lines().find(|line| !line.trim().is_empty()) else {
        return Err(no_documents(place));
    };
    let semicolons = separator == b',' && header.contains(';') && !header.contains(',');
    let separator = if semicolons { b';' } else { separator };
    // Appends a row to the table. If it is not read as a row, a quote was left open.
    let bytes = text.as_bytes().chain(&b"\nend"[..]);
    let mut reader = ReaderBuilder::new()
        .delimiter(separator)
        .flexible(true)
        .trim(Trim::Headers)
        .from_reader(bytes);
    let columns = match reader.headers() {
        Ok(header) => columns(header, place, required)?,
        Err(error) => return Err(Error::input(place, error.to_string(), QUOTE)),
    };
    let mut documents = Vec::new();
    let mut lines = Lines { text, at: 0, line: 1 };
    for row in reader.records() {
        let row = row.map_err(|error| Error::input(place, error.to_string(), QUOTE))?;
        let begin = row.position().map_or(0, csv::Position::byte);
        let Some(line) = lines.line_of_row(begin) else {
            return if documents.is_empty() { Err(no_documents(place)) } else { Ok(documents) };
        };
        if row.len() != columns.number {
            return Err(wrong_length(row.len(), columns.number, place, line));
        }
        let record = record(&row, &columns, place, line)?;
        let number = documents.len() + 1;
        let place = Place { file: place, line, number };
        documents.push(record.into_document(required, place, &columns.names)?);
    }
    let problem = "a quote (\") is opened in this row and never closed";
    Err(Error::input(place_of_line(place, lines.line), problem, QUOTE))
}

/// Finds the line numbers of rows. The csv crate's own line numbers are too small after blank lines
/// and after `\r\n`, since it looks at them only when it reads the next row.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: u64,
}

impl Lines<'_> {
    /// Returns the line of the row that begins at byte `begin`, or `None` past the end of the text.
    /// Call it for rows in order.
    fn line_of_row(&mut self, begin: u64) -> Option<u64> {
        let bytes = self.text.as_bytes();
        let begin = usize::try_from(begin).ok()?;
        let blank = bytes.get(begin..)?.iter().take_while(|byte| b"\r\n".contains(byte)).count();
        let begin = begin + blank;
        if begin >= bytes.len() {
            return None;
        }
        while self.at < begin {
            let is_end = match bytes[self.at] {
                b'\n' => true,
                b'\r' => bytes.get(self.at + 1) != Some(&b'\n'),
                _ => false,
            };
            self.line += u64::from(is_end);
            self.at += 1;
        }
        Some(self.line)
    }
}

fn columns(header: &StringRecord, place: &str, required: Requirements) -> Result<Columns> {
    let settings = required.settings;
    let column = |name: &str| header.iter().position(|column| column == name);
    let names = format!("the columns {}", list(header.iter()));
    let missing = |name: &str, what: &str, setting: &str| {
        let problem = format!("has no column {name:?}, but {names}");
        Error::input(place, problem, format!("name the column of the {what} with `{setting}`"))
    };
    let columns = Columns {
        text: column(&settings.text_column).or_else(|| only_column(header, settings)),
        counts: column(&settings.counts_column),
        id: column(&settings.id_column),
        corpus: column(settings.belongs_column()),
        number: header.len(),
        names: names.clone(),
    };
    if columns.text.is_none() && columns.counts.is_none() {
        return Err(missing(&settings.text_column, "text", "text_column"));
    }
    if columns.corpus.is_none() && required.corpus {
        let (what, setting) = settings.belongs_to();
        return Err(missing(settings.belongs_column(), what, setting));
    }
    if columns.id.is_none() && settings.id_is_required() {
        return Err(missing(&settings.id_column, "id", "id_column"));
    }
    Ok(columns)
}

/// The most words of a name of a column: more are rather a text, in a table that lacks a header.
const MOST_WORDS_OF_NAME: usize = 3;

/// The column of a table that has no other is its text, whatever it is called, unless the user named another.
fn only_column(header: &StringRecord, settings: &ReadSettings) -> Option<usize> {
    let others = [&settings.counts_column, &settings.id_column, settings.belongs_column()];
    let is_text = |name: &str| {
        let is_other = others.contains(&name);
        !is_other && (1..=MOST_WORDS_OF_NAME).contains(&name.split_whitespace().count())
    };
    let named = settings.text_column != ReadSettings::default().text_column;
    (!named && header.len() == 1 && is_text(&header[0])).then_some(0)
}

fn record(row: &StringRecord, columns: &Columns, place: &str, line: u64) -> Result<Record> {
    let cell = |column: Option<usize>| row.get(column?);
    let filled = |column| cell(column).filter(|cell| !cell.trim().is_empty());
    let counts = match filled(columns.counts) {
        None => None,
        Some(json) => match serde_json::from_str(json) {
            Ok(Json::Object(counts)) => Some(counts),
            // If there is a text, a column with the name of the counts may hold anything.
            _ if columns.text.is_some() => None,
            _ => {
                let problem = "the word counts are no JSON object";
                let remedy = r#"write them as {"term": count, …}, or see `text_column`"#;
                return Err(Error::input(place_of_line(place, line), problem, remedy));
            }
        },
    };
    Ok(Record {
        // A row with counts may leave its text empty. Without counts, an empty text is a document.
        text: if counts.is_some() { filled(columns.text) } else { cell(columns.text) }
            .map(str::to_owned),
        counts,
        id: filled(columns.id).map(str::to_owned),
        corpus: filled(columns.corpus).map(str::to_owned),
    })
}

fn wrong_length(fields: usize, columns: usize, place: &str, line: u64) -> Error {
    let s = if fields == 1 { "" } else { "s" };
    let problem = format!("has {fields} field{s}, but the header has {columns}");
    Error::input(place_of_line(place, line), problem, QUOTE)
}

fn no_documents(place: &str) -> Error {
    Error::input(place, "holds no documents", "write a header and below it a document a row")
}

#[cfg(test)]
mod tests {
    use super::super::Content;
    use super::*;

    fn documents(text: &str, corpus: bool) -> Result<Vec<RawDocument>> {
        let settings = ReadSettings::default();
        read(text, b',', "a.csv", Requirements { settings: &settings, corpus })
    }

    fn message(text: &str) -> String {
        documents(text, false).unwrap_err().to_string()
    }

    fn document(corpus: Option<&str>, id: &str, text: &str) -> RawDocument {
        let content = Content::Text(text.into());
        RawDocument { corpus: corpus.map(str::to_owned), id: id.into(), content }
    }

    #[test]
    fn a_row_is_a_document() {
        let text = "corpus, text ,id,other\nx,\"a,\nb\",7,\n,c,,\n";
        let expected = [document(Some("x"), "7", "a,\nb"), document(None, "2", "c")];
        assert_eq!(documents(text, false).unwrap(), expected);
    }

    #[test]
    fn tabs_and_semicolons_separate_too() {
        let expected = [document(None, "1", "a, b")];
        assert_eq!(documents("id;text\n1;a, b\n", false).unwrap(), expected);
        let settings = ReadSettings::default();
        let required = Requirements { settings: &settings, corpus: false };
        assert_eq!(read("id\ttext\n1\ta, b\n", b'\t', "a.tsv", required).unwrap(), expected);
    }

    #[test]
    fn an_empty_text_is_a_document() {
        assert_eq!(documents("id,text\n1,\n", false).unwrap(), [document(None, "1", "")]);
    }

    #[test]
    fn counts_stand_in_a_cell_as_json() {
        let documents = documents("counts\n\"{\"\"ant\"\": 2}\"\n", false).unwrap();
        assert_eq!(documents[0].content, Content::Counts(vec![("ant".into(), 2)]));
        assert!(message("counts\n5\n").contains("line 2: the word counts are no JSON object"));
        assert!(message("counts,text\n{},a\n").contains("has both"));
    }

    #[test]
    fn a_missing_column_is_named_with_those_there_are_and_the_flag() {
        assert_eq!(
            message("key,body\n1,a\n"),
            "a.csv: has no column \"text\", but the columns key, body; \
             name the column of the text with `text_column`"
        );
        let message = documents("text\na\n", true).unwrap_err().to_string();
        assert!(message.contains("`corpus_column`"), "{message}");
    }

    #[test]
    fn the_only_column_is_the_text() {
        let expected = [document(None, "1", "a b"), document(None, "2", "c")];
        assert_eq!(documents("Your answer\na b\nc\n", false).unwrap(), expected);
        // A first row of many words is no header, and an id is no text.
        assert!(message("the bus is late\na b\n").contains("has no column \"text\""));
        assert!(message("id\n7\n").contains("has no column \"text\""));
        let settings = ReadSettings { text_column: "body".into(), ..ReadSettings::default() };
        let required = Requirements { settings: &settings, corpus: false };
        assert!(read("answer\na b\n", b',', "a.csv", required).is_err());
    }

    #[test]
    fn a_row_of_another_length_is_named_with_its_line() {
        let message = message("id,text\n1,a\n2,b,c\n");
        assert!(
            message.starts_with("a.csv, line 3: has 3 fields, but the header has 2"),
            "{message}"
        );
    }

    #[test]
    fn a_row_without_its_corpus_is_named_with_its_line() {
        let message = documents("text,corpus\na,x\nb,\n", true).unwrap_err().to_string();
        assert!(message.starts_with("a.csv, line 3: \"corpus\" is missing or empty"), "{message}");
    }

    #[test]
    fn a_table_without_rows_is_an_error() {
        assert!(message(" \n").contains("holds no documents"));
        assert!(message("id,text\n").contains("holds no documents"));
    }

    #[test]
    fn lines_are_counted_as_an_editor_counts_them() {
        for end in ["\n", "\r\n", "\r"] {
            let text = ["text,id", "\"a", "b\",", "", "c,", "d", ""].join(end);
            let message = message(&text);
            assert!(message.starts_with("a.csv, line 6: has 1 field, but"), "{end:?} {message}");
        }
    }

    #[test]
    fn rows_without_an_id_are_numbered_from_one() {
        for end in ["\n", "\r\n", "\r"] {
            let text = ["", "text,id", "\"a", "b\",", "", "c,"].join(end);
            let documents = documents(&text, false).unwrap();
            assert_eq!((documents[0].id.as_str(), documents[1].id.as_str()), ("1", "2"), "{end:?}");
        }
    }

    #[test]
    fn a_quote_left_open_does_not_swallow_the_rows_behind_it() {
        for text in ["id,text\n1,a\n2,\"b\n3,c\n", "id,text\n1,a\n2,\"b\n3,c"] {
            let message = message(text);
            assert!(message.starts_with("a.csv, line 3: a quote (\") is opened"), "{message}");
        }
        assert!(message("id,\"text\n1,a").contains("has no column \"text\""));
    }
}
