//! Tells which language documents are in.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use super::mail::without_mail;
use super::{Language, StopWords, is_latin};

/// How much of a document is looked at, in bytes: more tells no more.
const LOOKED_AT: usize = 4_000;

/// The least number of stop words that make up for too few letters to tell a language by.
const LEAST_STOP_WORDS: usize = 3;

/// How many documents are in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LanguageCount {
    /// The language.
    pub language: Language,
    /// The number of documents.
    pub documents: usize,
}

/// The languages of some documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DetectedLanguages {
    counts: Vec<LanguageCount>,
    together: Option<Language>,
}

impl DetectedLanguages {
    /// The language of most documents; of all together if none is long enough by itself. `None` if
    /// they do not tell.
    pub fn main(&self) -> Option<Language> {
        self.counts.first().map(|count| count.language).or(self.together)
    }

    /// How many documents are in each language, most first, without those that do not tell.
    pub fn counts(&self) -> &[LanguageCount] {
        &self.counts
    }
}

/// Detects the language of each text by its letters (trigrams) and by its stop words. A text for which
/// the two disagree, or that is too short, tells nothing.
pub fn detect_languages<'a>(texts: impl IntoIterator<Item = &'a str>) -> DetectedLanguages {
    let (mut lists, mut together) = (StopWordLists::default(), String::new());
    // Documents and letters of each language, in the order in which languages appear.
    let mut found: Vec<(Language, usize, usize)> = Vec::new();
    for text in texts {
        let text = without_mail(beginning(text));
        match lists.language_of(&text) {
            Some(language) => {
                let known = found.iter().position(|(other, _, _)| *other == language);
                let place = known.unwrap_or_else(|| {
                    found.push((language, 0, 0));
                    found.len() - 1
                });
                found[place].1 += 1;
                found[place].2 += text.len();
            }
            None if together.len() < LOOKED_AT => {
                together.push_str(&text);
                together.push('\n');
            }
            None => {}
        }
    }
    found.sort_by_key(|&(_, documents, letters)| std::cmp::Reverse((documents, letters)));
    let together = if found.is_empty() { lists.language_of(&together) } else { None };
    let count = |(language, documents, _)| LanguageCount { language, documents };
    DetectedLanguages { counts: found.into_iter().map(count).collect(), together }
}

/// The beginning of a text.
fn beginning(text: &str) -> &str {
    let end = (0..=LOOKED_AT.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or(0)]
}

/// Stop words of the languages that were asked for.
#[derive(Default)]
struct StopWordLists {
    lists: HashMap<Language, HashSet<String>>,
}

impl StopWordLists {
    /// The language of a text, if letters and stop words agree on it.
    fn language_of(&mut self, text: &str) -> Option<Language> {
        let info = whatlang::detect(text)?;
        let language = Language::of_long_code(info.lang().code())?;
        let words: Vec<String> = text
            .unicode_words()
            .flat_map(|word| word.split(['\'', '\u{2019}']))
            .map(str::to_lowercase)
            .collect();
        let own = self.count(language, &words);
        let english = self.count(Language::ENGLISH, &words);
        let is_sure = info.is_reliable() || own >= LEAST_STOP_WORDS;
        let agrees = if language == Language::ENGLISH {
            own > 0
        } else {
            // Trigrams of a list of names, or of a program, resemble those of any language.
            own > 2 * english || (english == 0 && !is_mostly_latin(text))
        };
        (is_sure && agrees).then_some(language)
    }

    /// How many of the words are stop words of a language.
    fn count(&mut self, language: Language, words: &[String]) -> usize {
        let list = self.lists.entry(language).or_insert_with(|| StopWords::of(language).words());
        words.iter().filter(|word| list.contains(*word)).count()
    }
}

fn is_mostly_latin(text: &str) -> bool {
    let letters = text.chars().filter(|letter| letter.is_alphabetic());
    let (latin, other): (Vec<char>, Vec<char>) = letters.partition(|&letter| is_latin(letter));
    latin.len() >= other.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GERMAN: &str =
        "Die Bienen fliegen im Mai aus dem Stock, und die Königin fliegt mit ihnen.";
    const FRENCH: &str =
        "Les abeilles quittent la ruche au mois de mai, et la reine part avec elles.";
    const ENGLISH: &str = "The bees leave the hive in May, and the queen goes with them.";

    fn main(texts: &[&str]) -> Option<&'static str> {
        detect_languages(texts.iter().copied()).main().map(Language::code)
    }

    #[test]
    fn the_language_of_a_text_is_told() {
        for (text, code) in [
            (GERMAN, "de"),
            (FRENCH, "fr"),
            (ENGLISH, "en"),
            ("Las abejas salen de la colmena en mayo, y la reina se va con ellas.", "es"),
            ("Le api lasciano l'alveare a maggio, e la regina va con loro.", "it"),
            ("As abelhas deixam a colmeia em maio, e a rainha vai com elas.", "pt"),
            ("Пчёлы вылетают из улья в мае, и матка летит вместе с ними.", "ru"),
            ("Μέλισσες φεύγουν από την κυψέλη τον Μάιο μαζί με τη βασίλισσα.", "el"),
            ("蜜蜂在五月离开蜂巢，蜂王和它们一起飞走。", "zh"),
            ("ミツバチは五月に巣を離れ、女王蜂も一緒に飛びます。", "ja"),
            ("ผึ้งออกจากรังในเดือนพฤษภาคม", "th"),
        ] {
            assert_eq!(main(&[text]), Some(code), "{text}");
        }
    }

    #[test]
    fn the_majority_of_documents_rules_and_the_others_are_counted() {
        let found = detect_languages([FRENCH, GERMAN, ENGLISH, GERMAN]);
        assert_eq!(found.main().unwrap().code(), "de");
        let counts: Vec<_> =
            found.counts().iter().map(|it| (it.language.code(), it.documents)).collect();
        assert_eq!(counts, [("de", 2), ("fr", 1), ("en", 1)]);
    }

    #[test]
    fn texts_that_are_short_are_told_together() {
        let texts = ["Der Honig", "im Glas", "und das Brot", "auf dem Tisch", "mit einer Biene"];
        assert!(detect_languages(texts).counts().is_empty());
        assert_eq!(main(&texts), Some("de"));
    }

    #[test]
    fn what_is_no_prose_tells_nothing() {
        for text in ["", "42", "Paris Tokyo Lima Bern", "let mut x = vec![0; n];", "bee hive honey"]
        {
            assert_eq!(main(&[text]), None, "{text}");
        }
    }
}
