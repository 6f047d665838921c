//! Reads the corpora for training and evaluation: folders of folders, JSON lines, tables.

use std::collections::HashSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::file_reader::FileReader;
use super::folder::{children, files_below, is_folder, relative};
use super::format::without_endings;
use super::record::list;
use super::{RawDocument, ReadSettings, Reading};
use crate::{Error, Result};

/// Reads corpora. Every document comes with the name of its corpus.
///
/// In a folder, each subfolder is a corpus, and each file below it is a document. The document's id
/// is its path inside the subfolder. JSON lines and tables in a subfolder give one document of that
/// corpus per row. Files next to the subfolders are ignored with a warning.
///
/// A folder without subfolders may hold JSON lines and tables. They must name their corpora, as
/// they must when given directly. `-` means `standard_input`.
///
/// With several inputs, corpora are called `set/corpus`, so that they stay apart. The set is the
/// name of the folder, or of the file without its extensions.
pub fn read_corpora(
    inputs: &[PathBuf],
    settings: &ReadSettings,
    standard_input: &mut dyn Read,
) -> Result<Reading> {
    let mut reader = FileReader::new(settings, standard_input);
    let mut warnings = Vec::new();
    let mut documents = Vec::new();
    let mut sets = HashSet::new();
    for input in inputs {
        let (set, mut read) = if input == Path::new("-") {
            ("standard-input".to_owned(), reader.standard_input(true)?)
        } else if is_folder(input)? {
            (folder_name(input), read_folder(input, settings, &mut reader, &mut warnings)?)
        } else {
            (without_endings(input), reader.named(input, "", true)?)
        };
        if inputs.len() > 1 {
            for corpus in read.iter_mut().filter_map(|document| document.corpus.as_mut()) {
                *corpus = format!("{set}/{corpus}");
            }
            if !sets.insert(set.clone()) {
                let problem = format!("another input is called {set:?}, too");
                let remedy = "rename one of them, so that their corpora can be told apart";
                return Err(Error::input(input.display().to_string(), problem, remedy));
            }
        }
        documents.append(&mut read);
    }
    warnings.extend(reader.into_warnings());
    Ok(Reading { documents, warnings })
}

fn read_folder(
    folder: &Path,
    settings: &ReadSettings,
    reader: &mut FileReader,
    warnings: &mut Vec<String>,
) -> Result<Vec<RawDocument>> {
    let place = folder.display().to_string();
    let (mut files, subfolders) = children(folder)?;
    let before = reader.files_left_out();
    let mut documents = Vec::new();
    for subfolder in &subfolders {
        let read = read_subfolder(subfolder, reader)?;
        if read.is_empty() {
            warnings.push(format!("{}: has no documents and is left out", subfolder.display()));
        }
        documents.extend(read);
    }
    if subfolders.is_empty() {
        let is_data = |file: &PathBuf| settings.format_of(&file.to_string_lossy()).has_records();
        let data: Vec<PathBuf> = files.extract_if(.., |file| is_data(file)).collect();
        for file in &data {
            documents.extend(reader.found(file, "", true)?);
        }
    }
    if documents.is_empty() {
        let problem = "the folder holds no corpora";
        let remedy = "give each corpus a subfolder, or name it in JSON lines or CSV";
        return Err(reader.nothing_read(before, Error::input(place, problem, remedy)));
    }
    if !files.is_empty() {
        let names: Vec<String> = files.iter().map(|file| relative(file, folder)).collect();
        let names = list(names.iter().map(String::as_str));
        warnings.push(format!("{place}: files outside of corpora are ignored: {names}"));
    }
    Ok(documents)
}

fn read_subfolder(subfolder: &Path, reader: &mut FileReader) -> Result<Vec<RawDocument>> {
    let name = folder_name(subfolder);
    let mut documents = Vec::new();
    for file in files_below(subfolder)? {
        documents.extend(reader.found(&file, &relative(&file, subfolder), false)?);
    }
    for document in &mut documents {
        document.corpus = Some(name.clone());
    }
    Ok(documents)
}

