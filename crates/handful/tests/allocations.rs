//! A training step works in the memory of the steps before it.

use handful::internals::corpus::{Corpus, WordCounts};
use handful::internals::prior::{
    FreeSettings, HandfulSettings, IwataSettings, MamlSettings, PriorSettings,
};
use handful::internals::random::{Purpose, stream};
use handful::internals::train::{TrainSettings, Trainer, TrainingCorpora, ValidationChoice};
use rand::RngExt;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

/// Counts what is asked of the system's allocator.
struct Counting;

// SAFETY: every call is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `alloc` above, and so from the system's allocator.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as in `dealloc` and `alloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Corpora whose documents all have the same terms, each so often that support and query have them
/// all: no episode is larger than another.
fn corpora() -> Vec<Corpus> {
    (0..3)
        .map(|c| {
            let mut stream = stream(1, Purpose::Evaluation, c);
            let mut documents = WordCounts::new();
            for _ in 0..4 {
                documents.push_row((0..40).map(|term| (term, stream.random_range(120..130))));
            }
            let ids = (0..4).map(|n| n.to_string()).collect();
            Corpus { name: format!("corpus {c}"), ids, documents }
        })
        .collect()
}

#[test]
fn a_training_step_allocates_nothing_after_the_first() {
    let corpora = corpora();
    let roles = TrainingCorpora::choose(&corpora, &[], &ValidationChoice::Drawn(0), 1).unwrap();
    let iwata = PriorSettings::Iwata(IwataSettings { hidden: 32, ..IwataSettings::default() });
    let maml = PriorSettings::Maml(MamlSettings::default());
    let handful = PriorSettings::Handful(HandfulSettings {
        dimension: 32,
        hidden: 32,
        themes: 16,
        ..HandfulSettings::default()
    });
    // One pool for all: what the threads of another do while they end would count, too.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        for (prior, episodes_per_step) in [
            (iwata, 1),
            (iwata, 3),
            (PriorSettings::Free(FreeSettings::default()), 1),
            (maml, 1),
            (maml, 3),
            (handful, 3),
        ] {
            let settings = TrainSettings { prior, episodes_per_step, ..TrainSettings::default() };
            let mut trainer = Trainer::new(&roles, 600, &settings).unwrap();
            trainer.step().unwrap();
            let before = ALLOCATIONS.load(Ordering::Relaxed);
            for _ in 0..20 {
                trainer.step().unwrap();
            }
            let allocations = ALLOCATIONS.load(Ordering::Relaxed) - before;
            assert_eq!(allocations, 0, "{prior:?}, {episodes_per_step} episodes a step");
        }
    });
}
