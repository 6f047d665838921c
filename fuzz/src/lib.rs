//! What each fuzz target does with its bytes. Whatever they are, nothing may panic, take memory that
//! the bytes do not account for, or say more than a line.
//!
//! The tests of `handful-lab` include this file and run it on the stored inputs of `corpus/`.

use handful::internals::corpus::{Corpus, WordCounts};
use handful::internals::em::EmStop;
use handful::internals::prior::{IwataSettings, PriorSettings};
use handful::internals::storage::{TensorFile, TensorSource, tensor_bytes};
use handful::internals::train::{
    CheckpointPlan, Progress, TrainSettings, TrainingCorpora, ValidationChoice, train,
};
use handful::reading::{self, Format, RawDocument, ReadSettings, WordVectors};
use handful::text::{Language, TextSettings, Tokenizer, Vocabulary, decode};
use handful::views::Shown;
use handful::{Error, Fit, FitSettings, Model};
use handful_cli::internals::{read_parquet, write_from_journal};
use handful_lab::{PassageVectors, blends, groups, number, range, results, telling};
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{fs, str};

/// A target: its name and what it does.
pub type Target = (&'static str, fn(&[u8]));

/// All targets, each with a program in `fuzz_targets/` and inputs in `corpus/`.
pub const TARGETS: [Target; 13] = [
    ("documents", documents),
    ("records", records),
    ("html", html),
    ("tokenizer", tokenizer),
    ("word_vectors", word_vectors),
    ("model_directory", model_directory),
    ("topic_model_directory", topic_model_directory),
    ("results_folder", results_folder),
    ("views", views),
    ("parquet_documents", parquet_documents),
    ("groups_journal", groups_journal),
    ("training_checkpoint", training_checkpoint),
    ("given_vectors", given_vectors),
];

/// Longer texts find nothing that shorter ones do not, and take long.
const MOST_TEXT: usize = 1 << 14;

/// A document of any bytes: packed or not, in any encoding.
pub fn documents(bytes: &[u8]) {
    let mut input = bytes;
    let _ = refused_in_a_line(reading::read_documents(
        &["-".into()],
        &ReadSettings::default(),
        &mut input,
    ));
}

/// Records in a format that the first byte chooses, for a fit and for training.
pub fn records(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let formats = [Format::JsonLines, Format::Csv, Format::Tsv];
    let format = Some(formats[usize::from(first) % formats.len()]);
    let settings = ReadSettings { format, ..ReadSettings::default() };
    let (mut once, mut again) = (rest, rest);
    let _ = refused_in_a_line(reading::read_documents(&["-".into()], &settings, &mut once));
    let _ = refused_in_a_line(reading::read_corpora(&["-".into()], &settings, &mut again));
}

/// A web page, and its paragraphs.
pub fn html(bytes: &[u8]) {
    static TOKENIZER: LazyLock<Tokenizer> =
        LazyLock::new(|| Tokenizer::new(&TextSettings::default()));
    let settings = ReadSettings { format: Some(Format::Html), ..ReadSettings::default() };
    let mut input = bytes;
    let read = reading::read_documents(&["-".into()], &settings, &mut input);
    if let Ok(read) = refused_in_a_line(read) {
        reading::split_paragraphs(read.documents, &TOKENIZER);
    }
}

/// A text in a language and with settings that the first bytes choose, mail among them.
pub fn tokenizer(bytes: &[u8]) {
    static TOKENIZERS: LazyLock<Vec<Tokenizer>> = LazyLock::new(|| {
        let languages = ["en", "de", "zh", "ja", "th", "ru", "ar"];
        let mut tokenizers = Vec::new();
        for language in languages {
            let language: Language = language.parse().expect("a language that is known");
            for (letters_only, keep_mail) in [(true, false), (true, true), (false, false)] {
                let settings = TextSettings::default().in_language(language);
                let settings = TextSettings { letters_only, keep_mail, ..settings };
                tokenizers.push(Tokenizer::new(&settings));
            }
        }
        tokenizers
    });
    let Some((&first, rest)) = bytes.split_first() else { return };
    let Ok(text) = str::from_utf8(&rest[..rest.len().min(MOST_TEXT)]) else { return };
    let tokenizer = &TOKENIZERS[usize::from(first) % TOKENIZERS.len()];
    let mut end = 0;
    tokenizer.for_each_token_in_place(text, |token, range| {
        assert!(!token.is_empty() && end <= range.start && range.end <= text.len(), "{range:?}");
        assert!(text.get(range.clone()).is_some(), "{range:?} is between characters");
        end = range.start;
    });
    let document =
        RawDocument { corpus: None, id: "a".into(), content: reading::Content::Text(text.into()) };
    assert!(!reading::split_paragraphs(vec![document], tokenizer).is_empty());
    // It looks into the lists of all languages, which takes long.
    if first >= 0x80 {
        handful::text::detect_languages([text]);
    }
}

/// Word vectors, and a vocabulary.
pub fn word_vectors(bytes: &[u8]) {
    if let Ok(decoded) = refused_in_a_line(decode(bytes.to_vec(), "vectors.txt")) {
        let _ = refused_in_a_line(WordVectors::parse(&decoded.text, "vectors.txt"));
        if let Ok(vocabulary) = refused_in_a_line(Vocabulary::parse(&decoded.text, "terms.txt")) {
            let again = Vocabulary::parse(&vocabulary.to_text(), "terms.txt");
            assert_eq!(again.expect("what was written is read").terms(), vocabulary.terms());
        }
    }
}

/// A model directory with one file replaced.
pub fn model_directory(bytes: &[u8]) {
    static BASES: LazyLock<Vec<Files>> = LazyLock::new(|| stored(["model", "iwata_model"]));
    let Some(files) = with_a_file_replaced(&BASES, bytes) else { return };
    let Ok(model) = refused_in_a_line(Model::of_files(&files, "fuzzed")) else { return };
    model.card();
    if let Ok(fit) = refused_in_a_line(model.fit(["bee hive honey", "bread and oven"], &brief())) {
        let _ = refused_in_a_line(fit.summary(&Shown::default()));
    }
}

/// A topic model directory with one file replaced.
pub fn topic_model_directory(bytes: &[u8]) {
    static BASES: LazyLock<Vec<Files>> =
        LazyLock::new(|| stored(["topic_model", "iwata_topic_model"]));
    let Some(files) = with_a_file_replaced(&BASES, bytes) else { return };
    let Ok(fit) = refused_in_a_line(Fit::of_files(&files)) else { return };
    let _ = refused_in_a_line(fit.to_text(&Shown::default()));
    let _ = refused_in_a_line(fit.summary(&Shown::default()));
    let _ = refused_in_a_line(fit.infer_until(["bee hive honey", "bread and oven"], two_steps()));
    if let Ok(written) = refused_in_a_line(fit.to_files()) {
        Fit::of_files(&written).expect("what was written is read");
    }
}

/// A folder of results of one kind with one file replaced: the first byte chooses the kind, the second
/// the file.
pub fn results_folder(bytes: &[u8]) {
    let [kind, file, rest @ ..] = bytes else { return };
    let folder = tempfile::tempdir().expect("a folder for results");
    static SETTINGS: LazyLock<serde_json::Value> = LazyLock::new(|| {
        let settings = fs::read(repository().join("results/debian/settings.json"));
        serde_json::from_slice(&settings.expect("a stored file")).expect("JSON")
    });
    let settings = SETTINGS.clone();
    match kind % 6 {
        0 => open_results::<results::Record>(folder.path(), settings, *file, rest),
        1 => open_results::<range::RangeRecord>(folder.path(), settings, *file, rest),
        2 => open_results::<groups::GroupsRecord>(folder.path(), settings, *file, rest),
        3 => open_results::<blends::BlendsRecord>(folder.path(), settings, *file, rest),
        4 => open_results::<number::NumberRecord>(folder.path(), settings, *file, rest),
        _ => open_results::<telling::TellingRecord>(folder.path(), settings, *file, rest),
    }
}

/// Documents with any names and texts, and all views of their fit.
pub fn views(bytes: &[u8]) {
    static MODEL: LazyLock<Model> = LazyLock::new(|| {
        let [files] = &stored(["model"])[..] else { unreachable!("one was asked for") };
        Model::of_files(files, "stored").expect("the stored model opens")
    });
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MOST_TEXT)]);
    let documents = text.split('\u{1e}').take(6).map(|document| {
        let (id, text) = document.split_once('\u{1f}').unwrap_or((document, ""));
        (id, format!("{text} bee hive honey"))
    });
    let documents: Vec<(&str, String)> = documents.collect();
    // Choosing a number of topics fits again and again, and shows in no view.
    let settings = brief().with_topics(2);
    let Ok(mut fit) = refused_in_a_line(MODEL.fit(&documents, &settings)) else { return };
    let _ = refused_in_a_line(fit.name_topic(0, documents[0].0));
    let mut shown = Shown::default();
    shown.sentences = Some(2);
    let _ = refused_in_a_line(fit.to_text(&shown));
    let summary = refused_in_a_line(fit.summary(&shown)).expect("a fit has a summary");
    serde_json::to_string(&summary).expect("a summary is plain data");
    fit.report().expect("a fit has a page");
    fit.topics_csv(&shown).expect("terms have an order");
    fit.documents_csv();
    let _ = refused_in_a_line(fit.explain(documents[0].0));
    Fit::of_files(&fit.to_files().expect("a fit can be saved")).expect("and opened");
}

