//! What every method of the comparison keeps to, and how they hang together.

use crate::support::{TERMS, corpora, find, records, records_with, request, settings, vocabulary};
use handful::internals::prior::{FreeSettings, PriorSettings};
use handful_lab::methods::{METHODS, Method, PriorRecipe, Recipe, TrainingCourse, method};
use handful_lab::results::{Prediction, Record};
use handful_lab::{Comparison, Settings, Sweep};

fn all() -> Vec<&'static str> {
    let is_usual = |method: &&Method| !method.is_ablation() && method.asks_for().is_none();
    METHODS.iter().filter(is_usual).map(|method| method.id).collect()
}

/// What does not depend on the clock.
fn outcome(record: &Record) -> Record {
    let mut outcome = record.clone();
    (outcome.prediction.train_seconds, outcome.prediction.fit_seconds) = (0.0, 0.0);
    outcome
}

#[test]
fn every_method_beats_the_uniform_distribution() {
    for Record { key, prediction, .. } in records(&request(&all()), 2) {
        let perplexity = prediction.perplexity;
        assert!(perplexity < 0.95 * TERMS as f64, "{key}: {perplexity}");
        let words: u64 = prediction.task_words.iter().sum();
        let sum: f64 = prediction.task_log_likelihoods.iter().sum();
        assert_eq!((prediction.tasks, prediction.query_words), (10, words));
        assert!((perplexity - (-sum / words as f64).exp()).abs() < 1e-9);
    }
}

#[test]
fn a_seed_gives_the_same_numbers_on_any_number_of_threads() {
    let one = records(&request(&all()), 1);
    let several = records(&request(&all()), 3);
    assert_eq!(one.len(), several.len());
    for (one, several) in one.iter().zip(&several) {
        assert_eq!(outcome(one), outcome(several));
    }
}

#[test]
fn methods_get_the_same_tasks_and_the_same_corpora() {
    let records = records(&request(&all()), 2);
    for record in &records {
        let first = records.iter().find(|first| first.key.target == record.key.target).unwrap();
        let (ours, theirs) = (&record.prediction, &first.prediction);
        assert_eq!(ours.task_words, theirs.task_words);
        assert_eq!(ours.validation_corpora, theirs.validation_corpora);
        assert_eq!(ours.seed, theirs.seed);
    }
}

#[test]
fn each_method_has_the_prior_and_the_em_steps_of_the_paper() {
    let records = records(&request(&all()), 2);
    // Corpus representation (`None`: no networks), EM steps in training and at test.
    for (method, representation, training, test) in [
        ("iwata", Some(true), 4, 4),
        ("maml", None, 0, 0),
        ("nn", Some(false), 0, 0),
        ("nn-r", Some(true), 0, 0),
        ("nn-f", Some(false), 0, 4),
        ("nn-rf", Some(true), 0, 4),
        ("nn-e", Some(false), 4, 4),
        ("dir", None, 0, 0),
        ("dir-f", None, 0, 4),
        ("dir-e", None, 4, 4),
    ] {
        let training_record = &find(&records, method, (Some(3), Some(test))).training;
        let TrainingCourse { prior, training_em_steps, .. } = training_record.as_ref().unwrap();
        let has = match prior {
            PriorSettings::Iwata(shape) => Some(shape.corpus_representation),
            _ => None,
        };
        assert_eq!((has, *training_em_steps), (representation, training), "{method}");
        assert_eq!(matches!(prior, PriorSettings::Maml(_)), method == "maml");
    }
}

#[test]
fn fine_tuning_starts_from_the_weights_of_the_method_it_tunes() {
    let mut request = request(&["nn", "nn-f", "nn-r", "nn-rf", "dir", "dir-f"]);
    let usual = records(&request, 2);
    request.studies[0].sweep = Some(Sweep::EmSteps);
    let varied = records(&request, 2);
    for (method, tuned) in [("nn", "nn-f"), ("nn-r", "nn-rf"), ("dir", "dir-f")] {
        let plain = find(&usual, method, (Some(3), Some(0)));
        let fine = find(&usual, tuned, (Some(3), Some(4)));
        assert_eq!(fine.train_seconds, plain.train_seconds, "one training for both");
        assert_ne!(fine.log_likelihood, plain.log_likelihood);
        let untouched = find(&varied, tuned, (Some(3), Some(0)));
        assert_eq!(untouched.task_log_likelihoods, plain.task_log_likelihoods);
    }
}

#[test]
fn a_sweep_of_em_steps_varies_them_in_training_too() {
    let mut request = request(&["iwata", "nn-r"]);
    request.studies[0].sweep = Some(Sweep::EmSteps);
    let records = records(&request, 2);
    for &steps in Sweep::EmSteps.values() {
        let training = find(&records, "iwata", (Some(3), Some(steps))).training.clone();
        assert_eq!(training.unwrap().training_em_steps, steps);
    }
    // Without EM steps the paper's model is its NN-R.
    let none = find(&records, "iwata", (Some(3), Some(0)));
    let plain = find(&records, "nn-r", (Some(3), Some(0)));
    assert_eq!(none.task_log_likelihoods, plain.task_log_likelihoods);
}

