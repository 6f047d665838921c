//! Turns a file's bytes into text.

use std::io::Read;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use flate2::read::MultiGzDecoder;

use super::binary;
use super::input::InputLimit;
use crate::{Error, Result};

/// The first bytes of every gzip file.
const GZIP: &[u8] = b"\x1f\x8b";

/// How many bytes at the start of a page to search for its encoding. Browsers search as many.
const PRESCAN: usize = 1024;

/// A file's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text, without a byte order mark.
    pub text: String,
    /// Whether the encoding is a guess. The bytes were not UTF-8, so they were read as
    /// windows-1252, the most likely of the older encodings. Tell the user.
    pub is_guess: bool,
}

/// What a file's bytes turned out to be.
pub(crate) enum Recognised {
    /// The file is text.
    Text(Decoded),
    /// The file is not text; the error says why it is refused.
    NotText(Error),
}

/// Decodes a file.
///
/// Unpacks gzip and obeys a byte order mark (UTF-8, UTF-16). Without a mark, reads the bytes as
/// UTF-8. If they are not UTF-8, uses the encoding that a web page declares, or else windows-1252.
///
/// Refuses files that are not text. `place` is the file's name, for messages.
pub fn decode(bytes: Vec<u8>, place: &str) -> Result<Decoded> {
    decode_within(bytes, place, InputLimit::USUAL)
}

/// Decodes like [`decode`], unless that unpacks more than a limit.
pub(crate) fn decode_within(bytes: Vec<u8>, place: &str, limit: InputLimit) -> Result<Decoded> {
    match recognise(bytes, place, limit)? {
        Recognised::Text(decoded) => Ok(decoded),
        Recognised::NotText(refusal) => Err(refusal),
    }
}

/// Decodes like [`decode`], for a reader that skips files that are not text. A damaged file is
/// still an error.
pub(crate) fn recognise(bytes: Vec<u8>, place: &str, limit: InputLimit) -> Result<Recognised> {
    let bytes = if bytes.starts_with(GZIP) {
        unpack(&bytes, place, limit)?
    } else if place.to_lowercase().ends_with(".gz") {
        let problem = "is no gzip file although its name ends in .gz";
        return Err(Error::input(place, problem, "rename it, or fetch it again"));
    } else {
        bytes
    };
    if let Some(refusal) = binary::refusal(&bytes, place) {
        return Ok(Recognised::NotText(refusal));
    }
    let decoded = decode_text(bytes);
    // Checks UTF-16, too: text with NUL characters was not really UTF-16.
    if decoded.text.contains('\0') {
        return Ok(Recognised::NotText(binary::refusal_of_nul(place)));
    }
    Ok(Recognised::Text(decoded))
}

fn unpack(bytes: &[u8], place: &str, limit: InputLimit) -> Result<Vec<u8>> {
    let mut unpacked = Vec::new();
    let mut content = MultiGzDecoder::new(bytes).take(limit.left.saturating_add(1));
    match content.read_to_end(&mut unpacked) {
        Ok(_) if unpacked.len() as u64 > limit.left => Err(limit.exceeded(place)),
        Ok(_) => Ok(unpacked),
        Err(reason) => {
            let problem = format!("is a damaged gzip file ({reason})");
            Err(Error::damaged(place, problem, "fetch or compress it again"))
        }
    }
}

fn decode_text(bytes: Vec<u8>) -> Decoded {
    if let Some((encoding, _)) = Encoding::for_bom(&bytes) {
        let (text, broken) = encoding.decode_with_bom_removal(&bytes);
        if encoding != UTF_8 || !broken {
            return Decoded { text: text.into_owned(), is_guess: false };
        }
    }
    match String::from_utf8(bytes) {
        Ok(text) => Decoded { text, is_guess: false },
        Err(error) => {
            let declared = declared_encoding(error.as_bytes());
            let encoding = declared.unwrap_or(WINDOWS_1252);
            let (text, _) = encoding.decode_without_bom_handling(error.as_bytes());
            Decoded { text: text.into_owned(), is_guess: declared.is_none() }
        }
    }
}

