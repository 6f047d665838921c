//! Settings for turning text into words and choosing the vocabulary.

use serde::{Deserialize, Serialize};

use super::{Language, StopWords};
use crate::{Error, Result};

/// Settings for turning text into words and choosing the vocabulary.
///
/// A model stores these settings, so that it reads new documents as it read its training corpora.
/// Settings missing from a file take their defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TextSettings {
    /// The minimum length of a word, in characters. A word of one Chinese character is long enough if
    /// the language is written without spaces.
    pub min_length: usize,
    /// Whether words consist of letters only. If not, numbers and words such as `mp3` count as
    /// well.
    pub letters_only: bool,
    /// Words to leave out.
    pub stop_words: StopWords,
    /// The language whose writing tells where words begin and end. Without it, text is cut as English
    /// is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// The minimum number of vocabulary words in a document. Training and evaluation leave out
    /// shorter documents of corpora. A fit keeps every document.
    pub min_document_words: usize,
    /// The minimum number of documents a term must occur in.
    pub min_documents: usize,
    /// The largest share of the documents a term may occur in.
    pub max_document_share: f64,
    /// The minimum number of corpora a term must occur in.
    pub min_corpora: usize,
    /// The maximum number of terms. The terms that occur in the most documents are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_terms: Option<usize>,
    /// Whether to keep mail headers, signatures and addresses as ordinary words.
    pub keep_mail: bool,
}

impl Default for TextSettings {
    fn default() -> Self {
        Self {
            min_length: 2,
            letters_only: true,
            stop_words: StopWords::English,
            language: None,
            min_document_words: 10,
            min_documents: 5,
            max_document_share: 1.0,
            min_corpora: 1,
            max_terms: None,
            keep_mail: false,
        }
    }
}

impl TextSettings {
    /// The same settings for text in a language: it is cut as this language is written, and its stop
    /// words are left out. English is read as it always was.
    pub fn in_language(&self, language: Language) -> Self {
        let cut_as = Some(language).filter(|language| *language != Language::ENGLISH);
        Self { language: cut_as, stop_words: StopWords::of(language), ..self.clone() }
    }

    /// Checks that every setting is within its range.
    pub fn check(&self) -> Result<()> {
        if self.min_length == 0 {
            return Err(Error::setting("min_length", self.min_length, "1 or more"));
        }
        if self.min_documents == 0 {
            return Err(Error::setting("min_documents", self.min_documents, "1 or more"));
        }
        if self.min_corpora == 0 {
            return Err(Error::setting("min_corpora", self.min_corpora, "1 or more"));
        }
        if self.max_terms == Some(0) {
            return Err(Error::setting("max_terms", 0, "1 or more"));
        }
        let share = self.max_document_share;
        if !(share > 0.0 && share <= 1.0) {
            return Err(Error::setting("max_document_share", share, "above 0 and at most 1"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_settings_take_their_defaults() {
        let settings: TextSettings = serde_json::from_str(r#"{"min_length": 3}"#).unwrap();
        assert_eq!(settings, TextSettings { min_length: 3, ..TextSettings::default() });
    }

    #[test]
    fn settings_survive_a_file() {
        let settings = TextSettings {
            stop_words: StopWords::Custom(vec!["foo".into()]),
            max_document_share: 0.3,
            ..TextSettings::default()
        };
        let json = serde_json::to_string(&settings).unwrap();
        assert!(json.contains(r#""stop_words":{"custom":["foo"]}"#), "{json}");
        assert_eq!(serde_json::from_str::<TextSettings>(&json).unwrap(), settings);
    }

    #[test]
    fn a_language_survives_a_file_and_english_is_not_written() {
        let german = TextSettings::default().in_language("de".parse().unwrap());
        let json = serde_json::to_string(&german).unwrap();
        assert!(json.contains(r#""stop_words":{"language":"de"},"language":"de""#), "{json}");
        assert_eq!(serde_json::from_str::<TextSettings>(&json).unwrap(), german);
        assert_eq!(german.in_language(Language::ENGLISH), TextSettings::default());
        assert!(!serde_json::to_string(&TextSettings::default()).unwrap().contains("language"));
    }

    #[test]
    fn the_names_of_stop_word_lists_are_plain_words() {
        assert_eq!(serde_json::to_string(&StopWords::English).unwrap(), r#""english""#);
        assert_eq!(serde_json::from_str::<StopWords>(r#""none""#).unwrap(), StopWords::None);
    }

    #[test]
    fn a_setting_outside_its_range_is_named() {
        let default = TextSettings::default;
        assert!(default().check().is_ok());
        for (settings, name) in [
            (TextSettings { min_length: 0, ..default() }, "min_length"),
            (TextSettings { min_documents: 0, ..default() }, "min_documents"),
            (TextSettings { min_corpora: 0, ..default() }, "min_corpora"),
            (TextSettings { max_terms: Some(0), ..default() }, "max_terms"),
            (TextSettings { max_document_share: 0.0, ..default() }, "max_document_share"),
            (TextSettings { max_document_share: 1.5, ..default() }, "max_document_share"),
            (TextSettings { max_document_share: f64::NAN, ..default() }, "max_document_share"),
        ] {
            let message = settings.check().unwrap_err().to_string();
            assert!(message.starts_with(name), "{message}");
        }
    }
}
