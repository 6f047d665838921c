//! The settings of a fit, from Python's keywords.

use crate::errors::OrException;
use handful::fit::Granularity;
use handful::text::{StopWords, stop_words_of_name};
use handful::{Error, Topics};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The settings of a fit.
#[pyclass(frozen, module = "handful._native")]
pub struct FitSettings {
    pub settings: handful::FitSettings,
}

/// How many topics: a number, or `auto`.
#[derive(FromPyObject)]
enum AskedTopics {
    Number(i64),
    Name(String),
}

/// Stop words: the name of a list, or the words.
#[derive(FromPyObject)]
pub enum AskedStopWords {
    Name(String),
    Words(Vec<String>),
}

impl AskedStopWords {
    pub fn list(self) -> handful::Result<StopWords> {
        match self {
            Self::Name(name) => stop_words_of_name(&name),
            Self::Words(words) => Ok(StopWords::Custom(words)),
        }
    }
}

#[pymethods]
impl FitSettings {
    #[new]
    #[pyo3(signature = (*, topics, granularity, em_steps, until_converged, ignore_words, language, stop_words, held_out, seed))]
    #[expect(clippy::too_many_arguments, reason = "one for each setting")]
    fn new(
        topics: Option<AskedTopics>,
        granularity: &str,
        em_steps: Option<i64>,
        until_converged: bool,
        ignore_words: Vec<String>,
        language: Option<&str>,
        stop_words: Option<AskedStopWords>,
        held_out: bool,
        seed: i64,
    ) -> PyResult<Self> {
        let mut settings = handful::FitSettings::default().without_words(ignore_words);
        settings.topics = topics_of(topics).or_exception()?;
        settings.granularity = granularity_of(granularity).or_exception()?;
        if let Some(steps) = em_steps {
            settings = settings.with_em_steps(whole("em_steps", steps).or_exception()?);
        }
        if until_converged {
            if em_steps.is_some() {
                let problem = "until_converged and em_steps contradict each other";
                return Err(Error::bad_setting("settings", problem, "give one of them"))
                    .or_exception();
            }
            settings = settings.until_converged();
        }
        settings.language =
            language.filter(|code| *code != "auto").map(str::parse).transpose().or_exception()?;
        settings.stop_words = stop_words.map(AskedStopWords::list).transpose().or_exception()?;
        settings.held_out = held_out;
        settings.seed = whole("seed", seed).or_exception()? as u64;
        Ok(Self { settings })
    }

    /// Settings as JSON, to be sent to another process: files of words have been read.
    fn to_json(&self) -> String {
        serde_json::to_string(&self.settings).expect("settings are plain data")
    }

    /// The settings that `to_json` wrote.
    #[staticmethod]
    fn of_json(json: &str) -> PyResult<Self> {
        let settings = serde_json::from_str(json);
        settings.map(|settings| Self { settings }).map_err(|error| {
            PyValueError::new_err(format!("the settings of a fit cannot be understood ({error})"))
        })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("of_json")?, (self.to_json(),)))
    }
}

fn topics_of(asked: Option<AskedTopics>) -> handful::Result<Topics> {
    match asked {
        None => Ok(Topics::Usual),
        Some(AskedTopics::Number(topics)) => whole("topics", topics).map(Topics::Number),
        Some(AskedTopics::Name(name)) if name == "auto" => Ok(Topics::Auto),
        Some(AskedTopics::Name(name)) => {
            Err(Error::setting("topics", format!("{name:?}"), "a number or \"auto\""))
        }
    }
}

fn granularity_of(name: &str) -> handful::Result<Granularity> {
    match name {
        "coarse" => Ok(Granularity::Coarse),
        "medium" => Ok(Granularity::Medium),
        "fine" => Ok(Granularity::Fine),
        _ => {
            let expected = "\"coarse\", \"medium\" or \"fine\"";
            Err(Error::setting("granularity", format!("{name:?}"), expected))
        }
    }
}

/// A number that is not negative.
pub fn whole(name: &'static str, number: i64) -> handful::Result<usize> {
    usize::try_from(number).map_err(|_| Error::setting(name, number, "at least 0"))
}
