//! Experiments side by side, each on one thread.

use crate::cpu_clock::CpuClock;
use crate::methods::{Learned, Lesson};
use crate::plan::{Plan, Unit};
use crate::results::{Key, Record, ResultsFolder};
use crate::{Comparison, Experiment};
use handful::corpus::Episode;
use handful::train::Likelihood;
use handful::{Error, Result};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

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
