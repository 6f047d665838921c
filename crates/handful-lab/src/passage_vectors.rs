//! Vectors of the passages of tasks, made elsewhere.

use crate::Given;
use crate::vector_lines::{VectorFile, VectorLine};
use handful::{Error, Result};
use serde::Deserialize;
use std::path::Path;

/// Vectors of the passages of tasks, scaled to length 1.
#[derive(Clone, Debug)]
pub struct PassageVectors {
    file: VectorFile<PassageKey>,
    place: String,
    /// Identifies the vectors.
    pub given: Given,
}

/// A task's key, the number of a document in it, and that of a passage in the document, from 0.
type PassageKey = (String, usize, usize);

/// A line of the file.
#[derive(Deserialize)]
struct Line {
    task: String,
    document: usize,
    passage: usize,
    vector: Vec<f64>,
}

impl VectorLine for Line {
    type Key = PassageKey;
    const THING: &'static str = "passage";
    const REMEDY: &'static str = r#"write one JSON object a line: {"task": "K=2/0/0", "document": 0, "passage": 0, "vector": [0.5, …]}"#;

    fn into_parts(self) -> (PassageKey, Vec<f64>) {
        ((self.task, self.document, self.passage), self.vector)
    }
}

impl PassageVectors {
    /// Reads JSON lines, which may be gzipped.
    pub fn read(path: &Path) -> Result<Self> {
        let file = VectorFile::read::<Line>(path)?;
        let VectorFile { dimensions, checksum, .. } = file;
        let given = Given::PassageVectors { dimensions, checksum };
        Ok(Self { file, place: path.display().to_string(), given })
    }

    /// The vector of a passage. Refuses one that the file does not have.
    pub(crate) fn of(&self, task: &str, document: usize, passage: usize) -> Result<&[f64]> {
        let key = (task.to_owned(), document, passage);
        self.file.by_key.get(&key).map(Vec::as_slice).ok_or_else(|| {
            Error::input(
                &self.place,
                format!("has no vector of passage {passage} of document {document} of task {task}"),
                "make a line for each passage of the folder's tasks.jsonl.gz",
            )
        })
    }
}
