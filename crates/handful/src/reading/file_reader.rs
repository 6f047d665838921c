//! Reads one file after the other and collects the warnings about them.

use std::io::Read;
use std::path::Path;

use super::format::{Format, is_json};
use super::record::Requirements;
use super::{Content, RawDocument, ReadSettings, html, json_lines, table};
use crate::text::{
    Decoded, InputLimit, Recognised, decode_within, read_file, read_stream, recognise,
};
use crate::{Error, Result};

/// The name of standard input in messages.
const STANDARD_INPUT: &str = "standard input";

/// Reads files and collects what to warn the user about.
pub(super) struct FileReader<'a> {
    settings: &'a ReadSettings,
    /// Files whose encoding was guessed.
    guessed: Vec<String>,
    /// Errors for the files in folders that were left out.
    left_out: Vec<Error>,
    standard_input: Option<&'a mut dyn Read>,
    /// How many bytes the inputs read so far have, unpacked.
    size: u64,
}

impl<'a> FileReader<'a> {
    pub(super) fn new(settings: &'a ReadSettings, standard_input: &'a mut dyn Read) -> Self {
        let standard_input = Some(standard_input);
        Self { settings, guessed: Vec::new(), left_out: Vec::new(), standard_input, size: 0 }
    }

    /// What the next input may have.
    fn limit(&self) -> InputLimit {
        let most = self.settings.max_input_size;
        InputLimit { left: most.saturating_sub(self.size), most, ..InputLimit::USUAL }
    }

    /// Reads a file that the user named. Any problem with it is an error. With `needs_corpus`, each
    /// document must name its corpus.
    pub(super) fn named(
        &mut self,
        path: &Path,
        id: &str,
        needs_corpus: bool,
    ) -> Result<Vec<RawDocument>> {
        let place = path.display().to_string();
        if let Some(refusal) = self.refusal_of_json(&place) {
            return Err(refusal);
        }
        let bytes = read_file(path, self.limit())?;
        self.documents(decode_within(bytes, &place, self.limit())?, &place, id, needs_corpus)
    }

    /// Reads a file found in a folder. If it is not text, leaves it out and records a warning.
    pub(super) fn found(
        &mut self,
        path: &Path,
        id: &str,
        needs_corpus: bool,
    ) -> Result<Vec<RawDocument>> {
        let place = path.display().to_string();
        let recognised = match self.refusal_of_json(&place) {
            Some(refusal) => Recognised::NotText(refusal),
            None => {
                let bytes = read_file(path, self.limit())?;
                recognise(bytes, &place, self.limit())?
            }
        };
        match recognised {
            Recognised::Text(decoded) => self.documents(decoded, &place, id, needs_corpus),
            Recognised::NotText(refusal) => {
                self.left_out.push(refusal);
                Ok(Vec::new())
            }
        }
    }

    /// Reads the documents of standard input.
    pub(super) fn standard_input(&mut self, needs_corpus: bool) -> Result<Vec<RawDocument>> {
        let Some(input) = self.standard_input.take() else {
            let problem = "can be read only once";
            return Err(Error::input(STANDARD_INPUT, problem, "give - only once"));
        };
        let bytes = read_stream(input, STANDARD_INPUT, self.limit())?;
        let decoded = decode_within(bytes, STANDARD_INPUT, self.limit())?;
        self.documents(decoded, STANDARD_INPUT, "-", needs_corpus)
    }

    /// The number of files left out so far.
    pub(super) fn files_left_out(&self) -> usize {
        self.left_out.len()
    }

    /// Returns the error for a folder without documents: why its first file was left out, or
    /// `otherwise` if none was. The first `before` files left out belong to earlier folders.
    pub(super) fn nothing_read(&mut self, before: usize, otherwise: Error) -> Error {
        self.left_out.drain(before..).next().unwrap_or(otherwise)
    }

    /// Returns the warnings for the user.
    pub(super) fn into_warnings(self) -> Vec<String> {
        let mut warnings = Vec::new();
        match self.guessed.as_slice() {
            [] => {}
            [file] => {
                let guess = "is not UTF-8 and was read as windows-1252";
                warnings.push(format!("1 file {guess}: {file}"));
            }
            files => {
                let more = if files.len() > 3 { ", …" } else { "" };
                let names = files[..files.len().min(3)].join(", ");
                let guess = "are not UTF-8 and were read as windows-1252";
                warnings.push(format!("{} files {guess}: {names}{more}", files.len()));
            }
        }
        match self.left_out.as_slice() {
            [] => {}
            [refusal] => warnings.push(format!("1 file was left out: {refusal}")),
            [first, ..] => {
                let number = self.left_out.len();
                warnings.push(format!("{number} files were left out, the first of them {first}"));
            }
        }
        warnings
    }

