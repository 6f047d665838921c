//! A trained model: a prior, its vocabulary and how text becomes terms.

use super::card::card;
use super::config::{DirectoryKind, ModelConfig, VERSION, config_bytes, read_config};
use super::config::{TrainingRecord, check_output};
use crate::corpus::WordCounts;
use crate::nn::{Parameter, all_finite};
use crate::prior::{AnyPrior, Prior, PriorSettings};
use crate::storage::{
    TensorFile, TensorSource, TermRows, compact_tensor_bytes, tensor_bytes, write_directory,
};
use crate::text::{TextSettings, Vocabulary};
use crate::{Error, Result};
use std::fs;
use std::path::Path;

const WEIGHTS: &str = "model.safetensors";
pub(super) const VOCABULARY: &str = "vocabulary.txt";

/// A trained model.
#[derive(Clone, Debug)]
pub struct Model {
    /// `config.json`
    pub config: ModelConfig,
    /// `vocabulary.txt`
    pub vocabulary: Vocabulary,
    /// `model.safetensors`
    pub prior: AnyPrior<f32>,
}

impl Model {
    /// A model of its parts.
    pub fn new(
        prior_settings: PriorSettings,
        prior: AnyPrior<f32>,
        em_steps: usize,
        vocabulary: Vocabulary,
        text: Option<TextSettings>,
        training: Option<TrainingRecord>,
    ) -> Self {
        let config = ModelConfig {
            format: DirectoryKind::Model,
            version: VERSION,
            prior: prior_settings,
            topics: prior.topics(),
            em_steps,
            compact: false,
            new_words: None,
            text,
            about: None,
            training,
        };
        Self { config, vocabulary, prior }
    }

    /// Takes the words of some documents that come after the model's own terms in `vocabulary`, a
    /// longer one, for terms like any others. Such a model is for these documents, and cannot be saved.
    pub fn take_new_words(&mut self, vocabulary: Vocabulary, documents: &WordCounts) {
        if let Some(expected) = self.config.new_words {
            let new = self.vocabulary.len()..vocabulary.len();
            let relatives = documents.relatives(new, |term| vocabulary.term(term));
            self.prior.take_new_words(expected, &relatives);
            self.vocabulary = vocabulary;
        }
    }

    /// Writes the directory, whole or not at all.
    pub fn save(&self, path: &Path, replace: bool) -> Result<()> {
        check_output(path, replace)?;
        let tensors = self.prior.to_tensors();
        let tensors = tensors
            .iter()
            .map(|(name, tensor)| (name.clone(), tensor.shape.clone(), &tensor.values[..]));
        let weights = if self.config.compact {
            compact_tensor_bytes(tensors)
        } else {
            tensor_bytes(tensors, None)
        };
        let files = [
            (super::config::FILE, config_bytes(&self.config)),
            (WEIGHTS, weights),
            (VOCABULARY, self.vocabulary.to_text().into_bytes()),
            ("README.md", self.card().into_bytes()),
        ];
        write_directory(path, &files)
    }

    /// The model card: what a person should know of the model.
    pub fn card(&self) -> String {
        card(&self.config, self.vocabulary.len())
    }

    /// Reads a directory.
    pub fn load(path: &Path) -> Result<Self> {
        ModelFiles::open(path)?.read(TermRows::All)
    }
}

/// A model's files, opened: its weights are read when it is known what they are needed for.
#[derive(Debug)]
pub struct ModelFiles {
    /// `config.json`
    pub config: ModelConfig,
    /// `vocabulary.txt`
    pub vocabulary: Vocabulary,
    pub(super) weights: TensorFile,
}

impl ModelFiles {
    /// Opens a directory and reads all but the weights.
    pub fn open(path: &Path) -> Result<Self> {
        let config: ModelConfig = read_config(path, DirectoryKind::Model)?;
        config.check(path)?;
        let vocabulary = read_vocabulary(path)?;
        let weights = TensorFile::open(&path.join(WEIGHTS))?;
        Ok(Self { config, vocabulary, weights })
    }

    /// The model, to be asked about the wanted terms only. With fewer than all it is read faster, but
    /// cannot be saved or trained further.
    pub fn read(self, wanted: TermRows<'_>) -> Result<Model> {
        let Self { config, vocabulary, weights } = self;
        let (terms, topics) = (vocabulary.len(), config.topics);
        // New words of the documents are no terms of the model yet.
        let known: Vec<u32>;
        let wanted = match wanted {
            TermRows::All => TermRows::All,
            TermRows::Of(wanted) => {
                known = wanted.iter().copied().filter(|&term| (term as usize) < terms).collect();
                TermRows::Of(&known)
            }
        };
        let prior = AnyPrior::from_tensors(config.prior, terms, topics, &weights, wanted)?;
        let is_finite = |parameter: &&Parameter<f32>| match wanted {
            TermRows::Of(terms) if parameter.deferred => {
                terms.iter().all(|&term| all_finite(parameter.row(term as usize)))
            }
            _ => parameter.is_finite(),
        };
        if let Some(parameter) = prior.parameters().iter().find(|p| !is_finite(p)) {
            return Err(Error::damaged(
                weights.place(),
                format!("{} has a weight that is not finite", parameter.name),
                "train the model again",
            ));
        }
        Ok(Model { config, vocabulary, prior })
    }
}

pub(super) fn read_vocabulary(path: &Path) -> Result<Vocabulary> {
    let file = path.join(VOCABULARY);
    let text = fs::read_to_string(&file).map_err(|error| Error::read(&file, error))?;
    let vocabulary = Vocabulary::parse(&text, &file.display().to_string())?;
    if vocabulary.is_empty() {
        let remedy = "copy the model again or train it anew";
        return Err(Error::damaged(file.display().to_string(), "has no terms", remedy));
    }
    Ok(vocabulary)
}
