//! Finds the parts of a mail or news message that are not its text.

use std::borrow::Cow;
use std::ops::Range;

/// Names of header fields that mark a text as a message.
const FIELDS: [&str; 14] = [
    "from",
    "to",
    "cc",
    "subject",
    "date",
    "sender",
    "reply-to",
    "message-id",
    "newsgroups",
    "path",
    "organization",
    "lines",
    "received",
    "content-type",
];

/// How many header fields must be among [`FIELDS`] for the text to have a header.
const LEAST_FIELDS: usize = 2;

/// The most lines that a signature has.
const LONGEST_SIGNATURE: usize = 20;

/// Replaces mail headers (except the subject), attributions such as "Jane Doe writes:", signatures,
/// mail addresses and URLs by spaces. Everything else keeps its byte offset.
pub(super) fn without_mail(text: &str) -> Cow<'_, str> {
    let mut blank = Vec::new();
    let body = header(text, &mut blank);
    let end = body + signature(&text[body..]);
    blank.push(end..text.len());
    let attributions = lines(&text[body..end]).filter(|(_, line)| is_attribution(line));
    blank.extend(attributions.map(|(start, line)| body + start..body + start + line.len()));
    let addresses = pieces(&text[..end]).filter(|(_, piece)| is_address(piece));
    blank.extend(addresses.map(|(start, piece)| start..start + piece.len()));
    if blank.iter().all(Range::is_empty) {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for byte in blank.into_iter().flatten() {
        if bytes[byte] != b'\n' {
            bytes[byte] = b' ';
        }
    }
    Cow::Owned(String::from_utf8(bytes).expect("whole characters became spaces"))
}

/// Returns where the body begins, and adds the header's lines to `blank`.
fn header(text: &str, blank: &mut Vec<Range<usize>>) -> usize {
    let (mut fields, mut names, mut end) = (Vec::new(), 0, 0);
    for (start, line) in lines(text) {
        if line.trim().is_empty() {
            break;
        }
        let is_continued = line.starts_with([' ', '\t']) && !fields.is_empty();
        let Some((name, _)) = line.split_once(':').filter(|(name, _)| is_field_name(name)) else {
            if is_continued {
                fields.push(start..start + line.len());
                end = start + line.len();
                continue;
            }
            return 0;
        };
        if is_continued {
            fields.push(start..start + line.len());
        } else {
            names += usize::from(FIELDS.iter().any(|field| name.eq_ignore_ascii_case(field)));
            let kept = name.eq_ignore_ascii_case("subject");
            fields.push(start..start + if kept { name.len() } else { line.len() });
        }
        end = start + line.len();
    }
    if names < LEAST_FIELDS {
        return 0;
    }
    blank.append(&mut fields);
    end
}

fn is_field_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Returns where the signature begins: at a line of two hyphens near the end.
fn signature(body: &str) -> usize {
    let all: Vec<(usize, &str)> = lines(body).collect();
    let near_end = all.iter().rev().take(LONGEST_SIGNATURE + 1);
    near_end
        .filter(|(_, line)| line.trim_end() == "--")
        .map(|&(start, _)| start)
        .next_back()
        .unwrap_or(body.len())
}

/// Whether the line attributes a quotation, such as "In article <1@b.c> a@b.c (A) writes:".
fn is_attribution(line: &str) -> bool {
    let line = line.trim_end();
    line.ends_with("writes:") || line.ends_with("wrote:")
}

fn is_address(piece: &str) -> bool {
    let is_mail = piece.split_once('@').is_some_and(|(name, host)| {
        name.ends_with(char::is_alphanumeric) && host.starts_with(char::is_alphanumeric)
    });
    is_mail || piece.contains("://") || piece.starts_with("www.")
}

/// Iterates over the lines of a text with their byte offsets, without line ends.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |next, line| {
        let start = *next;
        *next += line.len();
        Some((start, line.trim_end_matches(['\n', '\r'])))
    })
}

/// Splits a text at white space, brackets, quotation marks and some punctuation; gives each piece
/// with its byte offset.
fn pieces(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let cuts = |c: char| c.is_whitespace() || "<>()[]{}\"'`,;|".contains(c);
    let start_of = move |piece: &str| piece.as_ptr() as usize - text.as_ptr() as usize;
    text.split(cuts).map(move |piece| (start_of(piece), piece))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<String> {
        without_mail(text).split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn of_a_header_the_subject_stays() {
        let message = "From: jane@example.org (Jane)\nSubject: Re: Bees: in winter\n  and spring\n\
                       Organization: None\n\nThey sleep: all of them.\n";
        let left = ": Re: Bees: in winter They sleep: all of them.";
        assert_eq!(words(message).join(" "), left);
        // Two lines with colons do not make a header.
        let list = "Sugar: much\nFlour: more\n\nBake it.";
        assert_eq!(without_mail(list), list);
        let one_field = "Subject: bees\nnothing else";
        assert_eq!(without_mail(one_field), one_field);
    }

    #[test]
    fn signatures_and_attributions_are_left_out() {
        let text = "In article <1@b> joe writes:\n> Why?\nBecause.\n-- \nJoe Doe, Bee Inc.\n";
        assert_eq!(words(text), [">", "Why?", "Because."]);
        let rule = format!("One\n--\n{}", "two\n".repeat(40));
        assert_eq!(without_mail(&rule), rule);
    }

    #[test]
    fn addresses_of_mail_and_pages_are_left_out() {
        let text = "ask (jane.doe@example.org) or see https://example.org/a?b=c, www.b.org too";
        assert_eq!(words(text), ["ask", "(", ")", "or", "see", ",", "too"]);
        let no_address = "three @ two euros, e.g. at example.org";
        assert_eq!(without_mail(no_address), no_address);
    }

    proptest! {
        #[test]
        fn everything_else_stays_where_it_is(text in "(From: a@b\\.c\n)?(To: é\n)?(\n)?(\\PC|\n|--\n|writes:\n)*") {
            let left = without_mail(&text);
            prop_assert_eq!(left.len(), text.len());
            for (before, after) in text.bytes().zip(left.bytes()) {
                prop_assert!(before == after || (after == b' ' && before != b'\n'));
            }
        }
    }
}
