//! Training, with progress, an end by Ctrl-C, and a checkpoint to go on from.

use crate::documents::Documents;
use crate::errors::{OrException, translated};
use crate::model::Model;
use crate::settings::{AskedStopWords, whole};
use crate::work::{Abandoned, watched};
use handful::model::{CheckpointPlan, RunProgress};
use handful::reading::{RawDocument, ReadSettings, read_corpora};
use handful::text::{StopWords, TextSettings};
use handful::{TrainProgress, Training};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How far a training is.
#[derive(Clone, Debug, Default, PartialEq)]
struct State {
    part: &'static str,
    done: u64,
    of: u64,
    loss: Option<f64>,
    perplexity: Option<f64>,
    warnings: Vec<String>,
}

/// What a training calls its end with; `true` if it is there.
type Ending = Box<dyn Fn(Python<'_>) -> bool + Send>;

/// Trainings that were stopped and may still be writing their checkpoints.
static ENDING: Mutex<Vec<Ending>> = Mutex::new(Vec::new());

/// Waits until trainings that were stopped have written their checkpoints.
#[pyfunction]
pub fn finish_trainings(py: Python<'_>) -> PyResult<()> {
    loop {
        let Some(ending) = ENDING.lock().unwrap_or_else(PoisonError::into_inner).pop() else {
            return Ok(());
        };
        while !ending(py) {
            if let Err(error) = py.check_signals() {
                ENDING.lock().unwrap_or_else(PoisonError::into_inner).push(ending);
                return Err(error);
            }
        }
    }
}

/// Trains a model on corpora: pairs of a name and documents, and files or folders of corpora. Returns it with
/// what a person should know.
#[pyfunction]
#[pyo3(signature = (corpora, inputs, *, max_steps, seed, validation_corpora, exclude, min_documents, min_document_words, max_terms, language, stop_words, checkpoint, checkpoint_every, resume, progress))]
#[expect(clippy::too_many_arguments, reason = "one for each setting")]
pub fn train(
    py: Python<'_>,
    corpora: Vec<(String, PyRef<'_, Documents>)>,
    inputs: Vec<PathBuf>,
    max_steps: Option<i64>,
    seed: i64,
    validation_corpora: i64,
    exclude: Vec<String>,
    min_documents: Option<i64>,
    min_document_words: Option<i64>,
    max_terms: Option<i64>,
    language: Option<&str>,
    stop_words: Option<AskedStopWords>,
    checkpoint: Option<PathBuf>,
    checkpoint_every: i64,
    resume: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Model, Vec<String>)> {
    finish_trainings(py)?;
    let number = |name, value: Option<i64>| value.map(|value| whole(name, value)).transpose();
    let mut text = TextSettings::default();
    if let Some(language) = language {
        text = text.in_language(language.parse().or_exception()?);
    }
    text.stop_words = match stop_words {
        Some(asked) => asked.list().or_exception()?,
        None => std::mem::replace(&mut text.stop_words, StopWords::None),
    };
    if let Some(least) = number("min_documents", min_documents).or_exception()? {
        text.min_documents = least;
    }
    if let Some(least) = number("min_document_words", min_document_words).or_exception()? {
        text.min_document_words = least;
    }
    text.max_terms = number("max_terms", max_terms).or_exception()?;
    let mut training = Training::default()
        .with_text(text)
        .with_seed(whole("seed", seed).or_exception()? as u64)
        .with_validation_corpora(whole("validation_corpora", validation_corpora).or_exception()?);
    if let Some(steps) = number("max_steps", max_steps).or_exception()? {
        training = training.with_max_steps(steps as u64);
    }
    training.exclude = exclude;
    let every = whole("checkpoint_every", checkpoint_every).or_exception()?.max(1) as u64;
    training.checkpoints = checkpoint.map(|path| CheckpointPlan { path, every, resume });
    training.check().or_exception()?;
    let documents: Vec<RawDocument> = corpora
        .iter()
        .flat_map(|(name, documents)| documents.documents.iter().map(move |one| (name, one)))
        .map(|(name, one)| RawDocument { corpus: Some(name.clone()), ..one.clone() })
        .collect();

    let state = Arc::new(Mutex::new(State { part: "reading", ..State::default() }));
    let told = Arc::clone(&state);
    let work = move |stop: &crate::work::Stop| {
        let mut documents = documents;
        if !inputs.is_empty() {
            let read = read_corpora(&inputs, &ReadSettings::default(), &mut std::io::empty())?;
            lock(&told).warnings.extend(read.warnings);
            documents.extend(read.documents);
        }
        handful::Model::train(documents, &training, &mut |progress| {
            lock(&told).hear(&progress, training.settings.max_steps);
            stop.flow()
        })
    };
    let mut last = State::default();
    let mut tell = |_: Python<'_>| -> PyResult<()> {
        let now = lock(&state).clone();
        if let Some(progress) = progress.filter(|_| now != last) {
            progress.call1((now.part, now.done, now.of, now.loss, now.perplexity))?;
        }
        last = now;
        Ok(())
    };
    let trained = match watched(py, work, &mut tell) {
        Ok(trained) => trained.or_exception()?,
        Err(Abandoned { error, ending }) => {
            if let Some(ending) = ending {
                let is_over = move |py: Python<'_>| {
                    let patience = Duration::from_millis(50);
                    let ending = &ending;
                    let end = py.detach(|| {
                        ending.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(patience)
                    });
                    !matches!(end, Err(RecvTimeoutError::Timeout))
                };
                ENDING.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(is_over));
            }
            return Err(error);
        }
    };
    tell(py)?;
    let warnings = lock(&state).warnings.iter().map(|warning| translated(warning)).collect();
    Ok((Model { model: trained }, warnings))
}

fn lock(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    fn hear(&mut self, progress: &TrainProgress, max_steps: u64) {
        let mut part = |name, done, of| (self.part, self.done, self.of) = (name, done, of);
        match progress {
            TrainProgress::Prepared(prepared) => self.warnings.extend(prepared.warnings.clone()),
            TrainProgress::Run(RunProgress::Starting(starting)) => {
                part("starting", starting.done as u64, starting.of as u64);
            }
            TrainProgress::Run(RunProgress::Resumed { step }) => part("steps", *step, max_steps),
            TrainProgress::Run(RunProgress::Stepped { step, loss }) => {
                part("steps", *step, max_steps);
                // A running mean, because the loss of a single step jumps.
                self.loss = Some(self.loss.map_or(*loss, |mean| 0.99 * mean + 0.01 * loss));
            }
            TrainProgress::Run(RunProgress::Validated { validation, .. }) => {
                self.perplexity = Some(validation.perplexity);
            }
            TrainProgress::NewWords { done, of } => part("new words", *done as u64, *of as u64),
            _ => {}
        }
    }
}
