//! The inputs that are kept for fuzzing, run without a fuzzer: whatever is stored there breaks nothing.

#[path = "../../../fuzz/src/lib.rs"]
mod targets;

use std::fs;
use std::path::Path;

#[test]
fn stored_inputs_break_nothing() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for (name, target) in targets::TARGETS {
        let inputs =
            fs::read_dir(corpus.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut paths: Vec<_> = inputs.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        assert!(paths.len() >= 2, "{name} has too few inputs");
        for path in paths {
            // Said if it fails.
            println!("{}", path.display());
            target(&fs::read(&path).unwrap());
        }
    }
}

#[test]
fn every_target_has_a_program() {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/fuzz_targets");
    let mut found: Vec<String> = fs::read_dir(programs)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    found.sort();
    let mut named = targets::TARGETS.map(|(name, _)| name);
    named.sort_unstable();
    assert_eq!(found, named);
}
