//! Vectors of documents that were made elsewhere, such as by a language model.

use crate::Given;
use flate2::Crc;
use flate2::read::MultiGzDecoder;
use handful::internals::corpus::Corpus;
use handful::{Error, Result};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// Vectors of documents that may be asked.
#[derive(Clone, Debug)]
pub struct GivenVectors {
    /// The file that they are from.
    place: String,
    /// For each corpus, the vectors of its documents that have one, scaled to length 1.
    of_corpora: BTreeMap<String, Vec<Option<Vec<f64>>>>,
    /// Identifies the vectors.
    pub given: Given,
    /// A sentence about lines that were left out, if there are any.
    pub warning: Option<String>,
}

/// A line of the file.
#[derive(Deserialize)]
struct VectorLine {
    corpus: String,
    id: Id,
    vector: Vec<f64>,
}

/// An id may be a number, as in files of documents.
#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(serde_json::Number),
}

impl Id {
    fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string(),
        }
    }
}

const REMEDY: &str =
    r#"write one JSON object a line: {"corpus": "a", "id": "b", "vector": [0.5, …]}"#;

impl GivenVectors {
    /// Reads JSON lines, which may be gzipped, and takes the vectors of the documents of `corpora`, all
    /// of the same length; lines of other documents are left out. If lines repeat a corpus and an id,
    /// the first counts, for all documents of that corpus and id.
    pub fn read(path: &Path, corpora: &[&Corpus]) -> Result<Self> {
        let place = path.display().to_string();
        let vectors = read_lines(path, &place)?;
        let (mut sum, mut of_corpora) = (Crc::new(), BTreeMap::new());
        for corpus in corpora {
            let vector =
                |id: &String| vectors.by_document.get(&(corpus.name.clone(), id.clone())).cloned();
            let of_corpus: Vec<Option<Vec<f64>>> = corpus.ids.iter().map(vector).collect();
            let numbers = of_corpus.iter().flatten().flatten();
            numbers.for_each(|x| sum.update(&x.to_le_bytes()));
            of_corpora.insert(corpus.name.clone(), of_corpus);
        }
        let given = Given::DocumentVectors { dimensions: vectors.dimensions, checksum: sum.sum() };
        let warning = vectors.repeated.map(|(number, corpus, id)| {
            let lines = if number == 1 { "line repeats" } else { "lines repeat" };
            format!(
                "{place}: {number} {lines} a corpus and an id with another vector, such as {id} of \
                 {corpus}; the first vector is used"
            )
        });
        Ok(Self { place, of_corpora, given, warning })
    }

    /// The vector of the `n`-th document of a corpus, if it has one.
    pub(super) fn of(&self, corpus: &str, n: usize) -> Option<&[f64]> {
        self.of_corpora[corpus][n].as_deref()
    }

    /// Refuses a file that has no vector of some document, given by its corpus and id.
    pub(super) fn expect_all<'a>(
        &self,
        mut missing: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Result<()> {
        let Some((corpus, id)) = missing.next() else { return Ok(()) };
        let others = match missing.count() {
            0 => String::new(),
            others => format!(", nor of {others} others"),
        };
        Err(Error::input(
            &self.place,
            format!("has no vector of the document {id} of the corpus {corpus}{others}"),
            "add a line for each document that is asked, or leave these out of the corpora",
        ))
    }
}

/// What a file has.
#[derive(Default)]
struct Vectors {
    /// By corpus and id.
    by_document: HashMap<(String, String), Vec<f64>>,
    dimensions: usize,
    /// The number of lines with a second vector of a document, and the corpus and id of the first.
    repeated: Option<(usize, String, String)>,
}

fn read_lines(path: &Path, place: &str) -> Result<Vectors> {
    let mut vectors = Vectors::default();
    for (i, line) in lines(path)?.split(b'\n').enumerate() {
        let line = line.map_err(|error| Error::read(path, error))?;
        let of_line = |problem: String, remedy: &str| {
            Error::input(format!("{place}, line {}", i + 1), problem, remedy)
        };
        if line.trim_ascii().is_empty() {
            continue;
        }
        let VectorLine { corpus, id, vector } = serde_json::from_slice(&line)
            .map_err(|error| of_line(format!("is no vector of a document ({error})"), REMEDY))?;
        if vector.is_empty() {
            return Err(of_line("has a vector without numbers".to_owned(), REMEDY));
        }
        if vectors.by_document.is_empty() {
            vectors.dimensions = vector.len();
        }
        if vector.len() != vectors.dimensions {
            let (found, before) = (vector.len(), vectors.dimensions);
            let problem =
                format!("has a vector of {found} numbers, and those before have {before}");
            return Err(of_line(problem, "give all documents vectors of one and the same length"));
        }
        vectors.add((corpus, id.into_text()), scaled_to_one(vector));
    }
    if vectors.by_document.is_empty() {
        return Err(Error::input(place, "has no vectors", REMEDY));
    }
    Ok(vectors)
}

impl Vectors {
    fn add(&mut self, key: (String, String), vector: Vec<f64>) {
        match self.by_document.get(&key) {
            None => {
                self.by_document.insert(key, vector);
            }
            Some(first) if *first != vector => {
                let (corpus, id) = key;
                self.repeated.get_or_insert((0, corpus, id)).0 += 1;
            }
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
