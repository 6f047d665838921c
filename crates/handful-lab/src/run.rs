//! Experiments side by side, each on one thread.

use crate::cpu_clock::CpuClock;
use crate::methods::{Learned, Lesson, METHODS, Method, Recipe};
use crate::results::{Key, Record, ResultsFolder};
use crate::{Comparison, Experiment};
use handful::corpus::Episode;
use handful::error::{MOST, expect_within};
use handful::train::{Likelihood, expect_known};
use handful::{Error, Result};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// A setting that is varied, while all others stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sweep {
    /// T, in training and at test.
    EmSteps,
    /// K
    Topics,
}

impl Sweep {
    /// The values of the paper's figures.
    pub fn values(self) -> &'static [usize] {
        match self {
            Self::EmSteps => &[0, 1, 2, 5, 10, 20],
            Self::Topics => &[1, 2, 5, 10, 20, 50],
        }
    }

    /// The methods of the paper's figures.
    pub fn methods(self) -> Vec<&'static Method> {
        let ids: &[&str] = match self {
            Self::EmSteps => &["iwata"],
            Self::Topics => &["iwata", "lda-ind", "lda-all"],
        };
        METHODS.iter().filter(|method| ids.contains(&method.id)).collect()
    }
}

/// Which experiments are wanted.
#[derive(Clone, Debug)]
pub struct Request {
    /// The methods.
    pub methods: Vec<&'static Method>,
    /// The targets; all corpora where none is named.
    pub targets: Vec<String>,
    /// Experiments on each target.
    pub repeats: usize,
    /// What is varied; where nothing is, K and T are those of the settings.
    pub sweeps: Vec<Sweep>,
}

impl Request {
    /// The wanted targets, in the order of the corpora.
    fn targets<'a>(&self, comparison: &'a Comparison<'_>) -> Result<Vec<&'a str>> {
        let known: Vec<&str> = comparison.corpora.iter().map(|corpus| &*corpus.name).collect();
        for target in &self.targets {
            expect_known("target", target, &known)?;
        }
        let wanted =
            |name: &&str| self.targets.is_empty() || self.targets.iter().any(|t| t == name);
        Ok(known.into_iter().filter(wanted).collect())
    }

    /// The wanted K and T.
    fn sizes(&self, comparison: &Comparison<'_>) -> Vec<(usize, usize)> {
        let training = &comparison.settings.training;
        let (topics, em_steps) = (training.topics, training.em_steps);
        let mut sizes = Vec::new();
        for sweep in &self.sweeps {
            sizes.extend(sweep.values().iter().map(|&value| match sweep {
                Sweep::EmSteps => (topics, value),
                Sweep::Topics => (value, em_steps),
            }));
        }
        if sizes.is_empty() {
            sizes.push((topics, em_steps));
        }
        sizes
    }
}

/// What is learned once, and the experiments that it serves.
#[derive(Clone, Debug)]
struct Unit {
    target: String,
    repeat: usize,
    recipe: Recipe,
    keys: Vec<Key>,
}

/// The experiments still to be made, in order.
#[derive(Clone, Debug)]
pub struct Plan {
    units: Vec<Unit>,
    /// All targets and repeats that are asked for.
    pub pairs: BTreeSet<(String, usize)>,
    /// Experiments that were asked for and are there already.
    pub done: usize,
}

impl Plan {
    /// What is asked for, less what is there.
    ///
    /// One repeat comes after another, and in it one target after another, so that methods can be
    /// compared long before the end.
    pub fn new(comparison: &Comparison<'_>, request: &Request, there: &[Record]) -> Result<Self> {
        expect_within("repeats", request.repeats, 1, MOST)?;
        let there: BTreeSet<&Key> = there.iter().map(|record| &record.key).collect();
        let targets = request.targets(comparison)?;
        let sizes = request.sizes(comparison);
        let mut plan = Self { units: Vec::new(), pairs: BTreeSet::new(), done: 0 };
        let mut planned = BTreeSet::new();
        for repeat in 0..request.repeats {
            for &target in &targets {
                plan.pairs.insert((target.to_owned(), repeat));
                let first = plan.units.len();
                for &(topics, em_steps) in &sizes {
                    for method in &request.methods {
                        let key = Key::new(method, target, repeat, (topics, em_steps));
                        if !planned.insert(key.clone()) {
                            continue;
                        }
                        if there.contains(&key) {
                            plan.done += 1;
                            continue;
                        }
                        let recipe = method.recipe(&comparison.settings, topics, em_steps);
                        plan.add(first, key, recipe);
                    }
                }
            }
        }
        Ok(plan)
    }

    /// Adds an experiment to the unit of its recipe, which is among those from `first` on.
    fn add(&mut self, first: usize, key: Key, recipe: Recipe) {
        match self.units[first..].iter_mut().find(|unit| unit.recipe == recipe) {
            Some(unit) => unit.keys.push(key),
            None => {
                let (target, repeat) = (key.target.clone(), key.repeat);
                self.units.push(Unit { target, repeat, recipe, keys: vec![key] });
            }
        }
    }

