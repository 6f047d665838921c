//! Pages of Parquet that hold what they say.

use parquet::bloom_filter::Sbbf;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::RowGroupReader;
use parquet::record::reader::RowIter;
use parquet::schema::types::Type;

/// A group of rows whose pages are looked at before memory is taken for what they say they hold: a file of 500
/// bytes may name a dictionary of a billion words.
pub struct CheckedRows<'a>(pub Box<dyn RowGroupReader + 'a>);

impl RowGroupReader for CheckedRows<'_> {
    fn metadata(&self) -> &RowGroupMetaData {
        self.0.metadata()
    }

    fn num_columns(&self) -> usize {
        self.0.num_columns()
    }

    fn get_column_page_reader(&self, i: usize) -> Result<Box<dyn PageReader>> {
        Ok(Box::new(CheckedPages(self.0.get_column_page_reader(i)?)))
    }

    fn get_column_bloom_filter(&self, i: usize) -> Option<&Sbbf> {
        self.0.get_column_bloom_filter(i)
    }

    fn get_row_iter(&self, projection: Option<Type>) -> Result<RowIter<'_>> {
        RowIter::from_row_group(projection, self)
    }
}

struct CheckedPages(Box<dyn PageReader>);

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.0.get_next_page()?;
        page.as_ref().map_or(Ok(()), check)?;
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.0.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.0.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.0.at_record_boundary()
    }
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}

/// Refuses a dictionary that has more entries than bytes. Those of other pages are read a few at a time.
fn check(page: &Page) -> Result<()> {
    match page {
        Page::DictionaryPage { buf, num_values, .. } if *num_values as usize > buf.len() => {
            let sentence = format!("a dictionary of {num_values} entries in {} bytes", buf.len());
            Err(ParquetError::General(sentence))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use parquet::basic::Encoding;

    #[test]
    fn a_dictionary_has_no_more_entries_than_bytes() {
        let dictionary = |num_values| Page::DictionaryPage {
            buf: Bytes::from_static(b"\x03\0\0\0bee"),
            num_values,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        assert!(check(&dictionary(1)).is_ok());
        let error = check(&dictionary(2_000_000_000)).unwrap_err().to_string();
        assert!(error.contains("a dictionary of 2000000000 entries in 7 bytes"), "{error}");
    }
}
