//! Numbers that numpy looks at without copying them.

use handful::Fit;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// A matrix of numbers that Rust owns. `numpy.asarray` makes an array of it without a copy, read-only,
/// which keeps it alive.
#[pyclass(frozen, module = "handful._native")]
pub struct Numbers {
    owner: Owner,
    rows: usize,
    columns: usize,
}

enum Owner {
    /// θ of a fit.
    Proportions(Arc<Fit>),
    /// φ of a fit, a row a term.
    WordProbabilities(Arc<Fit>),
    /// Numbers of its own.
    Own(Vec<f64>),
}

impl Numbers {
    /// θ: a row a document.
    pub fn proportions(fit: Arc<Fit>) -> Self {
        let (rows, columns) = (fit.topic_model().documents(), fit.topic_model().topics);
        Self { owner: Owner::Proportions(fit), rows, columns }
    }

    /// φ: a row a term.
    pub fn word_probabilities(fit: Arc<Fit>) -> Self {
        let (rows, columns) = (fit.topic_model().terms, fit.topic_model().topics);
        Self { owner: Owner::WordProbabilities(fit), rows, columns }
    }

    /// Numbers in rows of `columns`.
    pub fn own(numbers: Vec<f64>, rows: usize, columns: usize) -> Self {
        assert_eq!(numbers.len(), rows * columns, "the numbers fill the rows");
        Self { owner: Owner::Own(numbers), rows, columns }
    }
}

#[pymethods]
impl Numbers {
    /// Version 3 of numpy's array interface.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        // Frozen, so that the numbers stay where they are as long as this object lives.
        let (address, kind) = match &self.owner {
            Owner::Proportions(fit) => (fit.topic_model().proportions.as_ptr().addr(), "<f4"),
            Owner::WordProbabilities(fit) => {
                (fit.topic_model().word_probabilities.as_ptr().addr(), "<f4")
            }
            Owner::Own(numbers) => (numbers.as_ptr().addr(), "<f8"),
        };
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", (self.rows, self.columns))?;
        interface.set_item("typestr", kind)?;
        // True: read-only.
        interface.set_item("data", (address, true))?;
        Ok(interface)
    }
}
