//! Flags of `handful train`.

use super::training::{OptimiserFlags, ShapeFlags, StoppingFlags, train_settings};
use super::{ReadingFlags, TextFlags};
use clap::{Args, ValueEnum};
use handful::internals::prior::{
    FreeSettings, HandfulSettings, IwataSettings, MamlSettings, PriorSettings,
};
use handful::internals::train::{CheckpointPlan, TrainSettings, ValidationChoice};
use handful::reading::WordVectors;
use handful::{Error, Result};
use std::path::{Path, PathBuf};

/// Train a model on many corpora.
///
/// Corpora are folders of folders (one folder per corpus, one file per document), JSON lines with
/// `corpus`, `id` and `text` or `counts`, or CSV and TSV with such columns. Each file may be
/// gzipped.
#[derive(Debug, Args)]
pub struct TrainArgs {
    /// The corpora: folders of folders, JSON lines, or tables
    #[arg(required = true, value_name = "CORPORA")]
    pub corpora: Vec<PathBuf>,
    /// Directory to write the model to
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// Replace the directory if it exists
    #[arg(long)]
    pub force: bool,
    /// Leave out a corpus, so that it can serve for a fair evaluation (repeatable)
    #[arg(long, value_name = "NAME")]
    pub exclude: Vec<String>,
    /// Continue from the checkpoint of a stopped run
    #[arg(long)]
    pub resume: bool,
    /// Number of steps between two checkpoints
    #[arg(long, value_name = "N", default_value_t = 1000)]
    checkpoint_every: u64,
    #[command(flatten)]
    prior: PriorFlags,
    #[command(flatten)]
    shape: ShapeFlags,
    #[command(flatten)]
    optimiser: OptimiserFlags,
    #[command(flatten)]
    validation: ValidationFlags,
    #[command(flatten)]
    stopping: StoppingFlags,
    #[command(flatten)]
    pub text: TextFlags,
    #[command(flatten)]
    pub reading: ReadingFlags,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
struct PriorFlags {
    /// How to compute the Dirichlet priors
    #[arg(long, value_name = "KIND", default_value = "handful")]
    prior: PriorName,
    /// Train only for the given numbers of topics and documents, not for any (`--prior handful`)
    #[arg(long)]
    fixed: bool,
    /// Number of themes to find in the corpora, which the topics mix (`--prior handful`) [default:
    /// 384]
    #[arg(long, value_name = "L")]
    themes: Option<usize>,
    /// Start from the word vectors in this file: a word and its numbers on each line, as GloVe,
    /// word2vec and fastText write them (`--prior handful`) [default: vectors found in the corpora]
    #[arg(long, value_name = "FILE")]
    word_vectors: Option<PathBuf>,
    /// Let the networks read only each document, not the corpus as a whole (`--prior iwata`)
    #[arg(long, conflicts_with_all = ["hidden_f_r", "hidden_g_r", "representation_size"])]
    no_corpus_representation: bool,
    /// Number of gradient steps on the documents at hand (`--prior maml`) [default: 5]
    #[arg(long, value_name = "N")]
    inner_steps: Option<usize>,
    /// Learning rate of those gradient steps [default: 0.3]
    #[arg(long, allow_negative_numbers = true, value_name = "RATE")]
    inner_rate: Option<f64>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Early stopping")]
struct ValidationFlags {
    /// Maximum number of steps [default: 4000; 20000 with other priors than `handful`]
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
    /// Corpus to validate on (repeatable)
    #[arg(long, value_name = "NAME", conflicts_with = "validation_corpora")]
    validation: Vec<String>,
    /// Number of corpora to draw for validation; 0 for none
    #[arg(long, value_name = "N", default_value_t = 3)]
    validation_corpora: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum PriorName {
    /// Handful's own: themes of the training corpora, mixed by networks
    Handful,
    /// The paper's networks
    Iwata,
    /// One learned prior for every corpus
    Free,
    /// One learned prior that gradient steps adapt to the documents at hand
    Maml,
}

impl TrainArgs {
    pub fn settings(&self, seed: u64) -> Result<TrainSettings> {
        self.refuse_flags_of_other_priors()?;
        let prior = match self.prior.prior {
            PriorName::Iwata => PriorSettings::Iwata(IwataSettings {
                corpus_representation: !self.prior.no_corpus_representation,
                ..self.shape.iwata()
            }),
            PriorName::Handful => {
                let default = HandfulSettings::default();
                PriorSettings::Handful(HandfulSettings {
                    hidden: self.shape.hidden.unwrap_or(default.hidden),
                    themes: self.prior.themes.unwrap_or(default.themes),
                    ..default
                })
            }
            PriorName::Free => PriorSettings::Free(FreeSettings::default()),
            PriorName::Maml => PriorSettings::Maml(MamlSettings {
                inner_steps: self.prior.inner_steps.unwrap_or(MamlSettings::default().inner_steps),
                inner_rate: self.prior.inner_rate.unwrap_or(MamlSettings::default().inner_rate),
            }),
        };
        let flags = (&self.shape, &self.optimiser, &self.stopping);
        let vary = matches!(prior, PriorSettings::Handful(_)) && !self.prior.fixed;
        let default = TrainSettings::of(prior);
        let settings = train_settings(default, flags, self.validation.max_steps, vary, seed);
        settings.check()?;
        Ok(settings)
    }

