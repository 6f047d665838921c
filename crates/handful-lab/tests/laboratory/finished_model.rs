//! A finished model gets the tasks of every other method.

use crate::support::{corpora, settings, vocabulary};
use handful::internals::corpus::{Corpus, WordCounts};
use handful::internals::em::EmStop;
use handful::internals::evaluate::{purity, task_likelihood};
use handful::internals::model_dir::ModelParts;
use handful::internals::numeric::largest;
use handful::internals::prior::{AnyPrior, FitPrior, HandfulSettings, NewWordPrior, Prior};
use handful::internals::prior::{FreeSettings, PriorSettings};
use handful::internals::random::{Purpose, stream};
use handful::internals::topic_model::TopicModel;
use handful::text::Vocabulary;
use handful::{FitSettings, Model};
use handful_lab::groups::{GroupsFolder, GroupsRecord, MixedHandfuls, TaskShape, grouping_method};
use handful_lab::methods::{Lesson, method};
use handful_lab::{Comparison, FinishedModel, Plan, run};

const SHAPE: PriorSettings = PriorSettings::Handful(HandfulSettings {
    dimension: 8,
    hidden: 4,
    themes: 4,
    word_dropout: 0.5,
    input_dropout: 0.3,
    word_rate: 0.1,
});

fn prior(terms: usize, seed: u64) -> AnyPrior<f32> {
    AnyPrior::random(SHAPE, terms, 3, &mut stream(seed, Purpose::Weights, 0))
}

/// A model of these terms.
fn finished(prior: AnyPrior<f32>, shape: PriorSettings, terms: Vec<String>) -> FinishedModel {
    let vocabulary = Vocabulary::from_terms(terms).unwrap();
    let mut parts = ModelParts::new(shape, prior, 4, vocabulary, None, None);
    parts.config.new_words = Some(NewWordPrior::default());
    FinishedModel::new(Model::of(parts, "a model"))
}

fn terms(numbers: impl Iterator<Item = usize>) -> Vec<String> {
    numbers.map(|term| format!("t{term:02}")).collect()
}

/// A model that knows the comparison's terms from 3 to 20, in another order, and terms of its own.
fn partial() -> FinishedModel {
    let mut known = terms((3..21).rev());
    known.insert(4, "own".to_owned());
    known.push("else".to_owned());
    finished(prior(known.len(), 1), SHAPE, known)
}

