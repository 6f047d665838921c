//! Mixed handfuls on planted corpora.

use crate::support::settings;
use handful::internals::corpus::{Corpus, WordCounts};
use handful::text::Vocabulary;
use handful_lab::groups::{
    GROUPING_METHODS, GroupingMethod, GroupsFolder, GroupsRecord, MixedHandfuls, TaskShape,
    grouping_method,
};
use handful_lab::tables::Report;
use handful_lab::{Plan, Protocol, Settings, run};

const CORPORA: usize = 11;
/// Terms that a corpus shares with no other.
const OWN: usize = 6;

/// Eleven corpora of five documents. Each has six terms of its own, most of which each of its
/// documents has, and all share two.
fn corpora() -> Vec<Corpus> {
    let corpus = |c: usize| {
        let mut documents = WordCounts::new();
        for n in 0..5 {
            let own = (0..OWN).map(|i| (c * OWN + i, if i == n { 0 } else { 2 + (i + n) % 3 }));
            let common = (0..2).map(|i| (CORPORA * OWN + i, 3));
            let row = own.chain(common).map(|(term, count)| (term as u32, count as u32));
            documents.push_row(row);
        }
        let ids = (0..5).map(|n| format!("d{n}")).collect();
        Corpus { name: format!("c{c:02}"), ids, documents }
    };
    (0..CORPORA).map(corpus).collect()
}

fn vocabulary() -> Vocabulary {
    let term = |term: usize| format!("t{term:02}");
    Vocabulary::from_terms((0..CORPORA * OWN + 2).map(term).collect()).unwrap()
}

fn with_tasks(tasks: usize) -> Settings {
    let mut settings = Settings { tasks, ..settings() };
    settings.training.max_steps = 50;
    settings
}

/// The records of some methods, sorted by their keys.
fn records(tasks: usize, methods: &[&str], repeats: usize, threads: usize) -> Vec<GroupsRecord> {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let mixed =
        MixedHandfuls::new(with_tasks(tasks), TaskShape::default(), &corpora, &vocabulary).unwrap();
    let methods: Vec<_> = methods.iter().map(|id| grouping_method(id).unwrap()).collect();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("groups");
    let mut folder = GroupsFolder::for_protocol(&path, &mixed).unwrap();
    let plan = Plan::new::<GroupsRecord>(mixed.wanted(&methods, repeats).unwrap(), &[]);
    assert_eq!(run(&mixed, &plan, threads, &mut folder, &mut |_| ()).unwrap(), 0);
    let mut records = GroupsFolder::open(&path).unwrap().records;
    records.sort_by(|a, b| a.key.cmp(&b.key));
    records
}

fn all() -> Vec<&'static str> {
    let learns = |method: &&GroupingMethod| method.asks_for().is_none();
    GROUPING_METHODS.iter().filter(learns).map(|method| method.id).collect()
}

#[test]
fn corpora_with_words_of_their_own_are_told_apart() {
    for record in records(30, &["k-means", "k-means-both", "nmf"], 2, 2) {
        assert_eq!(record.purity, 1.0, "{}", record.key);
        assert!((record.nmi - 1.0).abs() < 1e-12, "{}", record.key);
    }
}

#[test]
fn training_documents_do_not_tell_apart_what_shares_no_word_with_them() {
    // What is left to the decomposition is the two terms that all documents have alike.
    let [record] = &records(200, &["k-means-svd"], 1, 1)[..] else { panic!("one was asked for") };
    assert!(record.purity < 0.7, "{}", record.purity);
}

#[test]
fn chance_is_what_can_be_counted() {
    let [record] = &records(3000, &["random"], 1, 1)[..] else { panic!("one was asked for") };
    // Means over all 3⁶ ways to put six documents into three groups, NMI by scikit-learn. Four
    // standard errors are 0.0088 and 0.013.
    assert!((record.purity - 0.604938).abs() < 0.0088, "{}", record.purity);
    assert!((record.nmi - 0.430791).abs() < 0.013, "{}", record.nmi);
}

#[test]
fn a_seed_gives_the_same_numbers_on_any_number_of_threads() {
    let timeless = |mut record: GroupsRecord| {
        (record.course.train_seconds, record.course.fit_seconds) = (0.0, 0.0);
        record
    };
    let one: Vec<_> = records(5, &all(), 2, 1).into_iter().map(timeless).collect();
    let several: Vec<_> = records(5, &all(), 2, 3).into_iter().map(timeless).collect();
    assert_eq!(one.len(), 2 * all().len());
    assert_eq!(one, several);
}