/// Documents of a Parquet file, each in a group or not: the first byte chooses.
pub fn parquet_documents(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let folder = tempfile::tempdir().expect("a folder for a file");
    let path = folder.path().join("a.parquet");
    fs::write(&path, rest).expect("a small file");
    let group_column = (!first.is_multiple_of(2)).then(|| "group".to_owned());
    let settings =
        ReadSettings { group_column, max_input_size: 1 << 20, ..ReadSettings::default() };
    let _ = refused_in_a_line(read_parquet(&path, &settings));
}

/// The journal of a run that fits groups, and the file that is written from it. The first byte chooses the
/// file's format, and whether the bytes are all of the journal or come after its true first line.
pub fn groups_journal(bytes: &[u8]) {
    static MODEL: LazyLock<Model> = LazyLock::new(|| {
        let [files] = &stored(["iwata_model"])[..] else { unreachable!("one was asked for") };
        Model::of_files(files, "stored").expect("the stored model opens")
    });
    static FIRST_LINE: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let folder = tempfile::tempdir().expect("a folder for a file");
        let out = folder.path().join("out.csv");
        write_from_journal(&MODEL, two_groups(), &out).expect("a new journal");
        fs::read(folder.path().join("out.csv.part")).expect("it was just made")
    });
    let Some((&first, rest)) = bytes.split_first() else { return };
    let folder = tempfile::tempdir().expect("a folder for a file");
    let out = ["out.jsonl", "out.csv", "out.parquet"][usize::from(first / 2) % 3];
    let line: &[u8] = if first.is_multiple_of(2) { &[] } else { &FIRST_LINE };
    let journal = folder.path().join(format!("{out}.part"));
    fs::write(&journal, [line, rest].concat()).expect("a small file");
    let finished =
        refused_in_a_line(write_from_journal(&MODEL, two_groups(), &folder.path().join(out)));
    if let Ok(finished) = finished {
        assert!(finished <= 2, "{finished} of two groups are finished");
        let text = fs::read(folder.path().join(out)).expect("it was just written");
        if out == "out.jsonl" {
            assert_eq!(text.iter().filter(|&&byte| byte == b'\n').count(), finished);
        }
    }
}