/// What the method `model` makes of the first experiment on `c0`, with K topics.
fn asked(model: &FinishedModel, topics: usize, use_it: impl FnOnce(&Comparison<'_>, &Lesson)) {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let comparison = Comparison::new(settings(), &corpora, &vocabulary).unwrap();
    let comparison = comparison.with_model(model).unwrap();
    let recipe = method("model").unwrap().recipe(&comparison.settings, topics, 4);
    let lesson = recipe.learn(&comparison.experiment("c0", 0).unwrap().material).unwrap();
    use_it(&comparison, &lesson);
}

/// log p of the words held out, from θ, φ and the background.
fn recomputed(model: &TopicModel, query: &WordCounts) -> f64 {
    let background = model.background.as_ref().unwrap();
    let mut sum = 0.0;
    for n in 0..query.documents() {
        let share = f64::from(background.shares[n]);
        for (term, count) in query.row(n) {
            let of_topics: f64 = (0..model.topics)
                .map(|k| {
                    let theta = f64::from(model.proportions_of(n)[k]);
                    theta * f64::from(model.probability(k, term as usize))
                })
                .sum();
            let of_background = f64::from(background.words[term as usize]);
            sum += f64::from(count) * (share * of_background + (1.0 - share) * of_topics).ln();
        }
    }
    sum
}

#[test]
fn its_prediction_is_a_distribution_over_the_comparisons_terms() {
    for topics in [1, 3, 7] {
        asked(&partial(), topics, |comparison, lesson| {
            let experiment = comparison.experiment("c0", 0).unwrap();
            for (number, task) in experiment.tasks.iter().enumerate() {
                let model = lesson
                    .learned
                    .topic_model(&task.support, number, EmStop::Steps(4))
                    .unwrap()
                    .unwrap();
                assert_eq!((model.topics, model.terms), (topics, comparison.vocabulary.len()));
                let sum = |words: &mut dyn Iterator<Item = f32>| words.map(f64::from).sum::<f64>();
                // Words that no document has keep a share for new ones, which are terms here.
                let background = model.background.as_ref().unwrap();
                assert!((sum(&mut background.words.iter().copied()) - 1.0).abs() < 1e-4);
                for k in 0..topics {
                    assert!((sum(&mut model.topic(k)) - 1.0).abs() < 1e-4, "topic {k}");
                }
                let found = lesson.learned.log_likelihood(task, number, EmStop::Steps(4));
                let expected = recomputed(&model, &task.query);
                assert!((found - expected).abs() < 1e-4 * expected.abs(), "{found}, {expected}");
            }
        });
    }
}

#[test]
fn the_order_of_its_terms_and_its_other_terms_do_not_matter() {
    let whole = prior(26, 1);
    let order: Vec<u32> = (0..26).rev().collect();
    let mut names = terms(0..24);
    names.extend(["own".to_owned(), "else".to_owned()]);
    let reversed = order.iter().map(|&term| names[term as usize].clone()).collect();
    let reversed = finished(whole.over_terms(&order).unwrap(), SHAPE, reversed);
    // The first 24 terms are the comparison's, in its order: the prior itself can be asked.
    let kept = whole.over_terms(&(0..24).collect::<Vec<_>>()).unwrap();
    asked(&reversed, 5, |comparison, lesson| {
        let experiment = comparison.experiment("c0", 0).unwrap();
        for (number, task) in experiment.tasks.iter().enumerate() {
            let found = lesson.learned.log_likelihood(task, number, EmStop::Steps(4));
            let asked = FitPrior::from(&kept).with_topics(5);
            let expected = task_likelihood(asked, task, EmStop::Steps(4)).log_likelihood;
            assert!((found - expected).abs() < 1e-5 * expected.abs(), "{found}, {expected}");
        }
    });
}

#[test]
fn a_model_that_cannot_be_asked_for_the_corpora_is_refused() {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let refusal = |model: &FinishedModel| {
        let comparison = Comparison::new(settings(), &corpora, &vocabulary).unwrap();
        comparison.with_model(model).unwrap_err().to_string()
    };
    let foreign = finished(prior(2, 1), SHAPE, vec!["mot".to_owned(), "terme".to_owned()]);
    let message = refusal(&foreign);
    assert!(message.starts_with("a model: knows none of the terms of the corpora;"), "{message}");
    let free = PriorSettings::Free(FreeSettings::default());
    let of_free = |terms: Vec<String>| {
        let prior = AnyPrior::random(free, terms.len(), 3, &mut stream(1, Purpose::Weights, 0));
        finished(prior, free, terms)
    };
    let message = refusal(&of_free(terms(0..20)));
    let expected =
        "a model: takes no new words, and does not know 4 of the 24 terms of the corpora;";
    assert!(message.starts_with(expected), "{message}");
    let message = refusal(&of_free(terms(0..24)));
    assert!(message.contains("cannot be asked for some of its terms only"), "{message}");
}

/// Eight corpora of four documents, each with words of its own, and their vocabulary.
fn distinct_corpora() -> (Vec<Corpus>, Vocabulary) {
    let corpus = |c: u32| {
        let mut documents = WordCounts::new();
        for n in 0..4 {
            documents.push_row((0..5).map(|i| (c * 5 + i, (i + n) % 4)));
        }
        let ids = (0..4).map(|n| n.to_string()).collect();
        Corpus { name: format!("c{c}"), ids, documents }
    };
    let terms = terms(0..40);
    ((0..8).map(corpus).collect(), Vocabulary::from_terms(terms).unwrap())
}

/// The mixed handfuls of [`distinct_corpora`], in which the method `model` is asked.
fn grouped(mixed: &MixedHandfuls<'_>, folder: &mut GroupsFolder) -> Vec<GroupsRecord> {
    let wanted = mixed.wanted(&[grouping_method("model").unwrap()], 2).unwrap();
    let plan = Plan::new::<GroupsRecord>(wanted, &[]);
    assert_eq!(run(mixed, &plan, 2, folder, &mut |_| ()).unwrap(), 0);
    folder.records.clone()
}

#[test]
fn it_groups_documents_as_a_fit_does() {
    let (corpora, vocabulary) = distinct_corpora();
    // It knows terms of every other corpus only; the others' are new words.
    let model = finished(prior(20, 3), SHAPE, terms((0..40).filter(|term| term / 5 % 2 == 0)));
    let shape = TaskShape { corpora: 4, documents_of_each: 3 };
    let mixed = MixedHandfuls::new(settings(), shape, &corpora, &vocabulary).unwrap();
    let mixed = mixed.with_model(model.clone()).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("groups");
    let mut folder = GroupsFolder::for_protocol(&path, &mixed).unwrap();
    for record in grouped(&mixed, &mut folder) {
        assert_eq!(record.course.given, Some(model.given));
        for (task, &found) in
            mixed.draw(record.key.repeat).unwrap().tasks.iter().zip(&record.task_purities)
        {
            let counts = |n: usize| -> Vec<(String, u32)> {
                let row = task.words.row(n);
                row.map(|(term, count)| (vocabulary.term(term).to_owned(), count)).collect()
            };
            let documents: Vec<_> = (0..task.words.documents()).map(counts).collect();
            let settings = FitSettings::default().with_topics(4).with_em_steps(4);
            let fit = model.model.fit(&documents, &settings).unwrap();
            let groups: Vec<usize> = fit
                .documents()
                .iter()
                .map(|document| largest(document.topics, 1)[0] as usize)
                .collect();
            assert_eq!(purity(&groups, &task.classes), found);
        }
    }
}

#[test]
fn a_folder_has_results_of_one_model() {
    let (corpora, vocabulary) = distinct_corpora();
    let model = |seed: u64| finished(prior(20, seed), SHAPE, terms(0..20));
    let new =
        || MixedHandfuls::new(settings(), TaskShape::default(), &corpora, &vocabulary).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("groups");
    let first = new().with_model(model(1)).unwrap();
    grouped(&first, &mut GroupsFolder::for_protocol(&path, &first).unwrap());
    let other = new().with_model(model(2)).unwrap();
    let message = GroupsFolder::for_protocol(&path, &other).unwrap_err().to_string();
    assert!(
        message.contains(": has results of a model of 20 terms with the checksum "),
        "{message}"
    );
    // The same model again, and none at all.
    for same in [new().with_model(model(1)).unwrap(), new()] {
        assert_eq!(GroupsFolder::for_protocol(&path, &same).unwrap().records.len(), 2);
    }
}
