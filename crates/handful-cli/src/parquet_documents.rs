//! Documents of Parquet files: a document per row.

use crate::parquet_file::ParquetFile;
use crate::parquet_pages::CheckedRows;
use handful::reading::{Content, RawDocument, ReadSettings, Reading};
use handful::{Error, Result};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::record::{Field, Row};
use parquet::schema::types::{Type, TypePtr};
use std::fs::{self, File};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// What a row counts for beside its texts, so that empty ones cannot fill the memory, either.
const ROW: usize = size_of::<RawDocument>();

/// The Parquet files that an input names: itself, or those of a folder, as Spark writes it. `None` if there
/// are none.
pub fn files_of(input: &Path) -> Option<Vec<PathBuf>> {
    let is_parquet =
        |path: &Path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"));
    if !input.is_dir() {
        return is_parquet(input).then(|| vec![input.to_owned()]);
    }
    let entries = fs::read_dir(input).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> = entries.filter(|path| is_parquet(path)).collect();
    files.sort();
    (!files.is_empty()).then_some(files)
}

/// Held while panics are silent, so that two readers never put back each other's silence.
static SILENCE: Mutex<()> = Mutex::new(());

/// Does some work. `None` if it panics, of which nothing is printed.
fn unless_it_panics<T>(work: impl FnOnce() -> T) -> Option<T> {
    let _silence = SILENCE.lock().unwrap_or_else(PoisonError::into_inner);
    let usual = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    panic::set_hook(usual);
    done.ok()
}

/// Reads the documents of a file. `left` is how many bytes of texts and names all Parquet files may still
/// have: a few kilobytes of Parquet may unpack to any number of them.
pub fn read(path: &Path, settings: &ReadSettings, left: &mut u64) -> Result<Reading> {
    // The package that reads Parquet asserts some things that only a whole file has.
    unless_it_panics(|| read_rows(path, settings, left)).unwrap_or_else(|| {
        let problem = "cannot be read as Parquet (it contradicts itself)";
        Err(Error::damaged(path.display().to_string(), problem, "write it again"))
    })
}

fn read_rows(path: &Path, settings: &ReadSettings, left: &mut u64) -> Result<Reading> {
    let place = path.display().to_string();
    let damaged = |error: ParquetError| {
        Error::damaged(&place, format!("cannot be read as Parquet ({error})"), "write it again")
    };
    let file = File::open(path).map_err(|source| Error::read(path, source))?;
    let file = SerializedFileReader::new(ParquetFile(file)).map_err(damaged)?;
    let schema = file.metadata().file_metadata().schema();
    let columns = Columns::of(schema, settings, &place)?;
    let mut reading = Reading { documents: Vec::new(), warnings: Vec::new() };
    let mut missing = 0;
    let mut add = |number: usize, row: Row| -> Result<()> {
        let value = |column: &str| row.get_column_iter().find(|(name, _)| *name == column);
        let field = |column: &str| value(column).map_or(&Field::Null, |(_, field)| field);
        let fail = |column: &str, problem: String, remedy: &str| {
            Error::input(format!("{place}, row {number}"), format!("{column:?} {problem}"), remedy)
        };
        let label_of = |column: &str| match field(column) {
            Field::Null => Ok(None),
            field => label(field).map(Some).ok_or_else(|| {
                fail(column, "is no text or number".to_owned(), "make it a text or a number")
            }),
        };
        let text = match field(&columns.text) {
            Field::Null => {
                missing += 1;
                String::new()
            }
            Field::Str(text) => text.clone(),
            Field::Bytes(bytes) => String::from_utf8(bytes.data().to_vec())
                .map_err(|_| fail(&columns.text, "is no UTF-8".to_owned(), "write it as a text"))?,
            _ => {
                let remedy = "name the column of the text with `text_column`";
                return Err(fail(&columns.text, "is no text".to_owned(), remedy));
            }
        };
        let corpus = columns.group.as_deref().map(label_of).transpose()?.flatten();
        let corpus = corpus.filter(|group| !group.trim().is_empty());
        if let (Some(column), None) = (&settings.group_column, &corpus) {
            let remedy = "name the group's column with `group_column`, or fill it in";
            return Err(fail(column, "is missing or empty".to_owned(), remedy));
        }
        let id = columns.id.as_deref().map(label_of).transpose()?.flatten();
        let id = id.unwrap_or_else(|| number.to_string());
        let size = text.len() + id.len() + corpus.as_ref().map_or(0, String::len) + ROW;
        *left = left.checked_sub(size as u64).ok_or_else(|| settings.too_large(&place))?;
        reading.documents.push(RawDocument { corpus, id, content: Content::Text(text) });
        Ok(())
    };
    let projection = columns.projection(schema);
    let mut numbers = 1_usize..;
    for group in 0..file.num_row_groups() {
        let group = CheckedRows(file.get_row_group(group).map_err(damaged)?);
        let rows = group.get_row_iter(Some(projection.clone())).map_err(damaged)?;
        for (row, number) in rows.zip(&mut numbers) {
            add(number, row.map_err(damaged)?)?;
        }
    }
    if reading.documents.is_empty() {
        return Err(Error::input(place, "holds no documents", "write a document per row"));
    }
    let of = reading.documents.len();
    match missing {
        0 => {}
        1 => reading.warnings.push(format!(
            "1 of {of} texts of {place} is missing and was read as an empty document"
        )),
        _ => reading.warnings.push(format!(
            "{missing} of {of} texts of {place} are missing and were read as empty documents"
        )),
    }
    Ok(reading)
}

