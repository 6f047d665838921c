//! The `config.json` of model directories and topic model directories.

use super::Directory;
use super::directory::Checksums;
use crate::em::{EmStop, Inference};
use crate::error::{MOST, expect_within};
use crate::lda::LdaRecord;
use crate::prior::{NewWordPrior, PriorSettings};
use crate::storage::{Claim, MISMATCH, interrupted, is_intact_json, sealed_json};
use crate::text::{LanguageCount, TextSettings};
use crate::topic_model::{Assessment, DocumentTree};
use crate::train::{TrainSettings, Validation};
use crate::{Error, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The version of both formats.
pub(super) const VERSION: u32 = 1;
/// The file's name.
pub(super) const FILE: &str = "config.json";

/// The kind of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DirectoryKind {
    /// A trained prior.
    #[serde(rename = "handful-model")]
    Model,
    /// The topics of some documents.
    #[serde(rename = "handful-topic-model")]
    TopicModel,
}

impl DirectoryKind {
    /// Returns the kind of the directory `path`. Fails if it is neither.
    pub fn of(path: &Path) -> Result<Self> {
        let directory = Directory::on_disk(path);
        Self::in_config(path, &directory.read_steadily(|| read_json(directory))?)
    }

    /// Returns the name of the kind, for messages.
    fn name(self) -> &'static str {
        match self {
            Self::Model => "model directory",
            Self::TopicModel => "topic model directory",
        }
    }

    fn in_config(path: &Path, json: &Value) -> Result<Self> {
        serde_json::from_value(json["format"].clone())
            .map_err(|_| not_ours(path, "its config.json is not Handful's".to_owned()))
    }
}

/// Claims a directory that is to be written. Refuses one that exists, as [`check_output`] does.
pub fn claim_output(path: &Path, replace: bool) -> Result<Claim> {
    let claim = Claim::of(path)?;
    check_output(path, replace)?;
    Ok(claim)
}

/// Refuses an output that exists, unless `replace` is set and it is empty or a directory that
/// Handful wrote. Anything else belongs to the user and must not be removed.
pub fn check_output(path: &Path, replace: bool) -> Result<()> {
    let place = path.display().to_string();
    let another = "choose another name";
    if path.parent().is_some_and(Path::is_file) {
        return Err(Error::unwritable(place, "lies below a file, not a folder", another));
    }
    if !path.exists() {
        return Ok(());
    }
    if !replace {
        let remedy = "choose another name, or use `replace` to overwrite it";
        return Err(Error::exists(place, "exists already", remedy));
    }
    let is_ours = DirectoryKind::of(path).is_ok();
    let is_empty = path.read_dir().is_ok_and(|mut entries| entries.next().is_none());
    if is_ours || is_empty {
        return Ok(());
    }
    let problem = "exists and is no directory of Handful's, so it is not replaced";
    Err(Error::exists(place, problem, another))
}

/// `config.json` of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelConfig {
    /// Always [`DirectoryKind::Model`].
    pub format: DirectoryKind,
    /// The format's version.
    pub version: u32,
    /// The kind of prior, and its shape.
    pub prior: PriorSettings,
    /// K
    pub topics: usize,
    /// T
    pub em_steps: usize,
    /// What a step does.
    #[serde(default, skip_serializing_if = "Inference::is_usual")]
    pub inference: Inference,
    /// Whether the file stores weights rounded to 8 and 16 bits.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub compact: bool,
    /// What to expect of words outside the vocabulary. Without it, they are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_words: Option<NewWordPrior>,
    /// How text becomes terms; without it documents must be given as counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<TextSettings>,
    /// The maker's description in Markdown, for the model card: sources and licences of the data,
    /// figures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// How the model was trained.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub training: Option<TrainingRecord>,
}

/// How a model was trained. Any field may be missing in a model from elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TrainingRecord {
    /// The training corpora.
    pub corpora: Vec<String>,
    /// The corpora that were left out.
    pub excluded: Vec<String>,
    /// The corpora that early stopping used.
    pub validation_corpora: Vec<String>,
    /// The number of documents in the training corpora.
    pub documents: u64,
    /// CRC-32 of all counts that the model was trained and validated on. Older versions kept none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<u32>,
    /// The number of steps taken.
    pub steps: u64,
    /// The step that the weights come from. `None` if there was no validation: then they are those
    /// of the last step.
    pub best_step: Option<u64>,
    /// The seed.
    pub seed: u64,
    /// The perplexity of the validation tasks with these weights.
    pub validation_perplexity: Option<f64>,
    /// All validations.
    pub validations: Vec<Validation>,
    /// All settings.
    pub settings: Option<TrainSettings>,
}

