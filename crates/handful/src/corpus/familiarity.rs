//! Warns about documents of which the model knows few words.

use super::CountedDocuments;
use crate::reading::{Content, RawDocument};
use crate::text::{StopWords, TextSettings, is_latin};

/// A model knows at least one word in `LEAST_KNOWN` of a document in its language.
const LEAST_KNOWN: u64 = 5;

/// The most documents to name in a warning.
const NAMED: usize = 5;

/// Warns if the model knows none of the documents' words, or if it is English and some documents
/// are not. A document is not English if the model knows less than a fifth of its words, or if most
/// of its letters are not Latin. Only a model's stop words tell its language.
pub fn warn_of_unfamiliar(
    documents: &[RawDocument],
    counted: &CountedDocuments,
    text: Option<&TextSettings>,
) -> Option<String> {
    let is_english = text.is_some_and(|text| text.stop_words == StopWords::English);
    let known = |n: usize| counted.words[n] - counted.unknown_words[n];
    let all_known: u64 = (0..documents.len()).map(known).sum();
    let new_count = counted.counts.total_words() > all_known;
    if all_known == 0 {
        let english = if is_english { ", which is English," } else { "" };
        let rest = if new_count {
            "rest on which words they have in common"
        } else {
            "are those that it expects of any documents"
        };
        return Some(format!(
            "none of the documents has a word that the model{english} knows; the topics {rest}"
        ));
    }
    let is_strange = |n: &usize| {
        let knows_little = counted.words[*n] > 0 && known(*n) * LEAST_KNOWN < counted.words[*n];
        knows_little || is_in_another_script(&documents[*n].content)
    };
    let strange: Vec<usize> = (0..documents.len()).filter(is_strange).collect();
    if strange.is_empty() || !is_english {
        return None;
    }
    let share = |n: usize| 100.0 * known(n) as f64 / counted.words[n].max(1) as f64;
    let name = |&n: &usize| format!("{} ({:.0}% known)", documents[n].id, share(n));
    let mut names = strange.iter().take(NAMED).map(name).collect::<Vec<_>>().join(", ");
    if strange.len() > NAMED {
        names += ", …";
    }
    let of = if strange.len() == 1 { "a document" } else { "some documents" };
    let rest = if new_count { "on which words they have in common" } else { "on those" };
    Some(format!(
        "the model is English and knows few of the words of {of}, whose topics rest {rest}: {names}"
    ))
}

/// Whether most letters of a text are not Latin. Never true of counts: whoever counted the words
/// chose them.
fn is_in_another_script(content: &Content) -> bool {
    let Content::Text(text) = content else { return false };
    let (mut latin, mut other) = (0, 0);
    for letter in text.chars().filter(|character| character.is_alphabetic()) {
        *if is_latin(letter) { &mut latin } else { &mut other } += 1;
    }
    other > latin
}

#[cfg(test)]
mod tests {
    use super::super::read_documents;
    use super::*;
    use crate::text::{IgnoredWords, Tokenizer, Vocabulary};

    fn warning(texts: &[&str], settings: &TextSettings) -> Option<String> {
        let documents: Vec<RawDocument> = texts
            .iter()
            .zip(["a", "b", "c", "d", "e", "f", "g"])
            .map(|(&text, id)| RawDocument {
                corpus: None,
                id: id.into(),
                content: Content::Text(text.into()),
            })
            .collect();
        let vocabulary = Vocabulary::from_terms(vec!["moon".into(), "cheese".into()]).unwrap();
        let tokenizer = Tokenizer::new(settings);
        let ignored = IgnoredWords::default();
        let read = read_documents(&documents, &tokenizer, &ignored, &vocabulary, false);
        warn_of_unfamiliar(&documents, &read.counted, Some(settings))
    }

    #[test]
    fn documents_that_an_english_model_hardly_knows_are_named() {
        let english = TextSettings::default();
        for (strange, known) in [
            ("fromage lune bleu vert gris moon", "17%"),
            ("Το τυρί και η σελήνη", "0%"),
            // Segmented into single characters, which are too short to be words.
            ("月亮 和 奶酪", "0%"),
            ("القمر والجبن", "0%"),
        ] {
            let warning = warning(&["moon cheese", "", strange], &english).unwrap();
            let end = format!("rest on those: c ({known} known)");
            assert!(warning.ends_with(&end), "{warning}");
        }
        let many = ["moon", "x1 y", "zz", "zz", "zz", "zz", "zz"];
        let many = many.map(|text| if text == "zz" { "луна" } else { text });
        let warning = warning(&many, &english).unwrap();
        assert!(warning.contains("c (0% known), d (0% known)"), "{warning}");
    }

    #[test]
    fn documents_that_it_knows_give_no_warning() {
        let english = TextSettings::default();
        for text in ["", "😀 🎉", "moon fromage bleu vert gris", "moon 1 2 3", "the and of"] {
            assert_eq!(warning(&["moon cheese", text], &english), None, "{text}");
        }
    }

    #[test]
    fn a_model_of_no_known_language_is_not_called_english() {
        for stop_words in [StopWords::None, StopWords::Custom(vec!["le".into()])] {
            let settings = TextSettings { stop_words, ..TextSettings::default() };
            assert_eq!(warning(&["moon", "le fromage bleu"], &settings), None);
            let warning = warning(&["fromage", "😀"], &settings).unwrap();
            assert!(warning.starts_with("none of the documents has a word that the model knows"));
        }
    }
}
