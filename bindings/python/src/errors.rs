//! The library's errors as Python exceptions, in Python's names.

use handful::internals::error::printable;
use handful::{Error, ErrorKind};
use pyo3::exceptions::{
    PyException, PyFileExistsError, PyFileNotFoundError, PyKeyboardInterrupt, PyOSError,
    PyValueError,
};
use pyo3::prelude::*;

pyo3::create_exception!(
    handful,
    ModelError,
    PyException,
    "A model or a saved fit cannot be used: it is damaged, of another version, or its numbers are not finite."
);

/// What the library names in backticks, and what Python calls it.
const NAMES: [(&str, &str); 5] = [
    ("`replace`", "`replace=True`"),
    ("`resume`", "`resume=True`"),
    ("`Fit::open`", "`handful.load`"),
    ("`Model::open`", "`handful.Model.open`"),
    ("::", "."),
];

/// The exception for an error of the library, with its sentence.
pub fn exception(error: &Error) -> PyErr {
    let sentence = translated(&error.to_string());
    match error.kind() {
        ErrorKind::NotFound => PyFileNotFoundError::new_err(sentence),
        ErrorKind::Exists => PyFileExistsError::new_err(sentence),
        ErrorKind::Damaged | ErrorKind::Unsupported | ErrorKind::NotFinite => {
            ModelError::new_err(sentence)
        }
        ErrorKind::Interrupted => PyKeyboardInterrupt::new_err(sentence),
        ErrorKind::OutOfSpace | ErrorKind::Unreadable | ErrorKind::Unwritable => {
            PyOSError::new_err(sentence)
        }
        _ => PyValueError::new_err(sentence),
    }
}

/// A sentence of the library in Python's names. What a terminal would obey in it is shown instead: ids and names of files may be
/// part of it.
pub fn translated(sentence: &str) -> String {
    let sentence = printable(sentence).into_owned();
    NAMES.iter().fold(sentence, |said, (name, python)| said.replace(name, python))
}

/// Turns the library's results into Python's.
pub trait OrException<T> {
    /// The value, or the exception for the error.
    fn or_exception(self) -> PyResult<T>;
}

impl<T> OrException<T> for handful::Result<T> {
    fn or_exception(self) -> PyResult<T> {
        self.map_err(|error| exception(&error))
    }
}
