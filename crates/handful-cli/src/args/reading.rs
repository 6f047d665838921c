//! Flags of commands that read documents.

use clap::{Args, ValueEnum};
use handful::Result;
use handful::reading::{Format, ReadSettings};
use handful::text::{Language, TextSettings, stop_words_of_name};
use std::str::FromStr;

/// The heading of flags that say how inputs are read.
pub const READING: &str = "Reading files";

/// How to read files.
#[derive(Debug, Args)]
#[command(next_help_heading = READING)]
pub struct ReadingFlags {
    /// Format of all inputs [default: by each file's extension]
    #[arg(long, value_name = "FORMAT")]
    format: Option<FormatName>,
    /// Column or field with the text
    #[arg(long, value_name = "NAME", default_value = "text")]
    text_column: String,
    /// Column or field with the document's name
    #[arg(long, value_name = "NAME", default_value = "id")]
    id_column: String,
    /// Column or field with the corpus's name
    #[arg(long, value_name = "NAME", default_value = "corpus")]
    corpus_column: String,
    /// Field with word counts, an object of terms and counts
    #[arg(long, value_name = "NAME", default_value = "counts")]
    counts_column: String,
    /// Most bytes that all inputs may have together, unpacked, such as 500M or 8G
    #[arg(long, value_name = "SIZE", default_value = "2G")]
    max_input_size: Size,
}

/// A number of bytes, as in 500M.
#[derive(Clone, Copy, Debug)]
struct Size(u64);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let units = [("K", 10), ("M", 20), ("G", 30), ("T", 40)];
        let unit = units.iter().find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, shift)));
        let (number, shift) = unit.unwrap_or((text, &0));
        let bytes = number.parse().ok().and_then(|number: u64| number.checked_mul(1 << shift));
        let bytes = bytes.filter(|&bytes| bytes > 0);
        bytes.map(Self).ok_or_else(|| "it must be a number of bytes, such as 500M or 8G".to_owned())
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatName {
    Text,
    Html,
    Jsonl,
    Csv,
    Tsv,
}

impl ReadingFlags {
    pub fn settings(&self) -> ReadSettings {
        ReadSettings {
            format: self.format.map(|format| match format {
                FormatName::Text => Format::Text,
                FormatName::Html => Format::Html,
                FormatName::Jsonl => Format::JsonLines,
                FormatName::Csv => Format::Csv,
                FormatName::Tsv => Format::Tsv,
            }),
            text_column: self.text_column.clone(),
            id_column: self.id_column.clone(),
            corpus_column: self.corpus_column.clone(),
            group_column: None,
            counts_column: self.counts_column.clone(),
            max_input_size: self.max_input_size.0,
        }
    }
}

/// How to turn text into terms. The model stores the settings and applies them again at fit.
#[derive(Debug, Args)]
#[command(next_help_heading = "Text")]
pub struct TextFlags {
    /// Minimum length of a word, in characters
    #[arg(long, value_name = "N", default_value_t = TextSettings::default().min_length)]
    min_length: usize,
    /// Keep words with digits and other signs, not only those of letters
    #[arg(long)]
    any_characters: bool,
    /// Language of the text, by its two-letter code, such as `de`
    #[arg(long, value_name = "CODE", default_value = Language::ENGLISH.code())]
    language: String,
    /// Words to leave out: `english`, `none`, the code of a language, or a file with one word per line
    /// [default: those of the language]
    #[arg(long, value_name = "LIST")]
    stop_words: Option<String>,
    /// Minimum number of documents a term must occur in
    #[arg(long, value_name = "N", default_value_t = TextSettings::default().min_documents)]
    min_documents: usize,
    /// Largest share of the documents a term may occur in
    #[arg(long, allow_negative_numbers = true, value_name = "SHARE", default_value_t = TextSettings::default().max_document_share)]
    max_document_share: f64,
    /// Minimum number of corpora a term must occur in
    #[arg(long, value_name = "N", default_value_t = TextSettings::default().min_corpora)]
    min_corpora: usize,
    /// Maximum number of terms; those that occur in the most documents are kept [default: all]
    #[arg(long, value_name = "N")]
    max_terms: Option<usize>,
    /// Read mail headers, signatures and addresses like other words
    #[arg(long)]
    keep_mail: bool,
    /// Leave out documents with fewer words of the vocabulary
    #[arg(long, value_name = "N", default_value_t = TextSettings::default().min_document_words)]
    min_document_words: usize,
}

impl TextFlags {
    pub fn settings(&self) -> Result<TextSettings> {
        let TextSettings { language, stop_words, .. } =
            TextSettings::default().in_language(self.language.parse()?);
        let named = self.stop_words.as_deref().map(stop_words_of_name).transpose()?;
        let settings = TextSettings {
            min_length: self.min_length,
            letters_only: !self.any_characters,
            stop_words: named.unwrap_or(stop_words),
            language,
            min_document_words: self.min_document_words,
            min_documents: self.min_documents,
            max_document_share: self.max_document_share,
            min_corpora: self.min_corpora,
            max_terms: self.max_terms,
            keep_mail: self.keep_mail,
        };
        settings.check()?;
        Ok(settings)
    }
}
