//! Runs experiments in parallel, each on one thread.

use crate::plan::{Plan, Unit};
use crate::protocol::{KeyOf, Line, Protocol};
use crate::results::Folder;
use handful::{Error, Result};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// An event while experiments run.
#[derive(Debug)]
pub enum Event<'a, L: Line> {
    /// An experiment finished, and its line was written.
    Finished(&'a L),
    /// An experiment failed. The others continue.
    Failed {
        /// The experiment.
        key: &'a L::Key,
        /// The reason.
        error: &'a Error,
    },
}

/// Runs the planned experiments on `threads` threads, and writes each result when it is ready.
/// Returns how many experiments failed.
///
/// Each experiment runs on a single thread. So the number of threads does not affect the results,
/// and the thread's clock shows what the experiment took.
pub fn run<P: Protocol>(
    protocol: &P,
    plan: &Plan<KeyOf<P::Line>, P::Recipe>,
    threads: usize,
    folder: &mut Folder<P::Line>,
    observer: &mut (dyn FnMut(Event<'_, P::Line>) + Send),
) -> Result<usize> {
    let next = AtomicUsize::new(0);
    let stopped = AtomicBool::new(false);
    let failed = AtomicUsize::new(0);
    let desk = Mutex::new((folder, observer));
    let finish = |unit: &Unit<_, _>, outcome: Result<Vec<P::Line>>| -> Result<()> {
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
            finish(unit, protocol.conduct(&unit.recipe, &unit.keys))
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