/// Finds the encoding that a web page declares in a `<meta>` tag among its first bytes:
/// `charset="…"`, alone or within `content="…"`. Ignores UTF-8: this runs only on bytes that are
/// not UTF-8.
fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(PRESCAN)]).to_ascii_lowercase();
    head.split("<meta").skip(1).find_map(|rest| {
        let tag = rest.split('>').next()?;
        let (_, value) = tag.split_once("charset")?;
        let value = value.trim_start().strip_prefix('=')?;
        let value = value.trim_start_matches(|c: char| c.is_whitespace() || "\"'".contains(c));
        let label = value.split(|c: char| c.is_whitespace() || "\"';/".contains(c)).next()?;
        Encoding::for_label(label.as_bytes()).filter(|&encoding| encoding != UTF_8)
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;

    fn text(bytes: &[u8]) -> String {
        let decoded = decode(bytes.to_vec(), "a.txt").unwrap();
        assert!(!decoded.is_guess);
        decoded.text
    }

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_byte_order_mark_is_not_part_of_the_text() {
        assert_eq!(text("\u{feff}Käse".as_bytes()), "Käse");
        assert_eq!(text(b"\xff\xfeK\0\xe4\0"), "Kä");
        assert_eq!(text(b"\xfe\xff\0K\0\xe4"), "Kä");
        assert_eq!(text(b"\xef\xbb\xbf"), "");
    }

    #[test]
    fn text_that_is_not_utf_8_is_read_as_windows_1252() {
        let decoded = decode(b"K\xe4se \x80".to_vec(), "a.txt").unwrap();
        assert_eq!(decoded, Decoded { text: "Käse €".into(), is_guess: true });
    }

    #[test]
    fn a_page_that_says_its_encoding_is_believed() {
        // "Łódź" in ISO 8859-2, "пчела" in KOI8-R, "蜂" in Shift_JIS.
        let pages: [(&[u8], &str); 3] = [
            (b"<html><head><META CHARSET='iso-8859-2'><p>\xa3\xf3d\xbc", "Łódź"),
            (
                b"<meta name=x><meta http-equiv=Content-Type content=\"text/html; charset = koi8-r\">\
                  <p>\xd0\xde\xc5\xcc\xc1",
                "пчела",
            ),
            (b"<meta charset=Shift_JIS/><p>\x96\x49", "蜂"),
        ];
        for (page, word) in pages {
            assert!(text(page).ends_with(&format!("<p>{word}")), "{word}: {}", text(page));
        }
        // The encoding is a guess if the page wrongly says UTF-8, names an unknown encoding, or
        // declares it too late.
        let far = [&b" ".repeat(PRESCAN)[..], b"<meta charset=koi8-r>\xd0"].concat();
        for page in [&b"<meta charset=utf-8>\xe4"[..], b"<meta charset=klingon>\xe4", &far] {
            assert!(decode(page.to_vec(), "a.html").unwrap().is_guess);
        }
    }

    #[test]
    fn an_empty_file_is_an_empty_text() {
        assert_eq!(text(b""), "");
        assert_eq!(text(&packed(b"")), "");
    }

    #[test]
    fn gzip_is_recognised_by_its_bytes() {
        let mut two_members = packed("Käse ".as_bytes());
        two_members.extend(packed(b"und Brot"));
        assert_eq!(text(&two_members), "Käse und Brot");
    }

    #[test]
    fn a_damaged_gzip_file_is_named() {
        let mut bytes = packed(b"some words that will be cut off");
        bytes.truncate(bytes.len() - 9);
        let message = decode(bytes, "a.txt.gz").unwrap_err().to_string();
        assert!(message.starts_with("a.txt.gz: is a damaged gzip file"), "{message}");
        let message = decode(b"plain".to_vec(), "a.txt.gz").unwrap_err().to_string();
        assert!(message.starts_with("a.txt.gz: is no gzip file"), "{message}");
    }

    #[test]
    fn a_small_file_that_unpacks_to_a_huge_one_is_refused() {
        let bomb = packed(&vec![b'a'; 1 << 22]);
        assert!(bomb.len() < 1 << 16);
        let limit = InputLimit { left: 1 << 20, ..InputLimit::USUAL };
        let message = decode_within(bomb, "a.txt.gz", limit).unwrap_err().to_string();
        assert!(message.starts_with("a.txt.gz: goes beyond the 2 GiB that "), "{message}");
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_also_when_packed() {
        for bytes in [b"a\0b".to_vec(), b"\xff\xfe\0\0a\0\0\0".to_vec(), packed(b"%PDF-1.4")] {
            let message = decode(bytes, "a").unwrap_err().to_string();
            assert!(message.contains("not text"), "{message}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_decoded_or_refused(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
            magic in proptest::sample::select(vec![
                &b""[..], GZIP, b"\x1f\x8b\x08\0", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf",
            ]),
        ) {
            let bytes = [magic, &bytes].concat();
            if let Ok(decoded) = decode(bytes, "a.txt") {
                prop_assert!(!decoded.text.contains('\0'));
            }
        }
    }
}