/// Returns a folder's own name, even if it is given as `.` or `..`.
fn folder_name(folder: &Path) -> String {
    let resolved = match folder.file_name() {
        Some(_) => folder.to_owned(),
        None => fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned()),
    };
    resolved.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    /// Creates a folder with these files.
    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn read(inputs: &[PathBuf]) -> Result<Reading> {
        read_corpora(inputs, &ReadSettings::default(), &mut io::empty())
    }

    fn message(input: &Path) -> String {
        read(&[input.to_owned()]).unwrap_err().to_string()
    }

    /// Returns the corpus and the id of each document.
    fn names(reading: &Reading) -> Vec<(&str, &str)> {
        let documents = reading.documents.iter();
        documents.map(|read| (read.corpus.as_deref().unwrap(), read.id.as_str())).collect()
    }

    #[test]
    fn a_subfolder_is_a_corpus() {
        let folder = folder(&[
            ("sci.space/2", "rocket"),
            ("sci.space/deep/1", "moon"),
            ("a, b/x.csv", "text,corpus\nword,ignored\n"),
            ("README", "about"),
        ]);
        let reading = read(&[folder.path().to_owned()]).unwrap();
        assert_eq!(names(&reading), [("a, b", "1"), ("sci.space", "2"), ("sci.space", "deep/1")]);
        assert_eq!(reading.warnings.len(), 1);
        assert!(reading.warnings[0].ends_with("files outside of corpora are ignored: README"));
    }

    #[test]
    fn a_folder_without_subfolders_may_hold_files_that_name_their_corpora() {
        let folder = folder(&[
            ("a.jsonl", r#"{"text": "x", "corpus": 3}"#),
            ("b.tsv", "text\tcorpus\ny\tc\n"),
            ("LICENSE", "all yours"),
        ]);
        let reading = read(&[folder.path().to_owned()]).unwrap();
        assert_eq!(names(&reading), [("3", "1"), ("c", "1")]);
        assert_eq!(reading.warnings.len(), 1);
    }

    #[test]
    fn an_empty_corpus_is_left_out_with_a_warning() {
        let folder = folder(&[("full/1", "word"), ("empty/.hidden", "")]);
        let reading = read(&[folder.path().to_owned()]).unwrap();
        assert_eq!(names(&reading), [("full", "1")]);
        assert!(reading.warnings[0].ends_with("empty: has no documents and is left out"));
    }

    #[test]
    fn folders_without_corpora_are_errors() {
        for files in [&[("a.txt", "words")][..], &[("c/.x", "")], &[]] {
            let folder = folder(files);
            let message = message(folder.path());
            assert!(message.contains("the folder holds no corpora; give"), "{message}");
        }
    }

    #[test]
    fn plain_text_is_no_corpora() {
        let folder = folder(&[("a.txt", "words")]);
        let message = message(&folder.path().join("a.txt"));
        assert!(
            message.contains("a.txt: is plain text, which does not name a corpus"),
            "{message}"
        );
    }

    #[test]
    fn corpora_of_several_inputs_stay_apart() {
        let folder = folder(&[
            ("news.jsonl", r#"{"text": "x", "corpus": "a"}"#),
            ("v1.2/a/1", "y"),
            ("other/news.csv", "text,corpus\nx,a\n"),
        ]);
        let inputs = ["news.jsonl", "v1.2"].map(|name| folder.path().join(name));
        assert_eq!(names(&read(&inputs).unwrap()), [("news/a", "1"), ("v1.2/a", "1")]);
        let inputs = ["news.jsonl", "other/news.csv"].map(|name| folder.path().join(name));
        let message = read(&inputs).unwrap_err().to_string();
        assert!(message.contains("another input is called \"news\", too"), "{message}");
    }
}
