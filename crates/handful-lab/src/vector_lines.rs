//! Files of vectors that were made elsewhere, such as by a language model: one JSON object a line.

use flate2::Crc;
use flate2::read::MultiGzDecoder;
use handful::{Error, Result};
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::fs::File;
use std::hash::Hash;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// A line of a file of vectors.
pub(crate) trait VectorLine: DeserializeOwned {
    /// What the vector is of.
    type Key: Eq + Hash;
    /// The name of what vectors are of.
    const THING: &'static str;
    /// How a line looks.
    const REMEDY: &'static str;

    /// What the vector is of, and the vector.
    fn into_parts(self) -> (Self::Key, Vec<f64>);
}

/// What a file of vectors has.
#[derive(Clone, Debug)]
pub(crate) struct VectorFile<K> {
    /// The vectors, scaled to length 1. If lines repeat a key, the first counts.
    pub(crate) by_key: HashMap<K, Vec<f64>>,
    /// The length of each.
    pub(crate) dimensions: usize,
    /// CRC-32 of all vectors, in the order of the lines.
    pub(crate) checksum: u32,
    /// The number of lines with another vector of a key, and the first such key.
    pub(crate) repeated: Option<(usize, K)>,
}

impl<K: Eq + Hash> VectorFile<K> {
    /// Reads JSON lines, which may be gzipped. All vectors must have the same length.
    pub(crate) fn read<L: VectorLine<Key = K>>(path: &Path) -> Result<Self> {
        let place = path.display().to_string();
        let (by_key, repeated) = (HashMap::new(), None);
        let mut file = Self { by_key, dimensions: 0, checksum: 0, repeated };
        let mut sum = Crc::new();
        for (i, line) in lines(path)?.split(b'\n').enumerate() {
            let line = line.map_err(|error| Error::read(path, error))?;
            let of_line = |problem: String, remedy: &str| {
                Error::input(format!("{place}, line {}", i + 1), problem, remedy)
            };
            if line.trim_ascii().is_empty() {
                continue;
            }
            let line: L = serde_json::from_slice(&line).map_err(|error| {
                of_line(format!("is no vector of a {} ({error})", L::THING), L::REMEDY)
            })?;
            let (key, vector) = line.into_parts();
            if vector.is_empty() {
                return Err(of_line("has a vector without numbers".to_owned(), L::REMEDY));
            }
            if file.by_key.is_empty() {
                file.dimensions = vector.len();
            }
            if vector.len() != file.dimensions {
                let (found, before) = (vector.len(), file.dimensions);
                let problem =
                    format!("has a vector of {found} numbers, and those before have {before}");
                let remedy = format!("give all {}s vectors of one and the same length", L::THING);
                return Err(of_line(problem, &remedy));
            }
            vector.iter().for_each(|x| sum.update(&x.to_le_bytes()));
            file.add(key, scaled_to_one(vector));
        }
        if file.by_key.is_empty() {
            return Err(Error::input(place, "has no vectors", L::REMEDY));
        }
        file.checksum = sum.sum();
        Ok(file)
    }

    fn add(&mut self, key: K, vector: Vec<f64>) {
        match self.by_key.get(&key) {
            None => {
                self.by_key.insert(key, vector);
            }
            Some(first) if *first != vector => self.repeated.get_or_insert((0, key)).0 += 1,
            Some(_) => {}
        }
    }
}

/// Opens a file of lines, gzipped or not.
fn lines(path: &Path) -> Result<Box<dyn BufRead>> {
    const GZIP: [u8; 2] = [0x1f, 0x8b];
    let read = || -> std::io::Result<Box<dyn BufRead>> {
        let mut file = BufReader::new(File::open(path)?);
        let mut start = Vec::new();
        file.by_ref().take(2).read_to_end(&mut start)?;
        let is_gzip = start == GZIP;
        let whole = std::io::Cursor::new(start).chain(file);
        Ok(match is_gzip {
            true => Box::new(BufReader::new(MultiGzDecoder::new(whole))),
            false => Box::new(whole),
        })
    };
    read().map_err(|error| Error::read(path, error))
}

fn scaled_to_one(mut vector: Vec<f64>) -> Vec<f64> {
    let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
    vector
}
