//! Documents: texts or word counts, each with an identifier.

use crate::arrow;
use handful::reading::{Content, RawDocument};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyList, PyString};
use std::sync::Arc;

/// Documents: texts or word counts, each with an identifier.
#[pyclass(frozen, module = "handful._native")]
pub struct Documents {
    pub documents: Arc<Vec<RawDocument>>,
    /// The places of texts that were missing. They are empty documents.
    missing: Vec<usize>,
}

impl Documents {
    fn of(texts: Vec<Option<String>>, ids: Option<Vec<String>>) -> PyResult<Self> {
        let missing = (0..texts.len()).filter(|&n| texts[n].is_none()).collect();
        let ids = ids.unwrap_or_else(|| (0..texts.len()).map(|n| n.to_string()).collect());
        expect_as_many(ids.len(), texts.len())?;
        let document = |(id, text): (String, Option<String>)| RawDocument {
            corpus: None,
            id,
            content: Content::Text(text.unwrap_or_default()),
        };
        let documents = ids.into_iter().zip(texts).map(document).collect();
        Ok(Self { documents: Arc::new(documents), missing })
    }
}

fn expect_as_many(ids: usize, documents: usize) -> PyResult<()> {
    if ids == documents {
        return Ok(());
    }
    let problem = format!("there are {ids} ids for {documents} documents; give one for each");
    Err(PyValueError::new_err(problem))
}

#[pymethods]
impl Documents {
    /// Documents of a list of texts. `None` and NaN are missing texts.
    #[staticmethod]
    fn of_texts(texts: &Bound<'_, PyList>, ids: Option<Vec<String>>) -> PyResult<Self> {
        let texts = texts.iter().enumerate().map(|(n, text)| text_of(n, &text));
        Self::of(texts.collect::<PyResult<_>>()?, ids)
    }

    /// Documents of a column with Arrow's C interface.
    #[staticmethod]
    fn of_arrow(column: &Bound<'_, PyAny>, ids: Option<Vec<String>>) -> PyResult<Self> {
        Self::of(arrow::texts(column)?, ids)
    }

    /// Documents of the rows of a sparse matrix in CSR format: 64-bit ends of rows, without the first 0,
    /// 32-bit columns, 32-bit counts, all little-endian; and the terms of the columns.
    #[staticmethod]
    fn of_counts(
        ends: &[u8],
        columns: &[u8],
        counts: &[u8],
        terms: Vec<String>,
        ids: Vec<String>,
    ) -> PyResult<Self> {
        let (ends, columns, counts) =
            (numbers::<8>(ends).map(u64::from_le_bytes), whole(columns), whole(counts));
        let ends: Vec<usize> = ends.map(|end| end as usize).collect();
        expect_as_many(ids.len(), ends.len())?;
        let is_sound = columns.len() == counts.len()
            && ends.is_sorted()
            && ends.last().is_none_or(|&end| end == columns.len())
            && columns.iter().all(|&column| (column as usize) < terms.len());
        if !is_sound {
            return Err(PyValueError::new_err("the sparse matrix contradicts itself"));
        }
        let places = Places::of(&columns, terms);
        let mut start = 0;
        let documents = ids.into_iter().zip(ends).map(|(id, end)| {
            let row = std::mem::replace(&mut start, end)..end;
            let content = places.content(&columns[row.clone()], &counts[row]);
            RawDocument { corpus: None, id, content }
        });
        Ok(Self { documents: Arc::new(documents.collect()), missing: Vec::new() })
    }

    /// The places of texts that were missing.
    fn missing(&self) -> Vec<usize> {
        self.missing.clone()
    }

    fn __len__(&self) -> usize {
        self.documents.len()
    }
}

/// The terms of a matrix in their order. They are compared once for all rows: a row sorts the places of its
/// columns, which are numbers.
struct Places {
    /// The terms that are used, each once, in their order.
    terms: Vec<String>,
    /// The place of each column's term among them.
    of_columns: Vec<u32>,
}

impl Places {
    fn of(columns: &[u32], mut names: Vec<String>) -> Self {
        let mut is_used = vec![false; names.len()];
        columns.iter().for_each(|&column| is_used[column as usize] = true);
        let mut ordered: Vec<usize> = (0..names.len()).filter(|&n| is_used[n]).collect();
        ordered.sort_unstable_by(|&a, &b| names[a].cmp(&names[b]));
        let (mut terms, mut of_columns): (Vec<String>, _) = (Vec::new(), vec![0; names.len()]);
        for column in ordered {
            let name = std::mem::take(&mut names[column]);
            // Two columns may have one name.
            if terms.last() != Some(&name) {
                terms.push(name);
            }
            of_columns[column] = terms.len() as u32 - 1;
        }
        Self { terms, of_columns }
    }

    /// The counts of a row as [`Content::counts`] makes them: in the order of the terms, each once, no zeros.
    fn content(&self, columns: &[u32], counts: &[u32]) -> Content {
        let places = columns.iter().map(|&column| self.of_columns[column as usize]);
        let mut row: Vec<(u32, u32)> =
            places.zip(counts.iter().copied()).filter(|&(_, count)| count > 0).collect();
        row.sort_unstable_by_key(|&(place, _)| place);
        row.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 = kept.1.saturating_add(next.1);
            }
            is_same
        });
        let term = |(place, count): (u32, u32)| (self.terms[place as usize].clone(), count);
        Content::Counts(row.into_iter().map(term).collect())
    }
}

fn numbers<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> {
    bytes.as_chunks::<N>().0.iter().copied()
}

fn whole(bytes: &[u8]) -> Vec<u32> {
    numbers::<4>(bytes).map(u32::from_le_bytes).collect()
}

/// A text, or `None` if it is missing.
fn text_of(n: usize, text: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if let Ok(text) = text.cast::<PyString>() {
        return text.to_str().map(|text| Some(text.to_owned())).map_err(|_| {
            PyValueError::new_err(format!(
                "document {n}: has characters that are no Unicode (lone surrogates); decode its bytes \
                 with errors=\"replace\""
            ))
        });
    }
    let is_nan = text.cast::<PyFloat>().is_ok_and(|number| number.value().is_nan());
    let kind = text.get_type().name()?;
    // What pandas has for missing texts and dates.
    if text.is_none() || is_nan || kind == "NAType" || kind == "NaTType" {
        return Ok(None);
    }
    let remedy = match text.cast::<PyBytes>().is_ok() {
        true => "decode it, for example with .decode(\"utf-8\")",
        false => "give texts as str",
    };
    Err(PyTypeError::new_err(format!("document {n}: is of type {kind}, not str; {remedy}")))
}