/// `config.json` of a fitted topic model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TopicModelConfig {
    /// Always [`DirectoryKind::TopicModel`].
    pub format: DirectoryKind,
    /// The format's version.
    pub version: u32,
    /// The kind and shape of the prior that was used.
    pub prior: PriorSettings,
    /// K
    pub topics: usize,
    /// The number of EM steps taken.
    pub em_steps: usize,
    /// When EM should stop.
    pub em_stop: EmStop,
    /// Whether EM converged. `None` for a fixed number of steps.
    pub converged: Option<bool>,
    /// The number of documents.
    pub documents: usize,
    /// Whether the model has a background topic.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub background: bool,
    /// Each topic's share of all words.
    pub weights: Vec<f64>,
    /// How to turn text into terms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<TextSettings>,
    /// How many documents are in each language, if they are in several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<LanguageCount>,
    /// The number of words that the model did not know. They are the last terms of the vocabulary but for
    /// phrases.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub new_words: usize,
    /// The number of phrases: the last terms of the vocabulary, words with a space between them. Directories of
    /// older versions have none.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub phrases: usize,
    /// The words that the user asked to leave out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored_words: Vec<String>,
    /// What held-out words of the documents say of the topics, where any were held out.
    #[serde(default, rename = "evidence", skip_serializing_if = "is_nothing")]
    pub assessment: Assessment,
    /// The tree of the documents, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<DocumentTree>,
    /// For each topic, which of the prior's it is; empty if topics are in the prior's order, as in
    /// directories of older versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<usize>,
    /// What the user calls the topics; empty if none has a name of the user's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<Option<String>>,
    /// How topics were sampled, if they are those of an LDA.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lda: Option<LdaRecord>,
    /// The name of the model that was used.
    pub model: String,
    /// The seed.
    pub seed: u64,
}

/// Whether the value is the default and need not be written.
pub(super) fn is_nothing<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl TopicModelConfig {
    /// Refuses numbers out of range, and what does not fit the number of topics. `path` is the directory.
    pub(super) fn check(&self, path: &Path) -> Result<()> {
        check_prior(&self.prior, self.topics, path)?;
        check_text(self.text.as_ref(), path)?;
        let stop = self.em_stop.check();
        let steps = stop.and_then(|()| expect_within("em_steps", self.em_steps, 0, MOST));
        steps.map_err(|error| damaged_config(&error, path))?;
        let (documents, topics) = (self.documents, self.topics);
        let mut places = self.order.clone();
        places.sort_unstable();
        let problem = if !self.tree.as_ref().is_none_or(|tree| tree.is_sound(documents, topics)) {
            format!("its tree is none of {documents} documents and {topics} topics")
        } else if !(places.is_empty() || places.into_iter().eq(0..topics)) {
            format!("its order is none of {topics} topics")
        } else if self.background != self.prior.makes_background() {
            let (kind, has) = (self.prior.kind(), if self.background { "a" } else { "no" });
            format!("it says {has} background, unlike topic models of the prior {kind}")
        } else if !(self.names.is_empty() || self.names.len() == topics) {
            format!("it has {} names for {topics} topics", self.names.len())
        } else {
            return Ok(());
        };
        let remedy = "copy the directory again or write it anew";
        Err(Error::damaged(path.join(FILE).display().to_string(), problem, remedy))
    }
}

impl ModelConfig {
    /// Refuses numbers out of range, before anything is read or computed by them. `path` is the directory.
    pub(super) fn check(&self, path: &Path) -> Result<()> {
        check_prior(&self.prior, self.topics, path)?;
        check_text(self.text.as_ref(), path)?;
        let steps = expect_within("em_steps", self.em_steps, 0, MOST);
        steps.map_err(|error| damaged_config(&error, path))?;
        match self.new_words.as_ref().map(NewWordPrior::check) {
            Some(Err(error)) => Err(damaged_config(&error, path)),
            _ => Ok(()),
        }
    }
}

fn check_prior(prior: &PriorSettings, topics: usize, path: &Path) -> Result<()> {
    let checked = prior.check().and_then(|()| expect_within("topics", topics, 1, MOST));
    checked.map_err(|error| damaged_config(&error, path))
}

