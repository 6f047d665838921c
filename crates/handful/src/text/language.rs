//! Languages by their codes, and what sets the writing of each apart.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};

use crate::{Error, Result};

/// The languages that are known: the ISO 639-1 code, the English name, and the ISO 639-3 code by which
/// texts are detected, where they are.
static LANGUAGES: [(&str, &str, &str); 83] = [
    ("af", "Afrikaans", "afr"),
    ("ak", "Akan", "aka"),
    ("am", "Amharic", "amh"),
    ("ar", "Arabic", "ara"),
    ("az", "Azerbaijani", "aze"),
    ("be", "Belarusian", "bel"),
    ("bg", "Bulgarian", "bul"),
    ("bn", "Bengali", "ben"),
    ("br", "Breton", ""),
    ("ca", "Catalan", "cat"),
    ("cs", "Czech", "ces"),
    ("cy", "Welsh", "cym"),
    ("da", "Danish", "dan"),
    ("de", "German", "deu"),
    ("el", "Greek", "ell"),
    ("en", "English", "eng"),
    ("eo", "Esperanto", "epo"),
    ("es", "Spanish", "spa"),
    ("et", "Estonian", "est"),
    ("eu", "Basque", ""),
    ("fa", "Persian", "pes"),
    ("fi", "Finnish", "fin"),
    ("fr", "French", "fra"),
    ("ga", "Irish", ""),
    ("gl", "Galician", ""),
    ("gu", "Gujarati", "guj"),
    ("ha", "Hausa", ""),
    ("he", "Hebrew", "heb"),
    ("hi", "Hindi", "hin"),
    ("hr", "Croatian", "hrv"),
    ("hu", "Hungarian", "hun"),
    ("hy", "Armenian", "hye"),
    ("id", "Indonesian", "ind"),
    ("it", "Italian", "ita"),
    ("ja", "Japanese", "jpn"),
    ("jv", "Javanese", "jav"),
    ("ka", "Georgian", "kat"),
    ("km", "Khmer", "khm"),
    ("kn", "Kannada", "kan"),
    ("ko", "Korean", "kor"),
    ("ku", "Kurdish", ""),
    ("la", "Latin", "lat"),
    ("lo", "Lao", ""),
    ("lt", "Lithuanian", "lit"),
    ("lv", "Latvian", "lav"),
    ("mk", "Macedonian", "mkd"),
    ("ml", "Malayalam", "mal"),
    ("mr", "Marathi", "mar"),
    ("ms", "Malay", ""),
    ("my", "Burmese", "mya"),
    ("ne", "Nepali", "nep"),
    ("nl", "Dutch", "nld"),
    ("no", "Norwegian", "nob"),
    ("oc", "Occitan", ""),
    ("or", "Odia", "ori"),
    ("pa", "Punjabi", "pan"),
    ("pl", "Polish", "pol"),
    ("pt", "Portuguese", "por"),
    ("ro", "Romanian", "ron"),
    ("ru", "Russian", "rus"),
    ("si", "Sinhala", "sin"),
    ("sk", "Slovak", "slk"),
    ("sl", "Slovenian", "slv"),
    ("sn", "Shona", "sna"),
    ("so", "Somali", ""),
    ("sr", "Serbian", "srp"),
    ("st", "Sotho", ""),
    ("sv", "Swedish", "swe"),
    ("sw", "Swahili", ""),
    ("ta", "Tamil", "tam"),
    ("te", "Telugu", "tel"),
    ("th", "Thai", "tha"),
    ("tk", "Turkmen", "tuk"),
    ("tl", "Tagalog", "tgl"),
    ("tr", "Turkish", "tur"),
    ("uk", "Ukrainian", "ukr"),
    ("ur", "Urdu", "urd"),
    ("uz", "Uzbek", "uzb"),
    ("vi", "Vietnamese", "vie"),
    ("yi", "Yiddish", "yid"),
    ("yo", "Yoruba", ""),
    ("zh", "Chinese", "cmn"),
    ("zu", "Zulu", "zul"),
];

