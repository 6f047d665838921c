//! Stores a fitted topic model as a directory.

use super::config::{self, DirectoryKind, TopicModelConfig, VERSION, read_config, with_config};
use super::directory::{Checksums, Directory};
use super::model_parts::{ModelParts, VOCABULARY, read_vocabulary};
use crate::corpus::CountedDocuments;
use crate::em::EmStop;
use crate::numeric::kernels;
use crate::storage::{Claim, Tensor, TensorFile, TensorSource, Tensors, TermRows, tensor_bytes};
use crate::text::Vocabulary;
use crate::topic_model::{Assessment, Background, DocumentTree, TellingTerm, TopicModel};
use crate::{Error, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ops::Range;

const TOPICS: &str = "topics.safetensors";
const DOCUMENTS: &str = "documents.jsonl";
const TERMS: &str = "terms.jsonl";
/// The tensors of the background: EM's shares, words and α; the words of topics, and what is usual in
/// documents. Directories of older versions lack the last two.
const BACKGROUND: [&str; 5] = [
    "background.share",
    "background.phi",
    "background.alpha",
    "background.topic_words",
    "background.usual",
];

/// A line of `documents.jsonl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentRecord {
    /// The document's identifier.
    pub id: String,
    /// The number of words, known or not.
    pub words: u64,
    /// The number of words that the model does not know.
    pub unknown_words: u64,
    /// The number of ignored words, which the other numbers exclude.
    #[serde(default, skip_serializing_if = "config::is_nothing")]
    pub ignored_words: u64,
}

impl DocumentRecord {
    /// Creates the records of counted documents.
    pub fn all(documents: &CountedDocuments) -> Vec<Self> {
        let record = |(n, id): (usize, &String)| Self {
            id: id.clone(),
            words: documents.words[n],
            unknown_words: documents.unknown_words[n],
            ignored_words: documents.ignored_words[n],
        };
        documents.ids.iter().enumerate().map(record).collect()
    }
}

/// Of the tensors of a directory's file, those that α of further documents needs.
pub fn new_document_tensors(file: &TensorFile) -> Result<Tensors<f32>> {
    let own = ["theta", "phi", "alpha"];
    let is_own = |name: &str| own.contains(&name) || BACKGROUND.contains(&name);
    let mut tensors = Tensors::new();
    for name in file.names().into_iter().filter(|name| !is_own(name)) {
        if let Some((shape, values)) = file.tensor(&name)? {
            tensors.insert(name, Tensor { shape, values: values.into_owned() });
        }
    }
    Ok(tensors)
}

/// A topic model with all that its directory says about it.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedTopicModel {
    /// `config.json`
    pub config: TopicModelConfig,
    /// `vocabulary.txt`
    pub vocabulary: Vocabulary,
    /// `topics.safetensors`
    pub topic_model: TopicModel,
    /// `documents.jsonl`
    pub documents: Vec<DocumentRecord>,
    /// `terms.jsonl`: the terms that tell each topic. Empty in directories of older versions, and while
    /// nobody asked.
    pub terms: Vec<Vec<TellingTerm>>,
}

impl SavedTopicModel {
    /// A fit of `documents` with the prior of `model`, over its vocabulary with the documents' new
    /// words.
    #[expect(clippy::too_many_arguments, reason = "all that its directory says")]
    pub fn new(
        model: &ModelParts,
        model_name: String,
        vocabulary: Vocabulary,
        topic_model: TopicModel,
        documents: Vec<DocumentRecord>,
        assessment: Assessment,
        stop: EmStop,
        seed: u64,
    ) -> Self {
        let phrases = topic_model.background.as_ref().map_or(0, |it| it.phrases.len());
        let config = TopicModelConfig {
            format: DirectoryKind::TopicModel,
            version: VERSION,
            prior: model.config.prior,
            topics: topic_model.topics,
            em_steps: topic_model.em_steps,
            em_stop: stop,
            converged: topic_model.converged,
            documents: topic_model.documents(),
            background: topic_model.background.is_some(),
            weights: topic_model.weights.clone(),
            text: model.config.text.clone(),
            new_words: vocabulary.len() - model.vocabulary.len() - phrases,
            phrases,
            languages: Vec::new(),
            ignored_words: Vec::new(),
            assessment,
            tree: None,
            order: Vec::new(),
            names: Vec::new(),
            lda: None,
            model: model_name,
            seed,
        };
        Self { config, vocabulary, topic_model, documents, terms: Vec::new() }
    }

