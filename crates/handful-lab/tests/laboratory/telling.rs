//! Telling the topics of planted texts by terms.

use crate::support::settings;
use handful::internals::corpus::{Corpus, build_vocabulary, corpora_from};
use handful::reading::{Content, RawDocument};
use handful::text::{TextSettings, Tokenizer, Vocabulary};
use handful_lab::groups::TaskShape;
use handful_lab::tables::Report;
use handful_lab::telling::{
    SHAPES, TELLING_METHODS, Telling, TellingFolder, TellingRecord, telling_method,
};
use handful_lab::{Plan, Reader, Settings, run};

/// Texts of corpora of these sizes. Each corpus has ten words of its own; a document of 120 words says
/// nine of them, and every third word is common to all.
struct Texts {
    documents: Vec<RawDocument>,
    corpora: Vec<Corpus>,
    vocabulary: Vocabulary,
}

fn text_settings() -> TextSettings {
    TextSettings { min_documents: 1, ..TextSettings::default() }
}

impl Texts {
    fn new(sizes: &[usize]) -> Self {
        let letter = |i: usize| char::from(b'a' + i as u8);
        let word = |c: usize, n: usize, i: usize| match i % 3 {
            0 => "common".to_owned(),
            _ => format!("word{}{}", letter(c), letter((n + i % 9 + i / 60) % 10)),
        };
        let document = |c: usize, n: usize| {
            let words: Vec<String> = (0..120).map(|i| word(c, n, i)).collect();
            let content = Content::Text(words.join(" "));
            RawDocument { corpus: Some(format!("c{c}")), id: n.to_string(), content }
        };
        let documents: Vec<RawDocument> = sizes
            .iter()
            .enumerate()
            .flat_map(|(c, &size)| (0..size).map(move |n| document(c, n)))
            .collect();
        let text = text_settings();
        let vocabulary = build_vocabulary(&documents, &[], &text).unwrap();
        let corpora = corpora_from(&documents, &Tokenizer::new(&text), &vocabulary, 1).unwrap();
        Self { corpora: corpora.corpora, documents, vocabulary }
    }

    fn telling(&self, tasks: usize, shapes: &[TaskShape]) -> handful::Result<Telling<'_>> {
        let reader = Reader::new(&text_settings(), &self.vocabulary);
        let settings = Settings { tasks, ..settings() };
        Telling::new(settings, shapes, &self.corpora, &self.documents, reader)
    }
}

/// The records of all methods that need nothing but corpora, sorted by their keys.
fn records(tasks: usize, repeats: usize, threads: usize) -> Vec<TellingRecord> {
    let texts = Texts::new(&[18; 9]);
    let telling = texts.telling(tasks, &SHAPES).unwrap();
    let methods: Vec<_> =
        TELLING_METHODS.iter().filter(|method| method.asks_for().is_none()).collect();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("telling");
    let mut folder = TellingFolder::for_protocol(&path, &telling).unwrap();
    let plan = Plan::new::<TellingRecord>(telling.wanted(&methods, repeats).unwrap(), &[]);
    assert_eq!(run(&telling, &plan, threads, &mut folder, &mut |_| ()).unwrap(), 0);
    let mut records = TellingFolder::open(&path).unwrap().records;
    records.sort_by(|a, b| a.key.cmp(&b.key));
    records
}

#[test]
fn subjects_with_words_of_their_own_are_told_by_any_method_that_groups_them() {
    let records = records(5, 2, 2);
    assert_eq!(records.len(), 3 * 2 * 2);
    let six: Vec<&TellingRecord> =
        records.iter().filter(|record| record.key.setting == SHAPES[0]).collect();
    for record in &six {
        for (telling, ari) in record.task_telling.iter().zip(&record.task_aris) {
            assert!(*ari < 1.0 || *telling > 0.99, "{}: {telling}", record.key);
        }
        assert_eq!(record.reached, Some(1.0), "{}", record.key);
        assert_eq!(record.once, Some(0.0), "every word comes again: {}", record.key);
        assert_eq!(record.first_terms.len(), 3);
    }
    // No weight is left of the common word, which all other corpora have; LDA shows it.
    let mean = |method: &str, value: fn(&TellingRecord) -> f64| {
        let of: Vec<f64> =
            six.iter().filter(|r| r.key.method == method).map(|r| value(r)).collect();
        of.iter().sum::<f64>() / of.len() as f64
    };
    assert!(mean("nmf", |record| record.telling) > 0.9);
    assert!(mean("lda-ind", |r| r.common.unwrap()) > mean("nmf", |r| r.common.unwrap()));
}

