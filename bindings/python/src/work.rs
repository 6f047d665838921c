//! Long work: on threads of its own, with the interpreter's lock released, ended by Ctrl-C.

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How often the calling thread looks for a signal and tells how far the work is.
const TICK: Duration = Duration::from_millis(50);

/// How long work that was told to stop may take to end in order. After that the caller goes on, and the
/// work ends by itself as soon as it looks.
const GRACE: Duration = Duration::from_millis(100);

/// The pool of this process, and the process it belongs to.
struct OwnPool {
    process: u32,
    /// How many threads were asked for; 0 for one a core.
    asked: usize,
    threads: ThreadPool,
}

/// A child that was forked has the memory of its parent's pool, but none of its threads. So a pool is never
/// used by another process than the one that made it, and never dropped: dropping would wait for threads.
static POOL: AtomicPtr<OwnPool> = AtomicPtr::new(ptr::null_mut());

/// The threads that do the work of this process. They are started at the first use, not at import.
fn pool() -> PyResult<&'static ThreadPool> {
    match current() {
        Some(pool) if pool.process == process::id() => Ok(&pool.threads),
        other => Ok(&put_in_place(other.map_or(0, |pool| pool.asked))?.threads),
    }
}

/// The last pool that was made, in this process or in the one that it was forked from.
fn current() -> Option<&'static OwnPool> {
    // SAFETY: the pointer is null or came from `Box::leak`, and what it points to never changes.
    unsafe { POOL.load(Ordering::Acquire).as_ref() }
}

fn put_in_place(asked: usize) -> PyResult<&'static OwnPool> {
    let threads = ThreadPoolBuilder::new()
        .num_threads(asked)
        .thread_name(|n| format!("handful {n}"))
        .build()
        .map_err(|error| PyRuntimeError::new_err(format!("no threads can be started ({error})")))?;
    let pool = OwnPool { process: process::id(), asked, threads };
    let pool: &'static OwnPool = Box::leak(Box::new(pool));
    POOL.store(ptr::from_ref(pool).cast_mut(), Ordering::Release);
    Ok(pool)
}

/// Sets how many threads this process works with; 0 for one a core. Their number changes no result.
#[pyfunction]
pub fn set_threads(threads: i64) -> PyResult<()> {
    let number = u16::try_from(threads).map_err(|_| {
        PyValueError::new_err(format!(
            "threads is {threads}; it must be from 1 to {}, or 0 for one a core",
            u16::MAX
        ))
    })?;
    put_in_place(number.into()).map(|_| ())
}

/// Says to work that nobody waits for it any more.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Whether to go on, for the library's observers.
    pub fn flow(&self) -> ControlFlow<()> {
        if self.0.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

type Done<T> = Result<T, Box<dyn Any + Send>>;

/// Work that was told to stop.
pub struct Abandoned<T> {
    /// Why: a `KeyboardInterrupt`, or what a progress callback raised.
    pub error: PyErr,
    /// Where its end can be waited for, if it did not end at once.
    pub ending: Option<Mutex<Receiver<Done<T>>>>,
}

/// Does `work` in the pool and waits for it. Every 50 ms the calling thread looks for signals, calls
/// `tick`, and tells the work to stop if either raises.
pub fn watched<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Stop) -> T + Send + 'static,
    tick: &mut dyn FnMut(Python<'_>) -> PyResult<()>,
) -> Result<T, Abandoned<T>> {
    let at_once = |error| Abandoned { error, ending: None };
    let (stop, (send, receive)) = (Stop::default(), sync_channel::<Done<T>>(1));
    let (flag, receive) = (stop.clone(), Mutex::new(receive));
    pool().map_err(at_once)?.spawn(move || {
        let done = catch_unwind(AssertUnwindSafe(|| work(&flag)));
        // Nobody may be there any more.
        let _ = send.send(done);
    });
    loop {
        match received(py, &receive, TICK) {
            Ok(done) => return done.map_err(|panic| at_once(bug(&panic))),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(at_once(PyRuntimeError::new_err("the work was lost")));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(error) = py.check_signals().and_then(|()| tick(py)) {
            stop.set();
            let has_ended = received(py, &receive, GRACE).is_ok();
            if !has_ended {
                // Whoever called goes on, and shall not wait for threads that work for nobody.
                put_in_place(current().map_or(0, |pool| pool.asked)).map_err(at_once)?;
            }
            return Err(Abandoned { error, ending: (!has_ended).then_some(receive) });
        }
    }
}

fn received<T: Send>(
    py: Python<'_>,
    receive: &Mutex<Receiver<Done<T>>>,
    patience: Duration,
) -> Result<Done<T>, RecvTimeoutError> {
    py.detach(|| receive.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(patience))
}

/// Does `work` in the pool and waits for it, or raises `KeyboardInterrupt`.
pub fn done<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Stop) -> T + Send + 'static,
) -> PyResult<T> {
    watched(py, work, &mut |_| Ok(())).map_err(|abandoned| abandoned.error)
}

/// The exception for a panic, which is a bug.
fn bug(panic: &Box<dyn Any + Send>) -> PyErr {
    let said = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    PyRuntimeError::new_err(format!("Handful has a bug: {said}; please report it with your input"))
}
