//! Keeps threads awake through a piece of work.

use std::sync::atomic::{AtomicBool, Ordering};

/// How often a thread looks for work in vain before it may sleep. This takes a fraction of a
/// millisecond.
const PATIENCE: u32 = 5000;

/// Does `work` while the pool's other threads look for parts of it without going to sleep.
///
/// A training step, like a fit, is a chain of parallel pieces that take microseconds each. A thread
/// that fell asleep between two pieces would take longer to wake up than a piece takes.
pub(crate) fn attended<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let done = AtomicBool::new(false);
    with_attendants(rayon::current_num_threads() - 1, &done, || {
        let result = work();
        done.store(true, Ordering::Release);
        result
    })
}

/// Uses `join` instead of `spawn`, because it does not allocate.
fn with_attendants<T: Send>(
    attendants: usize,
    done: &AtomicBool,
    work: impl FnOnce() -> T + Send,
) -> T {
    if attendants == 0 {
        return work();
    }
    rayon::join(|| with_attendants(attendants - 1, done, work), || attend(done)).0
}

/// Works until `done`, or until no work has come for a while: work from elsewhere may be waiting
/// for this thread.
fn attend(done: &AtomicBool) {
    let mut idle = 0;
    while idle < PATIENCE && !done.load(Ordering::Acquire) {
        idle = if rayon::yield_now() == Some(rayon::Yield::Executed) { 0 } else { idle + 1 };
        std::hint::spin_loop();
    }
}
