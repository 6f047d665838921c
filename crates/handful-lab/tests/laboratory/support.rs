//! Small corpora with planted themes, and comparisons on them.

use handful::internals::corpus::{Corpus, WordCounts};
use handful::internals::nn::AdamSettings;
use handful::internals::prior::{IwataSettings, PriorSettings};
use handful::internals::train::TrainSettings;
use handful::text::Vocabulary;
use handful_lab::results::{Key, Prediction, Record, ResultsFolder};
use handful_lab::{Comparison, Plan, Request, Settings, Study, run};

pub const TERMS: usize = 24;

/// Seven corpora of six documents. A document speaks mostly of one of three themes, of eight terms
/// each, two of which are frequent; which theme goes through the corpora and their documents.
pub fn corpora() -> Vec<Corpus> {
    let corpus = |c: usize| {
        let mut documents = WordCounts::new();
        for n in 0..6 {
            let theme = (c + n) % 3;
            let count = |term: usize| {
                let often = if term / 8 == theme { 5 } else { 1 };
                let times = if term.is_multiple_of(4) { 4 } else { 1 };
                (term as u32, (times * ((term * 7 + n * 5 + c * 3) % (often + 1))) as u32)
            };
            documents.push_row((0..TERMS).map(count));
        }
        Corpus { name: format!("c{c}"), ids: (0..6).map(|n| format!("d{n}")).collect(), documents }
    };
    (0..7).map(corpus).collect()
}

pub fn vocabulary() -> Vocabulary {
    Vocabulary::from_terms((0..TERMS).map(|term| format!("t{term:02}")).collect()).unwrap()
}

/// Networks so small that a training takes a moment.
pub fn settings() -> Settings {
    let prior = PriorSettings::Iwata(IwataSettings { hidden: 8, ..IwataSettings::default() });
    let training = TrainSettings {
        prior,
        topics: 3,
        em_steps: 4,
        adam: AdamSettings { learning_rate: 0.02, ..TrainSettings::default().adam },
        max_steps: 150,
        validation_every: 25,
        validation_tasks: 20,
        patience: 3,
        ..TrainSettings::default()
    };
    Settings { training, validation_corpora: 2, tasks: 10, ..Settings::default() }
}

/// A request for these methods on the first two corpora.
pub fn request(methods: &[&str]) -> Request {
    let method = |id: &&str| handful_lab::methods::method(id).unwrap();
    Request {
        studies: vec![Study {
            methods: methods.iter().map(method).collect(),
            sweep: None,
            values: None,
        }],
        targets: vec!["c0".to_owned(), "c1".to_owned()],
        repeats: 1,
    }
}

/// Makes all experiments of a request; the records are sorted by their keys.
pub fn records(request: &Request, threads: usize) -> Vec<Record> {
    records_with(settings(), request, threads)
}

/// The same with settings of one's own.
pub fn records_with(settings: Settings, request: &Request, threads: usize) -> Vec<Record> {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let comparison = Comparison::new(settings, &corpora, &vocabulary).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("results");
    let mut folder = ResultsFolder::for_protocol(&path, &comparison).unwrap();
    let plan = Plan::new::<Record>(request.wanted(&comparison).unwrap(), &[]);
    let failed = run(&comparison, &plan, threads, &mut folder, &mut |_| ()).unwrap();
    assert_eq!(failed, 0);
    let mut records = ResultsFolder::open(&path).unwrap().records;
    records.sort_by(|a, b| a.key.cmp(&b.key));
    records
}

/// What a method predicted on `c0`.
pub fn find<'a>(
    records: &'a [Record],
    method: &str,
    size: (Option<usize>, Option<usize>),
) -> &'a Prediction {
    let wanted = |Record { key: Key { method: m, target, topics, em_steps, .. }, .. }: &&Record| {
        m == method && target == "c0" && (*topics, *em_steps) == size
    };
    let record = records.iter().find(wanted);
    &record.unwrap_or_else(|| panic!("no {method} of {size:?}")).prediction
}