    /// The experiments still to be made.
    pub fn keys(&self) -> impl Iterator<Item = &Key> {
        self.units.iter().flat_map(|unit| &unit.keys)
    }
}

/// What happens while experiments run.
#[derive(Debug)]
pub enum Event<'a> {
    /// An experiment is finished, and its line is written.
    Finished(&'a Record),
    /// An experiment failed; the others go on.
    Failed {
        /// Which.
        key: &'a Key,
        /// Why.
        error: &'a Error,
    },
}

/// Runs the planned experiments on so many threads, and writes each one's line as it finishes.
/// Returns how many experiments failed.
///
/// Each experiment has a thread for itself: the number of threads changes no result, and what a
/// thread's clock says is what the experiment took.
pub fn run(
    comparison: &Comparison<'_>,
    plan: &Plan,
    threads: usize,
    folder: &mut ResultsFolder,
    observer: &mut (dyn FnMut(Event<'_>) + Send),
) -> Result<usize> {
    let next = AtomicUsize::new(0);
    let stopped = AtomicBool::new(false);
    let failed = AtomicUsize::new(0);
    let desk = Mutex::new((folder, observer));
    let finish = |unit: &Unit, outcome: Result<Vec<Record>>| -> Result<()> {
        let (folder, observer) = &mut *desk.lock().expect("nobody panics at the desk");
        match outcome {
            Ok(records) => {
                folder.append(&records)?;
                records.iter().for_each(|record| observer(Event::Finished(record)));
            }
            Err(error) => {
                failed.fetch_add(unit.keys.len(), Ordering::Relaxed);
                unit.keys.iter().for_each(|key| observer(Event::Failed { key, error: &error }));
            }
        }
        Ok(())
    };
    let work = || -> Result<()> {
        while !stopped.load(Ordering::Relaxed)
            && let Some(unit) = plan.units.get(next.fetch_add(1, Ordering::Relaxed))
        {
            finish(unit, conduct(comparison, unit))
                .inspect_err(|_| stopped.store(true, Ordering::Relaxed))?;
        }
        Ok(())
    };
    let on_one_thread = || -> Result<()> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        pool.expect("a thread can be started").install(work)
    };
    thread::scope(|scope| {
        let workers = threads.clamp(1, plan.units.len().max(1));
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(on_one_thread)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no experiment panics"))
    })?;
    Ok(failed.into_inner())
}

/// Learns once, and asks the experiment's tasks for every key.
fn conduct(comparison: &Comparison<'_>, unit: &Unit) -> Result<Vec<Record>> {
    let experiment = comparison.experiment(&unit.target, unit.repeat)?;
    let clock = CpuClock::start();
    let lesson = unit.recipe.learn(&experiment)?;
    let train_seconds = clock.seconds();
    let measure = |key: &Key| measure(&experiment, &lesson, key, train_seconds);
    unit.keys.iter().map(measure).collect()
}

/// Topics and terms of the topics table.
const TOP: (usize, usize) = (3, 10);

fn measure(
    experiment: &Experiment<'_>,
    lesson: &Lesson,
    key: &Key,
    train_seconds: f64,
) -> Result<Record> {
    let Lesson { learned, training, weights } = lesson;
    let em_steps = key.em_steps.unwrap_or(0);
    let clock = CpuClock::start();
    let likelihood = |(number, task): (usize, &Episode)| Likelihood {
        log_likelihood: learned.log_likelihood(task, number, em_steps),
        words: task.query.total_words(),
    };
    let tasks: Vec<Likelihood> = experiment.tasks.iter().enumerate().map(likelihood).collect();
    let fit_seconds = clock.seconds() / tasks.len() as f64;
    let pooled: Likelihood = tasks.iter().copied().sum();
    if !pooled.log_likelihood.is_finite() {
        let number = tasks.iter().position(|task| !task.log_likelihood.is_finite());
        let episode = format!("task {}", number.unwrap_or(0));
        return Err(Error::NotFinite { episode, corpus: key.target.clone() });
    }
    Ok(Record {
        key: key.clone(),
        seed: experiment.seed,
        perplexity: pooled.perplexity(),
        log_likelihood: pooled.log_likelihood,
        query_words: pooled.words,
        tasks: tasks.len(),
        train_seconds,
        fit_seconds,
        training: training.clone(),
        weights: weights.clone(),
        validation_corpora: experiment.roles.validation.iter().map(|c| c.name.clone()).collect(),
        task_log_likelihoods: tasks.iter().map(|task| task.log_likelihood).collect(),
        task_words: tasks.iter().map(|task| task.words).collect(),
        top_terms: top_terms(experiment, learned.as_ref(), em_steps),
    })
}

/// The topics of the first task, in words.
fn top_terms(
    experiment: &Experiment<'_>,
    learned: &dyn Learned,
    em_steps: usize,
) -> Vec<Vec<String>> {
    let vocabulary = experiment.comparison.vocabulary;
    let term = |&term: &u32| vocabulary.term(term).to_owned();
    let topics = learned.top_terms(&experiment.tasks[0], em_steps, TOP.0, TOP.1);
    topics.iter().map(|terms| terms.iter().map(term).collect()).collect()
}
