//! The files of a results folder.

use crate::protocol::{ExperimentKey, Line, OccasionOf, Protocol};
use crate::{Given, Settings};
use flate2::Compression;
use flate2::write::GzEncoder;
use handful::internals::corpus::checksum;
use handful::internals::storage::{
    Claim, MISMATCH, difference, is_intact_json, is_neighbour, open_to_append, replace_file,
    sealed_json,
};
use handful::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The version of all formats.
const VERSION: u32 = 1;
/// The file with what a folder's experiments have in common.
const SETTINGS: &str = "settings.json";

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
    /// Returns what the experiments of a protocol have in common.
    pub fn of<P: Protocol>(protocol: &P) -> Self {
        Self {
            format: P::Line::FORMAT.to_owned(),
            version: VERSION,
            settings: protocol.settings().clone(),
            corpora: protocol.corpora().iter().map(|corpus| corpus.name.clone()).collect(),
            terms: protocol.vocabulary().len(),
            data: checksum(protocol.corpora()),
        }
    }
}

/// A folder with experiments of one kind, and its contents.
#[derive(Debug)]
pub struct Folder<L> {
    path: PathBuf,
    /// What its experiments have in common.
    pub identity: Identity,
    /// The finished experiments.
    pub records: Vec<L>,
    /// The file with the lines, and the right to append to it.
    file: Option<(File, Claim)>,
}

impl<L: Line> Folder<L> {
    /// Opens an existing folder for reading.
    pub fn open(path: &Path) -> Result<Self> {
        let identity = read_identity::<L>(path)?;
        let place = path.join(SETTINGS).display().to_string();
        let identity = serde_json::from_value(identity).map_err(|error| {
            let problem = format!("cannot be understood ({error})");
            Error::damaged(place, problem, "choose another folder")
        })?;
        let (records, _) = read_records(&path.join(L::FILE))?;
        Ok(Self { path: path.to_owned(), identity, records, file: None })
    }

    /// Opens the folder for a protocol's experiments, or creates it. Refuses a folder with other
    /// settings.
    pub fn for_protocol(path: &Path, protocol: &impl Protocol<Line = L>) -> Result<Self> {
        let identity = Identity::of(protocol);
        let claim = Claim::of(path)?;
        if path.join(SETTINGS).exists() {
            let ours = serde_json::to_value(&identity).expect("an identity is plain data");
            let parts = ["settings", "corpora", "terms", "data"];
            if let Some(difference) = difference(&parts, &read_identity::<L>(path)?, &ours) {
                let problem = format!("has results of other settings: {difference}");
                let remedy = "choose another folder, or the settings it was made with";
                return Err(Error::exists(path.display().to_string(), problem, remedy));
            }
        } else {
            expect_empty(path)?;
            replace_file(&path.join(SETTINGS), &sealed_json(&identity, true))?;
        }
        let results = path.join(L::FILE);
        let file = open_to_append(&results)?;
        let (records, whole) = read_records(&results)?;
        expect_same_given(path, &records, &protocol.given())?;
        // Cuts off an incomplete line that a crash left, which would run into the next one.
        file.set_len(whole).map_err(|error| Error::write(&results, error))?;
        Ok(Self { path: path.to_owned(), identity, records, file: Some((file, claim)) })
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends experiments to the file, all at once.
    pub fn append(&mut self, records: &[L]) -> Result<()> {
        let (file, _) = self.file.as_ref().expect("a folder that is only read is not appended to");
        let lines: Vec<u8> = records.iter().flat_map(|record| sealed_json(record, false)).collect();
        let mut file = file;
        file.write_all(&lines)
            .and_then(|()| file.sync_data())
            .map_err(|error| Error::write(&self.path.join(L::FILE), error))?;
        self.records.extend_from_slice(records);
        Ok(())
    }

    /// Writes `tasks.jsonl.gz`: the tasks of `occasions`, and of all experiments already in the
    /// folder.
    pub fn write_tasks(
        &self,
        protocol: &impl Protocol<Line = L>,
        occasions: &BTreeSet<OccasionOf<L>>,
    ) -> Result<()> {
        let there = self.records.iter().map(|record| record.key().occasion());
        let occasions: BTreeSet<_> = there.chain(occasions.iter().cloned()).collect();
        let mut out = GzEncoder::new(Vec::new(), Compression::default());
        for occasion in &occasions {
            protocol.write_tasks(occasion, &mut out)?;
        }
        let bytes = out.finish().expect("memory takes every byte");
        replace_file(&self.path.join("tasks.jsonl.gz"), &bytes)
    }

    /// Returns the finished experiment with this key.
    pub fn record(&self, key: &L::Key) -> Option<&L> {
        self.records.iter().find(|record| record.key() == key)
    }
}

/// Whether a folder has experiments of this kind. False for a folder that Handful did not write.
pub fn has_lines_of<L: Line>(path: &Path) -> bool {
    read_identity::<L>(path).is_ok()
}

/// Reads `settings.json` of a folder with experiments of this kind.
fn read_identity<L: Line>(path: &Path) -> Result<Value> {
    let file = path.join(SETTINGS);
    let place = file.display().to_string();
    let remedy = "give a folder that `Folder::for_protocol` has made";
    let text = fs::read_to_string(&file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            let problem = "is no folder of results: it has no settings.json";
            Error::not_found(path.display().to_string(), problem, remedy)
        }
        _ => Error::read(&file, error),
    })?;
    if !is_intact_json(&text) {
        let remedy = "copy it again, or remove its entry crc32 if you changed it yourself";
        return Err(Error::damaged(&place, MISMATCH, remedy));
    }
    let json: Value = serde_json::from_str(&text).map_err(|error| {
        Error::damaged(&place, format!("cannot be understood ({error})"), remedy)
    })?;
    if json["format"] != L::FORMAT {
        let problem = format!("is not of a folder of results ({})", L::FORMAT);
        return Err(Error::input(&place, problem, remedy));
    }
    if json["version"] != VERSION {
        let problem = format!("is of version {}, not {VERSION}", json["version"]);
        return Err(Error::unsupported(&place, problem, remedy));
    }
    Ok(json)
}

