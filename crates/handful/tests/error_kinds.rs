//! What an error tells a program: its kind, and its sentence in three parts.

use handful::internals::corpus::{Corpus, WordCounts};
use handful::internals::model_dir::{ModelParts, check_output};
use handful::internals::nn::AdamSettings;
use handful::internals::prior::{AnyPrior, FreeSettings, HandfulSettings, PriorSettings};
use handful::internals::random::{Purpose, stream};
use handful::internals::storage::{check_file, replace_file};
use handful::internals::train::{
    CheckpointPlan, Outcome, TrainSettings, TrainingCorpora, ValidationChoice, train,
};
use handful::reading::{ReadSettings, read_documents};
use handful::text::Vocabulary;
use handful::{Error, ErrorKind, Fit, Model, Result};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::{env, fs, io};

const TERMS: usize = 6;

fn free() -> PriorSettings {
    PriorSettings::Free(FreeSettings::default())
}

/// A folder with a model in `model`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut weights = stream(1, Purpose::Weights, 0);
    let prior = AnyPrior::random(free(), TERMS, 2, &mut weights);
    let terms = Vocabulary::from_terms((0..TERMS).map(|j| format!("term{j}")).collect()).unwrap();
    let model = ModelParts::new(free(), prior, 3, terms, None, None);
    model.save(&folder.path().join("model"), false).unwrap();
    folder
}

fn kind<T>(result: Result<T>) -> ErrorKind {
    let error = result.err().expect("it should have failed");
    let sentence = error.to_string();
    let place = error.place().unwrap_or_default();
    assert!(sentence.starts_with(&*place), "{sentence}");
    assert!(sentence.ends_with(&format!("{}; {}", error.problem(), error.remedy())), "{sentence}");
    error.kind()
}

/// Reads one file as documents.
fn read(path: &Path) -> Result<()> {
    let settings = ReadSettings::default();
    read_documents(&[path.to_owned()], &settings, &mut io::empty()).map(|_| ())
}

/// Changes `config.json` of the model.
fn edit_config(model: &Path, edit: impl FnOnce(&mut serde_json::Value)) {
    let file = model.join("config.json");
    let mut config: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    edit(&mut config);
    config.as_object_mut().unwrap().remove("crc32");
    fs::write(&file, config.to_string()).unwrap();
}

