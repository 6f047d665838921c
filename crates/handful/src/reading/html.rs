//! Extracts the text of HTML that a reader of the page would see.

use std::convert::Infallible;

use html5gum::{DefaultEmitter, Span, Token, Tokenizer};

use super::flowing_text::FlowingText;

/// Elements whose content is not visible text.
const UNREAD: [&str; 3] = ["script", "style", "template"];

/// A tag appended to the page. If it is not parsed as a tag, something before it was left open.
const END: &str = "<end>";

/// Whether a text is a web page, judged by its beginning.
pub(super) fn is_html(text: &str) -> bool {
    let text = text.trim_start();
    ["<!doctype html", "<html"].iter().any(|begin| {
        let found = text.get(..begin.len()).is_some_and(|found| found.eq_ignore_ascii_case(begin));
        found && text[begin.len()..].starts_with(|next: char| next == '>' || next.is_whitespace())
    })
}

/// Returns the text of a page: without tags, comments, scripts and styles, with entities decoded,
/// and with a blank line between blocks.
///
/// Parses tags and entities as browsers do, with one exception. A browser loses the rest of the
/// page in a comment, tag or script that is never closed; here only the unclosed part itself is
/// lost.
pub(super) fn text_of(html: &str) -> String {
    let mut page = Page::default();
    let source = [html, END].concat();
    let mut at = 0;
    while let Some(next) = page.read(&source, at, html.len()) {
        at = next;
    }
    page.text.into_string()
}

/// The page as read so far.
#[derive(Debug, Default)]
struct Page {
    text: FlowingText,
    /// For each of [`UNREAD`], whether it is known that no closing tag follows.
    left_open: [bool; UNREAD.len()],
}

impl Page {
    /// Reads `source` from byte `at` up to the first element whose content must be skipped. Returns
    /// where to continue, or `None` at the end. The page ends at byte `end`, where [`END`] begins.
    fn read(&mut self, source: &str, at: usize, end: usize) -> Option<usize> {
        let emitter = DefaultEmitter::<usize>::new_with_span();
        let mut read_to = at;
        for token in Tokenizer::new_with_emitter(&source[at..], emitter) {
            let token = token.unwrap_or_else(|never: Infallible| match never {});
            let Some(Span { start, end: token_end }) = place_of(&token) else { continue };
            if at + start == end {
                return None;
            }
            if at + token_end > end {
                break;
            }
            read_to = at + token_end;
            match token {
                Token::String(text) => self.text.push(&String::from_utf8_lossy(&text)),
                Token::StartTag(tag) => {
                    let name = String::from_utf8_lossy(&tag.name);
                    self.text.open(&name);
                    if let Some(content) = self.unread_content(&name, &source[read_to..end]) {
                        return Some(read_to + content);
                    }
                }
                Token::EndTag(tag) => self.text.close(&String::from_utf8_lossy(&tag.name)),
                Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
            }
        }
        self.read_plainly(&source[read_to..end]);
        None
    }

    /// Returns the length of the content to skip if `name` is one of [`UNREAD`]. An element that is
    /// never closed has nothing to skip.
    fn unread_content(&mut self, name: &str, rest: &str) -> Option<usize> {
        let kind = UNREAD.iter().position(|unread| *unread == name)?;
        if self.left_open[kind] {
            return None;
        }
        let closes = |at: usize| {
            let found = rest.get(at + 2..at + 2 + name.len());
            found.is_some_and(|found| found.eq_ignore_ascii_case(name))
        };
        let content = rest.match_indices("</").map(|(at, _)| at).find(|&at| closes(at));
        self.left_open[kind] = content.is_none();
        content
    }

    /// Reads the rest of a page that begins with something never closed. Looks only at where tags
    /// begin and end, and does not treat comments specially.
    fn read_plainly(&mut self, mut rest: &str) {
        rest = rest.strip_prefix("<!--").unwrap_or(rest);
        while let Some(begin) = rest.find('<') {
            self.push_decoded(&rest[..begin]);
            rest = &rest[begin + 1..];
            let is_tag = rest.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c));
            let end = if is_tag { rest.find('>') } else { None };
            match end {
                Some(end) => {
                    let tag = rest[..end].to_ascii_lowercase();
                    let name = tag.trim_start_matches('/');
                    let length = name.bytes().take_while(u8::is_ascii_alphanumeric).count();
                    rest = &rest[end + 1..];
                    let name = &name[..length];
                    if tag.starts_with('/') {
                        self.text.close(name);
                    } else {
                        self.text.open(name);
                        let content = self.unread_content(name, rest);
                        rest = &rest[content.unwrap_or(0)..];
                    }
                }
                None if is_tag => break,
                None => self.text.push("<"),
            }
        }
        // No tag ends after this point.
        self.push_decoded(&rest.replace('<', " "));
    }

    /// Adds text that has entities but no tags.
    fn push_decoded(&mut self, text: &str) {
        for token in Tokenizer::new(text) {
            if let Ok(Token::String(text)) = token {
                self.text.push(&String::from_utf8_lossy(&text));
            }
        }
    }
}

