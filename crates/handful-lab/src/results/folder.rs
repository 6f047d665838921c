//! The files of a results folder.

use super::tasks;
use super::{Key, Record};
use crate::{Comparison, Settings};
use handful::corpus::checksum;
use handful::storage::{difference, replace_file};
use handful::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The name of the format, and its version.
const FORMAT: (&str, u32) = ("handful-comparison", 1);

/// What all experiments of a folder have in common: `settings.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    format: String,
    version: u32,
    /// The settings.
    pub settings: Settings,
    /// The names of the corpora.
    pub corpora: Vec<String>,
    /// J
    pub terms: usize,
    /// CRC-32 of all counts.
    data: u32,
}

impl Identity {
    /// What the experiments of a comparison have in common.
    pub fn of(comparison: &Comparison<'_>) -> Self {
        Self {
            format: FORMAT.0.to_owned(),
            version: FORMAT.1,
            settings: comparison.settings.clone(),
            corpora: comparison.corpora.iter().map(|corpus| corpus.name.clone()).collect(),
            terms: comparison.vocabulary.len(),
            data: checksum(comparison.corpora),
        }
    }
}

/// A results folder and what is in it.
#[derive(Debug)]
pub struct ResultsFolder {
    path: PathBuf,
    /// What its experiments have in common.
    pub identity: Identity,
    /// The experiments that are finished.
    pub records: Vec<Record>,
    /// `results.jsonl`, locked as long as experiments may be appended.
    file: Option<File>,
}

impl ResultsFolder {
    /// Opens a folder that exists, to read.
    pub fn open(path: &Path) -> Result<Self> {
        let identity = read_identity(path)?;
        let place = path.join("settings.json").display().to_string();
        let identity = serde_json::from_value(identity).map_err(|error| {
            let problem = format!("cannot be understood ({error})");
            Error::input(place, problem, "choose another folder")
        })?;
        let (records, _) = read_records(&path.join("results.jsonl"))?;
        Ok(Self { path: path.to_owned(), identity, records, file: None })
    }

    /// Opens the folder of a comparison, or makes it. One of other settings is refused.
    pub fn for_comparison(path: &Path, comparison: &Comparison<'_>) -> Result<Self> {
        let identity = Identity::of(comparison);
        if path.join("settings.json").exists() {
            let ours = serde_json::to_value(&identity).expect("an identity is plain data");
            let parts = ["settings", "corpora", "terms", "data"];
            if let Some(difference) = difference(&parts, &read_identity(path)?, &ours) {
                let problem = format!("has results of other settings: {difference}");
                let remedy = "choose another folder, or the settings it was made with";
                return Err(Error::input(path.display().to_string(), problem, remedy));
            }
        } else {
            expect_empty(path)?;
            let mut text = serde_json::to_string_pretty(&identity).expect("plain data");
            text.push('\n');
            replace_file(&path.join("settings.json"), text.as_bytes())?;
        }
        let results = path.join("results.jsonl");
        let file = OpenOptions::new().create(true).append(true).open(&results);
        let file = file.map_err(|error| Error::write(&results, error))?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            let problem = "another `handful compare` is at work in it";
            let remedy = "wait for it to end, or choose another folder";
            return Err(Error::input(path.display().to_string(), problem, remedy));
        }
        let (records, whole) = read_records(&results)?;
        // What a crash left of a line would run into the next one.
        file.set_len(whole).map_err(|error| Error::write(&results, error))?;
        Ok(Self { path: path.to_owned(), identity, records, file: Some(file) })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends experiments to `results.jsonl`, all at once.
    pub fn append(&mut self, records: &[Record]) -> Result<()> {
        let mut file = self.file.as_ref().expect("a folder that is only read is not appended to");
        let mut lines = String::new();
        for record in records {
            lines += &serde_json::to_string(record).expect("a record is plain data");
            lines.push('\n');
        }
        file.write_all(lines.as_bytes())
            .and_then(|()| file.sync_data())
            .map_err(|error| Error::write(&self.path.join("results.jsonl"), error))?;
        self.records.extend_from_slice(records);
        Ok(())
    }

    /// Writes `tasks.jsonl.gz`: the tasks of the given targets and repeats, and of all experiments
    /// that are there already.
    pub fn write_tasks(
        &self,
        comparison: &Comparison<'_>,
        pairs: &BTreeSet<(String, usize)>,
    ) -> Result<()> {
        let there = self.records.iter().map(|Record { key, .. }| (key.target.clone(), key.repeat));
        let pairs: BTreeSet<_> = there.chain(pairs.iter().cloned()).collect();
        replace_file(&self.path.join("tasks.jsonl.gz"), &tasks::bytes(comparison, &pairs)?)
    }

    /// The finished experiment of that key.
    pub fn record(&self, key: &Key) -> Option<&Record> {
        self.records.iter().find(|record| record.key == *key)
    }
}

fn read_identity(path: &Path) -> Result<Value> {
    let file = path.join("settings.json");
    let place = file.display().to_string();
    let foreign = |problem: String| {
        let remedy = "give a folder that `handful compare --out` has made";
        Error::input(&place, problem, remedy)
    };
    let text = fs::read_to_string(&file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            let problem = "is no folder of results: it has no settings.json";
            let remedy = "give a folder that `handful compare --out` has made";
            Error::input(path.display().to_string(), problem, remedy)
        }
        _ => Error::read(&file, error),
    })?;
    let json: Value = serde_json::from_str(&text)
        .map_err(|error| foreign(format!("cannot be understood ({error})")))?;
    if json["format"] != FORMAT.0 {
        return Err(foreign("is not of a folder of results".to_owned()));
    }
    if json["version"] != FORMAT.1 {
        return Err(foreign(format!("is of version {}, not {}", json["version"], FORMAT.1)));
    }
    Ok(json)
}

/// Refuses to put results among things that are not ours.
fn expect_empty(path: &Path) -> Result<()> {
    let taken = match fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_some(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(Error::read(path, error)),
    };
    if taken {
        let problem = "is not empty, and is no folder of results";
        return Err(Error::input(path.display().to_string(), problem, "choose another folder"));
    }
    Ok(())
}

/// The experiments of a file, and how many of its bytes are whole lines.
fn read_records(path: &Path) -> Result<(Vec<Record>, u64)> {
    let text = match File::open(path).and_then(io::read_to_string) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), 0)),
        Err(error) => return Err(Error::read(path, error)),
    };
    // A last line without an end is what a crash left: its experiment is made again.
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let mut records = Vec::new();
    for (i, line) in whole.lines().enumerate() {
        let record = serde_json::from_str(line).map_err(|error| {
            let place = format!("{}, line {}", path.display(), i + 1);
            let problem = format!("is no result of an experiment ({error})");
            Error::input(place, problem, "remove the line, so that its experiment is made again")
        })?;
        records.push(record);
    }
    Ok((records, whole.len() as u64))
}