/// The checkpoint of a training, which goes on from there: a file of any bytes, or a true one with another
/// header, or with some entries of its header replaced. The first byte chooses.
pub fn training_checkpoint(bytes: &[u8]) {
    /// Trains from the checkpoint on, if there is one, for two steps at most.
    fn go_on(path: &Path) -> Result<(), Error> {
        static CORPORA: LazyLock<Vec<Corpus>> =
            LazyLock::new(|| ["a", "b", "c"].map(corpus).into());
        let shape = IwataSettings { hidden: 2, ..IwataSettings::default() };
        let settings = TrainSettings {
            prior: PriorSettings::Iwata(shape),
            topics: 2,
            em_steps: 1,
            max_steps: 6,
            validation_every: 2,
            validation_tasks: 1,
            ..TrainSettings::default()
        };
        let validation = ValidationChoice::Drawn(1);
        let roles = TrainingCorpora::choose(&CORPORA, &[], &validation, settings.seed)?;
        let plan = CheckpointPlan { path: path.to_owned(), every: 1000, resume: true };
        let mut steps = 0;
        train(&roles, TERMS as usize, &settings, Some(&plan), &mut |progress| {
            steps += u32::from(matches!(progress, Progress::Stepped { .. }));
            if steps < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
        .map(|_| ())
    }
    static TRUE: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let folder = tempfile::tempdir().expect("a folder for a file");
        let path = folder.path().join("checkpoint");
        go_on(&path).expect("a small training");
        fs::read(path).expect("it was just written")
    });
    let Some((&first, rest)) = bytes.split_first() else { return };
    let content = match first % 3 {
        0 => rest.to_vec(),
        1 => with_header(&TRUE, String::from_utf8_lossy(rest).into_owned()),
        _ => {
            let mut header = header(&TRUE);
            let Ok(serde_json::Value::Object(entries)) = serde_json::from_slice(rest) else {
                return;
            };
            entries.into_iter().for_each(|(name, entry)| header[name] = entry);
            with_header(&TRUE, header.to_string())
        }
    };
    let folder = tempfile::tempdir().expect("a folder for a file");
    let path = folder.path().join("checkpoint");
    fs::write(&path, content).expect("a small file");
    let _ = refused_in_a_line(go_on(&path));
}

