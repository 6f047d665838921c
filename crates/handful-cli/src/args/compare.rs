//! Flags of `handful compare`.

use super::rivals::{LdaFlags, MamlFlags, OTHER_PROTOCOLS};
use super::sweep::SweepFlag;
use super::training::{OptimiserFlags, ShapeFlags, StoppingFlags, train_settings};
use super::unseen::UnseenFlags;
use super::{ReadingFlags, TextFlags};
use clap::{Args, ValueEnum};
use handful::internals::prior::PriorSettings;
use handful::internals::train::TrainSettings;
use handful::{Error, Result};
use handful_lab::blends::{BLEND_METHODS, BlendMethod, blend_method};
use handful_lab::groups::{GROUPING_METHODS, GroupingMethod, TaskShape, grouping_method};
use handful_lab::methods::{METHODS, Method, method};
use handful_lab::number::{NUMBER_METHODS, NumberMethod, number_method};
use handful_lab::range::{Axis, RANGE_METHODS, RangeMethod, RangeRequest, range_method};
use handful_lab::telling::{TELLING_METHODS, TellingMethod, telling_method};
use handful_lab::{GivenKind, PAPER_REPEATS, Request, Settings, Study, Sweep};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Compare methods as in the paper, with tables and figures.
///
/// Each corpus in turn is the target. Methods learn from the other corpora and predict held-out
/// words of tasks drawn from the target; every method gets the same tasks. Each experiment is a
/// line of DIR/results.jsonl, written as it finishes. The same command continues where a stopped
/// one ended, and more methods, targets, repeats and sweeps can be added to the same folder. With
/// --groups, methods group documents instead, and with --blends they find the subjects of documents
/// that have several; with --number they find how many topics documents have, and with --telling they show
/// terms that tell where other documents belong. With --range, one model
/// for every use is compared with models for one setting. Each of these needs a folder of its own, and
/// writes DIR/groups.jsonl, DIR/blends.jsonl, DIR/number.jsonl, DIR/telling.jsonl or DIR/range.jsonl.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The corpora: folders of folders, JSON lines, or tables
    #[arg(value_name = "CORPORA", required_unless_present = "table")]
    pub corpora: Vec<PathBuf>,
    /// Folder for the results
    #[arg(long, value_name = "DIR", required_unless_present = "table")]
    pub out: Option<PathBuf>,
    /// Only make the tables and figures of a results folder
    #[arg(long, value_name = "DIR", conflicts_with_all = [
        "corpora", "out", "methods", "sweep", "range", "repeats", "model", "document_vectors",
        "passage_vectors",
    ])]
    pub table: Option<PathBuf>,
    /// Directory of a trained model, which is asked as it is: the method `model`; or `built-in`
    #[arg(long, value_name = "DIR")]
    pub model: Option<PathBuf>,
    /// Group mixed handfuls: tell apart two documents of each of three corpora, none of which was
    /// seen in training (K=3, N=6)
    #[arg(long, conflicts_with_all = ["targets", "sweep", "range", "topics", "support_size"])]
    pub groups: bool,
    /// Find the subjects of blends: documents joined from parts of texts of several corpora, none of
    /// which was seen in training, beside two pure documents of each
    #[arg(long, conflicts_with_all = ["groups", "targets", "sweep", "range", "topics", "support_size"])]
    pub blends: bool,
    /// Find the number of topics: documents of one to six corpora, none of which was seen in training,
    /// and nobody says how many
    #[arg(long, conflicts_with_all = ["groups", "blends", "targets", "sweep", "range", "topics", "support_size"])]
    pub number: bool,
    /// Tell topics by terms: a handful of documents of a few corpora, none of which was seen in training,
    /// and ten terms of each topic that say where other documents of these corpora belong
    #[arg(long, conflicts_with_all = ["groups", "blends", "number", "targets", "sweep", "range", "topics", "support_size"])]
    pub telling: bool,
    #[command(flatten)]
    unseen: UnseenFlags,
    /// Vary the number of topics, the number of documents or their length in words, and compare a
    /// model trained once for all values with models trained for each value (repeatable)
    #[arg(long, value_name = "SETTING", conflicts_with = "sweep")]
    range: Vec<RangeName>,
    /// Methods to compare, separated by commas; or `all`; or `ablations`, which are `handful` with
    /// one ingredient left out [default: all, or for a sweep those of the paper's figure]; --groups,
    /// --blends, --number, --telling and --range have methods of their own
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    methods: Vec<String>,
    /// Target corpus (repeatable) [default: every corpus]; with --table, a target whose topics are
    /// shown [default: the first three]
    #[arg(long, value_name = "NAME")]
    pub targets: Vec<String>,
    /// How to train and to measure: `own`, or `paper`, which is what the paper says of its experiment
    /// (ten repeats of one task, at most 1,000 steps, the sum as loss, no clipping, one learning rate
    /// for all, and the mean of the documents' perplexities)
    #[arg(long, value_name = "NAME", default_value = "own", conflicts_with_all = OTHER_PROTOCOLS)]
    protocol: ProtocolName,
    /// Experiments on each target, each with other training and validation corpora; with --groups,
    /// --blends, --number and --telling, draws of the held-out corpora [default: 1; 10 with
    /// `--protocol paper`]
    #[arg(long, value_name = "N")]
    repeats: Option<usize>,
    /// Number of tasks in an experiment [default: 100; 1 with `--protocol paper`]
    #[arg(long, value_name = "N")]
    tasks: Option<usize>,
    /// Vary the number of EM steps or of topics, as in the paper's figures: `em-steps` or `topics`, with
    /// values of your own if you like, such as `topics=2,5,20` (repeatable) [default values:
    /// em-steps=0,1,2,5,10,20 and topics=1,2,5,10,20,50]
    #[arg(long, value_name = "SETTING")]
    sweep: Vec<SweepFlag>,
    /// On tasks, run EM until the posterior, or the evidence lower bound, stops rising; training
    /// takes T steps
    #[arg(long, help_heading = "Model", conflicts_with_all = ["number", "telling"])]
    until_converged: bool,
    /// Multiply α and β by this on tasks where EM follows a prior that was trained without it, as in
    /// `nn-f`, `nn-rf` and `dir-f`: such a training leaves open how much they weigh beside words
    #[arg(
        long,
        value_name = "FACTOR",
        help_heading = "Model",
        conflicts_with_all = ["groups", "blends", "number", "telling", "range"],
        default_value_t = Settings::default().prior_weight
    )]
    prior_weight: f32,
    #[command(flatten)]
    shape: ShapeFlags,
    #[command(flatten)]
    maml: MamlFlags,
    #[command(flatten)]
    lda: LdaFlags,
    #[command(flatten)]
    optimiser: OptimiserFlags,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    stopping: StoppingFlags,
    #[command(flatten)]
    pub text: TextFlags,
    #[command(flatten)]
    pub reading: ReadingFlags,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Early stopping")]
