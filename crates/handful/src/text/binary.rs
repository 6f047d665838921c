//! Recognises files that are not text by their first bytes.

use crate::Error;

/// A kind of file that is not text.
struct Kind {
    begins: &'static [u8],
    name: &'static str,
    remedy: Remedy,
}

/// How to turn such a file into text.
enum Remedy {
    /// A command to run on the file. The message appends the file's name.
    Command(&'static str),
    /// Any other advice.
    Advice(&'static str),
}

const RECOGNISE_TEXT: Remedy =
    Remedy::Advice("recognise its text first, for example with tesseract");
const UNPACK: Remedy = Remedy::Advice("unpack it first and give the files in it");

const KINDS: &[Kind] = &[
    Kind { begins: b"%PDF-", name: "a PDF", remedy: Remedy::Command("pdftotext") },
    Kind { begins: b"{\\rtf", name: "an RTF document", remedy: Remedy::Command("pandoc -t plain") },
    Kind {
        begins: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        name: "an old Office document",
        remedy: Remedy::Advice("save it as plain text first, for example from LibreOffice"),
    },
    Kind { begins: b"\x89PNG\r\n\x1a\n", name: "a PNG image", remedy: RECOGNISE_TEXT },
    Kind { begins: b"\xff\xd8\xff", name: "a JPEG image", remedy: RECOGNISE_TEXT },
    Kind { begins: b"GIF87a", name: "a GIF image", remedy: RECOGNISE_TEXT },
    Kind { begins: b"GIF89a", name: "a GIF image", remedy: RECOGNISE_TEXT },
    Kind { begins: b"II*\0", name: "a TIFF image", remedy: RECOGNISE_TEXT },
    Kind { begins: b"MM\0*", name: "a TIFF image", remedy: RECOGNISE_TEXT },
    Kind { begins: b"PK\x03\x04", name: "a ZIP archive", remedy: UNPACK },
    Kind { begins: b"PK\x05\x06", name: "a ZIP archive", remedy: UNPACK },
    Kind { begins: b"7z\xbc\xaf\x27\x1c", name: "a 7z archive", remedy: UNPACK },
    Kind { begins: b"\xfd7zXZ\0", name: "an xz archive", remedy: UNPACK },
    Kind { begins: b"\x28\xb5\x2f\xfd", name: "a Zstandard archive", remedy: UNPACK },
    Kind { begins: b"BZh91AY", name: "a bzip2 archive", remedy: UNPACK },
    Kind {
        begins: b"PAR1",
        name: "a Parquet file",
        remedy: Remedy::Advice("write it as JSON lines or CSV first"),
    },
];

/// Document formats that are ZIP archives inside, by file extension.
const ZIPPED: &[(&str, &str, Remedy)] = &[
    (".docx", "a Word document", Remedy::Command("pandoc -t plain")),
    (".odt", "an OpenDocument text", Remedy::Command("pandoc -t plain")),
    (".epub", "an EPUB book", Remedy::Command("pandoc -t plain")),
    (".xlsx", "an Excel workbook", Remedy::Advice("save it as CSV first")),
    (".ods", "an OpenDocument spreadsheet", Remedy::Advice("save it as CSV first")),
    (".pptx", "a PowerPoint presentation", Remedy::Advice("save it as plain text first")),
];

/// Returns the error that refuses a file that is not text, or `None` if its bytes may be text.
pub(super) fn refusal(bytes: &[u8], place: &str) -> Option<Error> {
    let (name, remedy) = recognised(bytes, place)?;
    let remedy = match remedy {
        Remedy::Command(command) => {
            format!("convert it first, for example with {command} {place}")
        }
        Remedy::Advice(advice) => (*advice).to_owned(),
    };
    Some(Error::unsupported(place, format!("is {name}, not text"), remedy))
}

/// Returns the error that refuses a file with NUL bytes that matches no known format.
pub(super) fn refusal_of_nul(place: &str) -> Error {
    let remedy = "give plain text, in UTF-8 or in UTF-16 with a byte order mark";
    Error::unsupported(place, "is binary (it has NUL bytes), not text", remedy)
}

fn recognised(bytes: &[u8], place: &str) -> Option<(&'static str, &'static Remedy)> {
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return Some(("a WebP image", &RECOGNISE_TEXT));
    }
    if bytes.get(257..262) == Some(b"ustar") {
        return Some(("a tar archive", &UNPACK));
    }
    let kind = KINDS.iter().find(|kind| bytes.starts_with(kind.begins))?;
    if kind.begins.starts_with(b"PK") {
        let lower = place.to_lowercase();
        if let Some((_, name, remedy)) = ZIPPED.iter().find(|zipped| lower.ends_with(zipped.0)) {
            return Some((name, remedy));
        }
    }
    Some((kind.name, &kind.remedy))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(bytes: &[u8], place: &str) -> String {
        refusal(bytes, place).map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn a_pdf_is_refused_with_the_command_that_converts_it() {
        assert_eq!(
            message(b"%PDF-1.7\n...", "paper.pdf"),
            "paper.pdf: is a PDF, not text; convert it first, for example with pdftotext paper.pdf"
        );
    }

    #[test]
    fn a_zip_archive_is_named_after_what_it_is() {
        assert!(message(b"PK\x03\x04..", "a.DOCX").contains("is a Word document"));
        assert!(message(b"PK\x03\x04..", "a.xlsx").contains("save it as CSV"));
        assert!(message(b"PK\x03\x04..", "a").contains("is a ZIP archive"));
    }

    #[test]
    fn images_and_archives_are_refused() {
        let mut tar = vec![b'x'; 300];
        tar[257..262].copy_from_slice(b"ustar");
        for (bytes, name) in [
            (&b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"[..], "old Office"),
            (b"\x89PNG\r\n\x1a\n", "PNG"),
            (b"\xff\xd8\xff\xe0", "JPEG"),
            (b"GIF89a", "GIF"),
            (b"II*\0", "TIFF"),
            (b"RIFF\x01\x02\x03\x04WEBPVP8", "WebP"),
            (b"{\\rtf1\\ansi", "RTF"),
            (&tar, "tar"),
        ] {
            assert!(message(bytes, "file").contains(name), "{name}");
        }
    }

    #[test]
    fn text_is_not_refused() {
        for text in ["", "P", "PK", "RIFF", "%PDF", "An ordinary sentence."] {
            assert_eq!(message(text.as_bytes(), "a.txt"), "", "{text}");
        }
    }
}
