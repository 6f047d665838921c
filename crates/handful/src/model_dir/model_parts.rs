//! A trained model: a prior, its vocabulary and how text becomes terms.

use super::card::card;
use super::config::{DirectoryKind, ModelConfig, VERSION, read_config, with_config};
use super::config::{TrainingRecord, claim_output};
use super::directory::{Checksums, Directory};
use crate::corpus::WordCounts;
use crate::em::Inference;
use crate::nn::Parameter;
use crate::prior::{AnyPrior, NewTerms, NewWordPrior, Prior, PriorSettings};
use crate::reading::{Content, RawDocument};
use crate::storage::{Claim, TensorFile, TensorSource, compact_tensor_bytes, tensor_bytes};
use crate::text::{TextSettings, Tokenizer, Vocabulary};
use crate::{Error, Result};
use std::path::Path;

const WEIGHTS: &str = "model.safetensors";
pub(super) const VOCABULARY: &str = "vocabulary.txt";

/// What a model directory holds.
#[derive(Clone, Debug)]
pub struct ModelParts {
    /// `config.json`
    pub config: ModelConfig,
    /// `vocabulary.txt`
    pub vocabulary: Vocabulary,
    /// `model.safetensors`
    pub prior: AnyPrior<f32>,
}

impl ModelParts {
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
            inference: Inference::Em,
            compact: false,
            new_words: None,
            text,
            about: None,
            training,
        };
        Self { config, vocabulary, prior }
    }

    /// What is expected of new words; `None` for a model that takes none.
    pub fn new_word_prior(&self) -> Option<NewWordPrior> {
        self.config.new_words.filter(|_| self.prior.takes_new_words())
    }

    /// The words of some documents that come after the model's own terms in `vocabulary`, a longer
    /// one; `None` for a model that takes no new words.
    pub fn new_terms(&self, vocabulary: &Vocabulary, documents: &WordCounts) -> Option<NewTerms> {
        let expected = self.new_word_prior()?;
        let new = self.vocabulary.len()..vocabulary.len();
        let relatives = documents.relatives(new, |term| vocabulary.term(term));
        Some(NewTerms { expected, relatives, phrases: Vec::new() })
    }

    /// What cuts text into words as the model wants them. A model without text settings can only take
    /// counts; `place` is the model's for the error.
    pub fn tokenizer(&self, place: &str, documents: &[RawDocument]) -> Result<Tokenizer> {
        tokenizer(self.config.text.as_ref(), place, documents)
    }

    /// The error for a model that gives no numbers for good documents.
    pub fn overflow(place: &str) -> Error {
        Error::damaged(
            place,
            "its weights are so large that numbers overflow",
            "train it again with a lower learning rate or a clipping norm",
        )
    }

    /// Writes the directory, whole or not at all.
    pub fn save(&self, path: &Path, replace: bool) -> Result<()> {
        self.save_claimed(&claim_output(path, replace)?)
    }

    /// Writes the directory that was claimed, whole or not at all.
    pub fn save_claimed(&self, claim: &Claim) -> Result<()> {
        claim.write_directory(&self.files())
    }

    /// The files of the directory: their names and their contents.
    pub fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        let weights = if self.config.compact {
            compact_tensor_bytes(&self.prior.to_compact_tensors())
        } else {
            let tensors = self.prior.to_tensors();
            let named =
                tensors.iter().map(|(name, x)| (name.clone(), x.shape.clone(), &x.values[..]));
            tensor_bytes(named, None)
        };
        let read = vec![(WEIGHTS, weights), (VOCABULARY, self.vocabulary.to_text().into_bytes())];
        let mut files = with_config(&self.config, read);
        files.push(("README.md", self.card().into_bytes()));
        files
    }

    /// CRC-32 of all that decides what the model answers: its terms, its weights, and what it expects of
    /// new words.
    pub fn checksum(&self) -> u32 {
        let ModelConfig { prior, topics, inference, new_words, .. } = &self.config;
        let mut sum = flate2::Crc::new();
        sum.update(
            &serde_json::to_vec(&(prior, topics, new_words)).expect("settings are plain data"),
        );
        if !inference.is_usual() {
            sum.update(&serde_json::to_vec(inference).expect("settings are plain data"));
        }
        sum.update(self.vocabulary.to_text().as_bytes());
        for (name, tensor) in self.prior.to_tensors() {
            sum.update(name.as_bytes());
            let bytes: Vec<u8> = tensor.values.iter().flat_map(|x| x.to_le_bytes()).collect();
            sum.update(&bytes);
        }
        sum.sum()
    }

    /// The model card: what a person should know of the model.
    pub fn card(&self) -> String {
        card(&self.config, self.vocabulary.len())
    }

    /// Reads a directory.
    pub fn open(path: &Path) -> Result<Self> {
        Self::load(Directory::on_disk(path))
    }

    /// Reads the files of a directory.
    pub fn load(directory: Directory<'_>) -> Result<Self> {
        directory.read_steadily(|| {
            let (config, checksums): (ModelConfig, _) =
                read_config(directory, DirectoryKind::Model)?;
            config.check(directory.path())?;
            let (terms, place) = read_terms(directory, &checksums)?;
            Self::read(config, (&terms, &place), &directory.tensors(WEIGHTS, &checksums)?)
        })
    }

    /// A model whose terms stand in a text, one per line, and whose weights are in a file. Both are read
    /// at the same time: they take about as long.
    pub(super) fn read(
        config: ModelConfig,
        (terms, place): (&str, &str),
        weights: &TensorFile,
    ) -> Result<Self> {
        let (vocabulary, prior) = rayon::join(
            || Vocabulary::parse(terms, place),
            || AnyPrior::from_tensors(config.prior, terms.lines().count(), config.topics, weights),
        );
        let (vocabulary, prior) = (vocabulary?, prior?);
        if let Some(broken) = prior.parameters().iter().find(|p| !Parameter::is_finite(p)) {
            return Err(Error::damaged(
                weights.place(),
                format!("{} has a weight that is not finite", broken.name),
                "train the model again",
            ));
        }
        Ok(Self { config, vocabulary, prior })
    }
}

/// The tokenizer of a model, or of a fit, that reads text like this.
pub fn tokenizer(
    text: Option<&TextSettings>,
    place: &str,
    documents: &[RawDocument],
) -> Result<Tokenizer> {
    if let Some(text) = text {
        return Ok(Tokenizer::new(text));
    }
    let text = documents.iter().find(|document| matches!(document.content, Content::Text(_)));
    match text {
        None => Ok(Tokenizer::new(&TextSettings::default())),
        Some(document) => Err(Error::input(
            format!("document {}", document.id),
            format!("is text, but the model {place} was trained on word counts"),
            "give JSON lines with counts, or a model that was trained on text",
        )),
    }
}

pub(super) fn read_vocabulary(
    directory: Directory<'_>,
    checksums: &Checksums,
) -> Result<Vocabulary> {
    let (terms, place) = read_terms(directory, checksums)?;
    Vocabulary::parse(&terms, &place)
}

/// The text with one term per line of a directory, and the name of its file.
fn read_terms(directory: Directory<'_>, checksums: &Checksums) -> Result<(String, String)> {
    let terms = directory.text(VOCABULARY, checksums)?;
    let place = directory.file(VOCABULARY).display().to_string();
    if terms.is_empty() {
        let remedy = "copy the model again or train it anew";
        return Err(Error::damaged(place, "has no terms", remedy));
    }
    Ok((terms, place))
}