struct LimitFlags {
    /// Maximum number of training steps; with `--protocol paper` a step is an epoch of the paper
    /// [default: 100000; 1000 with `--protocol paper`]
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
    /// Number of corpora to draw for validation in each experiment
    #[arg(long, value_name = "N", default_value_t = Settings::default().validation_corpora)]
    validation_corpora: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ProtocolName {
    Own,
    Paper,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RangeName {
    Topics,
    Documents,
    Length,
}

impl CompareArgs {
    pub fn settings(&self, seed: u64) -> Result<Settings> {
        let default = match self.protocol {
            ProtocolName::Own => Settings::default(),
            ProtocolName::Paper => Settings::paper(),
        };
        let prior = PriorSettings::Iwata(self.shape.iwata());
        let training = TrainSettings { prior, ..default.training };
        let flags = (&self.shape, &self.optimiser, &self.stopping);
        let settings = Settings {
            training: train_settings(training, flags, self.limits.max_steps, false, seed),
            validation_corpora: self.limits.validation_corpora,
            tasks: self.tasks.unwrap_or(default.tasks),
            until_converged: self.until_converged,
            prior_weight: self.prior_weight,
            maml: self.maml.inner_steps(),
            lda: self.lda.sampling(),
            ..default
        };
        settings.check()?;
        Ok(settings)
    }

    fn repeats(&self) -> usize {
        let usual = match self.protocol {
            ProtocolName::Own => 1,
            ProtocolName::Paper => PAPER_REPEATS,
        };
        self.repeats.unwrap_or(usual)
    }

    pub fn request(&self) -> Result<Request> {
        let study = |sweep: Option<&SweepFlag>| {
            let (sweep, values) = (sweep.map(|flag| flag.sweep), sweep.and_then(SweepFlag::values));
            Ok(Study { methods: self.methods(sweep)?, sweep, values })
        };
        let studies = match &self.sweep[..] {
            [] => vec![study(None)?],
            sweeps => sweeps.iter().map(|sweep| study(Some(sweep))).collect::<Result<_>>()?,
        };
        let methods = studies.iter().flat_map(|study: &Study| &study.methods);
        self.expect_all_asked(methods.clone().map(|method| method.asks_for()))?;
        if self.until_converged && !methods.clone().any(|method| method.has_em()) {
            let problem = "none of --methods runs EM on a task";
            let remedy = "name a method that does in --methods, or leave it out";
            return Err(Error::bad_setting("--until-converged", problem, remedy));
        }
        if self.prior_weight != Settings::default().prior_weight
            && !methods.clone().any(|method| method.fine_tunes())
        {
            let problem = "none of --methods has EM on a task only";
            let remedy = "name `nn-f`, `nn-rf` or `dir-f` in --methods, or leave it out";
            return Err(Error::bad_setting("--prior-weight", problem, remedy));
        }
        Ok(Request { studies, targets: self.targets.clone(), repeats: self.repeats() })
    }

    /// The methods and repeats of --groups.
    pub fn groups_request(&self) -> Result<(Vec<&'static GroupingMethod>, usize)> {
        let asks_for = GroupingMethod::asks_for;
        Ok((self.methods_among(&GROUPING_METHODS, grouping_method, asks_for)?, self.repeats()))
    }

    /// The shape of the tasks of --groups.
    pub fn task_shape(&self) -> Result<TaskShape> {
        self.unseen.task_shape()
    }

    /// The methods and repeats of --blends.
    pub fn blends_request(&self) -> Result<(Vec<&'static BlendMethod>, usize)> {
        let asks_for = BlendMethod::asks_for;
        Ok((self.methods_among(&BLEND_METHODS, blend_method, asks_for)?, self.repeats()))
    }

    /// The numbers of subjects of --blends.
    pub fn subjects(&self) -> Vec<usize> {
        self.unseen.subjects()
    }

    /// The methods and repeats of --number.
    pub fn number_request(&self) -> Result<(Vec<&'static NumberMethod>, usize)> {
        let asks_for = NumberMethod::asks_for;
        Ok((self.methods_among(&NUMBER_METHODS, number_method, asks_for)?, self.repeats()))
    }

    /// The numbers of documents of --number.
    pub fn documents(&self) -> Vec<usize> {
        self.unseen.documents()
    }

    /// The methods and repeats of --telling.
    pub fn telling_request(&self) -> Result<(Vec<&'static TellingMethod>, usize)> {
        let asks_for = TellingMethod::asks_for;
        Ok((self.methods_among(&TELLING_METHODS, telling_method, asks_for)?, self.repeats()))
    }

    /// The shapes of the tasks of --telling.
    pub fn task_shapes(&self) -> Result<Vec<TaskShape>> {
        self.unseen.task_shapes()
    }

    /// The file with vectors of the documents.
    pub fn document_vectors(&self) -> Option<&Path> {
        self.unseen.document_vectors.as_deref()
    }

    /// The file with vectors of the passages of tasks.
    pub fn passage_vectors(&self) -> Option<&Path> {
        self.unseen.passage_vectors.as_deref()
    }

    /// Returns the request of --range, or `None` without it.
    pub fn range_request(&self) -> Result<Option<RangeRequest>> {
        let axis = |name: &RangeName| match name {
            RangeName::Topics => Axis::Topics,
            RangeName::Documents => Axis::Documents,
            RangeName::Length => Axis::Length,
        };
        if self.range.is_empty() {
            return Ok(None);
        }
        Ok(Some(RangeRequest {
            axes: self.range.iter().map(axis).collect::<BTreeSet<_>>().into_iter().collect(),
            methods: self.methods_among(&RANGE_METHODS, range_method, RangeMethod::asks_for)?,
            targets: self.targets.clone(),
            repeats: self.repeats(),
        }))
    }

    /// Returns the named methods, or, if none is named, all that have what they ask for.
    fn methods_among<M>(
        &self,
        all: &'static [M],
        by_name: fn(&str) -> Result<&'static M>,
        asks_for: fn(&M) -> Option<GivenKind>,
    ) -> Result<Vec<&'static M>> {
        let mut methods: Vec<&'static M> = Vec::new();
        if self.methods.is_empty() || self.methods.iter().any(|id| id == "all") {
            methods.extend(all.iter().filter(|method| self.gives(asks_for(method))));
        } else {
            for id in &self.methods {
                let method = by_name(id)?;
                self.expect_given(id, asks_for(method))?;
                methods.push(method);
            }
        }
        self.expect_all_asked(methods.iter().map(|method| asks_for(method)))?;
        Ok(methods)
    }

    /// Whether the flags give what a method asks for.
    fn gives(&self, asked: Option<GivenKind>) -> bool {
        match asked {
            None => true,
            Some(GivenKind::Model) => self.model.is_some(),
            Some(GivenKind::DocumentVectors) => self.document_vectors().is_some(),
            Some(GivenKind::PassageVectors) => self.unseen.passage_vectors.is_some(),
        }
    }

    /// Refuses a method that asks for what no flag gives.
    fn expect_given(&self, id: &str, asked: Option<GivenKind>) -> Result<()> {
        match asked.filter(|_| !self.gives(asked)) {
            None => Ok(()),
            Some(kind) => Err(kind.missing(id)),
        }
    }

    /// Refuses flags that give what no method asks for: giving one is a mistake.
    fn expect_all_asked(&self, asked: impl Iterator<Item = Option<GivenKind>>) -> Result<()> {
        let asked: Vec<GivenKind> = asked.flatten().collect();
        let given = [
            ("--model", GivenKind::Model),
            ("--document-vectors", GivenKind::DocumentVectors),
            ("--passage-vectors", GivenKind::PassageVectors),
        ];
        for (flag, kind) in given {
            if self.gives(Some(kind)) && !asked.contains(&kind) {
                let problem = "none of --methods asks for it";
                let remedy = "name a method that does in --methods, or leave it out";
                return Err(Error::bad_setting(flag, problem, remedy));
            }
        }
        Ok(())
    }

    /// Returns the methods for a sweep, or for a comparison without one.
    fn methods(&self, sweep: Option<Sweep>) -> Result<Vec<&'static Method>> {
        let is_affected = |method: &Method| {
            sweep.is_none_or(|sweep| method.varies_with(sweep, self.until_converged))
        };
        let group = |ablations: bool| -> Vec<&'static Method> {
            let belongs = |m: &&Method| {
                m.is_ablation() == ablations && is_affected(m) && self.gives(m.asks_for())
            };
            METHODS.iter().filter(belongs).collect()
        };
        if self.methods.is_empty() {
            let Some(sweep) = sweep else { return Ok(group(false)) };
            let is_given = |m: &&Method| m.asks_for().is_some() && self.gives(m.asks_for());
            let given = METHODS.iter().filter(|m| is_given(m) && is_affected(m));
            return Ok(sweep.methods().into_iter().chain(given).collect());
        }
        let mut methods = Vec::new();
        for id in &self.methods {
            match &**id {
                "all" => methods.extend(group(false)),
                "ablations" => methods.extend(group(true)),
                id => {
                    let method = method(id)?;
                    self.expect_given(id, method.asks_for())?;
                    if !is_affected(method) {
                        return Err(Error::bad_setting(
                            format!("method `{id}`"),
                            "what --sweep varies makes no difference to it",
                            "leave it out of --methods",
                        ));
                    }
                    methods.push(method);
                }
            }
        }
        Ok(methods)
    }
}