/// Vectors of documents, or of passages, that were made elsewhere: the first byte chooses.
pub fn given_vectors(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let folder = tempfile::tempdir().expect("a folder for a file");
    let path = folder.path().join("vectors.jsonl");
    fs::write(&path, rest).expect("a small file");
    if first.is_multiple_of(2) {
        let _ = refused_in_a_line(PassageVectors::read(&path));
    } else {
        let _ = refused_in_a_line(groups::GivenVectors::read(&path, &[&corpus("a"), &corpus("b")]));
    }
}

/// How many terms the corpora have.
const TERMS: u32 = 6;

fn corpus(name: &str) -> Corpus {
    let mut documents = WordCounts::new();
    for n in 0..3 {
        documents.push_row((0..TERMS).map(|term| (term, 1 + (term + n) % 3)));
    }
    let ids = ["0", "1", "2"].map(str::to_owned).into();
    Corpus { name: name.to_owned(), ids, documents }
}

fn two_groups() -> Vec<RawDocument> {
    let document = |group: &str| RawDocument {
        corpus: Some(group.into()),
        id: "a".into(),
        content: reading::Content::Text("bee hive honey".into()),
    };
    ["one", "two"].map(document).into()
}

/// The entry of a checkpoint's metadata that says what is in it.
const HEADER: &str = "handful-checkpoint";

fn header(checkpoint: &[u8]) -> serde_json::Value {
    let file = TensorFile::from_bytes("stored", checkpoint.to_vec()).expect("a checkpoint");
    serde_json::from_str(file.metadata(HEADER).expect("a header")).expect("JSON")
}

/// A checkpoint with another header, and without a checksum, which would not agree.
fn with_header(checkpoint: &[u8], header: String) -> Vec<u8> {
    let file = TensorFile::from_bytes("stored", checkpoint.to_vec()).expect("a checkpoint");
    let names = file.names();
    let tensors = names.iter().map(|name| {
        let (shape, values) = file.tensor(name).expect("floats").expect("it is named");
        (name.clone(), shape, values.into_owned())
    });
    let tensors: Vec<(String, Vec<usize>, Vec<f32>)> = tensors.collect();
    let views =
        tensors.iter().map(|(name, shape, values)| (name.clone(), shape.clone(), &values[..]));
    tensor_bytes(views, Some(HashMap::from([(HEADER.to_owned(), header)])))
}

type Files = BTreeMap<String, Vec<u8>>;

fn two_steps() -> EmStop {
    EmStop::Steps(2)
}

fn brief() -> FitSettings {
    let mut settings = FitSettings::default();
    settings.em_stop = Some(two_steps());
    settings
}

/// Directories that the first format version wrote.
fn stored<const N: usize>(names: [&str; N]) -> Vec<Files> {
    let fixtures = repository().join("crates/handful-cli/tests/fixtures/version_1");
    names.map(|name| files_of(&fixtures.join(name))).into()
}

fn repository() -> &'static Path {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = folder.ancestors().find(|folder| folder.join("fuzz/corpus").is_dir());
    root.expect("the targets are run in the repository")
}

fn files_of(folder: &Path) -> Files {
    let entries = fs::read_dir(folder).expect("a stored directory");
    let file = |path: PathBuf| {
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        (name, fs::read(path).expect("a stored file"))
    };
    entries.map(|entry| file(entry.expect("a stored file").path())).collect()
}

/// Of one of some directories, all files with one replaced: the first byte chooses both.
fn with_a_file_replaced(bases: &[Files], bytes: &[u8]) -> Option<Files> {
    let (&first, rest) = bytes.split_first()?;
    let first = usize::from(first);
    let mut files = bases[first % bases.len()].clone();
    let number = first / bases.len() % files.len();
    *files.values_mut().nth(number)? = rest.to_vec();
    Some(files)
}

fn open_results<L: handful_lab::Line>(
    folder: &Path,
    mut settings: serde_json::Value,
    file: u8,
    bytes: &[u8],
) {
    settings["format"] = L::FORMAT.into();
    let name = if file.is_multiple_of(2) { "settings.json" } else { L::FILE };
    fs::write(folder.join("settings.json"), settings.to_string()).expect("a small file");
    fs::write(folder.join(name), bytes).expect("a small file");
    let _ = refused_in_a_line(results::Folder::<L>::open(folder));
    results::has_lines_of::<L>(folder);
}

/// An error is a sentence on one line, because it is printed on a line of its own.
fn refused_in_a_line<T>(result: Result<T, Error>) -> Result<T, Error> {
    if let Err(error) = &result {
        let sentence = error.to_string();
        assert!(!sentence.contains('\n'), "{sentence}");
    }
    result
}
