//! The journal of a run: what it was asked for, and the results of the groups that are finished.

use super::{Group, GroupOutput, GroupResult};
use flate2::Crc;
use handful::internals::storage::{MISMATCH, difference, is_intact_json, sealed_json};
use handful::reading::Content;
use handful::{Error, FitSettings, Model, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const FORMAT: &str = "handful-groups";

/// What a run was asked for, the first line of its journal. Only a run that was asked for the same goes on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Identity {
    format: String,
    handful: String,
    model: String,
    settings: FitSettings,
    terms: usize,
    groups: usize,
    /// CRC-32 of the groups' names, ids and documents.
    data: u32,
}

impl Identity {
    pub fn of(model: &Model, settings: &FitSettings, terms: usize, groups: &[Group]) -> Self {
        Self {
            format: FORMAT.to_owned(),
            handful: env!("CARGO_PKG_VERSION").to_owned(),
            model: format!("{}, checksum {:08x}", model.name(), checksum_of_model(model)),
            settings: settings.clone(),
            terms,
            groups: groups.len(),
            data: checksum(groups),
        }
    }
}

fn checksum_of_model(model: &Model) -> u32 {
    let mut sum = Crc::new();
    for (name, content) in model.to_files() {
        sum.update(name.as_bytes());
        sum.update(&content);
    }
    sum.sum()
}

fn checksum(groups: &[Group]) -> u32 {
    let mut sum = Crc::new();
    // Lengths come first, so that no two lists of texts look the same.
    let mut add = |text: &str| {
        sum.update(&text.len().to_le_bytes());
        sum.update(text.as_bytes());
    };
    for group in groups {
        add(&group.name);
        for document in &group.documents {
            add(&document.id);
            match &document.content {
                Content::Text(text) => add(text),
                Content::Counts(counts) => {
                    for (term, count) in counts {
                        add(term);
                        add(&count.to_string());
                    }
                }
            }
        }
    }
    sum.sum()
}

/// A journal that results are appended to, by the process that claimed their file.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Where the results begin, after the first line.
    start: u64,
    finished: usize,
}

impl Journal {
    /// Opens the journal of a run that writes `out`, or begins one. Refuses that of a run that was asked for
    /// something else, unless `replace` is set, which begins anew.
    pub fn open(out: &GroupOutput, identity: &Identity, replace: bool) -> Result<Self> {
        let mut name = OsString::from(out.path());
        name.push(".part");
        let path = PathBuf::from(name);
        let failed = |error| Error::write(&path, error);
        let options = OpenOptions::new().create(true).read(true).append(true).open(&path);
        let mut file = options.map_err(failed)?;
        let mut first = String::new();
        let found = BufReader::new(&file).read_line(&mut first);
        // What is no text at all is no journal, either.
        let is_begun = found.is_err() || first.ends_with('\n');
        if is_begun && let Err(refusal) = expect_same(&first, identity, &path) {
            if !replace {
                return Err(refusal);
            }
            first.clear();
        }
        if !first.ends_with('\n') {
            first = serde_json::to_string(identity).expect("an identity is plain data") + "\n";
            file.set_len(0).and_then(|()| file.write_all(first.as_bytes())).map_err(failed)?;
        }
        let start = first.len() as u64;
        let (finished, whole) = match whole_results(&file, start, identity.groups, &path) {
            Err(_) if replace => (0, start),
            found => found?,
        };
        // Cuts off half a line that a kill left, which would run into the next one.
        file.set_len(whole).map_err(failed)?;
        Ok(Self { path, file, start, finished })
    }

    /// How many groups are finished.
    pub fn finished(&self) -> usize {
        self.finished
    }

    /// Appends the results of the next groups, all at once.
    pub fn append(&mut self, results: &[GroupResult]) -> Result<()> {
        let lines: Vec<u8> = results.iter().flat_map(|result| sealed_json(result, false)).collect();
        let appended = self.file.write_all(&lines).and_then(|()| self.file.sync_data());
        appended.map_err(|error| Error::write(&self.path, error))?;
        self.finished += results.len();
        Ok(())
    }

    /// All results, in the order of the groups.
    pub fn results(&self) -> io::Result<impl Iterator<Item = io::Result<GroupResult>>> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(self.start))?;
        Ok(BufReader::new(file).lines().map(|line| Ok(serde_json::from_str(&line?)?)))
    }

    /// Removes the journal, whose results are in their file now.
    pub fn remove(self) -> Result<()> {
        fs::remove_file(&self.path).map_err(|error| Error::write(&self.path, error))
    }
}

/// Refuses the first line of a run that was asked for something else.
fn expect_same(first: &str, identity: &Identity, path: &Path) -> Result<()> {
    let place = path.display().to_string();
    let theirs: Value = serde_json::from_str(first).unwrap_or_default();
    if theirs["format"] != FORMAT {
        let remedy = "move it away, or use `replace` to overwrite it";
        return Err(Error::exists(place, "is no journal of a run that fits groups", remedy));
    }
    let ours = serde_json::to_value(identity).expect("an identity is plain data");
    let parts = ["handful", "model", "settings", "terms", "groups", "data"];
    match difference(&parts, &theirs, &ours) {
        None => Ok(()),
        Some(difference) => {
            let problem = format!("is left of a run that was stopped, and {difference}");
            let remedy = "run the same command as then, or use `replace` to start afresh";
            Err(Error::exists(place, problem, remedy))
        }
    }
}

/// The number of whole lines from a place on, and where the last of them ends. Refuses a line that is no
/// result, and more lines than there are groups: both would get into the file of results.
fn whole_results(mut file: &File, start: u64, groups: usize, path: &Path) -> Result<(usize, u64)> {
    let failed = |error| Error::read(path, error);
    file.seek(SeekFrom::Start(start)).map_err(failed)?;
    let mut reader = BufReader::new(file);
    let (mut lines, mut end, mut line) = (0, start, Vec::new());
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line).map_err(failed)?;
        if !line.ends_with(b"\n") {
            return Ok((lines, end));
        }
        end += read as u64;
        lines += 1;
        let damaged = |problem: String| {
            // The first line says what the run was asked for.
            let place = format!("{}, line {}", path.display(), lines + 1);
            Error::damaged(place, problem, "use `replace` to start afresh")
        };
        // First, because it says more.
        serde_json::from_slice::<GroupResult>(&line)
            .map_err(|error| damaged(format!("is no result of a group ({error})")))?;
        if !str::from_utf8(&line).is_ok_and(is_intact_json) {
            return Err(damaged(MISMATCH.to_owned()));
        }
        if lines > groups {
            return Err(damaged(format!("is one more than the {groups} groups")));
        }
    }
}
