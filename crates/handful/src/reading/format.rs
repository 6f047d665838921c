//! File formats, and how their columns are named.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// The format of a file of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Plain text: the file is one document.
    Text,
    /// A page: the file is one document, its tags are no part of it.
    Html,
    /// A JSON object a line, a document each.
    #[serde(rename = "jsonl")]
    JsonLines,
    /// Comma-separated values with a header, a document a row.
    Csv,
    /// Tab-separated values with a header, a document a row.
    Tsv,
}

impl Format {
    /// Whether a file has a document a line, which may name its corpus.
    pub(super) fn has_records(self) -> bool {
        matches!(self, Self::JsonLines | Self::Csv | Self::Tsv)
    }
}

/// File endings and their formats. Any other ending is plain text.
const ENDINGS: [(&str, Format); 7] = [
    (".html", Format::Html),
    (".htm", Format::Html),
    (".xhtml", Format::Html),
    (".jsonl", Format::JsonLines),
    (".ndjson", Format::JsonLines),
    (".csv", Format::Csv),
    (".tsv", Format::Tsv),
];

/// How files of documents are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadSettings {
    /// The format of all inputs; by default each file's ending says it.
    pub format: Option<Format>,
    /// The field or column of a document's text.
    pub text_column: String,
    /// The field or column of a document's identifier. Where the default is missing, the line
    /// number is the identifier.
    pub id_column: String,
    /// The field or column of a document's corpus.
    pub corpus_column: String,
    /// The field or column of a document's word counts, a JSON object of terms and counts.
    pub counts_column: String,
}

impl Default for ReadSettings {
    fn default() -> Self {
        Self {
            format: None,
            text_column: "text".into(),
            id_column: "id".into(),
            corpus_column: "corpus".into(),
            counts_column: "counts".into(),
        }
    }
}

impl ReadSettings {
    /// The format in which a file of this name is read.
    pub(super) fn format_of(&self, name: &str) -> Format {
        self.format.unwrap_or_else(|| split_ending(name).1)
    }

    /// Whether a column was named by the user, so that it has to be there.
    pub(super) fn id_is_required(&self) -> bool {
        self.id_column != Self::default().id_column
    }
}

/// A file's name without the endings that say its format, the name of its set of corpora.
pub(super) fn without_endings(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    split_ending(&name).0.to_owned()
}

/// Whether a name ends in `.json`, which is no format we read.
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

/// As `str::strip_suffix`, whatever the case: there are files `A.CSV`.
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