    fn refusal_of_json(&self, place: &str) -> Option<Error> {
        let refused = self.settings.format.is_none() && is_json(place);
        refused.then(|| {
            let problem = "is JSON, of which only JSON lines are read";
            let remedy = "write one object a line into a .jsonl file, for example with jq -c '.[]'";
            Error::unsupported(place, problem, remedy)
        })
    }

    fn documents(
        &mut self,
        decoded: Decoded,
        place: &str,
        id: &str,
        needs_corpus: bool,
    ) -> Result<Vec<RawDocument>> {
        self.size += decoded.text.len() as u64;
        if decoded.is_guess {
            self.guessed.push(place.to_owned());
        }
        let text = decoded.text;
        let required = Requirements { settings: self.settings, corpus: needs_corpus };
        match self.settings.format_of(place) {
            Format::JsonLines => json_lines::read(&text, place, required),
            Format::Csv => table::read(&text, b',', place, required),
            Format::Tsv => table::read(&text, b'\t', place, required),
            Format::Text | Format::Html if self.settings.group_column.is_some() => {
                let remedy = "give JSON lines or a table with a column of groups (see `format`)";
                Err(Error::input(place, "is plain text, which does not name a group", remedy))
            }
            Format::Text | Format::Html if needs_corpus => Err(Error::input(
                place,
                "is plain text, which does not name a corpus",
                "give a folder with a subfolder for each corpus, or JSON lines or CSV (see `format`)",
            )),
            format => {
                let is_page = match self.settings.format {
                    None => format == Format::Html || html::is_html(&text),
                    Some(format) => format == Format::Html,
                };
                let text = if is_page { html::text_of(&text) } else { text };
                Ok(vec![RawDocument { corpus: None, id: id.into(), content: Content::Text(text) }])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused_in_any_format(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
            text in "[\\[\\]{}\",:;\t\r\n\\\\ a-c0-9.-]{0,80}|[<>/!\"'=&;# a-dé-]{0,80}|\\PC{0,80}",
            begin in select(vec![
                "", "\u{feff}", "text\n", "id,text\n", "{\"text\":", "{\"counts\":{",
                "<!doctype html>", "<html><!--", "<p title=\"", "<script>", "a<", "&",
            ]),
            format in select(vec![
                Format::Text, Format::Html, Format::JsonLines, Format::Csv, Format::Tsv,
            ]),
            needs_corpus: bool,
        ) {
            let settings = ReadSettings { format: Some(format), ..ReadSettings::default() };
            for bytes in [&bytes[..], text.as_bytes()] {
                let bytes = [begin.as_bytes(), bytes].concat();
                let mut input = io::Cursor::new(bytes);
                let mut reader = FileReader::new(&settings, &mut input);
                // An error must be one line, because it is printed on a line of its own.
                if let Err(error) = reader.standard_input(needs_corpus) {
                    prop_assert!(!error.to_string().contains('\n'), "{}", error);
                }
            }
        }
    }

    #[test]
    fn all_inputs_together_have_one_limit() {
        let settings = ReadSettings { max_input_size: 10, ..ReadSettings::default() };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, "seven c").unwrap();
        let mut nothing = io::empty();
        let mut reader = FileReader::new(&settings, &mut nothing);
        assert_eq!(reader.named(&path, "a", false).unwrap().len(), 1);
        let message = reader.named(&path, "a", false).unwrap_err().to_string();
        assert!(
            message.contains("a.txt: goes beyond the 10 bytes that all documents"),
            "{message}"
        );
    }

    #[test]
    fn standard_input_is_read_once() {
        let settings = ReadSettings::default();
        let mut input = io::Cursor::new("a b");
        let mut reader = FileReader::new(&settings, &mut input);
        assert_eq!(reader.standard_input(false).unwrap()[0].id, "-");
        let message = reader.standard_input(false).unwrap_err().to_string();
        assert_eq!(message, "standard input: can be read only once; give - only once");
    }
}
