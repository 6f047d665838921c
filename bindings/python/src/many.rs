//! Many small fits on all cores.

use crate::documents::Documents;
use crate::errors::{OrException, translated};
use crate::fit::topic_rows;
use crate::model::Model;
use crate::settings::FitSettings;
use crate::work::{Stop, watched};
use handful::reading::RawDocument;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A topic: its group, name, share, terms and their probabilities.
type TopicRow = (usize, String, f64, Vec<String>, Vec<f32>);
/// A document: its group, its place in it, words, unknown words, background, proportions.
type DocumentRow = (usize, usize, u64, u64, Option<f32>, Vec<f32>);
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
    let config = &model.parts().config;
    settings.check(&config.prior, config.topics, config.em_steps).or_exception()?;
    let groups: Vec<_> = groups.iter().map(|group| Arc::clone(&group.documents)).collect();
    let counted = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&counted);
    let work = move |stop: &Stop| -> Vec<Fitted> {
        let fit = |(g, documents): (usize, &Arc<Vec<RawDocument>>)| {
            let fitted = match stop.flow().is_break() {
                true => Fitted::default(),
                false => Fitted::of(&model, g, documents, &settings, terms, stop),
            };
            counter.fetch_add(1, Ordering::Relaxed);
            fitted
        };
        groups.par_iter().enumerate().map(fit).collect()
    };
    let mut tell = |_: Python<'_>| match progress {
        Some(progress) => progress.call1((counted.load(Ordering::Relaxed),)).map(|_| ()),
        None => Ok(()),
    };
    let fitted = watched(py, work, &mut tell).map_err(|abandoned| abandoned.error)?;
    tell(py)?;
    let mut tables = Tables::default();
    for one in fitted {
        tables.0.push((one.warnings, one.error));
        tables.1.extend(one.topics);
        tables.2.extend(one.documents);
    }
    Ok(tables)
}

/// A group's rows. The fit itself would take a megabyte a group.
#[derive(Default)]
struct Fitted {
    topics: Vec<TopicRow>,
    documents: Vec<DocumentRow>,
    warnings: Vec<String>,
    error: Option<String>,
}

impl Fitted {
    fn of(
        model: &handful::Model,
        group: usize,
        documents: &[RawDocument],
        settings: &handful::FitSettings,
        terms: usize,
        stop: &Stop,
    ) -> Self {
        if documents.is_empty() {
            let error = "has no documents; give at least one text".to_owned();
            return Self { error: Some(error), ..Self::default() };
        }
        let fitted = model
            .fit_observed(documents, settings, &mut |_| stop.flow())
            .and_then(|fit| Self::rows(group, &fit, terms));
        fitted.unwrap_or_else(|error| Self {
            error: Some(translated(&error.to_string())),
            ..Self::default()
        })
    }

    fn rows(group: usize, fit: &handful::Fit, terms: usize) -> handful::Result<Self> {
        let topics = topic_rows(fit, terms, None)?.into_iter().map(|(name, _, share, terms)| {
            let probabilities = terms.iter().map(|(_, probability, _, _)| *probability).collect();
            let terms = terms.into_iter().map(|(term, ..)| term).collect();
            (group, name, share, terms, probabilities)
        });
        let documents = fit.documents().into_iter().enumerate().map(|(n, one)| {
            (group, n, one.words, one.unknown_words, one.background, one.topics.to_vec())
        });
        Ok(Self {
            topics: topics.collect(),
            documents: documents.collect(),
            warnings: fit.warnings().iter().map(|warning| translated(warning)).collect(),
            error: None,
        })
    }
}