/// Refuses a folder with results of another model, or of other vectors, than those that are given.
fn expect_same_given<L: Line>(path: &Path, records: &[L], given: &[Given]) -> Result<()> {
    for ours in given {
        let is_other = |theirs: &&Given| theirs.kind() == ours.kind() && *theirs != ours;
        if let Some(theirs) = records.iter().filter_map(Line::given).find(is_other) {
            let problem = format!("has results of {theirs}, and this is {ours}");
            let remedy = "choose another folder, or give what its results were made with";
            return Err(Error::exists(path.display().to_string(), problem, remedy));
        }
    }
    Ok(())
}

/// Refuses a folder that already contains something else than what a killed process left.
fn expect_empty(path: &Path) -> Result<()> {
    let is_foreign =
        |entry: io::Result<fs::DirEntry>| entry.is_ok_and(|e| !is_neighbour(&e.file_name()));
    let taken = match fs::read_dir(path) {
        Ok(mut entries) => entries.any(is_foreign),
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(Error::read(path, error)),
    };
    if taken {
        let problem = "is not empty, and is no folder of results";
        return Err(Error::exists(path.display().to_string(), problem, "choose another folder"));
    }
    Ok(())
}

/// Reads the experiments of a file. Also returns the number of bytes in complete lines.
fn read_records<L: Line>(path: &Path) -> Result<(Vec<L>, u64)> {
    let text = match File::open(path).and_then(io::read_to_string) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), 0)),
        Err(error) => return Err(Error::read(path, error)),
    };
    // A crash leaves a last line without an end. Its experiment is run again.
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let mut records = Vec::new();
    for (i, line) in whole.lines().enumerate() {
        let damaged = |problem: String| {
            let place = format!("{}, line {}", path.display(), i + 1);
            Error::damaged(place, problem, "remove the line, so that its experiment is made again")
        };
        // First, because it says more.
        let record = serde_json::from_str(line)
            .map_err(|error| damaged(format!("is no result of an experiment ({error})")))?;
        if !is_intact_json(line) {
            return Err(damaged(MISMATCH.to_owned()));
        }
        records.push(record);
    }
    Ok((records, whole.len() as u64))
}