/// The names of the columns.
struct Columns {
    text: String,
    id: Option<String>,
    group: Option<String>,
}

impl Columns {
    fn of(schema: &Type, settings: &ReadSettings, place: &str) -> Result<Self> {
        let is_there = |name: &str| schema.get_fields().iter().any(|field| field.name() == name);
        let found = |name: &str, what: &str, setting: &str| match is_there(name) {
            true => Ok(name.to_owned()),
            false => {
                let names: Vec<&str> =
                    schema.get_fields().iter().map(|field| field.name()).collect();
                let problem =
                    format!("has no column {name:?}, but the columns {}", names.join(", "));
                let remedy = format!("name the column of the {what} with `{setting}`");
                Err(Error::input(place, problem, remedy))
            }
        };
        // As in other tables: the usual column of ids may be missing, one that was named may not.
        let names_id = settings.id_column != ReadSettings::default().id_column;
        let has_id = names_id || is_there(&settings.id_column);
        let group = settings.group_column.as_deref();
        Ok(Self {
            text: found(&settings.text_column, "text", "text_column")?,
            id: has_id.then(|| found(&settings.id_column, "id", "id_column")).transpose()?,
            group: group.map(|name| found(name, "group", "group_column")).transpose()?,
        })
    }

    /// The schema with these columns alone.
    fn projection(&self, schema: &Type) -> Type {
        let names = [Some(&self.text), self.id.as_ref(), self.group.as_ref()];
        let is_used = |field: &&TypePtr| names.iter().flatten().any(|name| *name == field.name());
        let fields = schema.get_fields().iter().filter(is_used).map(Arc::clone).collect();
        let projection = Type::group_type_builder(schema.name()).with_fields(fields).build();
        projection.expect("fields of a schema make a schema")
    }
}

/// The words of a value that can be a name.
fn label(field: &Field) -> Option<String> {
    match field {
        Field::Str(text) => Some(text.clone()),
        Field::Bytes(bytes) => String::from_utf8(bytes.data().to_vec()).ok(),
        Field::Null | Field::Group(_) | Field::ListInternal(_) | Field::MapInternal(_) => None,
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::data_type::{ByteArray, ByteArrayType};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    fn file() -> Vec<u8> {
        let schema = parse_message_type("message m { required binary text (STRING); }").unwrap();
        let mut file = Vec::new();
        let mut writer =
            SerializedFileWriter::new(&mut file, schema.into(), Default::default()).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let texts = ["bee hive", "bread", "bee hive"].map(ByteArray::from);
        column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
        writer.close().unwrap();
        file
    }

    #[test]
    fn a_file_with_any_byte_changed_is_read_or_refused_in_a_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        let settings = ReadSettings { max_input_size: 1 << 20, ..ReadSettings::default() };
        let whole = file();
        let read = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            read(&path, &settings, &mut settings.max_input_size.clone())
        };
        assert_eq!(read(&whole).unwrap().documents.len(), 3);
        let mut contradictory = 0;
        for place in 0..whole.len() {
            for byte in [0x00, 0x01, 0x7f, 0x80, 0xff] {
                let mut damaged = whole.clone();
                damaged[place] = byte;
                if let Err(error) = read(&damaged) {
                    let sentence = error.to_string();
                    assert!(
                        sentence.contains("a.parquet") && !sentence.contains('\n'),
                        "{sentence}"
                    );
                    contradictory += usize::from(sentence.contains("contradicts itself"));
                }
            }
        }
        assert!(contradictory > 0, "what is caught is met");
    }
}
