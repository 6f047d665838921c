//! One model for every use, on small corpora.

use crate::support::{corpora, settings, vocabulary};
use handful::internals::corpus::{Corpus, WordCounts};
use handful::internals::em::EmStop;
use handful::internals::evaluate::{draw_tasks, task_likelihood};
use handful::internals::prior::{FitPrior, HandfulSettings, PriorSettings};
use handful::internals::train::{Outcome, TrainSettings, train};
use handful_lab::range::{
    Axis, RANGE_METHODS, RangeFolder, RangeMethod, RangeOfUse, RangeRecord, RangeRequest,
    range_method,
};
use handful_lab::results::Prediction;
use handful_lab::{Comparison, Plan, Settings, run};
use std::ops::ControlFlow;
use std::sync::OnceLock;

fn short() -> Settings {
    let mut settings = settings();
    settings.training.max_steps = 50;
    settings
}

fn range_request(methods: &[&str], axes: &[Axis]) -> RangeRequest {
    RangeRequest {
        axes: axes.to_vec(),
        methods: methods.iter().map(|id| range_method(id).unwrap()).collect(),
        targets: vec!["c0".to_owned()],
        repeats: 1,
    }
}

fn all() -> Vec<&'static str> {
    let learns = |method: &&RangeMethod| method.asks_for().is_none();
    RANGE_METHODS.iter().filter(learns).map(|method| method.id).collect()
}

/// Makes all experiments of a request; the records are sorted by their keys.
fn records(request: &RangeRequest, threads: usize) -> Vec<RangeRecord> {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let range = RangeOfUse::new(short(), &corpora, &vocabulary).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("range");
    let mut folder = RangeFolder::for_protocol(&path, &range).unwrap();
    let plan = Plan::new::<RangeRecord>(request.wanted(&range).unwrap(), &[]);
    assert_eq!(run(&range, &plan, threads, &mut folder, &mut |_| ()).unwrap(), 0);
    let mut records = RangeFolder::open(&path).unwrap().records;
    records.sort_by(|a, b| a.key.cmp(&b.key));
    records
}

/// The records of all methods and axes, made once on two threads for all tests.
fn all_records() -> &'static [RangeRecord] {
    static RECORDS: OnceLock<Vec<RangeRecord>> = OnceLock::new();
    RECORDS.get_or_init(|| records(&range_request(&all(), &Axis::ALL), 2))
}

fn of_method<'a>(records: &'a [RangeRecord], method: &str) -> Vec<&'a RangeRecord> {
    records.iter().filter(|record| record.key.method == method).collect()
}

fn find<'a>(records: &'a [RangeRecord], method: &str, axis: Axis, value: usize) -> &'a Prediction {
    let mut of_method = of_method(records, method).into_iter();
    let found = of_method.find(|record| (record.key.axis, record.key.value) == (axis, value));
    &found.unwrap_or_else(|| panic!("no {method} of {axis} {value}")).prediction
}

#[test]
fn a_seed_gives_the_same_numbers_on_any_number_of_threads() {
    let timeless = |record: &RangeRecord| {
        let mut record = record.clone();
        (record.prediction.train_seconds, record.prediction.fit_seconds) = (0.0, 0.0);
        record
    };
    let one = records(&range_request(&all(), &Axis::ALL), 1);
    let one: Vec<_> = one.iter().map(timeless).collect();
    let two: Vec<_> = all_records().iter().map(timeless).collect();
    assert_eq!(one, two);
    // K: all six values; N: 1, 2, 3, 5, as a corpus has six documents; words: 5, 20 and 50.
    assert_eq!(one.len(), 4 * (6 + 4 + 3));
}

#[test]
fn one_training_serves_every_setting_and_others_have_one_each() {
    let records = all_records();
    let for_all = of_method(records, "handful-for-all");
    assert_eq!(for_all.len(), 13);
    let first = &for_all[0].prediction;
    for RangeRecord { key, prediction } in for_all {
        assert_eq!(prediction.train_seconds, first.train_seconds, "{key}");
        assert_eq!(prediction.training, first.training, "{key}");
    }
    let mut seconds: Vec<f64> = of_method(records, "handful")
        .iter()
        .map(|record| record.prediction.train_seconds)
        .collect();
    seconds.sort_by(f64::total_cmp);
    seconds.dedup();
    // None of K's values is the settings' 3, and all have another N or length.
    assert_eq!(seconds.len(), 13);
}

#[test]
fn the_usual_setting_is_learned_once_wherever_it_is_met() {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let mut settings = short();
    settings.training.topics = 5;
    let range = RangeOfUse::new(settings, &corpora, &vocabulary).unwrap();
    let request = range_request(&all(), &[Axis::Topics, Axis::Documents]);
    let wanted = request.wanted(&range).unwrap();
    let recipe = |method: &str, axis, value| {
        let key = wanted
            .iter()
            .find(|(key, _)| (&*key.method, key.axis, key.value) == (method, axis, value));
        &key.unwrap().1
    };
    for method in all() {
        assert_eq!(recipe(method, Axis::Topics, 5), recipe(method, Axis::Documents, 3), "{method}");
    }
    for (method, depends_on_topics) in [
        ("handful-for-all", false),
        ("handful", true),
        ("smoothed-lda", false),
        ("smoothed", false),
    ] {
        let is_same = recipe(method, Axis::Topics, 1) == recipe(method, Axis::Topics, 50);
        assert_eq!(is_same, !depends_on_topics, "{method}");
    }
}

