//! From corpora to a model.

use super::Model;
use crate::corpus::{Corpora, Corpus, build_vocabulary, checksum, corpora_from};
use crate::fit::{IntoDocument, into_documents};
use crate::model_dir::{ModelConfig, ModelParts, TrainingRecord};
use crate::prior::{HandfulSettings, KnownTerms, PriorSettings, TermVectors};
use crate::reading::{Content, RawDocument, WordVectors};
use crate::storage::difference;
use crate::text::{TextSettings, Tokenizer, Vocabulary};
use crate::train::{
    self, CheckpointPlan, TrainSettings, Trained, TrainingCorpora, ValidationChoice,
    VectorsIdentity,
};
use crate::{Error, Result};
use serde_json::json;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// The learning rate of word vectors that were learned elsewhere, in units of the networks'. They
/// bear a faster one than those found in the corpora: they know nothing of these by heart.
const GIVEN_VECTORS_RATE: f64 = 0.3;

/// How a model is trained. `Training::default()` serves; `with_` methods change one thing each.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Training {
    /// What decides the numbers: the prior, episodes, optimiser, early stopping and seed.
    #[doc(hidden)]
    pub settings: TrainSettings,
    /// How text becomes terms.
    pub text: TextSettings,
    /// Corpora to leave out.
    pub exclude: Vec<String>,
    /// Corpora that early stopping looks at.
    pub validation: ValidationChoice,
    /// Word vectors to start from, in place of those found in the corpora. Private: the settings must
    /// agree with them.
    word_vectors: Option<Arc<WordVectors>>,
    /// Where and how often to write checkpoints, and whether to go on from one.
    pub checkpoints: Option<CheckpointPlan>,
}

impl Default for Training {
    /// Handful's own prior, for any number of topics and documents, with three corpora drawn for
    /// early stopping.
    fn default() -> Self {
        let prior = PriorSettings::Handful(HandfulSettings::default());
        Self {
            settings: TrainSettings { vary: true, ..TrainSettings::of(prior) },
            text: TextSettings::default(),
            exclude: Vec::new(),
            validation: ValidationChoice::Drawn(3),
            word_vectors: None,
            checkpoints: None,
        }
    }
}

impl Training {
    /// With at most this many steps, over which the learning rate falls.
    pub fn with_max_steps(mut self, steps: u64) -> Self {
        self.settings.max_steps = steps;
        let cosine_steps = &mut self.settings.adam.cosine_steps;
        *cosine_steps = cosine_steps.map(|_| steps);
        self
    }

    /// With another seed.
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// With other text settings.
    pub fn with_text(mut self, text: TextSettings) -> Self {
        self.text = text;
        self
    }

    /// With this many corpora, drawn at random, for early stopping.
    pub fn with_validation_corpora(mut self, number: usize) -> Self {
        self.validation = ValidationChoice::Drawn(number);
        self
    }

    /// Without a corpus, so that the model can be evaluated on it honestly.
    pub fn without_corpus(mut self, name: impl Into<String>) -> Self {
        self.exclude.push(name.into());
        self
    }

    /// With word vectors that were learned elsewhere, to start from. The model's vectors then have
    /// their length.
    pub fn with_word_vectors(mut self, vectors: WordVectors) -> Self {
        if let PriorSettings::Handful(shape) = &mut self.settings.prior {
            shape.dimension = vectors.dimension();
            shape.word_rate = GIVEN_VECTORS_RATE;
        }
        let (words, checksum) = (vectors.len(), vectors.checksum());
        self.settings.word_vectors = Some(VectorsIdentity { words, checksum });
        self.word_vectors = Some(Arc::new(vectors));
        self
    }

    /// With a checkpoint at this path every 1,000 steps. A run that finds one there goes on from it.
    pub fn with_checkpoints(mut self, path: impl Into<PathBuf>) -> Self {
        self.checkpoints = Some(CheckpointPlan { path: path.into(), every: 1000, resume: true });
        self
    }

    /// Refuses settings that no training can have.
    pub fn check(&self) -> Result<CheckedTraining<'_>> {
        self.settings.check()?;
        self.text.check()?;
        Ok(CheckedTraining(self))
    }
}

/// A training that can be run, made by [`Training::check`].
#[derive(Clone, Copy, Debug)]
pub struct CheckedTraining<'a>(&'a Training);

