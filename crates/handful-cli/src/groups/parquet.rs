//! Results as Parquet: a row a group, with lists of its topics and documents.

use super::GroupResult;
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::io::{self, Write};
use std::sync::Arc;

const SCHEMA: &str = "
message handful {
    required binary group (STRING);
    required group topics (LIST) { repeated group list { required group element {
        required int64 topic;
        required binary name (STRING);
        required double share;
        required group terms (LIST) { repeated group list { required binary element (STRING); } }
        required group probabilities (LIST) { repeated group list { required float element; } }
    } } }
    required group documents (LIST) { repeated group list { required group element {
        required binary document (STRING);
        required int64 words;
        required int64 unknown_words;
        optional float background;
        required int64 main_topic;
        required group proportions (LIST) { repeated group list { required float element; } }
    } } }
    required group warnings (LIST) { repeated group list { required binary element (STRING); } }
    optional binary error (STRING);
}";

/// Rows are written so many at a time.
const ROWS: usize = 10_000;

/// Writes all groups.
pub fn write(
    results: impl Iterator<Item = io::Result<GroupResult>>,
    file: impl Write + Send,
) -> io::Result<()> {
    let schema = Arc::new(parse_message_type(SCHEMA).map_err(reason)?);
    let compression = Compression::ZSTD(ZstdLevel::default());
    let properties = Arc::new(WriterProperties::builder().set_compression(compression).build());
    let mut writer = SerializedFileWriter::new(file, schema, properties).map_err(reason)?;
    let mut rows = Vec::new();
    for result in results {
        rows.push(result?);
        if rows.len() == ROWS {
            write_rows(&mut writer, &rows).map_err(reason)?;
            rows.clear();
        }
    }
    if !rows.is_empty() {
        write_rows(&mut writer, &rows).map_err(reason)?;
    }
    writer.close().map_err(reason).map(|_| ())
}

fn reason(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(source) => *source,
            Err(source) => io::Error::other(source),
        },
        error => io::Error::other(error),
    }
}

/// Writes one row group: its columns in the order of the schema.
fn write_rows<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    rows: &[GroupResult],
) -> Result<(), ParquetError> {
    let mut out = writer.next_row_group()?;
    let text = |text: &String| ByteArray::from(text.as_str());

    let mut group = Column::<ByteArrayType>::default();
    let mut topic = Column::<Int64Type>::default();
    let mut name = Column::<ByteArrayType>::default();
    let mut share = Column::<DoubleType>::default();
    let mut terms = Column::<ByteArrayType>::default();
    let mut probabilities = Column::<FloatType>::default();
    let mut document = Column::<ByteArrayType>::default();
    let mut words = Column::<Int64Type>::default();
    let mut unknown_words = Column::<Int64Type>::default();
    let mut background = Column::<FloatType>::default();
    let mut main_topic = Column::<Int64Type>::default();
    let mut proportions = Column::<FloatType>::default();
    let mut warnings = Column::<ByteArrayType>::default();
    let mut error = Column::<ByteArrayType>::default();

    for row in rows {
        group.values.push(text(&row.group));
        topic.list(row.topics.iter().map(|one| i64::from(one.topic)));
        name.list(row.topics.iter().map(|one| text(&one.name)));
        share.list(row.topics.iter().map(|one| one.share));
        terms.lists(row.topics.iter().map(|one| one.terms.iter().map(text)));
        probabilities.lists(row.topics.iter().map(|one| one.probabilities.iter().copied()));
        document.list(row.documents.iter().map(|one| text(&one.document)));
        words.list(row.documents.iter().map(|one| one.words.cast_signed()));
        unknown_words.list(row.documents.iter().map(|one| one.unknown_words.cast_signed()));
        background.list_of_options(row.documents.iter().map(|one| one.background));
        main_topic.list(row.documents.iter().map(|one| i64::from(one.main_topic)));
        proportions.lists(row.documents.iter().map(|one| one.proportions.iter().copied()));
        warnings.list(row.warnings.iter().map(text));
        error.option(row.error.as_ref().map(text));
    }

    group.write(&mut out)?;
    topic.write(&mut out)?;
    name.write(&mut out)?;
    share.write(&mut out)?;
    terms.write(&mut out)?;
    probabilities.write(&mut out)?;
    document.write(&mut out)?;
    words.write(&mut out)?;
    unknown_words.write(&mut out)?;
    background.write(&mut out)?;
    main_topic.write(&mut out)?;
    proportions.write(&mut out)?;
    warnings.write(&mut out)?;
    error.write(&mut out)?;
    out.close().map(|_| ())
}

/// A column as Parquet stores it: its values; at which depth each entry of a row is there (its definition);
/// and at which depth it goes on with a list (its repetition).
struct Column<T: DataType> {
    values: Vec<T::T>,
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
}

impl<T: DataType> Default for Column<T> {
    fn default() -> Self {
        Self { values: Vec::new(), definitions: Vec::new(), repetitions: Vec::new() }
    }
}

impl<T: DataType> Column<T> {
    fn put(&mut self, definition: i16, repetition: i16, value: Option<T::T>) {
        self.definitions.push(definition);
        self.repetitions.push(repetition);
        self.values.extend(value);
    }

    /// A row with a value or none.
    fn option(&mut self, value: Option<T::T>) {
        self.put(i16::from(value.is_some()), 0, value);
    }

    /// A row with a list.
    fn list(&mut self, values: impl Iterator<Item = T::T>) {
        self.entries(values.map(|value| (1, Some(value))));
    }

    /// A row with a list, whose values may be missing.
    fn list_of_options(&mut self, values: impl Iterator<Item = Option<T::T>>) {
        self.entries(values.map(|value| (1 + i16::from(value.is_some()), value)));
    }

    /// A row with a list of lists.
    fn lists(&mut self, lists: impl Iterator<Item = impl Iterator<Item = T::T>>) {
        let mut outer = 0;
        for list in lists {
            let mut inner = outer;
            for value in list {
                self.put(2, inner, Some(value));
                inner = 2;
            }
            if inner == outer {
                self.put(1, outer, None);
            }
            outer = 1;
        }
        if outer == 0 {
            self.put(0, 0, None);
        }
    }

    fn entries(&mut self, entries: impl Iterator<Item = (i16, Option<T::T>)>) {
        let mut repetition = 0;
        for (definition, value) in entries {
            self.put(definition, repetition, value);
            repetition = 1;
        }
        if repetition == 0 {
            self.put(0, 0, None);
        }
    }

    fn write<W: Write + Send>(
        self,
        rows: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        let mut column = rows.next_column()?.expect("the schema has as many columns");
        // A column that is neither optional nor in a list has no levels.
        let levels = (!self.definitions.is_empty()).then_some((self.definitions, self.repetitions));
        let (definitions, repetitions) = match &levels {
            Some((definitions, repetitions)) => (Some(&**definitions), Some(&**repetitions)),
            None => (None, None),
        };
        column.typed::<T>().write_batch(&self.values, definitions, repetitions)?;
        column.close()
    }
}
