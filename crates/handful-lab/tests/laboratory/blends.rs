//! Blends of planted texts.

use crate::support::settings;
use handful::internals::corpus::{Corpus, build_vocabulary, corpora_from};
use handful::reading::{Content, RawDocument};
use handful::text::{TextSettings, Tokenizer, Vocabulary};
use handful_lab::blends::{BLEND_METHODS, Blends, BlendsFolder, BlendsRecord, blend_method};
use handful_lab::tables::Report;
use handful_lab::{Plan, Reader, Settings, run};

/// Texts of eleven corpora, each with words of its own.
pub struct Texts {
    documents: Vec<RawDocument>,
    corpora: Vec<Corpus>,
    vocabulary: Vocabulary,
}

const CORPORA: usize = 11;

fn text_settings() -> TextSettings {
    TextSettings { min_documents: 1, ..TextSettings::default() }
}

impl Texts {
    /// Six documents of 100 words in each corpus; every tenth word is common to all.
    fn new() -> Self {
        let letter = |i: usize| char::from(b'a' + i as u8);
        let word = |c: usize, n: usize, i: usize| match i % 10 {
            0 => "common".to_owned(),
            _ => format!("word{}{}", letter(c), letter((i * 7 + n * 3) % 13)),
        };
        let text = |c: usize, n: usize| -> String {
            (0..100).map(|i| word(c, n, i)).collect::<Vec<_>>().join(" ")
        };
        let document = |c: usize, n: usize| RawDocument {
            corpus: Some(format!("c{c:02}")),
            id: n.to_string(),
            content: Content::Text(text(c, n)),
        };
        let documents = (0..CORPORA).flat_map(|c| (0..6).map(move |n| document(c, n))).collect();
        Self::of(documents)
    }

    fn of(documents: Vec<RawDocument>) -> Self {
        let text = text_settings();
        let vocabulary = build_vocabulary(&documents, &[], &text).unwrap();
        let corpora = corpora_from(&documents, &Tokenizer::new(&text), &vocabulary, 1).unwrap();
        Self { corpora: corpora.corpora, documents, vocabulary }
    }

    fn blends(&self, settings: Settings, subjects: &[usize]) -> handful::Result<Blends<'_>> {
        let reader = Reader::new(&text_settings(), &self.vocabulary);
        Blends::new(settings, subjects, &self.corpora, &self.documents, reader)
    }
}

fn with_tasks(tasks: usize) -> Settings {
    let mut settings = Settings { tasks, ..settings() };
    settings.training.max_steps = 30;
    settings
}

/// The records of some methods, sorted by their keys.
fn records(tasks: usize, methods: &[&str], repeats: usize, threads: usize) -> Vec<BlendsRecord> {
    let texts = Texts::new();
    let blends = texts.blends(with_tasks(tasks), &[2, 3]).unwrap();
    let methods: Vec<_> = methods.iter().map(|id| blend_method(id).unwrap()).collect();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("blends");
    let mut folder = BlendsFolder::for_protocol(&path, &blends).unwrap();
    let plan = Plan::new::<BlendsRecord>(blends.wanted(&methods, repeats).unwrap(), &[]);
    assert_eq!(run(&blends, &plan, threads, &mut folder, &mut |_| ()).unwrap(), 0);
    let mut records = BlendsFolder::open(&path).unwrap().records;
    records.sort_by(|a, b| a.key.cmp(&b.key));
    records
}

#[test]
fn even_answers_have_no_correlation_and_place_one_word_in_k() {
    let records = records(20, &["even"], 1, 1);
    assert_eq!(records.len(), 2);
    for record in records {
        let k = record.key.setting.subjects as f64;
        assert!((record.words_placed - 1.0 / k).abs() < 1e-12);
        assert!((record.pure_error - (1.0 - 1.0 / k)).abs() < 1e-12);
        assert_eq!(record.correlation, None);
        assert_eq!(record.words_placed_alone.is_some(), record.key.setting.subjects == 2);
    }
}

#[test]
fn documents_taken_whole_are_right_if_pure_and_half_right_if_blended() {
    for record in records(20, &["whole"], 1, 1) {
        assert!(record.pure_error < 1e-12, "{}: {}", record.key, record.pure_error);
        // Of each blend, one subject's words are right and all others wrong; two blends may be given
        // to one subject or to two.
        let (least, most) = match record.key.setting.subjects {
            2 => (0.3, 0.7),
            _ => (0.2, 0.5),
        };
        assert!((least..most).contains(&record.words_placed), "{}", record.words_placed);
        // Alone, all words go to one subject of two.
        if let Some(alone) = record.words_placed_alone {
            assert!((alone - 0.5).abs() < 1e-12, "{alone}");
        }
    }
}