/// What a training works with, once the corpora are counted.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Prepared {
    /// Corpora to train on.
    pub training_corpora: usize,
    /// Corpora that early stopping looks at.
    pub validation_corpora: usize,
    /// Corpora that are left out.
    pub excluded: usize,
    /// Documents to train on.
    pub documents: u64,
    /// Terms of the vocabulary.
    pub terms: usize,
    /// Documents left out because they have too few known words.
    pub documents_left_out: usize,
    /// What a person should know.
    pub warnings: Vec<String>,
}

/// What happens while a model is trained.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TrainProgress {
    /// The corpora are counted; the work begins.
    Prepared(Prepared),
    /// The prior's start, a step, a validation, a checkpoint.
    Run(train::Progress),
    /// It is learned what to expect of new words.
    NewWords {
        /// Parts that are done.
        done: usize,
        /// All parts.
        of: usize,
    },
}

impl Model {
    /// Trains a model on corpora: documents that belong together, each with the name of its corpus.
    ///
    /// The observer hears how far the training is, and can end it. Then the error is of kind
    /// interrupted; with [`Training::checkpoints`] the same call goes on where it was, and ends with
    /// the same weights, to the last bit.
    pub fn train<D: IntoDocument>(
        corpora: impl IntoIterator<Item = D>,
        training: &Training,
        observer: &mut dyn FnMut(TrainProgress) -> ControlFlow<()>,
    ) -> Result<Self> {
        let documents = into_documents(corpora);
        let parts = training.check()?.run(&documents, observer)?;
        Ok(Self::of(parts, "a trained model"))
    }
}

impl Training {
    /// What this training of these documents would have other than the one that a finished model comes
    /// from; `None` if it is the same.
    #[doc(hidden)]
    pub fn difference_from(
        &self,
        documents: &[RawDocument],
        finished: &ModelConfig,
    ) -> Result<Option<String>> {
        let Some((theirs, their_settings)) =
            finished.training.as_ref().and_then(|record| Some((record, record.settings.as_ref()?)))
        else {
            return Ok(Some("it does not say how it was trained".to_owned()));
        };
        // What the data depend on comes first: it tells more.
        let described = |settings: &TrainSettings, text: Option<&TextSettings>| json!({"settings": settings, "text": text});
        let our_text = is_text(documents).then_some(&self.text);
        let (then, now) = (
            described(their_settings, finished.text.as_ref()),
            described(&self.settings, our_text),
        );
        if let Some(difference) = difference(&["settings", "text"], &then, &now) {
            return Ok(Some(difference));
        }
        let counted = self.check()?.count(documents)?;
        let roles = counted.roles(self)?;
        let ours = TrainingRecord {
            corpora: names(&roles.training),
            excluded: counted.excluded.clone(),
            validation_corpora: names(&roles.validation),
            documents: documents_of(&roles),
            data: theirs.data.map(|_| checksum_of(&roles)),
            ..TrainingRecord::default()
        };
        let parts = ["excluded", "validation_corpora", "corpora", "documents", "data"];
        let value = |record| serde_json::to_value(record).expect("a record is plain data");
        Ok(difference(&parts, &value(theirs), &value(&ours)))
    }
}

/// The documents of a training, counted.
struct Counted {
    corpora: Corpora,
    vocabulary: Vocabulary,
    /// The names of corpora to leave out, sorted.
    excluded: Vec<String>,
}

impl Counted {
    fn roles(&self, training: &Training) -> Result<TrainingCorpora<'_>> {
        let corpora = &self.corpora.corpora;
        let is_usable = |name: &&String| corpora.iter().any(|corpus| corpus.name == **name);
        let usable: Vec<String> = self.excluded.iter().filter(is_usable).cloned().collect();
        TrainingCorpora::choose(corpora, &usable, &training.validation, training.settings.seed)
    }
}