    /// The terms that are new words of the documents: the last of the vocabulary but for phrases.
    pub fn new_words(&self) -> Range<u32> {
        let end = self.vocabulary.len().saturating_sub(self.config.phrases);
        end.saturating_sub(self.config.new_words) as u32..end as u32
    }

    /// The words of each phrase. Phrases are the last terms of the vocabulary.
    pub fn phrases(&self) -> &[Vec<u32>] {
        self.topic_model.background.as_ref().map_or(&[], |background| &background.phrases)
    }

    /// Whether a term is a new word, or a phrase with one.
    pub fn is_new(&self, term: u32) -> bool {
        let new = self.new_words();
        self.topic_model.words_of(&term).iter().any(|word| new.contains(word))
    }

    /// Writes the directory that was claimed, completely or not at all. The arguments are those of
    /// [`Self::files`].
    pub fn save_claimed(
        &self,
        claim: &Claim,
        found: (Option<&DocumentTree>, &[Vec<TellingTerm>]),
        new_documents: &Tensors<f32>,
    ) -> Result<()> {
        claim.write_directory(&self.files(found, new_documents))
    }

    /// The files of the directory: their names and their contents.
    ///
    /// `new_documents` is what α of further documents needs
    /// ([`Prior::new_document_tensors`](crate::prior::Prior::new_document_tensors)).
    /// `found` are the tree and the terms, which may have been found since.
    pub fn files(
        &self,
        found: (Option<&DocumentTree>, &[Vec<TellingTerm>]),
        new_documents: &Tensors<f32>,
    ) -> Vec<(&'static str, Vec<u8>)> {
        let model = &self.topic_model;
        let (n, k, j) = (model.documents(), model.topics, model.terms);
        let mut phi = vec![0.0; k * j];
        kernels::turn(&model.word_probabilities, k, &mut phi);
        let background = model.background.iter().flat_map(|background| {
            [
                (BACKGROUND[0].to_owned(), vec![n], &background.shares[..]),
                (BACKGROUND[1].to_owned(), vec![j], &background.words[..]),
                (BACKGROUND[2].to_owned(), vec![n], &background.alpha[..]),
                (BACKGROUND[3].to_owned(), vec![k], &background.topic_words[..]),
                (BACKGROUND[4].to_owned(), vec![n], &background.usual[..]),
            ]
            .into_iter()
            .filter(|(_, _, values)| !values.is_empty())
        });
        let tensors = [
            ("theta".to_owned(), vec![n, k], &model.proportions[..]),
            ("phi".to_owned(), vec![k, j], &phi[..]),
            ("alpha".to_owned(), vec![n, k], &model.alpha[..]),
        ]
        .into_iter()
        .chain(background)
        .chain(
            new_documents
                .iter()
                .map(|(name, tensor)| (name.clone(), tensor.shape.clone(), &tensor.values[..])),
        );
        let (tree, terms) = found;
        let config = TopicModelConfig { tree: tree.cloned(), ..self.config.clone() };
        let mut read = vec![
            (VOCABULARY, self.vocabulary.to_text().into_bytes()),
            (TOPICS, tensor_bytes(tensors, None)),
            (DOCUMENTS, json_lines(&self.documents)),
        ];
        if !terms.is_empty() {
            read.push((TERMS, json_lines(terms)));
        }
        with_config(&config, read)
    }

    /// Reads a directory.
    ///
    /// The file beside it has what α of further documents needs.
    pub fn load(directory: Directory<'_>) -> Result<(Self, TensorFile)> {
        directory.read_steadily(|| Self::read(directory))
    }

