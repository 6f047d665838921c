//! Threads that stay awake through a piece of work.

use std::sync::atomic::{AtomicBool, Ordering};

/// Looks for work in vain after which a thread may go to sleep: a fraction of a millisecond.
const PATIENCE: u32 = 5000;

/// Does the work while the pool's other threads look for parts of it without going to sleep.
///
/// A training step, and a fit, is a chain of parallel pieces that take microseconds each; a thread
/// that fell asleep between two of them would take longer to wake than the piece takes.
pub(crate) fn attended<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let done = AtomicBool::new(false);
    with_attendants(rayon::current_num_threads() - 1, &done, || {
        let result = work();
        done.store(true, Ordering::Release);
        result
    })
}

/// `join` and not `spawn`, because it takes no memory.
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

/// Does what there is to do until all is done, or nothing has come for long: somebody else's work may
/// wait for this very thread.
fn attend(done: &AtomicBool) {
    let mut idle = 0;
    while idle < PATIENCE && !done.load(Ordering::Acquire) {
        idle = if rayon::yield_now() == Some(rayon::Yield::Executed) { 0 } else { idle + 1 };
        std::hint::spin_loop();
    }
}