impl CheckedTraining<'_> {
    fn count(self, documents: &[RawDocument]) -> Result<Counted> {
        let Training { text, exclude, .. } = self.0;
        let excluded = excluded(exclude, documents)?;
        let vocabulary = build_vocabulary(documents, exclude, text)?;
        let tokenizer = Tokenizer::new(text);
        let corpora = corpora_from(documents, &tokenizer, &vocabulary, text.min_document_words)?;
        Ok(Counted { corpora, vocabulary, excluded })
    }

    fn run(
        self,
        documents: &[RawDocument],
        observer: &mut dyn FnMut(TrainProgress) -> ControlFlow<()>,
    ) -> Result<ModelParts> {
        let Training { settings, text, word_vectors, checkpoints, .. } = self.0;
        let mut counted = self.count(documents)?;
        let warnings = std::mem::take(&mut counted.corpora.warnings);
        let roles = counted.roles(self.0)?;
        let Counted { corpora, vocabulary, excluded } = &counted;
        let prepared = Prepared {
            training_corpora: roles.training.len(),
            validation_corpora: roles.validation.len(),
            excluded: excluded.len(),
            documents: documents_of(&roles),
            terms: vocabulary.len(),
            documents_left_out: corpora.documents_left_out,
            warnings,
        };
        if observer(TrainProgress::Prepared(prepared)).is_break() {
            return Err(Error::interrupted("before the first step"));
        }
        let vectors = word_vectors.as_deref().map(|vectors| vectors_of(vectors, vocabulary));
        let terms = KnownTerms { count: vocabulary.len(), vectors: vectors.as_ref() };
        let outcome =
            train::train(&roles, terms, settings, checkpoints.as_ref(), &mut |progress| {
                observer(TrainProgress::Run(progress))
            })?;
        let trained = outcome.finished()?;
        let mut stopped = false;
        let tell = &mut |done, of| {
            let flow = observer(TrainProgress::NewWords { done, of });
            stopped |= flow.is_break();
            flow
        };
        let new_words = train::learn_new_words(&trained.prior, vocabulary, &roles, settings, tell)?;
        if stopped {
            let (when, resumable) = ("after the last step".to_owned(), checkpoints.is_some());
            return Err(Error::Interrupted { when, resumable });
        }
        let record = record(&trained, &roles, excluded.clone(), settings);
        drop(roles);
        let mut parts = ModelParts::new(
            settings.prior,
            trained.prior,
            settings.em_steps,
            counted.vocabulary,
            is_text(documents).then(|| text.clone()),
            Some(record),
        );
        parts.config.new_words = new_words;
        parts.config.inference = settings.inference;
        Ok(parts)
    }
}

fn is_text(documents: &[RawDocument]) -> bool {
    documents.iter().any(|read| matches!(read.content, Content::Text(_)))
}

fn names(corpora: &[&Corpus]) -> Vec<String> {
    corpora.iter().map(|corpus| corpus.name.clone()).collect()
}

fn checksum_of(roles: &TrainingCorpora<'_>) -> u32 {
    checksum(roles.training.iter().chain(&roles.validation).copied())
}

/// The vectors of the vocabulary's terms.
fn vectors_of(vectors: &WordVectors, vocabulary: &Vocabulary) -> TermVectors {
    let row = |term: &str| vectors.of(term).map(<[f32]>::to_vec);
    let rows = vocabulary.terms().into_iter().map(row).collect();
    TermVectors { dimension: vectors.dimension(), rows }
}

/// The corpora to leave out, sorted. They must exist, but since nothing looks at them they need not
/// be usable: the words of the others may be none of theirs.
fn excluded(exclude: &[String], documents: &[RawDocument]) -> Result<Vec<String>> {
    let mut known: Vec<&str> =
        documents.iter().filter_map(|document| document.corpus.as_deref()).collect();
    known.sort_unstable();
    known.dedup();
    for name in exclude {
        train::expect_known("exclude", name, &known)?;
    }
    let mut excluded = exclude.to_vec();
    excluded.sort_unstable();
    excluded.dedup();
    Ok(excluded)
}

fn documents_of(roles: &TrainingCorpora<'_>) -> u64 {
    roles.training.iter().map(|corpus| corpus.documents.documents() as u64).sum()
}

fn record(
    trained: &Trained,
    roles: &TrainingCorpora<'_>,
    excluded: Vec<String>,
    settings: &TrainSettings,
) -> TrainingRecord {
    TrainingRecord {
        corpora: names(&roles.training),
        excluded,
        validation_corpora: names(&roles.validation),
        documents: documents_of(roles),
        data: Some(checksum_of(roles)),
        steps: trained.steps,
        best_step: trained.stopping.best.map(|best| best.step),
        seed: settings.seed,
        validation_perplexity: trained.stopping.best.map(|best| best.perplexity),
        validations: trained.stopping.validations.clone(),
        settings: Some(settings.clone()),
    }
}
