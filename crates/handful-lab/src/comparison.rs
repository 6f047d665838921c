//! The protocol: which corpora train, which validate, and which tasks every method is given.

use crate::methods::{ModelOverTerms, Recipe};
use crate::protocol::Protocol;
use crate::results::{Key, Record, write_tasks};
use crate::{FinishedModel, Given, InnerSteps, LdaSampling, Material};
use handful::internals::corpus::{Corpus, Episode};
use handful::internals::em::EmStop;
use handful::internals::error::{MOST, expect_within};
use handful::internals::evaluate::{PerplexityMean, draw_tasks};
use handful::internals::nn::AdamSettings;
use handful::internals::prior::{IwataSettings, PriorSettings};
use handful::internals::random::{Purpose, stream};
use handful::internals::train::{
    LossKind, TrainSettings, TrainingCorpora, ValidationChoice, expect_known,
};
use handful::text::Vocabulary;
use handful::{Error, Result};
use rand::Rng;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::sync::Arc;

/// Everything that determines the result of an experiment, except its method, target and repeat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The settings of `iwata`. Other methods use other priors and EM steps, and otherwise the same
    /// settings.
    pub training: TrainSettings,
    /// The number of validation corpora in each experiment.
    pub validation_corpora: usize,
    /// The number of tasks drawn from the target in each experiment.
    pub tasks: usize,
    /// What is averaged into the perplexity that tables rank by.
    #[serde(default, skip_serializing_if = "is_usual_mean")]
    pub mean: PerplexityMean,
    /// The factor by which the learning rate is larger where α and β are learned directly. In
    /// networks, hundreds of weights move each output at once.
    #[serde(default = "usual_direct_rate", skip_serializing_if = "is_usual_direct_rate")]
    pub direct_rate: f64,
    /// Whether EM on a task goes on until it converges. Training takes T steps in any case.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub until_converged: bool,
    /// The factor of α and β where EM follows at test a prior that was trained without. That training
    /// sees only ratios of α and β, and leaves open how much they weigh beside words.
    #[serde(default = "usual_prior_weight", skip_serializing_if = "is_usual_prior_weight")]
    pub prior_weight: f32,
    /// The inner steps of `maml`.
    #[serde(default, skip_serializing_if = "InnerSteps::is_usual")]
    pub maml: InnerSteps,
    /// How the methods that are based on LDA sample.
    #[serde(default, skip_serializing_if = "LdaSampling::is_usual")]
    pub lda: LdaSampling,
}

/// The usual factor of the learning rate where α and β are learned directly.
const DIRECT_RATE: f64 = 10.0;