#[test]
fn models_have_a_topic_a_corpus_and_are_trained_on_as_many_documents() {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let mixed =
        MixedHandfuls::new(with_tasks(5), TaskShape::default(), &corpora, &vocabulary).unwrap();
    let draw = mixed.draw(0).unwrap();
    let common = draw.material.common;
    assert_eq!((common.topics, common.episode.support_size), (3, 6));
    assert_eq!(mixed.settings().training, *common);
    let [record] = &records(5, &["iwata"], 1, 1)[..] else { panic!("one was asked for") };
    assert_eq!(record.course.training.as_ref().unwrap().training_em_steps, 4);
}

#[test]
fn nothing_is_learned_from_what_is_mixed_and_repeats_draw_anew() {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let mixed =
        MixedHandfuls::new(with_tasks(40), TaskShape::default(), &corpora, &vocabulary).unwrap();
    let mut held_out = Vec::new();
    for repeat in 0..8 {
        let draw = mixed.draw(repeat).unwrap();
        let roles = &draw.material.roles;
        assert_eq!((roles.training.len(), roles.validation.len(), draw.held_out.len()), (3, 2, 6));
        let learned = roles.training.iter().chain(&roles.validation);
        assert!(learned.into_iter().all(|seen| draw.held_out.iter().all(|h| h.name != seen.name)));
        for task in &draw.tasks {
            let mut classes = task.classes.clone();
            classes.sort_unstable();
            assert!(classes.chunks(2).all(|pair| pair[0] == pair[1]), "{classes:?}");
            classes.dedup();
            assert_eq!(classes.len(), 3);
            let documents = task.classes.iter().zip(&task.documents);
            let mut distinct: Vec<_> = documents.clone().collect();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), 6);
            for (n, (&class, &document)) in documents.enumerate() {
                let whole = draw.held_out[class].documents.row(document);
                assert!(task.words.row(n).eq(whole));
            }
        }
        let places: Vec<bool> = draw.tasks.iter().map(|t| t.classes[0] == t.classes[1]).collect();
        assert!(places.contains(&true) && places.contains(&false), "documents have no order");
        held_out.push(draw.held_out.iter().map(|corpus| corpus.name.clone()).collect::<Vec<_>>());
    }
    held_out.sort();
    held_out.dedup();
    assert!(held_out.len() > 5, "{held_out:?}");
}

#[test]
fn a_task_has_the_shape_that_is_asked_for() {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let shape = TaskShape { corpora: 6, documents_of_each: 4 };
    let mixed = MixedHandfuls::new(with_tasks(9), shape, &corpora, &vocabulary).unwrap();
    assert_eq!(TaskShape::of(mixed.settings()), shape);
    let draw = mixed.draw(0).unwrap();
    let common = draw.material.common;
    assert_eq!((common.topics, common.episode.support_size), (6, 24));
    assert_eq!(draw.held_out.len(), 7, "one more than a task has");
    for task in &draw.tasks {
        let mut classes = task.classes.clone();
        classes.sort_unstable();
        assert!(classes.chunks(4).all(|four| four.iter().all(|class| *class == four[0])));
        classes.dedup();
        assert_eq!((classes.len(), task.words.documents()), (6, 24));
    }
}

#[test]
fn corpora_that_are_too_small_are_never_asked_but_learned_from() {
    let (mut corpora, vocabulary) = (corpora(), vocabulary());
    let usual = corpora.clone();
    for small in [2, 4] {
        corpora[small].documents = WordCounts::new();
        corpora[small].documents.push_row([(0, 1)]);
        corpora[small].ids.truncate(1);
    }
    let mixed = |corpora| {
        MixedHandfuls::new(with_tasks(5), TaskShape::default(), corpora, &vocabulary).unwrap()
    };
    assert_eq!(mixed(&usual).left_out(), None);
    let with_small = mixed(&corpora);
    let expected = "2 corpora have fewer than 2 usable documents and are never asked: c02, c04";
    assert_eq!(with_small.left_out().unwrap(), expected);
    let mut learned = Vec::new();
    for repeat in 0..8 {
        let draw = with_small.draw(repeat).unwrap();
        assert!(draw.held_out.iter().all(|corpus| !["c02", "c04"].contains(&&*corpus.name)));
        let roles = &draw.material.roles;
        learned.extend(roles.training.iter().chain(&roles.validation).map(|c| c.name.clone()));
    }
    assert!(learned.contains(&"c02".to_owned()));
}