#[test]
fn words_of_their_own_show_a_topic_model_what_is_blended() {
    for record in records(20, &["lda-ind", "nmf"], 1, 2) {
        assert!(record.words_placed > 0.8, "{}: {}", record.key, record.words_placed);
        assert!(record.error < 0.1, "{}: {}", record.key, record.error);
        assert!(record.correlation.unwrap() > 0.8, "{}: {:?}", record.key, record.correlation);
    }
}

#[test]
fn a_seed_gives_the_same_numbers_on_any_number_of_threads() {
    let learn: Vec<&str> = BLEND_METHODS
        .iter()
        .filter(|method| method.asks_for().is_none())
        .map(|method| method.id)
        .collect();
    let timeless = |mut record: BlendsRecord| {
        (record.course.train_seconds, record.course.fit_seconds) = (0.0, 0.0);
        record
    };
    let all = |threads| -> Vec<BlendsRecord> {
        records(3, &learn, 2, threads).into_iter().map(timeless).collect()
    };
    let one = all(1);
    assert_eq!(one.len(), 2 * 2 * learn.len());
    assert_eq!(one, all(3));
}

#[test]
fn nothing_is_learned_from_what_is_blended_and_repeats_draw_anew() {
    let of_repeats = records(2, &["whole"], 6, 2);
    let mut held_out = Vec::new();
    for record in of_repeats {
        let course = record.course;
        assert_eq!((course.held_out_corpora.len(), course.validation_corpora.len()), (6, 2));
        let is_held_out = |name: &String| course.held_out_corpora.contains(name);
        assert!(!course.validation_corpora.iter().any(is_held_out));
        held_out.push(course.held_out_corpora);
    }
    held_out.sort();
    held_out.dedup();
    assert!(held_out.len() > 6, "{held_out:?}");
}

#[test]
fn what_cannot_be_blended_is_refused_in_a_sentence() {
    let refusal = |texts: Texts, subjects: &[usize]| {
        texts.blends(with_tasks(2), subjects).unwrap_err().to_string()
    };
    let mut counted = Texts::new().documents;
    for document in &mut counted {
        document.content = Content::counts([("moon".to_owned(), 100)]);
    }
    assert_eq!(
        refusal(Texts::of(counted), &[2]),
        "document 0: is word counts, but blends join parts of texts; give the documents as text"
    );
    // Three documents of each corpus but two are too few.
    let few = Texts::new().documents.into_iter().enumerate();
    let few = few.filter(|(i, _)| i % 6 < 3 || i / 6 < 2).map(|(_, document)| document);
    let message = refusal(Texts::of(few.collect()), &[2, 3]);
    let expected = "the corpora: 2 of 11 have at least 4 documents of 80 words, but blends of 3 \
                    subjects need 3; ";
    assert!(message.starts_with(expected), "{message}");
    assert!(refusal(Texts::new(), &[1]).contains("corpora_per_task is 1"));
}

#[test]
fn the_tables_have_means_over_the_repeats_that_all_methods_have() {
    let texts = Texts::new();
    let blends = texts.blends(with_tasks(2), &[2, 3]).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("blends");
    let mut folder = BlendsFolder::for_protocol(&path, &blends).unwrap();
    let template = records(2, &["even"], 1, 1).remove(0);
    for (method, repeat, error, correlation) in [
        ("nmf", 0, 0.1, Some(0.5)),
        ("nmf", 1, 0.3, Some(0.7)),
        ("nmf", 2, 0.9, Some(0.9)),
        ("even", 0, 0.2, None),
        ("even", 1, 0.2, None),
    ] {
        let mut record = template.clone();
        record.key.method = method.to_owned();
        record.key.repeat = repeat;
        (record.error, record.correlation) = (error, correlation);
        (record.pure_error, record.words_placed) = (0.25, 0.75);
        record.words_placed_alone = None;
        folder.append(&[record]).unwrap();
    }
    let report = Report::of_blends(&folder).unwrap();
    for part in [
        "\n## K=2\n\nMean and standard error over 2 repeats. Left out: 1 that not every method has.",
        "\n| nmf | 0.200 ± 0.100 | 0.600 ± 0.100 | 0.250 ± 0.000 | 0.750 ± 0.000 |\n",
        "\n| even | 0.200 ± 0.000 |  | 0.250 ± 0.000 | 0.750 ± 0.000 |\n",
    ] {
        assert!(report.markdown.contains(part), "{part} is not in {}", report.markdown);
    }
    let names: Vec<&str> = report.files.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["blends-summary.csv", "blends-by-repeat.csv"]);
    let header =
        "setting,repeat,method,error,correlation,pure_error,words_placed,words_placed_alone";
    assert_eq!(report.files[1].1.lines().next(), Some(header));
    assert_eq!(report.files[1].1.lines().count(), 1 + 2 * 2);
}