/// A language, known by its two-letter code (ISO 639-1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Language {
    code: &'static str,
}

/// What an apostrophe inside a word means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Apostrophe {
    /// A possessive or a contraction follows it: `dog's`.
    Contraction,
    /// A shortened article or pronoun stands before it: `l'eau`, `dell'arte`.
    Elision,
    /// An ending of a name stands behind it: `İstanbul'da`.
    Ending,
    /// It is a letter: `п'ять`.
    Letter,
}

impl Language {
    /// English, which the built-in model was trained on.
    pub const ENGLISH: Self = Self { code: "en" };

    /// The language with this ISO 639-1 code; `None` if it is not known here.
    pub fn of_code(code: &str) -> Option<Self> {
        let found = LANGUAGES.iter().find(|(known, _, _)| *known == code);
        found.map(|&(code, _, _)| Self { code })
    }

    /// The language with this ISO 639-3 code, as detection names it.
    pub(super) fn of_long_code(long: &str) -> Option<Self> {
        let found = LANGUAGES.iter().find(|(_, _, known)| *known == long && !long.is_empty());
        found.map(|&(code, _, _)| Self { code })
    }

    /// The ISO 639-1 code.
    pub fn code(self) -> &'static str {
        self.code
    }

    /// The English name.
    pub fn name(self) -> &'static str {
        let found = LANGUAGES.iter().find(|(code, _, _)| *code == self.code);
        found.map_or(self.code, |&(_, name, _)| name)
    }

    pub(super) fn apostrophe(self) -> Apostrophe {
        match self.code {
            "fr" | "it" | "ca" | "oc" | "pt" | "gl" | "es" | "ro" | "ga" | "eo" => {
                Apostrophe::Elision
            }
            "tr" | "az" | "tk" | "fi" | "et" => Apostrophe::Ending,
            "uk" | "be" | "br" | "uz" => Apostrophe::Letter,
            _ => Apostrophe::Contraction,
        }
    }

    /// Whether it is written without spaces between words.
    pub(super) fn is_unspaced(self) -> bool {
        matches!(self.code, "zh" | "ja" | "th" | "lo" | "km" | "my")
    }
}

impl FromStr for Language {
    type Err = Error;

    fn from_str(code: &str) -> Result<Self> {
        Self::of_code(code).ok_or_else(|| {
            let expected = "auto, or the two-letter code of a language, such as de, fr or zh";
            Error::setting("language", code, expected)
        })
    }
}

impl<'de> Deserialize<'de> for Language {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Language({})", self.code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_a_code_of_its_own() {
        for (i, (code, name, long)) in LANGUAGES.iter().enumerate() {
            assert_eq!(code.len(), 2, "{name}");
            let others = || LANGUAGES.iter().skip(i + 1);
            assert!(!others().any(|(other, _, _)| other == code), "{code}");
            assert!(long.is_empty() || !others().any(|(_, _, other)| other == long), "{long}");
            assert_eq!(Language::of_code(code).unwrap().name(), *name);
        }
    }

    #[test]
    fn every_language_that_can_be_detected_is_known() {
        for language in whatlang::Lang::all() {
            assert!(Language::of_long_code(language.code()).is_some(), "{}", language.code());
        }
    }

    #[test]
    fn every_language_with_stop_words_is_known() {
        for code in stop_words::available_languages() {
            assert!(Language::of_code(code).is_some(), "{code}");
        }
    }

    #[test]
    fn a_language_is_written_as_its_code() {
        let german: Language = "de".parse().unwrap();
        assert_eq!(serde_json::to_string(&german).unwrap(), r#""de""#);
        assert_eq!(serde_json::from_str::<Language>(r#""de""#).unwrap(), german);
        assert_eq!(german.to_string(), "German");
    }

    #[test]
    fn an_unknown_code_is_refused_with_what_would_do() {
        let message = "german".parse::<Language>().unwrap_err().to_string();
        assert!(message.starts_with("language is german; it must be auto, or"), "{message}");
        assert!(serde_json::from_str::<Language>(r#""xx""#).is_err());
    }
}