#[test]
fn corpora_that_are_too_few_for_what_is_learned_are_refused() {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let wanted = |corpora: &[Corpus], method: &str| {
        let shape = TaskShape::default();
        let mixed = MixedHandfuls::new(with_tasks(5), shape, corpora, &vocabulary)?;
        let wanted = mixed.wanted(&[grouping_method(method).unwrap()], 1)?;
        let draw = mixed.draw(0)?;
        let roles = &draw.material.roles;
        assert_eq!(draw.held_out.len(), 6);
        assert_eq!(wanted.len(), 1);
        Ok::<_, handful::Error>((roles.training.len(), roles.validation.len()))
    };
    let refusal = |corpora: &[Corpus], method| wanted(corpora, method).unwrap_err().to_string();
    // Two validate.
    assert_eq!(wanted(&corpora[..9], "iwata").unwrap(), (1, 2));
    let message = refusal(&corpora[..8], "iwata");
    let expected = "the corpora: there are 8, but mixed handfuls need 9: 6 to mix, 2 to validate";
    assert!(message.starts_with(expected), "{message}");
    assert_eq!(wanted(&corpora[..8], "k-means").unwrap(), (2, 0), "nothing is validated");
    let message = refusal(&corpora[..6], "k-means");
    let expected =
        "the corpora: there are 6, but mixed handfuls need 7: 6 to mix and one to train on";
    assert!(message.starts_with(expected), "{message}");
    assert_eq!(wanted(&corpora[..6], "lda-ind").unwrap(), (0, 0), "nothing is learned");
    let message = refusal(&corpora[..5], "lda-ind");
    let expected =
        "the corpora: 5 of 5 have at least 2 usable documents, but mixed handfuls need 6";
    assert!(message.starts_with(expected), "{message}");
}

#[test]
fn the_table_has_means_over_tasks_and_over_repeats() {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let mixed =
        MixedHandfuls::new(with_tasks(2), TaskShape::default(), &corpora, &vocabulary).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("groups");
    let mut folder = GroupsFolder::for_protocol(&path, &mixed).unwrap();
    let template = records(2, &["random"], 1, 1).remove(0);
    for (method, repeat, purities) in [
        ("random", 0, [0.4, 0.5]),
        ("nmf", 0, [0.9, 1.0]),
        ("random", 1, [0.6, 0.5]),
        ("nmf", 1, [0.7, 1.0]),
        ("nmf", 2, [0.1, 0.1]),
    ] {
        let mut record = template.clone();
        record.key.method = method.to_owned();
        record.key.repeat = repeat;
        record.task_purities = purities.to_vec();
        record.task_nmis = purities.to_vec();
        record.task_aris = Vec::new();
        folder.append(&[record]).unwrap();
    }
    let report = Report::of_groups(&folder).unwrap();
    // Of nmf's 0.9, 1.0, 0.7, 1.0 the mean is 0.9 and the standard error √(0.06/12) = 0.0707, and of
    // 0.95 and 0.85 it is 0.05; of random's 0.5, √(0.02/12) = 0.0408, and of 0.45 and 0.55, 0.05. The
    // differences 0.5, 0.5, 0.1, 0.5 have t = 0.4/0.1 = 4 with 3 degrees of freedom, p = 0.028.
    for part in [
        "over the tasks of 2 repeats. Left out: 1 that not every method has.",
        "\n| nmf | **0.900 ± 0.071** | 0.050 |  | **0.900 ± 0.071** | 0.050 |  |\n",
        "\n| random | 0.500 ± 0.041 | 0.050 | 0.028 | 0.500 ± 0.041 | 0.050 | 0.028 |\n",
    ] {
        assert!(report.markdown.contains(part), "{part} is not in {}", report.markdown);
    }
    let names: Vec<&str> = report.files.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["groups-summary.csv", "groups-by-repeat.csv"]);
    assert_eq!(report.files[1].1.lines().count(), 1 + 2 * 2);
    // With the adjusted Rand index, the tables have three columns more.
    for record in &mut folder.records {
        record.task_aris = record.task_purities.clone();
    }
    let report = Report::of_groups(&folder).unwrap();
    let part = "\n| random | 0.500 ± 0.041 | 0.050 | 0.028 | 0.500 ± 0.041 | 0.050 | 0.028 | \
                0.500 ± 0.041 | 0.050 | 0.028 |\n";
    assert!(report.markdown.contains(part), "{}", report.markdown);
    assert!(report.files[0].1.lines().next().unwrap().contains(",ari_p_value,"));
}