#[test]
fn until_it_converges_em_goes_on_at_test_and_not_in_training() {
    let with = |methods: &[&str], em_steps: usize, until_converged: bool| {
        let mut settings = Settings { until_converged, ..settings() };
        settings.training.em_steps = em_steps;
        records_with(settings, &request(methods), 2)
    };
    let methods = ["iwata", "nn-f", "nn", "lda-ind", "smoothed"];
    let (usual, converged) = (with(&methods, 4, false), with(&methods, 4, true));
    for (usual, converged) in usual.iter().zip(&converged) {
        assert_eq!(usual.prediction.training, converged.prediction.training, "{}", usual.key);
        let (ours, theirs) = (&usual.prediction, &converged.prediction);
        let has_em = ["iwata", "nn-f"].contains(&&*usual.key.method);
        assert_eq!(
            ours.task_log_likelihoods != theirs.task_log_likelihoods,
            has_em,
            "{}",
            usual.key
        );
    }
    // Its training has no EM steps, so that only those at test differ.
    let long = with(&["nn-f"], 5000, false);
    let (converged, long) =
        (find(&converged, "nn-f", (Some(3), Some(4))), find(&long, "nn-f", (Some(3), Some(5000))));
    let error = (converged.log_likelihood - long.log_likelihood).abs();
    assert!(error < 1e-3 * long.log_likelihood.abs(), "{converged:?} {long:?}");
}

#[test]
fn the_weight_of_a_prior_counts_where_em_follows_it_on_a_task_only() {
    let with = |prior_weight: f32| {
        let methods = ["iwata", "nn", "nn-f", "dir", "dir-f"];
        records_with(Settings { prior_weight, ..settings() }, &request(&methods), 2)
    };
    let change =
        |of: &Prediction, from: &Prediction| (of.log_likelihood / from.log_likelihood - 1.0).abs();
    let (usual, light) = (with(1.0), with(0.25));
    for (usual, light) in usual.iter().zip(&light) {
        let fine_tunes = ["nn-f", "dir-f"].contains(&&*usual.key.method);
        assert_eq!(usual.prediction.training, light.prediction.training, "{}", usual.key);
        assert_eq!(
            change(&light.prediction, &usual.prediction) > 1e-3,
            fine_tunes,
            "{}",
            usual.key
        );
    }
    // No word moves what weighs a million times as much.
    let heavy = with(1e6);
    for (plain, tuned) in [("nn", "nn-f"), ("dir", "dir-f")] {
        let plain = find(&usual, plain, (Some(3), Some(0)));
        let tuned = find(&heavy, tuned, (Some(3), Some(4)));
        assert!(change(tuned, plain) < 1e-4, "{tuned:?} {plain:?}");
    }
}

#[test]
fn early_stopping_and_the_maximum_of_steps_are_told_apart() {
    for record in records(&request(&all()), 2) {
        let Some(training) = record.prediction.training else { continue };
        let since_best = (training.steps - training.best_step) / 25;
        assert_eq!(training.stopped_early, since_best >= 3, "{}", record.key);
        assert!(training.stopped_early || training.steps == 150, "{}", record.key);
    }
}

#[test]
fn methods_with_topics_tell_what_a_person_is_shown_of_them() {
    for record in records(&request(&all()), 2) {
        let documents_choose = record.key.method == "handful-auto";
        let Some(shown) = record.topics_shown else {
            assert!(record.key.topics.is_none() && !documents_choose, "{}", record.key);
            continue;
        };
        assert_ne!(record.key.topics.is_some(), documents_choose, "{}", record.key);
        // Three topics, all of whose words have three documents; or one more than documents at most.
        let most = if documents_choose { 4.0 } else { 3.0 };
        assert!((1.0..=most).contains(&shown.topics), "{}: {shown:?}", record.key);
        assert!((0.0..=shown.topics).contains(&shown.shared), "{}: {shown:?}", record.key);
        for terms in [shown.by_probability, shown.by_relevance, shown.by_telling] {
            assert!((-1.0..=1.0).contains(&terms.coherence.unwrap()), "{}", record.key);
            // Ten of 24 terms are shown of each topic: at least 10 of 30, or of 40, are distinct.
            assert!((1.0 / most..=1.0).contains(&terms.diversity.unwrap()), "{}", record.key);
            assert_eq!(terms.common, Some(1.0), "there are no more than a hundred terms");
        }
    }
}

