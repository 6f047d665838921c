//! The file that the results of all groups go to.

use super::{GroupResult, Journal, csv};
use handful::internals::storage::{Claim, claim_file};
use handful::{Error, Result};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The file, in a format that its ending names. No other process writes it, or its journal, meanwhile.
#[derive(Debug)]
pub struct GroupOutput {
    claim: Claim,
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Csv,
    JsonLines,
    #[cfg(feature = "parquet")]
    Parquet,
}

impl GroupOutput {
    /// Claims a file that can be written: it does not exist, or is to be replaced.
    pub fn claim(path: &Path, replace: bool) -> Result<Self> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let place = path.display().to_string();
        let format = match &*ending {
            "csv" => Format::Csv,
            "jsonl" | "ndjson" => Format::JsonLines,
            #[cfg(feature = "parquet")]
            "parquet" => Format::Parquet,
            #[cfg(not(feature = "parquet"))]
            "parquet" => {
                let problem = "is Parquet, which this build of Handful does not write";
                let remedy = "name a .jsonl or .csv file, or build it with the feature `parquet`";
                return Err(Error::unsupported(place, problem, remedy));
            }
            _ => {
                let problem = "has no ending that says in which format to write groups";
                return Err(Error::input(place, problem, "name a .parquet, .jsonl or .csv file"));
            }
        };
        Ok(Self { claim: claim_file(path, replace)?, format })
    }

    pub fn path(&self) -> &Path {
        self.claim.path()
    }

    /// Writes the results of a journal, whole or not at all.
    pub fn write(&self, journal: &Journal) -> Result<()> {
        self.claim.write_file_by(|file| match self.format {
            Format::Csv => csv::write(journal.results()?, BufWriter::new(file)),
            Format::JsonLines => write_lines(journal.results()?, BufWriter::new(file)),
            #[cfg(feature = "parquet")]
            Format::Parquet => super::parquet::write(journal.results()?, BufWriter::new(file)),
        })
    }
}

fn write_lines(
    results: impl Iterator<Item = io::Result<GroupResult>>,
    mut file: impl Write,
) -> io::Result<()> {
    for result in results {
        serde_json::to_writer(&mut file, &result?)?;
        file.write_all(b"\n")?;
    }
    file.flush()
}
