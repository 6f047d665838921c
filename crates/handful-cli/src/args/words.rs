//! Flags that say which words of documents count.

use super::READING;
use clap::Args;
use handful::text::{Language, stop_words_of_name, words_of_list};
use handful::{FitSettings, Result};

/// Which words of the documents count.
#[derive(Debug, Args)]
pub struct WordFlags {
    /// Words to leave out of the documents: a list separated by commas, or @FILE with one word per
    /// line
    #[arg(long, value_name = "LIST", help_heading = READING)]
    ignore_words: Option<String>,
    /// Language of the documents, by its two-letter code, such as `de`, or `auto`: that of most documents
    #[arg(long, value_name = "CODE", default_value = "auto", help_heading = READING)]
    language: String,
    /// Stop words to leave out of texts: `english`, `none`, the code of a language, or a file with one
    /// word per line [default: those of the language]
    #[arg(long, value_name = "LIST", help_heading = READING)]
    stop_words: Option<String>,
}

impl WordFlags {
    /// The usual settings of a fit, with these words.
    pub fn settings(&self, seed: u64) -> Result<FitSettings> {
        let ignored = self.ignore_words.as_deref().map_or(Ok(Vec::new()), words_of_list)?;
        let mut settings = FitSettings::default().with_seed(seed).without_words(ignored);
        settings.language = language_of(&self.language)?;
        settings.stop_words = self.stop_words.as_deref().map(stop_words_of_name).transpose()?;
        Ok(settings)
    }
}

/// The language of a code; `None` for `auto`.
fn language_of(code: &str) -> Result<Option<Language>> {
    if code == "auto" { Ok(None) } else { code.parse().map(Some) }
}
