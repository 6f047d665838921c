//! Checksums (CRC-32) that files carry, so that a flipped bit is found before it changes a result.
//!
//! A file of JSON, or with a header of JSON, carries its own in an entry `crc32`: eight digits, which
//! count as zeros for the sum. Files without one come from elsewhere and are taken as they are.

use flate2::Crc;
use serde::Serialize;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

/// The entry that has a file's own checksum.
pub(super) const ENTRY: &str = "crc32";
/// Stands for the digits until they are known.
pub(super) const UNSEALED: &str = "00000000";

/// What is wrong with a file that was changed.
pub const MISMATCH: &str = "does not agree with its checksum: it was changed or damaged";

/// How many bytes are read at a time: no more than stay in the cache until they are summed.
const BLOCK: u64 = 1 << 18;

/// Returns the checksum of some bytes.
pub fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = Crc::new();
    sum.update(bytes);
    sum.sum()
}

/// Returns a checksum as it is written.
pub fn digits(sum: u32) -> String {
    format!("{sum:08x}")
}

/// Reads a file, and returns its checksum, too.
pub fn read_summed(path: &Path) -> io::Result<(Vec<u8>, u32)> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let (mut content, mut sum) = (Vec::new(), Crc::new());
    let room = usize::try_from(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
    content.try_reserve_exact(room).map_err(|_| io::ErrorKind::OutOfMemory)?;
    while content.len() < room {
        let start = content.len();
        (&file).take(BLOCK.min(length - start as u64)).read_to_end(&mut content)?;
        if content.len() == start {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        sum.update(&content[start..]);
    }
    Ok((content, sum.sum()))
}

/// An object with an entry for its own checksum, to be serialised and [sealed](seal).
#[derive(Serialize)]
struct Sealable<'a, T> {
    #[serde(flatten)]
    content: &'a T,
    crc32: &'static str,
}

/// Returns an object as JSON that carries its own checksum, on one line or on many, with a line's end.
pub fn sealed_json(content: &impl Serialize, pretty: bool) -> Vec<u8> {
    let content = Sealable { content, crc32: UNSEALED };
    let json = match pretty {
        true => serde_json::to_vec_pretty(&content),
        false => serde_json::to_vec(&content),
    };
    let mut bytes = json.expect("it is plain data");
    let length = bytes.len();
    seal(&mut bytes, length);
    bytes.push(b'\n');
    bytes
}

/// Whether an object agrees with its checksum, or has none.
pub fn is_intact_json(text: &str) -> bool {
    let text = text.trim_end().as_bytes();
    is_intact(text, text.len())
}

/// Writes the checksum of `bytes` in its place, which is within the first `head` bytes.
pub(super) fn seal(bytes: &mut [u8], head: usize) {
    let place = place(&bytes[..head]).expect("it has an entry for its checksum");
    let sum = sum_around(bytes, &place);
    bytes[place].copy_from_slice(digits(sum).as_bytes());
}

/// Whether bytes agree with the checksum within their first `head` bytes, or have none.
pub(super) fn is_intact(bytes: &[u8], head: usize) -> bool {
    place(&bytes[..head.min(bytes.len())]).is_none_or(|place| {
        let written = &bytes[place.clone()];
        written == digits(sum_around(bytes, &place)).as_bytes()
    })
}

/// Sums bytes with zeros in a place.
fn sum_around(bytes: &[u8], place: &Range<usize>) -> u32 {
    let mut sum = Crc::new();
    sum.update(&bytes[..place.start]);
    sum.update(UNSEALED.as_bytes());
    sum.update(&bytes[place.end..]);
    sum.sum()
}

/// Returns where the digits of the last checksum stand. Within a string of JSON nothing looks like one:
/// its quotes are escaped.
fn place(text: &[u8]) -> Option<Range<usize>> {
    let key = format!("\"{ENTRY}\":");
    let key = key.as_bytes();
    let after = text.windows(key.len()).rposition(|window| window == key)? + key.len();
    let start = after + text[after..].iter().take_while(|&&c| c == b' ').count() + 1;
    let end = start + UNSEALED.len();
    let is_quote = |at: usize| text.get(at) == Some(&b'"');
    (is_quote(start - 1) && is_quote(end)).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use std::fs;

    #[test]
    fn a_file_is_read_whole_with_its_sum_however_long_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for length in [0, 1, BLOCK - 1, BLOCK, 3 * BLOCK + 7].map(|length| length as usize) {
            let content: Vec<u8> = (0..length).map(|i| (i * 31 / 7) as u8).collect();
            fs::write(&path, &content).unwrap();
            let (read, sum) = read_summed(&path).unwrap();
            assert!(read == content && sum == crc32(&content), "{length}");
        }
        // The check value of this CRC.
        assert_eq!(digits(crc32(b"123456789")), "cbf43926");
    }

    #[test]
    fn every_flipped_bit_of_a_sealed_object_is_found_unless_the_object_is_the_same_without_it() {
        let content = json!({"a": "\"crc32\": \"00000000\"", "b": [1.5, null], "crc": 7});
        for pretty in [false, true] {
            let sealed = sealed_json(&content, pretty);
            assert!(is_intact_json(str::from_utf8(&sealed).unwrap()));
            for bit in 0..sealed.len() * 8 {
                let mut flipped = sealed.clone();
                flipped[bit / 8] ^= 1 << (bit % 8);
                if let Ok(text) = str::from_utf8(&flipped)
                    && is_intact_json(text)
                    && let Ok(mut read) = serde_json::from_str::<Value>(text)
                {
                    // The entry's own name was hit, so that it is one that nobody knows.
                    let entries = read.as_object_mut().unwrap();
                    entries.retain(|key, _| content.get(key).is_some());
                    assert_eq!(read, content, "bit {bit}");
                }
            }
        }
    }

    #[test]
    fn what_has_no_checksum_is_taken_as_it_is() {
        for text in ["", "{}", "{\"crc32\": 7}", "{\"crc32\":", "{\"crc32\": \"1234"] {
            assert!(is_intact_json(text), "{text}");
        }
    }
}
