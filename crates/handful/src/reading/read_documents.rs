//! Reads the documents of a fit from files, folders or standard input.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::file_reader::FileReader;
use super::folder::{files_below, is_folder, relative, with_slashes};
use super::{RawDocument, ReadSettings, Reading};
use crate::{Error, Result};

/// Reads every document of files and folders and, for `-`, of `standard_input`.
///
/// A plain text file is one document; its path as given is the id. In a folder, files are read at
/// any depth, and the path inside the folder is the id. Each row of JSON lines and tables is a
/// document with an id of its own. With a [`group_column`](ReadSettings::group_column), each document must
/// name its group, which is its `corpus` then.
///
/// Files in a folder that are not text are left out with a warning. A file that is named directly
/// must be readable.
pub fn read_documents(
    inputs: &[PathBuf],
    settings: &ReadSettings,
    standard_input: &mut dyn Read,
) -> Result<Reading> {
    let mut reader = FileReader::new(settings, standard_input);
    let needs_group = settings.group_column.is_some();
    let mut documents = Vec::new();
    for input in inputs {
        documents.extend(if input == Path::new("-") {
            reader.standard_input(needs_group)?
        } else if is_folder(input)? {
            read_folder(input, &mut reader, needs_group)?
        } else {
            reader.named(input, &with_slashes(input), needs_group)?
        });
    }
    Ok(Reading { documents, warnings: reader.into_warnings() })
}

fn read_folder(
    folder: &Path,
    reader: &mut FileReader,
    needs_group: bool,
) -> Result<Vec<RawDocument>> {
    let before = reader.files_left_out();
    let mut documents = Vec::new();
    for file in files_below(folder)? {
        documents.extend(reader.found(&file, &relative(&file, folder), needs_group)?);
    }
    if documents.is_empty() {
        let place = folder.display().to_string();
        let empty = Error::input(place, "the folder holds no files", "put text files into it");
        return Err(reader.nothing_read(before, empty));
    }
    Ok(documents)
}

#[cfg(test)]
mod tests {
    use std::{fs, io};

    use super::super::{Content, Format};
    use super::*;

    /// Creates a folder with these files.
    fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        folder
    }

    fn read(inputs: &[PathBuf]) -> Result<Reading> {
        read_documents(inputs, &ReadSettings::default(), &mut io::empty())
    }

    fn ids(reading: &Reading) -> Vec<&str> {
        reading.documents.iter().map(|document| document.id.as_str()).collect()
    }

    #[test]
    fn a_folder_gives_all_its_files_sorted() {
        let folder =
            folder(&[("b.txt", b"two"), ("a/1.txt", b""), ("c.csv", b"id,text\nx,three\n")]);
        let reading = read(&[folder.path().to_owned()]).unwrap();
        assert_eq!(ids(&reading), ["a/1.txt", "b.txt", "x"]);
        assert_eq!(reading.documents[0].content, Content::Text(String::new()));
        assert!(reading.warnings.is_empty());
    }

    #[test]
    fn a_named_file_has_its_path_as_id() {
        let folder = folder(&[("a.txt", b"one")]);
        let path = folder.path().join("a.txt");
        let reading = read(std::slice::from_ref(&path)).unwrap();
        assert_eq!(ids(&reading), [with_slashes(&path)]);
    }

    #[test]
    fn a_byte_order_mark_is_not_part_of_the_first_column() {
        let folder = folder(&[("a.csv", b"\xef\xbb\xbftext\none\n")]);
        let reading = read(&[folder.path().join("a.csv")]).unwrap();
        assert_eq!(reading.documents[0].content, Content::Text("one".into()));
    }

    #[test]
    fn guessed_encodings_are_one_warning() {
        let folder =
            folder(&[("a", b"\xe4"), ("b", b"\xe4"), ("c", b"ok"), ("d", b"\xe4"), ("e", b"\xe4")]);
        let reading = read(&[folder.path().to_owned()]).unwrap();
        assert_eq!(reading.warnings.len(), 1);
        let warning = &reading.warnings[0];
        assert!(
            warning.starts_with("4 files are not UTF-8 and were read as windows-1252: "),
            "{warning}"
        );
        assert!(warning.ends_with("d, …"), "{warning}");
    }

    #[test]
    fn files_that_are_not_text_are_left_out_of_a_folder_with_a_warning() {
        let folder = folder(&[("a.pdf", b"%PDF-1.5"), ("b.txt", b"two"), ("c.json", b"{}")]);
        let reading = read(&[folder.path().to_owned()]).unwrap();
        assert_eq!(ids(&reading), ["b.txt"]);
        let warning = &reading.warnings[0];
        assert!(warning.starts_with("2 files were left out, the first of them "), "{warning}");
        assert!(warning.contains("a.pdf: is a PDF"), "{warning}");
    }

    #[test]
    fn files_that_are_not_text_are_refused_by_name() {
        let folder = folder(&[("a.pdf", b"%PDF-1.5"), ("c.json", b"{}")]);
        let message = |input: PathBuf| read(&[input]).unwrap_err().to_string();
        assert!(message(folder.path().join("a.pdf")).contains("a.pdf: is a PDF"));
        assert!(message(folder.path().join("c.json")).contains("write one object a line"));
        assert!(message(folder.path().to_owned()).contains("a.pdf: is a PDF"));
    }

    #[test]
    fn an_empty_folder_and_a_missing_file_are_errors() {
        let folder = folder(&[(".hidden", b"x")]);
        let message = |input: PathBuf| read(&[input]).unwrap_err().to_string();
        assert!(message(folder.path().to_owned()).contains("holds no files"));
        assert!(message(folder.path().join("x")).contains("there is no such file"));
    }

    #[test]
    fn documents_name_their_groups_where_these_are_asked_for() {
        let folder = folder(&[
            ("a.csv", b"client,text\nx,one\ny,two\n"),
            ("b.jsonl", b"{\"client\": 7, \"text\": \"three\"}"),
            ("c.jsonl", b"{\"text\": \"three\"}"),
            ("d.txt", b"four"),
        ]);
        let path = |name: &str| folder.path().join(name);
        let read = |inputs: &[PathBuf], column: &str| {
            let group_column = Some(column.to_owned());
            let settings = ReadSettings { group_column, ..ReadSettings::default() };
            read_documents(inputs, &settings, &mut io::empty())
        };
        let reading = read(&[path("a.csv"), path("b.jsonl")], "client").unwrap();
        let groups: Vec<_> = reading.documents.iter().map(|one| one.corpus.as_deref()).collect();
        assert_eq!(groups, [Some("x"), Some("y"), Some("7")]);
        let message =
            |name: &str, column: &str| read(&[path(name)], column).unwrap_err().to_string();
        assert!(message("a.csv", "group").ends_with(
            "has no column \"group\", but the columns client, text; \
             name the column of the group with `group_column`"
        ));
        assert!(
            message("c.jsonl", "client")
                .contains("\"client\" is missing or empty among the fields text")
        );
        assert!(message("d.txt", "client").contains("does not name a group"));
    }

    #[test]
    fn standard_input_is_a_document_or_any_format_that_is_set() {
        let read = |settings: &ReadSettings, text: &str| {
            read_documents(&["-".into()], settings, &mut io::Cursor::new(text.to_owned())).unwrap()
        };
        assert_eq!(ids(&read(&ReadSettings::default(), "")), ["-"]);
        let settings = ReadSettings { format: Some(Format::JsonLines), ..ReadSettings::default() };
        assert_eq!(ids(&read(&settings, "{\"text\":\"a\"}\n{\"text\":\"b\"}\n")), ["1", "2"]);
    }
}
