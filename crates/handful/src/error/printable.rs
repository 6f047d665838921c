//! Text of unknown origin, such as names of files and words of documents, made fit to be printed.

use std::borrow::Cow;
use std::fmt::{self, Write};

/// The text on one line, with every character shown that a terminal would obey instead of showing it:
/// `\u{1b}` for an escape, with which a file's name could clear the screen or rewrite what stands there.
/// These are control characters, also those from U+0080 to U+009F, line breaks of all sorts, and
/// characters that turn the direction of what follows.
///
/// Printable text stays as it is, so that it does no harm to make it printable again.
pub fn printable(text: &str) -> Cow<'_, str> {
    shown_by(text, |shown, c| write!(shown, "{}", c.escape_unicode()))
}

/// The same for text of several lines, which keeps its lines.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    if !text.contains(|c| is_obeyed(c) && c != '\n') {
        return Cow::Borrowed(text);
    }
    let lines = text.split('\n').map(|line| printable(line.strip_suffix('\r').unwrap_or(line)));
    Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
}

/// JSON with the same characters as escapes of JSON: they stand in strings only, and mean the same.
pub fn printable_json(json: &str) -> Cow<'_, str> {
    shown_by(json, |shown, c| write!(shown, "\\u{:04x}", u32::from(c)))
}

/// The text with each character that a terminal would obey as `escape` writes it.
fn shown_by(text: &str, escape: impl Fn(&mut String, char) -> fmt::Result) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_obeyed(c) {
            escape(&mut shown, c).expect("a string takes every character");
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// Whether a terminal obeys the character instead of showing it. The marks U+200E and U+200F stay: texts
/// in Hebrew and Arabic have them, and they turn nothing around.
fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_shown() {
        assert_eq!(printable("a\u{1b}[2Jb"), "a\\u{1b}[2Jb");
        assert_eq!(printable("\u{9b}2J\u{7f}\u{85}"), "\\u{9b}2J\\u{7f}\\u{85}");
        assert_eq!(printable("exe.\u{202e}txt\u{2066}"), "exe.\\u{202e}txt\\u{2066}");
        assert_eq!(printable("two\r\nlines\t"), "two\\u{d}\\u{a}lines\\u{9}");
    }

    #[test]
    fn text_of_any_language_stays_as_it_is() {
        for text in ["", "Käse 蜂 пчела", "\u{200f}שלום\u{200e}", "👩\u{200d}👧", r"C:\a\u{1b}"]
        {
            assert!(matches!(printable(text), Cow::Borrowed(same) if same == text), "{text}");
        }
        let once = printable("\u{1b}").into_owned();
        assert_eq!(printable(&once), once);
    }

    #[test]
    fn lines_stay_lines() {
        assert_eq!(printable_lines("a\nb\u{1b}c\r\n"), "a\nb\\u{1b}c\n");
        assert_eq!(printable_lines("a\n\nb"), "a\n\nb");
    }

    #[test]
    fn json_means_the_same() {
        let text = "a\u{1b}\u{9b}\u{202e}é";
        let json = serde_json::to_string(text).unwrap();
        let shown = printable_json(&json);
        assert!(!shown.contains(is_obeyed), "{shown}");
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
    }
}