fn usual_direct_rate() -> f64 {
    DIRECT_RATE
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_usual_direct_rate(rate: &f64) -> bool {
    *rate == DIRECT_RATE
}

fn usual_prior_weight() -> f32 {
    1.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_usual_prior_weight(weight: &f32) -> bool {
    *weight == usual_prior_weight()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_usual_mean(mean: &PerplexityMean) -> bool {
    *mean == PerplexityMean::default()
}

/// The number of repeats in the paper.
pub const PAPER_REPEATS: usize = 10;

impl Default for Settings {
    fn default() -> Self {
        // The maximum is high, so that early stopping ends the training.
        let training = TrainSettings { max_steps: 100_000, ..TrainSettings::default() };
        Self {
            training,
            validation_corpora: 3,
            tasks: 100,
            mean: PerplexityMean::Words,
            direct_rate: DIRECT_RATE,
            until_converged: false,
            prior_weight: usual_prior_weight(),
            maml: InnerSteps::default(),
            lda: LdaSampling::default(),
        }
    }
}

impl Settings {
    /// The paper's experiment: one task, at most 1,000 epochs of one step each, the loss summed over
    /// words, no clipping, the same learning rate for all, and the mean of the documents'
    /// perplexities. It keeps the weights that were best on validation, which it asks for every
    /// 20 steps.
    pub fn paper() -> Self {
        let default = TrainSettings::default();
        let adam = AdamSettings { learning_rate: 1e-3, clip_norm: None, ..default.adam };
        let training = TrainSettings {
            loss: LossKind::Sum,
            max_steps: 1000,
            validation_every: 20,
            patience: 50,
            adam,
            ..default
        };
        let mean = PerplexityMean::Documents;
        Self { training, tasks: 1, mean, direct_rate: 1.0, ..Self::default() }
    }
}

impl Settings {
    /// Refuses settings outside their range, by name.
    pub fn check(&self) -> Result<()> {
        self.training.check()?;
        expect_within("validation_corpora", self.validation_corpora, 1, MOST)?;
        if !(self.direct_rate.is_finite() && self.direct_rate > 0.0) {
            return Err(Error::setting("direct_rate", self.direct_rate, "a number above 0"));
        }
        if !(self.prior_weight.is_finite() && self.prior_weight > 0.0) {
            return Err(Error::setting("prior_weight", self.prior_weight, "a number above 0"));
        }
        self.maml.check()?;
        self.lda.check()?;
        expect_within("tasks", self.tasks, 1, MOST)
    }

    /// When EM ends on a task if T steps are asked for.
    pub fn em_stop(&self, em_steps: usize) -> EmStop {
        match self.until_converged {
            true => EmStop::converged(),
            false => EmStop::Steps(em_steps),
        }
    }

    /// The shape of the networks, whatever their input.
    pub fn networks(&self) -> IwataSettings {
        match self.training.prior {
            PriorSettings::Iwata(shape) => shape,
            // The settings should be those of `iwata`. For any other prior, use the paper's shape.
            _ => IwataSettings::default(),
        }
    }
}

/// The corpora on which methods are compared.
#[derive(Clone, Debug)]
pub struct Comparison<'a> {
    /// The settings shared by all experiments.
    pub settings: Settings,
    /// The corpora, sorted by name.
    pub corpora: &'a [Corpus],
    /// The terms of all corpora.
    pub vocabulary: &'a Vocabulary,
    /// A model that was trained elsewhere, if one is to be asked.
    pub model: Option<Arc<ModelOverTerms>>,
}

impl<'a> Comparison<'a> {
    /// Creates a comparison. Refuses corpora that are too few or too small.
    pub fn new(
        settings: Settings,
        corpora: &'a [Corpus],
        vocabulary: &'a Vocabulary,
    ) -> Result<Self> {
        settings.check()?;
        let least = settings.validation_corpora + 2;
        if corpora.len() < least {
            return Err(Error::input(
                "the corpora",
                format!(
                    "there are {}, but a comparison needs {least}: a target, {} to validate on and \
                     one to train on",
                    corpora.len(),
                    settings.validation_corpora
                ),
                "give more corpora or lower `validation_corpora`",
            ));
        }
        let size = settings.training.episode.support_size;
        if let Some(small) = corpora.iter().find(|corpus| corpus.ids.len() < size) {
            return Err(Error::input(
                format!("corpus {}", small.name),
                format!("has {} usable documents, but a task needs {size}", small.ids.len()),
                "give it more documents, leave it out, or lower `support_size`",
            ));
        }
        Ok(Self { settings, corpora, vocabulary, model: None })
    }

    /// With a model to ask. Refuses one that cannot be asked for the corpora's terms or for K topics.
    pub fn with_model(self, model: &FinishedModel) -> Result<Self> {
        let model = ModelOverTerms::new(model, self.vocabulary)?;
        model.check_topics(self.settings.training.topics)?;
        Ok(Self { model: Some(Arc::new(model)), ..self })
    }

    /// Returns the corpora with these names, in the order of the corpora; all of them if `named` is
    /// empty.
    pub fn targets(&self, named: &[String]) -> Result<Vec<&'a Corpus>> {
        let known: Vec<&str> = self.corpora.iter().map(|corpus| &*corpus.name).collect();
        named.iter().try_for_each(|name| expect_known("target", name, &known))?;
        let is_wanted = |corpus: &&Corpus| named.is_empty() || named.contains(&corpus.name);
        Ok(self.corpora.iter().filter(is_wanted).collect())
    }

    /// Returns the `repeat`-th experiment on a target.
    pub fn experiment(&self, target: &str, repeat: usize) -> Result<Experiment<'_>> {
        let Settings { training, validation_corpora, tasks, .. } = &self.settings;
        let known: Vec<&str> = self.corpora.iter().map(|corpus| &*corpus.name).collect();
        expect_known("target", target, &known)?;
        let index = known.iter().position(|&name| name == target).expect("it is known");
        let number = ((index as u64) << 32) + repeat as u64;
        // Uses 32 bits, which every JSON reader represents exactly.
        let seed = u64::from(stream(training.seed, Purpose::Experiment, number).next_u32());
        let choice = ValidationChoice::Drawn(*validation_corpora);
        let roles = TrainingCorpora::choose(self.corpora, &[target.to_owned()], &choice, seed)?;
        let target = &self.corpora[index];
        let tasks = draw_tasks(target, training.episode, *tasks, seed)?;
        let terms = self.vocabulary.len();
        let material = Material::new(roles, terms, &self.settings, seed);
        let material = Material { model: self.model.clone(), ..material };
        Ok(Experiment { comparison: self, target, material, tasks })
    }
}

impl Protocol for Comparison<'_> {
    type Line = Record;
    type Recipe = Recipe;

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn corpora(&self) -> &[Corpus] {
        self.corpora
    }

    fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary
    }

    fn given(&self) -> Vec<Given> {
        self.model.iter().map(|model| model.finished.given).collect()
    }

    fn conduct(&self, recipe: &Recipe, keys: &[Key]) -> Result<Vec<Record>> {
        let Key { target, repeat, .. } = &keys[0];
        self.experiment(target, *repeat)?.conduct(recipe, keys)
    }

    fn write_tasks(&self, (target, repeat): &(String, usize), out: &mut dyn Write) -> Result<()> {
        write_tasks(&self.experiment(target, *repeat)?, *repeat, out);
        Ok(())
    }
}

/// One target and repeat: what every method learns from, and the tasks it is given.
#[derive(Clone, Debug)]
pub struct Experiment<'a> {
    /// The comparison it belongs to.
    pub comparison: &'a Comparison<'a>,
    /// The corpus that no method learns from.
    pub target: &'a Corpus,
    /// What methods learn from. `handful train --exclude` and `handful evaluate` with its seed do
    /// the same.
    pub material: Material<'a>,
    /// The target's tasks. The paper uses only the first.
    pub tasks: Vec<Episode>,
}
