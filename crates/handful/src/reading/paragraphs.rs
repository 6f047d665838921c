//! Splits documents into paragraphs.

use super::{Content, RawDocument};
use crate::text::Tokenizer;

/// Makes each paragraph of a text a document of its own, named `name#1`, `name#2` and so on.
///
/// Leaves out paragraphs in which `tokenizer` finds no word. Keeps a text unchanged if none of its
/// paragraphs has a word. Keeps counts unchanged.
pub fn split_paragraphs(documents: Vec<RawDocument>, tokenizer: &Tokenizer) -> Vec<RawDocument> {
    documents.into_iter().flat_map(|document| split(document, tokenizer)).collect()
}

fn split(document: RawDocument, tokenizer: &Tokenizer) -> Vec<RawDocument> {
    let Content::Text(text) = &document.content else { return vec![document] };
    let with_words = paragraphs(text).into_iter().filter(|text| !tokenizer.tokens(text).is_empty());
    let parts: Vec<RawDocument> = with_words
        .zip(1..)
        .map(|(text, number)| RawDocument {
            corpus: document.corpus.clone(),
            id: format!("{}#{number}", document.id),
            content: Content::Text(text),
        })
        .collect();
    if parts.is_empty() { vec![document] } else { parts }
}

/// Splits a text at blank lines.
fn paragraphs(text: &str) -> Vec<String> {
    let mut paragraphs = Vec::new();
    let mut paragraph = String::new();
    // The appended empty line ends the last paragraph.
    for line in text.replace("\r\n", "\n").split(['\n', '\r']).chain([""]) {
        // U+2029 is Unicode's own paragraph separator.
        for (i, part) in line.split('\u{2029}').enumerate() {
            if (i > 0 || part.trim().is_empty()) && !paragraph.is_empty() {
                paragraphs.push(std::mem::take(&mut paragraph));
            }
            if !part.trim().is_empty() {
                paragraph += part;
                paragraph.push('\n');
            }
        }
    }
    paragraphs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextSettings;

    fn split(id: &str, content: Content) -> Vec<(String, Content)> {
        let document = RawDocument { corpus: None, id: id.into(), content };
        let tokenizer = Tokenizer::new(&TextSettings::default());
        let parts = split_paragraphs(vec![document], &tokenizer);
        parts.into_iter().map(|part| (part.id, part.content)).collect()
    }

    fn texts(text: &str) -> Vec<(String, String)> {
        let text_of = |content: Content| match content {
            Content::Text(text) => text.trim_end().to_owned(),
            Content::Counts(_) => unreachable!("text stays text"),
        };
        let parts = split("a", Content::Text(text.into()));
        parts.into_iter().map(|(id, content)| (id, text_of(content))).collect()
    }

    #[test]
    fn a_blank_line_ends_a_paragraph_however_lines_end() {
        let expected = [("a#1", "Cats\nsleep"), ("a#2", "dogs bark"), ("a#3", "birds")];
        let expected = expected.map(|(id, text)| (id.to_owned(), text.to_owned()));
        for end in ["\n", "\r\n", "\r"] {
            let text = ["", "Cats", "sleep", "", " \t", "dogs bark", "", "birds"].join(end);
            assert_eq!(texts(&text), expected, "{end:?}");
        }
        assert_eq!(texts("Cats\nsleep\u{2029}dogs bark\u{2029}\u{2029}birds"), expected);
    }

    #[test]
    fn paragraphs_without_a_word_are_left_out() {
        let found = texts("Cats sleep\n\n* * *\n\n17\n\nand the\n\ndogs");
        assert_eq!(
            found,
            [("a#1", "Cats sleep"), ("a#2", "dogs")].map(|(i, t)| (i.into(), t.into()))
        );
    }

    #[test]
    fn what_has_no_paragraphs_stays_as_it_is() {
        for content in [
            Content::Text(String::new()),
            Content::Text("\n\n--\n".into()),
            Content::Counts(vec![("cat".into(), 2)]),
        ] {
            assert_eq!(split("a", content.clone()), [("a".to_owned(), content)]);
        }
    }
}
