//! Reads vectors of words that somebody else has learned.

use std::collections::HashMap;
use std::path::Path;

use crate::text::{InputLimit, decode_within, read_file};
use crate::{Error, Result};

/// Vectors of words, all of one length.
///
/// The file format is that of GloVe, word2vec and fastText as text: a word per line, and after it
/// the entries of its vector, separated by spaces. A first line with only two numbers, how many
/// words and how many entries, is allowed. The file may be gzipped.
#[derive(Clone, Debug, PartialEq)]
pub struct WordVectors {
    dimension: usize,
    lines: HashMap<String, usize>,
    values: Vec<f32>,
    checksum: u32,
}

impl WordVectors {
    /// Reads a file.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let bytes = read_file(path, InputLimit::VECTORS)?;
        let place = path.display().to_string();
        Self::parse(&decode_within(bytes, &place, InputLimit::VECTORS)?.text, &place)
    }

    /// Parses the file format. `place` is the file's name, for messages.
    pub fn parse(text: &str, place: &str) -> Result<Self> {
        let mut vectors = Self {
            dimension: 0,
            lines: HashMap::new(),
            values: Vec::new(),
            checksum: checksum(text.as_bytes()),
        };
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            if number == 0 && is_header(line) {
                continue;
            }
            vectors.push(line).map_err(|problem| {
                let remedy = "give a word and its numbers on each line, separated by spaces";
                Error::input(format!("{place}, line {}", number + 1), problem, remedy)
            })?;
        }
        if vectors.lines.is_empty() {
            let remedy = "give a word and its numbers on each line";
            return Err(Error::input(place, "has no word vectors", remedy));
        }
        Ok(vectors)
    }

    /// Adds a line. Says what is wrong with it if it cannot be read.
    fn push(&mut self, line: &str) -> std::result::Result<(), String> {
        let mut fields = line.split_ascii_whitespace();
        let word = fields.next().unwrap_or_default();
        let before = self.values.len();
        for field in fields {
            match field.parse::<f32>() {
                Ok(value) if value.is_finite() => self.values.push(value),
                _ => return Err(format!("`{field}` is no number")),
            }
        }
        let dimension = self.values.len() - before;
        if self.lines.is_empty() {
            self.dimension = dimension;
        }
        if dimension == 0 || dimension != self.dimension {
            let expected = match self.dimension {
                0 => "at least 1".to_owned(),
                expected => format!("{expected} as before"),
            };
            return Err(format!("there are {dimension} numbers, not {expected}"));
        }
        let line = self.lines.len();
        if self.lines.insert(word.to_owned(), line).is_some() {
            return Err(format!("the word `{word}` has a vector already"));
        }
        Ok(())
    }

    /// Returns how many words have a vector.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns whether no word has a vector.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns the number of entries of each vector.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Returns the vector of a word, or `None` if it has none.
    pub fn of(&self, word: &str) -> Option<&[f32]> {
        let line = *self.lines.get(word)?;
        Some(&self.values[line * self.dimension..][..self.dimension])
    }

    /// Returns the CRC-32 of the file's text.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut sum = flate2::Crc::new();
    sum.update(bytes);
    sum.sum()
}

/// Whether a line holds two whole numbers and nothing else.
fn is_header(line: &str) -> bool {
    let mut fields = line.split_ascii_whitespace();
    let mut is_count = || fields.next().is_some_and(|field| field.parse::<usize>().is_ok());
    is_count() && is_count() && fields.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_a_word_and_its_vector() {
        for text in
            ["bee 1 -0.5\nhive 2e1 0\n", "2 2\nbee 1 -0.5 \nhive 2e1 0", "bee 1 -.5\n\nhive 20 0"]
        {
            let vectors = WordVectors::parse(text, "vectors.txt").unwrap();
            assert_eq!((vectors.len(), vectors.dimension()), (2, 2));
            assert_eq!(vectors.of("bee"), Some(&[1.0, -0.5][..]));
            assert_eq!(vectors.of("hive"), Some(&[20.0, 0.0][..]));
            assert_eq!(vectors.of("wasp"), None);
        }
    }

    #[test]
    fn a_line_that_cannot_be_read_is_named() {
        let message = |text| WordVectors::parse(text, "v.txt").unwrap_err().to_string();
        assert!(message("bee 1 2\nhive 1\n").contains("v.txt, line 2: there are 1 numbers, not 2"));
        assert!(message("bee 1 x\n").contains("line 1: `x` is no number"));
        assert!(message("bee 1 inf\n").contains("line 1: `inf` is no number"));
        assert!(message("bee 1\nbee 2\n").contains("line 2: the word `bee` has a vector already"));
        assert!(message("bee\n").contains("line 1: there are 0 numbers, not at least 1"));
        assert!(message("").contains("v.txt: has no word vectors"));
    }
}