#[test]
fn a_seed_gives_the_same_terms_on_any_number_of_threads() {
    let timeless = |mut record: TellingRecord| {
        (record.course.train_seconds, record.course.fit_seconds) = (0.0, 0.0);
        record
    };
    let all = |threads| -> Vec<TellingRecord> {
        records(2, 2, threads).into_iter().map(timeless).collect()
    };
    assert_eq!(all(1), all(3));
}

#[test]
fn corpora_without_others_to_tell_are_never_asked_and_shapes_without_corpora_left_out() {
    let texts = Texts::new(&[12, 12, 12, 16, 16, 11, 12]);
    let telling = texts.telling(3, &SHAPES).unwrap();
    let expected = [
        "1 corpus has fewer than 12 documents of 30 words and is never asked: c5",
        "K=5 N=30 is left out: 2 of 7 have at least 16 documents of 30 words, but tasks of 5 corpora \
         need 5",
    ];
    assert_eq!(telling.left_out(), expected);
    for task in telling.draw(0, SHAPES[0]).unwrap().tasks {
        assert_eq!((task.handful.len(), task.subjects()), (6, 3));
        assert!(task.others.len() >= 30);
    }
    let refusal = texts.telling(3, &SHAPES[1..]).unwrap_err().to_string();
    assert!(refusal.starts_with("the corpora: 2 of 7 have at least 16 documents"), "{refusal}");
    let shape = TaskShape { corpora: 7, documents_of_each: 1 };
    let refusal = texts.telling(3, &[shape]).unwrap_err().to_string();
    assert!(refusal.starts_with("corpora_per_task is 7"), "{refusal}");
}

#[test]
fn the_tables_have_means_over_repeats_of_what_each_shape_has() {
    let texts = Texts::new(&[18; 9]);
    let telling = texts.telling(2, &SHAPES).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let mut folder = TellingFolder::for_protocol(&directory.path().join("out"), &telling).unwrap();
    assert!(
        Report::of_telling(&folder).unwrap_err().to_string().contains("no finished experiment")
    );
    let template = records(1, 1, 1).remove(0);
    for (repeat, shape, value, once) in [
        (0, SHAPES[0], 0.25, None),
        (1, SHAPES[0], 0.75, Some(0.5)),
        (0, SHAPES[1], 0.5, None),
        (1, SHAPES[1], 0.5, None),
    ] {
        let mut record = template.clone();
        (record.key.repeat, record.key.setting) = (repeat, shape);
        record.key.method = telling_method("nmf").unwrap().id.to_owned();
        (record.telling, record.once, record.reached) = (value, once, None);
        folder.append(&[record]).unwrap();
    }
    let report = Report::of_telling(&folder).unwrap();
    let settings: Vec<&str> = report.scores.iter().map(|score| &*score.setting).collect();
    assert_eq!(settings, ["K=3 N=6", "K=5 N=30"]);
    let measure = |i: usize, name: &str| {
        let measures = &report.scores[i].measures;
        measures.iter().find(|(measure, _)| *measure == name).unwrap().1
    };
    let six = measure(0, "telling").unwrap();
    // The deviation of 0.25 and 0.75 is √0.125, and its share of √2 is 0.25.
    assert_eq!((six.mean, six.standard_error), (0.5, Some(0.25)));
    assert_eq!(measure(1, "telling").unwrap().standard_error, Some(0.0));
    assert_eq!(measure(0, "once").unwrap().mean, 0.5, "of the repeat that has it");
    assert!(measure(1, "once").is_none() && measure(0, "reached").is_none());
    assert!(!report.markdown.contains("documents reached |"), "{}", report.markdown);
}