#[test]
fn methods_with_topics_tell_whether_their_probabilities_came_true() {
    for record in records(&request(&all()), 2) {
        assert_eq!(record.calibration.is_some(), record.topics_shown.is_some(), "{}", record.key);
        let Some(calibration) = record.calibration else { continue };
        for shares in [calibration.predicted, calibration.observed] {
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-4, "{}: {shares:?}", record.key);
        }
        assert!((0.0..=1.0).contains(&calibration.error()), "{}", record.key);
    }
}

#[test]
fn a_held_out_word_is_as_probable_as_its_documents_topics_make_it() {
    let (corpora, vocabulary, settings) = (corpora(), vocabulary(), settings());
    let comparison = Comparison::new(settings.clone(), &corpora, &vocabulary).unwrap();
    let experiment = comparison.experiment("c0", 0).unwrap();
    for id in ["handful", "iwata", "dir", "lda-ind", "lda-all"] {
        let method = method(id).unwrap();
        let lesson = method.recipe(&settings, 3, 4).learn(&experiment.material).unwrap();
        let stop = method.em_stop(&settings, 4);
        for (number, task) in experiment.tasks.iter().enumerate() {
            let model = lesson.learned.topic_model(&task.support, number, stop).unwrap().unwrap();
            let of_document = |n: usize| {
                let log = |(term, count): (u32, u32)| {
                    f64::from(count) * model.probability_in(n, term as usize).ln()
                };
                task.query.row(n).map(log).sum::<f64>()
            };
            let found: f64 = (0..task.query.documents()).map(of_document).sum();
            let expected = lesson.learned.log_likelihood(task, number, stop);
            assert!((found / expected - 1.0).abs() < 1e-4, "{id}: {found}, {expected}");
        }
    }
}

#[test]
fn documents_choose_the_number_of_topics_of_a_prior_for_all() {
    let topics = |method: &str| -> Vec<f64> {
        let mut settings = settings();
        settings.training.topics = 4;
        let records = records_with(settings, &request(&[method]), 1);
        records.iter().map(|record| record.topics_shown.unwrap().topics).collect()
    };
    // The documents of a task are of one corpus, so they have fewer subjects than four.
    let (given, chosen) = (topics("handful"), topics("handful-auto"));
    let are_fewer = given.iter().zip(&chosen).all(|(given, chosen)| chosen < given);
    assert!(are_fewer, "{given:?} {chosen:?}");
}

#[test]
fn nothing_is_learned_from_the_target_and_repeats_draw_anew() {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let comparison = Comparison::new(settings(), &corpora, &vocabulary).unwrap();
    let mut validations = Vec::new();
    for repeat in 0..10 {
        let experiment = comparison.experiment("c3", repeat).unwrap();
        let names = |corpora: &[&handful::internals::corpus::Corpus]| -> Vec<String> {
            corpora.iter().map(|corpus| corpus.name.clone()).collect()
        };
        let (training, validation) = (
            names(&experiment.material.roles.training),
            names(&experiment.material.roles.validation),
        );
        assert_eq!((training.len(), validation.len()), (4, 2));
        assert!(training.iter().chain(&validation).all(|name| name != "c3"));
        assert!(validation.iter().all(|name| !training.contains(name)));
        validations.push((validation, experiment.tasks[0].documents.clone()));
    }
    validations.sort();
    validations.dedup();
    assert!(validations.len() > 7, "{validations:?}");
}

#[test]
fn the_first_tasks_are_the_same_however_many_there_are() {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let tasks = |tasks| {
        let settings = Settings { tasks, ..settings() };
        let comparison = Comparison::new(settings, &corpora, &vocabulary).unwrap();
        comparison.experiment("c1", 2).unwrap().tasks
    };
    assert_eq!(tasks(1)[..], tasks(7)[..1]);
}

#[test]
fn of_several_candidates_the_best_on_validation_is_kept() {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let comparison = Comparison::new(settings(), &corpora, &vocabulary).unwrap();
    let experiment = comparison.experiment("c0", 0).unwrap();
    let learn = |candidates: &[PriorSettings]| {
        let candidates = candidates.to_vec();
        let recipe = Recipe::Prior(PriorRecipe {
            candidates,
            topics: 3,
            em_steps: 0,
            without: None,
            for_all: false,
        });
        recipe.learn(&experiment.material).unwrap().training.unwrap()
    };
    let networks = settings().training.prior;
    let (free, network) =
        (learn(&[PriorSettings::Free(FreeSettings::default())]), learn(&[networks]));
    let by_perplexity = |a: &&TrainingCourse, b: &&TrainingCourse| {
        a.validation_perplexity.partial_cmp(&b.validation_perplexity).unwrap()
    };
    let best = [&free, &network].into_iter().min_by(by_perplexity).unwrap();
    assert_ne!(free.validation_perplexity, network.validation_perplexity);
    assert_eq!(learn(&[PriorSettings::Free(FreeSettings::default()), networks]), *best);
    assert_eq!(learn(&[networks, PriorSettings::Free(FreeSettings::default())]), *best);
}
