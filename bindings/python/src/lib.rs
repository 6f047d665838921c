//! The native part of the Python package `handful`: the library's front door as Python objects.
//!
//! The classes that people use are written in Python, in `python/handful`. What is here takes plain
//! arguments, does the work with the interpreter's lock released, and gives columns back.

mod arrow;
mod command;
mod documents;
mod errors;
mod fit;
mod many;
mod model;
mod numbers;
mod settings;
mod training;
mod tree;
mod work;

use pyo3::prelude::*;

/// The native part of the package `handful`. Use `handful` instead.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::command::run_command;
    #[pymodule_export]
    use super::documents::Documents;
    #[pymodule_export]
    use super::errors::ModelError;
    #[pymodule_export]
    use super::fit::{Fit, open_fit, topic_colours};
    #[pymodule_export]
    use super::many::fit_many;
    #[pymodule_export]
    use super::model::Model;
    #[pymodule_export]
    use super::numbers::Numbers;
    #[pymodule_export]
    use super::settings::FitSettings;
    #[pymodule_export]
    use super::training::{finish_trainings, train};
    #[pymodule_export]
    use super::tree::Tree;
    #[pymodule_export]
    use super::work::set_threads;
}
