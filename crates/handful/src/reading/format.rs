//! File formats and the names of their columns.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::text::InputLimit;

/// The format of a file of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Plain text: the file is one document.
    Text,
    /// A web page: the file is one document, without its tags.
    Html,
    /// JSON lines: one object per line, each a document.
    #[serde(rename = "jsonl")]
    JsonLines,
    /// Comma-separated values with a header, one document per row.
    Csv,
    /// Tab-separated values with a header, one document per row.
    Tsv,
}

impl Format {
    /// Whether the format has one document per record, which may name its corpus.
    pub(super) fn has_records(self) -> bool {
        matches!(self, Self::JsonLines | Self::Csv | Self::Tsv)
    }
}

/// File extensions and their formats. Any other extension means plain text.
const ENDINGS: [(&str, Format); 7] = [
    (".html", Format::Html),
    (".htm", Format::Html),
    (".xhtml", Format::Html),
    (".jsonl", Format::JsonLines),
    (".ndjson", Format::JsonLines),
    (".csv", Format::Csv),
    (".tsv", Format::Tsv),
];

/// Settings for reading files of documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadSettings {
    /// The format of all inputs. By default each file's extension decides.
    pub format: Option<Format>,
    /// The field or column with a document's text.
    pub text_column: String,
    /// The field or column with a document's identifier. If the default column is missing, the line
    /// number is the identifier.
    pub id_column: String,
    /// The field or column with a document's corpus.
    pub corpus_column: String,
    /// The field or column with a document's group, if each document of a fit belongs to one. It takes the
    /// place of the corpus, and every document must have it.
    pub group_column: Option<String>,
    /// The field or column with a document's word counts, a JSON object of terms and counts.
    pub counts_column: String,
    /// The most bytes that all inputs may have together, unpacked. It keeps an input that never ends, or
    /// that unpacks to far more than it seems to be, from filling the memory.
    pub max_input_size: u64,
}

impl Default for ReadSettings {
    fn default() -> Self {
        Self {
            format: None,
            text_column: "text".into(),
            id_column: "id".into(),
            corpus_column: "corpus".into(),
            group_column: None,
            counts_column: "counts".into(),
            max_input_size: InputLimit::USUAL.most,
        }
    }
}

impl ReadSettings {
    /// The error for inputs that have more than [`max_input_size`](Self::max_input_size) bytes, for
    /// formats that are read elsewhere.
    #[doc(hidden)]
    pub fn too_large(&self, place: &str) -> Error {
        InputLimit { most: self.max_input_size, ..InputLimit::USUAL }.exceeded(place)
    }

    /// Returns the format in which to read a file of this name.
    pub(super) fn format_of(&self, name: &str) -> Format {
        self.format.unwrap_or_else(|| split_ending(name).1)
    }

    /// The column of what a document belongs to.
    pub(super) fn belongs_column(&self) -> &str {
        self.group_column.as_deref().unwrap_or(&self.corpus_column)
    }

    /// What a document belongs to, and the setting that names its column.
    pub(super) fn belongs_to(&self) -> (&'static str, &'static str) {
        match self.group_column {
            Some(_) => ("group", "group_column"),
            None => ("corpus", "corpus_column"),
        }
    }

    /// Whether the user named the id column, so that it must be present.
    pub(super) fn id_is_required(&self) -> bool {
        self.id_column != Self::default().id_column
    }
}

/// Returns a file's name without its format extensions. This names the file's set of corpora.
pub(super) fn without_endings(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    split_ending(&name).0.to_owned()
}

/// Whether a name ends in `.json`, a format that is not read.
pub(super) fn is_json(name: &str) -> bool {
    strip_ending(strip_ending(name, ".gz").unwrap_or(name), ".json").is_some()
}

fn split_ending(name: &str) -> (&str, Format) {
    let name = strip_ending(name, ".gz").unwrap_or(name);
    ENDINGS
        .iter()
        .find_map(|&(ending, format)| Some((strip_ending(name, ending)?, format)))
        .unwrap_or((name, Format::Text))
}

/// Works like `str::strip_suffix`, but ignores case: some files are named `A.CSV`.
fn strip_ending<'a>(name: &'a str, ending: &str) -> Option<&'a str> {
    let at = name.len().checked_sub(ending.len())?;
    let found = name.get(at..)?;
    found.eq_ignore_ascii_case(ending).then(|| &name[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_says_the_format() {
        let settings = ReadSettings::default();
        for (name, format) in [
            ("a.txt", Format::Text),
            ("53068", Format::Text),
            ("é", Format::Text),
            ("csv", Format::Text),
            ("a.txt.gz", Format::Text),
            ("a.jsonl", Format::JsonLines),
            ("a.NDJSON.GZ", Format::JsonLines),
            ("a.b.csv", Format::Csv),
            ("a.tsv.gz", Format::Tsv),
            ("a.html", Format::Html),
            ("A.HTM.gz", Format::Html),
        ] {
            assert_eq!(settings.format_of(name), format, "{name}");
        }
    }

    #[test]
    fn a_format_that_is_set_holds_for_every_file() {
        let settings = ReadSettings { format: Some(Format::Tsv), ..ReadSettings::default() };
        assert_eq!(settings.format_of("a.csv"), Format::Tsv);
    }

    #[test]
    fn the_name_of_a_set_has_no_format() {
        assert_eq!(without_endings(Path::new("data/news.jsonl.gz")), "news");
        assert_eq!(without_endings(Path::new("data/v1.2")), "v1.2");
    }

    #[test]
    fn json_is_not_json_lines() {
        assert!(is_json("a.json") && is_json("a.JSON.gz"));
        assert!(!is_json("a.jsonl") && !is_json("json"));
    }
}
