//! Trained models.

use crate::documents::Documents;
use crate::errors::OrException;
use crate::fit::Fit;
use crate::settings::FitSettings;
use crate::work;
use handful::fit::FileContents;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;
use std::sync::Arc;

/// A trained model.
#[pyclass(frozen, module = "handful._native")]
pub struct Model {
    pub model: handful::Model,
}

#[pymethods]
impl Model {
    /// The built-in model.
    #[staticmethod]
    fn pretrained(py: Python<'_>) -> PyResult<Self> {
        let model = work::done(py, |_| handful::Model::pretrained())?.or_exception()?;
        Ok(Self { model })
    }

    /// Opens the directory of a model.
    #[staticmethod]
    fn open(py: Python<'_>, directory: PathBuf) -> PyResult<Self> {
        let model = work::done(py, |_| handful::Model::open(directory))?.or_exception()?;
        Ok(Self { model })
    }

    /// A model of the files of its directory.
    #[staticmethod]
    fn of_files(py: Python<'_>, files: FileContents, name: String) -> PyResult<Self> {
        let model = work::done(py, move |_| handful::Model::of_files(&files, &name))?;
        Ok(Self { model: model.or_exception()? })
    }

    /// The files of its directory.
    fn to_files<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let model = self.model.clone();
        dict_of(py, &work::done(py, move |_| model.to_files())?)
    }

    fn save(&self, py: Python<'_>, directory: PathBuf, replace: bool) -> PyResult<()> {
        let model = self.model.clone();
        work::done(py, move |_| match replace {
            true => model.save_replacing(directory),
            false => model.save(directory),
        })?
        .or_exception()
    }

    fn fit(&self, py: Python<'_>, documents: &Documents, settings: &FitSettings) -> PyResult<Fit> {
        let (model, settings) = (self.model.clone(), settings.settings.clone());
        let documents = Arc::clone(&documents.documents);
        let fit = work::done(py, move |stop| {
            model.fit_observed(&*documents, &settings, &mut |_| stop.flow())
        })?;
        Ok(Fit::new(fit.or_exception()?))
    }

    #[getter]
    fn name(&self) -> String {
        self.model.name().to_owned()
    }

    #[getter]
    fn place(&self) -> String {
        self.model.place().to_owned()
    }

    #[getter]
    fn terms(&self) -> usize {
        self.model.terms()
    }

    #[getter]
    fn card(&self) -> String {
        self.model.card()
    }
}

/// Files as a dictionary of their names and bytes.
pub fn dict_of<'py>(py: Python<'py>, files: &FileContents) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, content) in files {
        dict.set_item(name, PyBytes::new(py, content))?;
    }
    Ok(dict)
}
