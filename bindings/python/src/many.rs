//! Many small fits on all cores.

use crate::documents::Documents;
use crate::errors::{OrException, translated};
use crate::model::Model;
use crate::settings::FitSettings;
use crate::work::{Stop, watched};
use handful::groups::{GroupRows, fit_groups};
use handful::reading::RawDocument;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A topic: its group, name, share, terms and their probabilities.
type TopicRow = (usize, String, f64, Vec<String>, Vec<f32>);
/// A document: its group, its place in it, words, unknown words, background, main topic, proportions.
type DocumentRow = (usize, usize, u64, u64, Option<f32>, u32, Vec<f32>);
/// What a person should know of a group, and why it has no fit, if so.
type GroupRow = (Vec<String>, Option<String>);
/// All rows.
type Tables = (Vec<GroupRow>, Vec<TopicRow>, Vec<DocumentRow>);

/// Fits each group by itself. `progress` hears how many are done.
#[pyfunction]
pub fn fit_many(
    py: Python<'_>,
    model: &Model,
    groups: Vec<PyRef<'_, Documents>>,
    settings: &FitSettings,
    terms: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Tables> {
    let (model, settings) = (model.model.clone(), settings.settings.clone());
    let groups: Vec<Group> =
        groups.iter().map(|group| Group(Arc::clone(&group.documents))).collect();
    let counted = Arc::new(AtomicUsize::new(0));
    let (counter, all) = (Arc::clone(&counted), groups.len());
    let work = move |stop: &Stop| {
        let observer = |done| {
            counter.fetch_max(done, Ordering::Relaxed);
            stop.flow()
        };
        fit_groups(&model, &groups, &settings, terms, &observer)
    };
    let tell = |done: usize| match progress {
        Some(progress) => progress.call1((done,)).map(|_| ()),
        None => Ok(()),
    };
    let mut tick = |_: Python<'_>| tell(counted.load(Ordering::Relaxed));
    let fitted = watched(py, work, &mut tick).map_err(|abandoned| abandoned.error)?;
    let fitted = fitted.or_exception()?;
    tell(all)?;
    Ok(tables(fitted))
}

/// The documents of a group.
struct Group(Arc<Vec<RawDocument>>);

impl AsRef<[RawDocument]> for Group {
    fn as_ref(&self) -> &[RawDocument] {
        &self.0
    }
}

fn tables(fitted: Vec<GroupRows>) -> Tables {
    let mut tables = Tables::default();
    for (g, rows) in fitted.into_iter().enumerate() {
        let warnings = rows.warnings.iter().map(|warning| translated(warning)).collect();
        tables.0.push((warnings, rows.error.as_deref().map(translated)));
        let topics = rows.topics.into_iter();
        tables.1.extend(topics.map(|t| (g, t.name, t.share, t.terms, t.probabilities)));
        let documents = rows.documents.into_iter().enumerate();
        tables.2.extend(documents.map(|(n, d)| {
            (g, n, d.words, d.unknown_words, d.background, d.main_topic, d.proportions)
        }));
    }
    tables
}
