//! Vectors of documents that were made elsewhere, such as by a language model.

use crate::Given;
use crate::vector_lines::{VectorFile, VectorLine};
use flate2::Crc;
use handful::internals::corpus::Corpus;
use handful::{Error, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
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
struct Line {
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

impl VectorLine for Line {
    /// Corpus and id.
    type Key = (String, String);
    const THING: &'static str = "document";
    const REMEDY: &'static str =
        r#"write one JSON object a line: {"corpus": "a", "id": "b", "vector": [0.5, …]}"#;

    fn into_parts(self) -> ((String, String), Vec<f64>) {
        ((self.corpus, self.id.into_text()), self.vector)
    }
}

impl GivenVectors {
    /// Reads JSON lines, which may be gzipped, and takes the vectors of the documents of `corpora`, all
    /// of the same length; lines of other documents are left out. If lines repeat a corpus and an id,
    /// the first counts, for all documents of that corpus and id.
    pub fn read(path: &Path, corpora: &[&Corpus]) -> Result<Self> {
        let place = path.display().to_string();
        let vectors = VectorFile::read::<Line>(path)?;
        let (mut sum, mut of_corpora) = (Crc::new(), BTreeMap::new());
        for corpus in corpora {
            let vector =
                |id: &String| vectors.by_key.get(&(corpus.name.clone(), id.clone())).cloned();
            let of_corpus: Vec<Option<Vec<f64>>> = corpus.ids.iter().map(vector).collect();
            let numbers = of_corpus.iter().flatten().flatten();
            numbers.for_each(|x| sum.update(&x.to_le_bytes()));
            of_corpora.insert(corpus.name.clone(), of_corpus);
        }
        let given = Given::DocumentVectors { dimensions: vectors.dimensions, checksum: sum.sum() };
        let warning = vectors.repeated.map(|(number, (corpus, id))| {
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