fn check_text(text: Option<&TextSettings>, path: &Path) -> Result<()> {
    text.map_or(Ok(()), TextSettings::check).map_err(|error| damaged_config(&error, path))
}

fn damaged_config(error: &Error, path: &Path) -> Error {
    let remedy = "mend the file or write it anew";
    Error::damaged(path.join(FILE).display().to_string(), error.to_string(), remedy)
}

fn not_ours(path: &Path, problem: String) -> Error {
    let place = path.display().to_string();
    let problem = format!("is no model directory: {problem}");
    let remedy = "give a directory that `Model::save` or `Fit::save` wrote";
    match path.exists() {
        true => Error::input(place, problem, remedy),
        false => Error::not_found(place, problem, remedy),
    }
}

fn read_json(directory: Directory<'_>) -> Result<Value> {
    let path = directory.path();
    if !directory.is_there() {
        if let Some(old) = interrupted(path).filter(|_| !path.exists()) {
            let problem = format!(
                "is missing since its replacement was interrupted; it is now {}",
                old.display()
            );
            let remedy = "write it again, which puts it back first, or rename it yourself";
            return Err(Error::not_found(path.display().to_string(), problem, remedy));
        }
        let problem = if path.exists() { "it is a file" } else { "there is nothing there" };
        return Err(not_ours(path, problem.to_owned()));
    }
    if !directory.has(FILE) {
        return Err(not_ours(path, format!("it has no {FILE}")));
    }
    let text = directory.text(FILE, &Checksums::default())?;
    if !is_intact_json(&text) {
        let remedy =
            "copy the directory again, or remove its entry crc32 if you changed it yourself";
        return Err(Error::damaged(directory.file(FILE).display().to_string(), MISMATCH, remedy));
    }
    serde_json::from_str(&text).map_err(|error| damaged(&directory.file(FILE), error.to_string()))
}

fn damaged(file: &Path, problem: String) -> Error {
    Error::damaged(
        file.display().to_string(),
        format!("cannot be understood ({problem})"),
        "copy the directory again or write it anew",
    )
}

/// Reads the `config.json` of a directory, and the checksums of the other files that it has. Fails
/// unless it is of this kind and of the current version.
pub(super) fn read_config<C: DeserializeOwned>(
    directory: Directory<'_>,
    kind: DirectoryKind,
) -> Result<(C, Checksums)> {
    let path = directory.path();
    let json = read_json(directory)?;
    let found = DirectoryKind::in_config(path, &json)?;
    if found != kind {
        let (problem, remedy) = match found {
            DirectoryKind::Model => (
                "it holds a trained model",
                "give it to `Model::open`, or give a directory that `Fit::save` wrote",
            ),
            DirectoryKind::TopicModel => (
                "it holds a fitted topic model",
                "give it to `Fit::open`, or give a directory that `Model::save` wrote",
            ),
        };
        let problem = format!("is no {}: {problem}", kind.name());
        return Err(Error::input(path.display().to_string(), problem, remedy));
    }
    let file = path.join(FILE);
    if json["version"] != VERSION {
        return Err(Error::unsupported(
            file.display().to_string(),
            format!("is of format version {}, but this program reads {VERSION}", json["version"]),
            "use the version of handful that wrote it, or write it anew",
        ));
    }
    let damaged = |error: serde_json::Error| damaged(&file, error.to_string());
    let checksums = match json.get(CHECKSUMS) {
        Some(checksums) => Checksums::deserialize(checksums).map_err(damaged)?,
        None => Checksums::default(),
    };
    Ok((serde_json::from_value(json).map_err(damaged)?, checksums))
}

/// The entry with the checksums of the directory's other files.
const CHECKSUMS: &str = "checksums";

/// A configuration with the checksums of the directory's other files.
#[derive(Serialize)]
struct WithChecksums<'a, C> {
    #[serde(flatten)]
    config: &'a C,
    checksums: &'a BTreeMap<String, String>,
}

/// Returns the files of a directory: its `config.json`, with the checksums of `read`, the other files
/// that Handful reads.
pub(super) fn with_config<'a>(
    config: &impl Serialize,
    read: Vec<(&'a str, Vec<u8>)>,
) -> Vec<(&'a str, Vec<u8>)> {
    let checksums = Checksums::of(read.iter().map(|(name, content)| (*name, &content[..])));
    let config = WithChecksums { config, checksums: checksums.entries() };
    let mut files = vec![(FILE, sealed_json(&config, true))];
    files.extend(read);
    files
}