    fn read(directory: Directory<'_>) -> Result<(Self, TensorFile)> {
        let path = directory.path();
        let (config, checksums): (TopicModelConfig, _) =
            read_config(directory, DirectoryKind::TopicModel)?;
        config.check(path)?;
        let vocabulary = read_vocabulary(directory, &checksums)?;
        let what = ("document record", "documents");
        let documents = read_lines((directory, &checksums), DOCUMENTS, config.documents, what)?;
        let terms = match directory.has(TERMS) || checksums.know(TERMS) {
            true => {
                let what = ("list of terms", "topics");
                read_lines((directory, &checksums), TERMS, config.topics, what)?
            }
            false => Vec::new(),
        };
        let tensors = directory.tensors(TOPICS, &checksums)?;
        let (n, k, j) = (config.documents, config.topics, vocabulary.len());
        if k == 0 || config.weights.len() != k {
            let problem = format!("says {k} topics, but {} weights", config.weights.len());
            let remedy = "copy the directory again or write it anew";
            return Err(Error::damaged(path.display().to_string(), problem, remedy));
        }
        let background = if config.background {
            let [shares, words, alpha, topic_words, usual] = BACKGROUND;
            let shares: Vec<f32> = tensors.vector(shares, n)?;
            let is_there = |name: &str| tensors.shape(name).is_some();
            Some(Background {
                topic_words: match is_there(topic_words) {
                    true => tensors.vector(topic_words, k)?,
                    false => Vec::new(),
                },
                known_terms: j.saturating_sub(config.new_words + config.phrases),
                phrases: phrases_of(&vocabulary, config.phrases, &directory)?,
                usual: if is_there(usual) { tensors.vector(usual, n)? } else { shares.clone() },
                shares,
                words: tensors.vector(words, j)?,
                alpha: tensors.vector(alpha, n)?,
            })
        } else {
            None
        };
        let topic_model = TopicModel {
            topics: k,
            terms: j,
            proportions: tensors.shaped("theta", &[n, k])?.into_owned(),
            word_probabilities: tensors.transposed("phi", [k, j], j, TermRows::All)?,
            alpha: tensors.shaped("alpha", &[n, k])?.into_owned(),
            background,
            weights: config.weights.clone(),
            em_steps: config.em_steps,
            converged: config.converged,
        };
        if !topic_model.is_sound() {
            let problem = "has a proportion or probability that is not from 0 to 1";
            let remedy = "copy the directory again or write it anew";
            return Err(Error::damaged(path.display().to_string(), problem, remedy));
        }
        Ok((Self { config, vocabulary, topic_model, documents, terms }, tensors))
    }
}

impl SavedTopicModel {
    /// The same topics with other documents, as [`TopicModel::infer`] gave them.
    pub fn with_documents(
        &self,
        topic_model: TopicModel,
        documents: Vec<DocumentRecord>,
        stop: EmStop,
    ) -> Self {
        let config = TopicModelConfig {
            em_steps: topic_model.em_steps,
            em_stop: stop,
            converged: topic_model.converged,
            documents: topic_model.documents(),
            weights: topic_model.weights.clone(),
            languages: Vec::new(),
            assessment: Assessment::default(),
            tree: None,
            ..self.config.clone()
        };
        let (vocabulary, terms) = (self.vocabulary.clone(), self.terms.clone());
        Self { config, vocabulary, topic_model, documents, terms }
    }
}

/// The words of the phrases, which are the last `count` terms.
fn phrases_of(
    vocabulary: &Vocabulary,
    count: usize,
    directory: &Directory<'_>,
) -> Result<Vec<Vec<u32>>> {
    let first = vocabulary.len().saturating_sub(count);
    let words_of = |name: &&str| {
        let words = name.split(' ').map(|word| vocabulary.index(word));
        let words: Option<Vec<u32>> = words.collect();
        words.filter(|words| words.len() > 1).ok_or_else(|| {
            let place = directory.file(VOCABULARY).display().to_string();
            let problem = format!("{name} is no phrase of words that it has");
            Error::damaged(place, problem, "copy the directory again or write it anew")
        })
    };
    vocabulary.terms()[first..].iter().map(words_of).collect()
}

fn json_lines<T: Serialize>(records: &[T]) -> Vec<u8> {
    let mut lines = String::new();
    for record in records {
        lines += &serde_json::to_string(record).expect("a record is plain data");
        lines.push('\n');
    }
    lines.into_bytes()
}

/// Reads a file with a record a line. A line is a `record`, and all are so many `things`.
fn read_lines<T: DeserializeOwned>(
    (directory, checksums): (Directory<'_>, &Checksums),
    name: &str,
    expected: usize,
    (record, things): (&str, &str),
) -> Result<Vec<T>> {
    let (file, text) = (directory.file(name), directory.text(name, checksums)?);
    let remedy = "copy the directory again or write it anew";
    let mut records = Vec::new();
    for (i, line) in text.lines().enumerate() {
        records.push(serde_json::from_str(line).map_err(|error| {
            let place = format!("{}, line {}", file.display(), i + 1);
            Error::damaged(place, format!("is no {record} ({error})"), remedy)
        })?);
    }
    if records.len() != expected {
        let problem = format!("has {} {things} instead of {expected}", records.len());
        return Err(Error::damaged(file.display().to_string(), problem, remedy));
    }
    Ok(records)
}