    /// Refuses flags that have no effect with the chosen prior: giving one is a mistake.
    fn refuse_flags_of_other_priors(&self) -> Result<()> {
        let flags = &self.prior;
        let (hidden, handful) = ([PriorName::Handful, PriorName::Iwata], [PriorName::Handful]);
        let (iwata, maml) = ([PriorName::Iwata], [PriorName::Maml]);
        let given: [(&str, bool, &[PriorName]); 7] = [
            ("fixed", flags.fixed, &handful),
            ("themes", flags.themes.is_some(), &handful),
            ("word-vectors", flags.word_vectors.is_some(), &handful),
            ("hidden", self.shape.hidden.is_some(), &hidden),
            ("no-corpus-representation", flags.no_corpus_representation, &iwata),
            ("inner-steps", flags.inner_steps.is_some(), &maml),
            ("inner-rate", flags.inner_rate.is_some(), &maml),
        ];
        let networks = self.shape.networks.given();
        let networks = networks.into_iter().map(|(flag, given)| (flag, given, &iwata[..]));
        let mut given = given.into_iter().chain(networks);
        let Some((flag, _, priors)) =
            given.find(|(_, given, priors)| *given && !priors.contains(&flags.prior))
        else {
            return Ok(());
        };
        let with = |prior: &PriorName| {
            let name = prior.to_possible_value().expect("every prior has a name");
            format!("`--prior {}`", name.get_name())
        };
        let with: Vec<String> = priors.iter().map(with).collect();
        Err(Error::setting(flag, "given", format!("left out, or with {}", with.join(" or "))))
    }

    /// Reads the file of --word-vectors.
    pub fn word_vectors(&self) -> Result<Option<WordVectors>> {
        self.prior.word_vectors.as_ref().map(WordVectors::read).transpose()
    }

    pub fn validation(&self) -> ValidationChoice {
        if self.validation.validation.is_empty() {
            ValidationChoice::Drawn(self.validation.validation_corpora)
        } else {
            ValidationChoice::Named(self.validation.validation.clone())
        }
    }

    /// Places checkpoints next to the model: `DIR.checkpoint`.
    pub fn checkpoints(&self) -> Result<CheckpointPlan> {
        if self.checkpoint_every == 0 {
            return Err(Error::setting("checkpoint-every", 0, "at least 1"));
        }
        let name = self.out.file_name().ok_or_else(|| {
            let remedy = "name a directory to be made";
            Error::unwritable(self.out.display().to_string(), "is no name for a model", remedy)
        })?;
        let mut name = name.to_owned();
        name.push(".checkpoint");
        Ok(CheckpointPlan {
            path: Path::new(&self.out).with_file_name(name),
            every: self.checkpoint_every,
            resume: self.resume,
        })
    }
}