/// A run on small corpora; the observer ends it at the event of this number.
fn run(settings: &TrainSettings, plan: Option<&CheckpointPlan>, last: usize) -> Result<Outcome> {
    let corpora: Vec<Corpus> = (0..4)
        .map(|c| {
            let mut documents = WordCounts::new();
            (0..4).for_each(|n| documents.push_row((0..6).map(|j| (j, 1 + (c + n + j) % 3))));
            let ids = (0..4).map(|n| n.to_string()).collect();
            Corpus { name: format!("corpus {c}"), ids, documents }
        })
        .collect();
    let roles = TrainingCorpora::choose(&corpora, &[], &ValidationChoice::Drawn(1), 1)?;
    let mut events = 0;
    train(&roles, TERMS, settings, plan, &mut |_| {
        events += 1;
        if events < last { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })
}

fn settings() -> TrainSettings {
    TrainSettings { topics: 2, max_steps: 20, ..TrainSettings::of(free()) }
}

#[test]
fn what_is_not_there_is_not_found() {
    let folder = folder();
    let nowhere = folder.path().join("nowhere");
    assert_eq!(kind(Model::open(&nowhere)), ErrorKind::NotFound);
    assert_eq!(kind(Fit::open(&nowhere)), ErrorKind::NotFound);
    assert_eq!(kind(read(&nowhere)), ErrorKind::NotFound);
    let model = folder.path().join("model");
    fs::remove_file(model.join("vocabulary.txt")).unwrap();
    assert_eq!(kind(Model::open(&model)), ErrorKind::NotFound);
}

#[test]
fn an_output_that_is_not_replaced_exists() {
    let folder = folder();
    let model = Model::open(folder.path().join("model")).unwrap();
    assert_eq!(kind(model.save(folder.path().join("model"))), ErrorKind::Exists);
    let notes = folder.path().join("notes.txt");
    fs::write(&notes, "mine").unwrap();
    assert_eq!(kind(check_file(&notes, false)), ErrorKind::Exists);
    // It is not Handful's to replace.
    assert_eq!(kind(check_output(&notes, true)), ErrorKind::Exists);
}

#[test]
fn what_is_cut_or_contradicts_itself_is_damaged() {
    let folder = folder();
    let model = folder.path().join("model");
    let weights = model.join("model.safetensors");
    let whole = fs::read(&weights).unwrap();
    for length in [0, 7, whole.len() - 1] {
        fs::write(&weights, &whole[..length]).unwrap();
        assert_eq!(kind(Model::open(&model)), ErrorKind::Damaged, "{length} bytes");
    }
    fs::write(&weights, &whole).unwrap();
    for (file, content) in [
        ("vocabulary.txt", &b"one\none\n"[..]),
        ("vocabulary.txt", b"not enough\n"),
        ("vocabulary.txt", b"\xff\xfe"),
        ("config.json", b"{"),
    ] {
        let before = fs::read(model.join(file)).unwrap();
        fs::write(model.join(file), content).unwrap();
        assert_eq!(kind(Model::open(&model)), ErrorKind::Damaged, "{file}");
        fs::write(model.join(file), before).unwrap();
    }
    edit_config(&model, |config| config["topics"] = 0.into());
    assert_eq!(kind(Model::open(&model)), ErrorKind::Damaged);
    let gzip = folder.path().join("cut.txt.gz");
    fs::write(&gzip, b"\x1f\x8b\x08\0\0\0\0\0\0\xff").unwrap();
    assert_eq!(kind(read(&gzip)), ErrorKind::Damaged);
}

#[test]
fn another_format_or_version_is_unsupported() {
    let folder = folder();
    let model = folder.path().join("model");
    edit_config(&model, |config| config["version"] = 99.into());
    assert_eq!(kind(Model::open(&model)), ErrorKind::Unsupported);
    for (name, content) in
        [("paper.pdf", &b"%PDF-1.7\n"[..]), ("data", b"\0\x01\x02"), ("all.json", b"[]")]
    {
        let file = folder.path().join(name);
        fs::write(&file, content).unwrap();
        assert_eq!(kind(read(&file)), ErrorKind::Unsupported, "{name}");
    }
}

#[test]
fn a_setting_outside_its_range_or_with_an_unknown_name_is_bad() {
    let own = TrainSettings::of(PriorSettings::Handful(HandfulSettings::default()));
    assert_eq!(kind(TrainSettings { topics: 99, ..own }.check()), ErrorKind::BadSetting);
    let none: [Corpus; 0] = [];
    let excluded = ["sciense".to_owned()];
    let choice = TrainingCorpora::choose(&none, &excluded, &ValidationChoice::Drawn(1), 1);
    assert_eq!(kind(choice), ErrorKind::BadSetting);
}

#[test]
fn documents_that_cannot_be_used_are_bad_input() {
    let folder = folder();
    let file = folder.path().join("array.jsonl");
    fs::write(&file, "[1, 2]\n").unwrap();
    assert_eq!(kind(read(&file)), ErrorKind::BadInput);
    // A directory of another kind is whole, but not what was asked for.
    assert_eq!(kind(Fit::open(folder.path().join("model"))), ErrorKind::BadInput);
    assert_eq!(kind(Model::open(&file)), ErrorKind::BadInput);
}

#[test]
fn a_file_that_is_there_and_gives_nothing_is_unreadable() {
    let folder = folder();
    let terms = folder.path().join("model/vocabulary.txt");
    fs::remove_file(&terms).unwrap();
    fs::create_dir(&terms).unwrap();
    assert_eq!(kind(Model::open(folder.path().join("model"))), ErrorKind::Unreadable);
}

#[test]
fn a_place_below_a_file_and_a_folder_in_place_of_a_file_are_unwritable() {
    let folder = folder();
    let below = folder.path().join("model/config.json/new");
    assert_eq!(kind(check_file(&below, true)), ErrorKind::Unwritable);
    assert_eq!(kind(check_output(&below, true)), ErrorKind::Unwritable);
    assert_eq!(kind(check_file(&folder.path().join("model"), true)), ErrorKind::Unwritable);
    assert_eq!(kind(replace_file(&folder.path().join("model"), b"new")), ErrorKind::Unwritable);
}

#[test]
fn only_a_full_disk_is_said_to_need_space() {
    let remedy = |kind: std::io::ErrorKind| {
        Error::write(Path::new("here"), kind.into()).remedy().into_owned()
    };
    use std::io::ErrorKind::{Other, PermissionDenied, ReadOnlyFilesystem, StorageFull};
    assert!(remedy(StorageFull).contains("free some space"));
    for kind in [PermissionDenied, ReadOnlyFilesystem, Other] {
        assert!(!remedy(kind).contains("space"), "{}", remedy(kind));
    }
    assert!(remedy(PermissionDenied).contains("may write"));
}

/// The test runs itself again, with a limit on the size of files in place of a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_is_out_of_space() {
    const INSIDE: &str = "HANDFUL_TEST_OF_A_FULL_DISK";
    if env::var_os(INSIDE).is_some() {
        let folder = tempfile::tempdir().unwrap();
        let written = replace_file(&folder.path().join("large"), &[0; 100_000]);
        assert_eq!(kind(written), ErrorKind::OutOfSpace);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        return;
    }
    let test = env::current_exe().unwrap();
    let limited = "trap '' XFSZ; ulimit -f 8; exec \"$0\" --exact a_full_disk_is_out_of_space";
    let output =
        std::process::Command::new("sh").args(["-c", limited]).arg(test).env(INSIDE, "1").output();
    let output = output.unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
fn training_that_diverges_is_not_finite() {
    let adam = AdamSettings { learning_rate: 1e38, ..AdamSettings::default() };
    let outcome = run(&TrainSettings { adam, ..settings() }, None, usize::MAX);
    assert_eq!(kind(outcome), ErrorKind::NotFinite);
}

#[test]
fn a_run_that_the_observer_ends_is_interrupted_and_says_whether_it_can_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let plan = CheckpointPlan { path, every: 1000, resume: true };
    for (plan, can_go_on) in [(None, false), (Some(&plan), true)] {
        let outcome = run(&settings(), plan, 5).unwrap();
        let error = outcome.finished().unwrap_err();
        assert!(matches!(error, Error::Interrupted { resumable, .. } if resumable == can_go_on));
        assert!(error.to_string().starts_with("stopped after step "), "{error}");
        assert_eq!(error.remedy().contains("`resume`"), can_go_on, "{error}");
        assert_eq!(kind::<()>(Err(error)), ErrorKind::Interrupted);
    }
    let trained = run(&settings(), Some(&plan), usize::MAX).unwrap().finished().unwrap();
    assert_eq!(trained.steps, 20);
}

#[test]
fn kinds_have_names_of_their_own() {
    use ErrorKind::*;
    let kinds = [
        NotFound,
        Exists,
        Damaged,
        Unsupported,
        BadSetting,
        BadInput,
        Interrupted,
        OutOfSpace,
        Unreadable,
        Unwritable,
        NotFinite,
    ];
    let names: HashSet<String> = kinds.iter().map(ToString::to_string).collect();
    assert_eq!(names.len(), kinds.len());
    assert!(names.contains("not found"));
    assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == ' ')));
}