#[test]
fn methods_get_the_same_tasks_and_each_setting_its_own() {
    let records = all_records();
    for RangeRecord { key, prediction } in records {
        let first = find(records, "smoothed", key.axis, key.value);
        assert_eq!(prediction.task_words, first.task_words, "{key}");
        assert_eq!(prediction.validation_corpora, first.validation_corpora, "{key}");
    }
    let words = |axis, value| find(records, "smoothed", axis, value).query_words;
    assert_eq!(words(Axis::Topics, 1), words(Axis::Documents, 3));
    assert!(words(Axis::Documents, 1) < words(Axis::Documents, 5));
    // A fifth of 3 × 50 words in ten tasks; five standard deviations are 77.
    assert!(words(Axis::Length, 50).abs_diff(300) < 77, "{}", words(Axis::Length, 50));
}

#[test]
fn the_usual_setting_is_that_of_the_comparison() {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let comparison = Comparison::new(short(), &corpora, &vocabulary).unwrap();
    for method in &all()[1..] {
        let experiment = comparison.experiment("c0", 0).unwrap();
        let method = handful_lab::methods::method(method).unwrap();
        let lesson = method.recipe(&short(), 3, 4).learn(&experiment.material).unwrap();
        let tasks = experiment.tasks.iter().enumerate();
        let likelihood = |(n, task)| lesson.learned.log_likelihood(task, n, EmStop::Steps(4));
        let expected: Vec<f64> = tasks.map(likelihood).collect();
        let found = find(all_records(), method.id, Axis::Documents, 3);
        assert_eq!(found.task_log_likelihoods, expected, "{}", method.id);
    }
}

/// What `handful train` makes of the corpora of `c0`'s first experiment, asked for held-out words.
fn trained_directly(axis: Axis, value: usize, vary: bool) -> Vec<f64> {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let comparison = Comparison::new(short(), &corpora, &vocabulary).unwrap();
    let experiment = comparison.experiment("c0", 0).unwrap();
    let seed = experiment.material.seed;
    let asked = axis.setting(&short().training, value);
    let usual = TrainSettings::of(PriorSettings::Handful(HandfulSettings::default()));
    let mut settings = TrainSettings {
        topics: if vary { 3 } else { asked.topics },
        em_steps: 4,
        max_steps: 50,
        validation_every: 25,
        validation_tasks: 20,
        patience: 3,
        vary,
        seed,
        ..usual
    };
    settings.adam.cosine_steps = Some(50);
    if !vary {
        settings.episode = asked.episode;
    }
    let go_on = &mut |_| ControlFlow::Continue(());
    let roles = &experiment.material.roles;
    let outcome = train(roles, vocabulary.len(), &settings, None, go_on).unwrap();
    let Outcome::Finished(trained) = outcome else { panic!("nobody interrupts it") };
    let prior = FitPrior::from(&trained.prior).with_topics(asked.topics);
    let tasks = draw_tasks(experiment.target, asked.episode, 10, seed).unwrap();
    let likelihood = |task| task_likelihood(prior, task, EmStop::Steps(4)).log_likelihood;
    tasks.iter().map(likelihood).collect()
}

#[test]
fn models_are_trained_with_the_episodes_of_their_use() {
    for (axis, value) in
        [(Axis::Topics, 5), (Axis::Documents, 5), (Axis::Length, 20), (Axis::Length, 50)]
    {
        for (method, vary) in [("handful-for-all", true), ("handful", false)] {
            let found = &find(all_records(), method, axis, value).task_log_likelihoods;
            assert_eq!(*found, trained_directly(axis, value, vary), "{method}, {axis} {value}");
        }
    }
}

#[test]
fn mixtures_are_tuned_for_each_setting() {
    for method in ["smoothed", "smoothed-lda"] {
        let weights = |axis, value| &find(all_records(), method, axis, value).weights;
        assert_eq!(weights(Axis::Topics, 1), weights(Axis::Topics, 50));
        assert_ne!(weights(Axis::Documents, 1), weights(Axis::Documents, 5));
        assert_ne!(weights(Axis::Length, 5), weights(Axis::Length, 50));
    }
}

#[test]
fn settings_that_a_target_is_too_small_for_are_left_out_and_named() {
    let (mut corpora, vocabulary) = (corpora(), vocabulary());
    // 57 words are enough for three documents of 5, and not for three of 20.
    let rows = [18, 19, 20].map(|words| [(0, words)]);
    let mut documents = WordCounts::new();
    rows.into_iter().for_each(|row| documents.push_row(row));
    let ids = ["a", "b", "c"].map(str::to_owned).to_vec();
    corpora[1] = Corpus { name: "small".to_owned(), ids, documents };
    corpora.sort_by(|a, b| a.name.cmp(&b.name));
    let range = RangeOfUse::new(short(), &corpora, &vocabulary).unwrap();
    let mut request = range_request(&all(), &Axis::ALL);
    request.targets = vec!["small".to_owned()];
    let wanted = request.wanted(&range).unwrap();
    let mut values: Vec<(Axis, usize)> =
        wanted.iter().map(|(key, _)| (key.axis, key.value)).collect();
    values.dedup();
    let expected = [1, 2, 5, 10, 20, 50].map(|value| (Axis::Topics, value)).into_iter();
    let expected = expected.chain([1, 2, 3].map(|value| (Axis::Documents, value)));
    assert_eq!(values, expected.chain([(Axis::Length, 5)]).collect::<Vec<_>>());
    let because = "left out, because it has 3 documents with 57 words in all";
    assert_eq!(
        request.left_out(&range).unwrap(),
        [
            format!("corpus small: N=5, 10, 20, 50 {because}"),
            format!("corpus small: documents of 20, 50, 200, 1000, 5000 words {because}"),
        ]
    );
    request.targets = vec!["tall".to_owned()];
    let message = request.wanted(&range).unwrap_err().to_string();
    assert!(message.contains("did you mean `small`?"), "{message}");
}