/// Returns the span of a token. An error token has none.
fn place_of(token: &Token<usize>) -> Option<Span> {
    match token {
        Token::StartTag(tag) => Some(tag.span),
        Token::EndTag(tag) => Some(tag.span),
        Token::String(text) => Some(text.span),
        Token::Comment(comment) => Some(comment.span),
        Token::Doctype(doctype) => Some(doctype.span),
        Token::Error(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pages and the text a reader sees on them.
    const PAGES: &[(&str, &str)] = &[
        ("", ""),
        ("no tags at all", "no tags at all"),
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<p>one<p>two<div>three</div>four", "one\n\ntwo\n\nthree\n\nfour"),
        ("one<br>two<BR/>three", "one\ntwo\nthree"),
        ("<ul><li>one<li>two</ul>three", "one\ntwo\n\nthree"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><th>c</table>", "a b\nc"),
        ("un<b>believ</b>able <i>words</i>", "unbelievable words"),
        ("a \n\n b\t<b> c</b>", "a b c"),
        ("<pre>a  b\nc\n\nd</pre>e", "a b\nc\n\nd\n\ne"),
        // Content that is not visible.
        ("a<script>var p = '<p>x</p>';</script>b", "ab"),
        ("a<SCRIPT src='x'>if (a </b) {}</ScRiPt >b", "ab"),
        ("a<style>p > q { color: red }</style>b", "ab"),
        ("<head><meta name=k content=v><title>T</title><style>x</style></head><body>b", "T\n\nb"),
        ("a<!-- <p>x</p> -->b<!---->c<!-->d", "abcd"),
        ("<!DOCTYPE html><html><body>a<!doctype nonsense>b", "ab"),
        ("<?xml version='1.0'?><p>a<?php echo 1 ?>b", "ab"),
        // Entities.
        ("&lt;p&gt; &amp;amp; &quot;x&quot;", "<p> &amp; \"x\""),
        ("caf&eacute; na&#239;ve &#x4e2d;&#X6587; &hellip;", "café naïve 中文 …"),
        ("R&D AT&T a&b; &nosuch; &; &#; &#x;", "R&D AT&T a&b; &nosuch; &; &#; &#x;"),
        ("&copy 2024 &Alpha;&alpha; &zwj;", "© 2024 Αα \u{200d}"),
        ("a&nbsp;b", "a\u{a0}b"),
        ("&#0;&#xD800;&#x110000;", "\u{fffd}\u{fffd}\u{fffd}"),
        // Attributes that look like markup.
        ("<a title='>' href=\"x>y\">a</a>b", "ab"),
        ("<img alt=\"<p>\" src=x>a", "a"),
        ("<a href=x<y>z</a>", "z"),
        ("<p class='é' é>ü</p>", "ü"),
        // Text that looks like tags but is none.
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("a <3 b <- c <", "a <3 b <- c <"),
        ("</p>a</nonsense>b</>c", "abc"),
        ("<o:p>a</o:p><x-card>b</x-card>", "ab"),
        // An unclosed element loses only itself, not the rest of the page.
        ("a<!-- b <p>c</p> d", "a b\n\nc\n\nd"),
        ("a<script>b</p> c", "ab\n\nc"),
        ("a<style>b <script>x</script> c", "ab c"),
        ("<title>T<p>a &amp; b", "T\n\na & b"),
        ("<textarea>T<p>a", "T\n\na"),
        ("a <a href=\"x>b</a> c <p>d &lt; e", "a b c\n\nd < e"),
        ("a <a href='x>b <script>y</script> c", "a b c"),
        ("a <b", "a b"),
        ("a <a href=\"x y", "a a href=\"x y"),
        ("a <!doctype b <p>c", "a c"),
        ("a <!", "a !"),
        ("a &am", "a &am"),
        ("a <?php b", "a ?php b"),
        ("<end>a<end>", "a"),
        ("a <end", "a end"),
        ("<frameset><noframes>a</noframes>", "a"),
    ];

    #[test]
    fn a_page_is_what_a_reader_reads() {
        for (html, text) in PAGES {
            assert_eq!(text_of(html), *text, "{html}");
        }
    }

    #[test]
    fn no_word_outside_of_tags_is_lost_wherever_a_page_is_cut() {
        let page = "<!doctype html><html><head><title>alpha</title><script>x</script></head>\
                    <body class='a'><!-- note --><p title=\"b\">bravo</p><pre>charlie</pre>";
        for cut in (0..page.len()).filter(|&cut| page.is_char_boundary(cut)) {
            let text = text_of(&[&page[..cut], " delta <p>echo</p>"].concat());
            for word in ["alpha", "bravo", "charlie"] {
                let is_there = page[..cut].contains(&format!("{word}<"));
                assert!(!is_there || text.contains(word), "{cut}: {text}");
            }
            assert!(text.contains("echo"), "{cut}: {text}");
        }
    }

    #[test]
    fn a_page_is_known_by_how_it_begins() {
        for text in
            ["<!DOCTYPE html>", " \n<!doctype HTML PUBLIC \"x\">", "<html>", "<HTML lang=x>"]
        {
            assert!(is_html(text), "{text}");
        }
        for text in ["", "<", "<htmlx>", "html", "<p>", "<!doctype", "a <html>", "<!doctype htmlé"]
        {
            assert!(!is_html(text), "{text}");
        }
    }

    #[test]
    fn a_page_of_open_ends_is_read_in_no_more_than_linear_time() {
        for part in ["<!--", "<script>", "<a b=\"", "<", "&", "<style></", "<p", "</script"] {
            let page = part.repeat(1_000_000 / part.len());
            let before = std::time::Instant::now();
            text_of(&page);
            let seconds = before.elapsed().as_secs_f64();
            assert!(seconds < 20.0, "{part}: {seconds} s");
        }
    }
}
