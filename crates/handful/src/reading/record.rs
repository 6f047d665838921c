//! One record of a file of documents, in any format.

use super::format::ReadSettings;
use super::json::Json;
use super::{Content, RawDocument};
use crate::{Error, Result};

/// The contents of a line of JSON or a row of a table.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub text: Option<String>,
    pub counts: Option<Vec<(String, Json)>>,
    pub id: Option<String>,
    pub corpus: Option<String>,
}

/// What the records of a file must contain.
#[derive(Clone, Copy)]
pub(super) struct Requirements<'a> {
    /// The names of the columns.
    pub settings: &'a ReadSettings,
    /// Whether every document must name its corpus.
    pub corpus: bool,
}

/// Where a record stands in its file.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    /// The file's name.
    pub file: &'a str,
    /// Its line, for messages.
    pub line: u64,
    /// Its number among the records, from 1: its id if it has none. A table's first row is 1, as in a
    /// data frame, whatever stands above it.
    pub number: usize,
}

/// Returns the place of a line, for messages.
pub(super) fn place_of_line(place: &str, line: u64) -> String {
    format!("{place}, line {line}")
}

/// Lists names for a message, at most 12 of them.
pub(super) fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const SHOWN: usize = 12;
    let names: Vec<String> = names.map(|name| name.replace(char::is_control, " ")).collect();
    let mut list = names[..names.len().min(SHOWN)].join(", ");
    if names.len() > SHOWN {
        list.push_str(", …");
    }
    list
}

impl Record {
    /// Converts the record into a document, or says what is wrong with it. `names` lists the fields
    /// that the line has.
    pub(super) fn into_document(
        self,
        required: Requirements,
        place: Place<'_>,
        names: &str,
    ) -> Result<RawDocument> {
        let settings = required.settings;
        let fail = |problem: String, remedy: &str| {
            Err(Error::input(place_of_line(place.file, place.line), problem, remedy))
        };
        let corpus = self.corpus.filter(|corpus| !corpus.trim().is_empty());
        if required.corpus && corpus.is_none() {
            let (what, setting) = settings.belongs_to();
            let problem =
                format!("{:?} is missing or empty among {names}", settings.belongs_column());
            return fail(
                problem,
                &format!("name the {what}'s column with `{setting}`, or fill it in"),
            );
        }
        if settings.id_is_required() && self.id.is_none() {
            let problem = format!("{:?} is missing or empty among {names}", settings.id_column);
            return fail(problem, "name the id's column with `id_column`, or fill it in");
        }
        let content = match (self.text, self.counts) {
            (Some(text), None) => Content::Text(text),
            (None, Some(counts)) => {
                let counts = counts.iter().map(|(term, count)| counted(term, count));
                match counts.collect::<std::result::Result<Vec<_>, _>>() {
                    Ok(counts) => Content::counts(counts),
                    Err(problem) => return fail(problem, "give whole numbers, 0 or more"),
                }
            }
            (Some(_), Some(_)) => {
                let problem =
                    format!("has both {:?} and {:?}", settings.text_column, settings.counts_column);
                return fail(
                    problem,
                    "keep one, or name another column with `text_column` or `counts_column`",
                );
            }
            (None, None) => {
                let problem = format!(
                    "has neither {:?} nor {:?}, but {names}",
                    settings.text_column, settings.counts_column
                );
                return fail(problem, "name the column with `text_column` or `counts_column`");
            }
        };
        Ok(RawDocument { corpus, id: self.id.unwrap_or_else(|| place.number.to_string()), content })
    }
}

/// Checks a term and its count. The error is the problem in words.
fn counted(term: &str, count: &Json) -> std::result::Result<(String, u32), String> {
    if term.is_empty() || term.contains(['\n', '\r']) {
        return Err(format!("the term {term:?} is empty or has a line break"));
    }
    let Json::Number(number) = count else {
        return Err(format!("the count of {term:?} is no number"));
    };
    // Data frames write whole numbers as 2.0.
    let whole = number.as_f64().filter(|count| *count >= 0.0 && count.fract() == 0.0);
    match whole {
        Some(count) if count <= f64::from(u32::MAX) => Ok((term.to_owned(), count as u32)),
        Some(_) => Err(format!("the count of {term:?}, {number}, is above {}", u32::MAX)),
        None => Err(format!("the count of {term:?}, {number}, is negative or no whole number")),
    }
}
