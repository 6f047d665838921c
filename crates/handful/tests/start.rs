//! What a prior finds in the training corpora before its first step: it is told of, can be stopped, and is
//! kept in checkpoints.

use handful::internals::corpus::{Corpus, WordCounts};
use handful::internals::prior::{HandfulSettings, Prior, PriorSettings, StartPart, Starting};
use handful::internals::storage::Tensors;
use handful::internals::train::{
    CheckpointPlan, Outcome, Progress, TrainSettings, TrainingCorpora, ValidationChoice, train,
};
use safetensors::SafeTensors;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

const TERMS: usize = 40;

/// Each corpus has terms that it prefers.
fn corpora() -> Vec<Corpus> {
    (0..5)
        .map(|c| {
            let mut documents = WordCounts::new();
            for n in 0..6 {
                documents.push_row((0..40).map(|j| (j, u32::from(j % 5 == c) * 3 + (j * n) % 2)));
            }
            let ids = (0..6).map(|n| n.to_string()).collect();
            Corpus { name: format!("corpus {c}"), ids, documents }
        })
        .collect()
}

fn settings() -> TrainSettings {
    let shape = HandfulSettings { dimension: 8, hidden: 8, themes: 4, ..Default::default() };
    TrainSettings {
        topics: 3,
        em_steps: 2,
        max_steps: 6,
        ..TrainSettings::of(PriorSettings::Handful(shape))
    }
}

/// A run that the observer hears of, with checkpoints at `path`.
fn run(
    settings: &TrainSettings,
    path: &Path,
    observer: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> handful::Result<Outcome> {
    let corpora = corpora();
    let roles = TrainingCorpora::choose(&corpora, &[], &ValidationChoice::Drawn(1), 1)?;
    let plan = CheckpointPlan { path: path.to_owned(), every: 1000, resume: true };
    train(&roles, TERMS, settings, Some(&plan), observer)
}

/// A run to its end, and what was heard of its start.
fn whole(path: &Path) -> (Tensors<f32>, Vec<Starting>) {
    let mut heard = Vec::new();
    let outcome = run(&settings(), path, &mut |progress| {
        if let Progress::Starting(starting) = progress {
            heard.push(starting);
        }
        ControlFlow::Continue(())
    });
    match outcome.unwrap() {
        Outcome::Finished(trained) => (trained.prior.to_tensors(), heard),
        Outcome::Interrupted { .. } => panic!("nobody interrupted it"),
    }
}

/// Leaves the checkpoint of a run that was stopped after its first step.
fn stop_after_first_step(path: &Path) {
    let outcome = run(&settings(), path, &mut |progress| match progress {
        Progress::Stepped { .. } => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    assert!(matches!(outcome, Ok(Outcome::Interrupted { step: 1, resumable: true })));
}

#[test]
fn the_observer_hears_of_every_piece_of_the_start_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let (_, heard) = whole(&folder.path().join("checkpoint"));
    for part in [StartPart::WordVectors, StartPart::Themes] {
        let of_part: Vec<&Starting> = heard.iter().filter(|heard| heard.part == part).collect();
        assert!(of_part.len() > 1, "{part:?}");
        for (i, heard) in of_part.iter().enumerate() {
            assert_eq!((heard.done, heard.of), (i, of_part.len()), "{part:?}");
        }
    }
    assert!(heard.is_sorted_by_key(|heard| heard.part == StartPart::Themes));
}

#[test]
fn a_start_stopped_anywhere_ends_at_once_and_the_next_ends_with_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let (expected, all) = whole(&path);
    for last in [0, 2, all.len() / 2, all.len() - 1] {
        let mut heard = Vec::new();
        let outcome = run(&settings(), &path, &mut |progress| {
            heard.push(progress);
            if heard.len() > last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(matches!(outcome, Ok(Outcome::Interrupted { step: 0, resumable: false })));
        assert_eq!(heard.len(), last + 1);
        assert_eq!(heard[last], Progress::Starting(all[last]));
        assert!(!path.exists(), "there is nothing to go on from");
    }
    assert_eq!(whole(&path).0, expected);
}

#[test]
fn a_resumed_run_does_not_make_the_start_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let (expected, _) = whole(&path);
    stop_after_first_step(&path);
    let (resumed, heard) = whole(&path);
    assert_eq!(heard, []);
    assert_eq!(resumed, expected);
}

#[test]
fn a_checkpoint_of_another_run_is_refused_before_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    stop_after_first_step(&path);
    let other = TrainSettings { seed: 2, ..settings() };
    let error = run(&other, &path, &mut |progress| panic!("{progress:?}")).unwrap_err();
    assert!(error.to_string().contains("seed was 1 and is now 2"), "{error}");
}

#[test]
fn a_checkpoint_that_lacks_what_the_start_found_is_refused_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    stop_after_first_step(&path);
    let bytes = fs::read(&path).unwrap();
    let (_, header) = SafeTensors::read_metadata(&bytes).unwrap();
    // One that was written elsewhere has no checksum.
    let mut metadata = header.metadata().clone();
    assert!(metadata.as_mut().and_then(|entries| entries.remove("crc32")).is_some());
    let tensors = SafeTensors::deserialize(&bytes).unwrap();
    let themes =
        ["alpha", "floor", "counts", "index", "above"].map(|name| format!("themes.{name}"));
    let others = ["words.unigram", "metric.whitening"].map(str::to_owned);
    for name in themes.into_iter().chain(others) {
        let others: Vec<_> = tensors.iter().filter(|(other, _)| *other != name).collect();
        assert_eq!(others.len() + 1, tensors.len());
        fs::write(&path, safetensors::serialize(others, metadata.clone()).unwrap()).unwrap();
        let error = run(&settings(), &path, &mut |progress| panic!("{progress:?}")).unwrap_err();
        assert!(error.to_string().contains(&format!("has no tensor `{name}`")), "{error}");
    }
}
