//! The `handful` command.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command with these words and returns its exit status.
#[pyfunction]
pub fn run_command(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| handful_cli::run(words))
}
