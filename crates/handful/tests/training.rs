//! Training as a whole: it learns, it is deterministic, it can be stopped and resumed.

use handful::Error;
use handful::internals::corpus::{Corpus, Episode, EpisodeSampler, EpisodeSettings, WordCounts};
use handful::internals::em::EmStop;
use handful::internals::evaluate::{draw_tasks, evaluate};
use handful::internals::model_dir::ModelParts;
use handful::internals::nn::AdamSettings;
use handful::internals::prior::{
    FreeSettings, HandfulSettings, IwataSettings, MamlSettings, Prior, PriorSettings,
};
use handful::internals::random::{Purpose, stream};
use handful::internals::storage::Tensors;
use handful::internals::train::{
    CheckpointPlan, Outcome, Progress, TrainSettings, Trained, TrainingCorpora, ValidationChoice,
    train,
};
use handful::text::Vocabulary;
use rand::RngExt;
use std::ops::ControlFlow;

const TOPICS: u32 = 10;
const TERMS_PER_TOPIC: u32 = 12;
const TERMS: usize = (TOPICS * TERMS_PER_TOPIC) as usize;

/// Ten planted topics of twelve terms each. A corpus has three of them, a document two of those,
/// and one word in ten is any word.
fn planted() -> Vec<Corpus> {
    (0..24)
        .map(|c| {
            let mut stream = stream(5, Purpose::Evaluation, c);
            let of_corpus = [(); 3].map(|()| stream.random_range(0..TOPICS));
            let mut documents = WordCounts::new();
            for _ in 0..12 {
                let of_document = [(); 2].map(|()| of_corpus[stream.random_range(0..3)]);
                let mut counts = vec![0; TERMS];
                for _ in 0..30 {
                    let topic = of_document[stream.random_range(0..2)];
                    let within = topic * TERMS_PER_TOPIC + stream.random_range(0..TERMS_PER_TOPIC);
                    let anywhere = stream.random_range(0..TERMS as u32);
                    let word = if stream.random_bool(0.1) { anywhere } else { within };
                    counts[word as usize] += 1;
                }
                documents.push_row((0u32..).zip(counts));
            }
            let ids = (0..12).map(|n| n.to_string()).collect();
            Corpus { name: format!("corpus {c:02}"), ids, documents }
        })
        .collect()
}

fn settings() -> TrainSettings {
    TrainSettings {
        prior: PriorSettings::Iwata(IwataSettings { hidden: 32, ..IwataSettings::default() }),
        topics: 5,
        em_steps: 5,
        max_steps: 60,
        validation_every: 20,
        validation_tasks: 10,
        ..TrainSettings::default()
    }
}

/// The paper's MAML: gradient steps, and the modes of what they lead to.
fn maml() -> TrainSettings {
    let prior = PriorSettings::Maml(MamlSettings::default());
    TrainSettings { prior, em_steps: 0, ..settings() }
}

/// Handful's own prior, for any use, with weights averaged.
fn own() -> TrainSettings {
    let shape = HandfulSettings { dimension: 16, hidden: 16, themes: 16, ..Default::default() };
    let prior = PriorSettings::Handful(shape);
    TrainSettings { prior, vary: true, average: true, ..settings() }
}

fn run(
    corpora: &[Corpus],
    settings: &TrainSettings,
    checkpoints: Option<&CheckpointPlan>,
    observer: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> handful::Result<Outcome> {
    let validation = ValidationChoice::Drawn(4);
    let roles = TrainingCorpora::choose(corpora, &[], &validation, settings.seed)?;
    train(&roles, TERMS, settings, checkpoints, observer)
}

fn finished(outcome: Outcome) -> Trained {
    match outcome {
        Outcome::Finished(trained) => *trained,
        Outcome::Interrupted { step, .. } => panic!("interrupted after step {step}"),
    }
}

fn trained(corpora: &[Corpus], settings: &TrainSettings) -> Trained {
    finished(run(corpora, settings, None, &mut |_| ControlFlow::Continue(())).unwrap())
}

fn bits(tensors: &Tensors<f32>) -> Vec<(&str, Vec<u32>)> {
    tensors
        .iter()
        .map(|(name, tensor)| (&**name, tensor.values.iter().map(|x| x.to_bits()).collect()))
        .collect()
}

/// p(j|n) = λ₁ x_nj / |x_n| + λ₂ Σ_n x_nj / Σ_n |x_n| + (1 − λ₁ − λ₂) p_train(j), with the weights
/// that are best for the very tasks it is asked about: perplexity of a mean task.
fn smoothed_unigram(training: &[&Corpus], tasks: &[Episode]) -> f64 {
    let mut of_training = vec![0.5; TERMS];
    for corpus in training {
        for (&term, &count) in corpus.documents.terms().iter().zip(corpus.documents.counts()) {
            of_training[term as usize] += f64::from(count);
        }
    }
    let sum: f64 = of_training.iter().sum();
    let steps = 40;
    let mut best = f64::INFINITY;
    for first in 0..steps {
        for second in 0..steps - first {
            let (first, second) = (f64::from(first) / 40.0, f64::from(second) / 40.0);
            let mut losses = 0.0;
            for Episode { support, query, .. } in tasks {
                let mut of_support = vec![0.0; TERMS];
                for (&term, &count) in support.terms().iter().zip(support.counts()) {
                    of_support[term as usize] += f64::from(count);
                }
                let support_words = support.total_words().max(1) as f64;
                let mut log_likelihood = 0.0;
                for n in 0..query.documents() {
                    let mut of_document = vec![0.0; TERMS];
                    let length = support.words(n).max(1) as f64;
                    support.row(n).for_each(|(j, x)| of_document[j as usize] = f64::from(x));
                    for (term, count) in query.row(n) {
                        let j = term as usize;
                        let p = first * of_document[j] / length
                            + second * of_support[j] / support_words
                            + (1.0 - first - second) * of_training[j] / sum;
                        log_likelihood += f64::from(count) * p.ln();
                    }
                }
                losses -= log_likelihood / query.total_words() as f64;
            }
            best = best.min((losses / tasks.len() as f64).exp());
        }
    }
    best
}

#[test]
fn planted_topics_are_learned_far_beyond_a_smoothed_unigram() {
    let corpora = planted();
    let settings = TrainSettings {
        max_steps: 3000,
        validation_every: 250,
        validation_tasks: 100,
        ..settings()
    };
    let best = trained(&corpora, &settings).stopping.best.expect("it was validated").perplexity;
    let validation = ValidationChoice::Drawn(4);
    let roles = TrainingCorpora::choose(&corpora, &[], &validation, settings.seed).unwrap();
    let sampler = EpisodeSampler::new(roles.validation.clone(), settings.episode).unwrap();
    let tasks: Vec<Episode> = (0..100)
        .map(|number| {
            let mut episode = Episode::default();
            let mut stream = stream(settings.seed, Purpose::Validation, number);
            sampler.draw(&mut stream, &mut episode).unwrap();
            episode
        })
        .collect();
    let rival = smoothed_unigram(&roles.training, &tasks);
    assert!(best < 0.8 * rival, "perplexity {best:.1}, the smoothed unigram's {rival:.1}");
}

#[test]
fn maml_learns_what_one_prior_for_all_cannot() {
    let corpora = planted();
    let best = |prior| {
        let adam = AdamSettings { learning_rate: 0.01, ..AdamSettings::default() };
        let settings =
            TrainSettings { prior, adam, max_steps: 1000, validation_every: 250, ..maml() };
        trained(&corpora, &settings).stopping.best.expect("it was validated").perplexity
    };
    let (maml, free) = (best(maml().prior), best(PriorSettings::Free(FreeSettings::default())));
    // The uniform distribution's perplexity is the number of terms.
    assert!(free < 1.1 * TERMS as f64, "perplexity of one prior for all: {free:.1}");
    assert!(maml < 0.7 * free, "perplexity {maml:.1}, {free:.1} with one prior for all");
}

#[test]
fn a_maml_model_read_back_gives_the_same_bits() {
    let corpora = planted();
    let settings = maml();
    let prior = trained(&corpora, &settings).prior;
    let terms: Vec<String> = (0..TERMS).map(|term| format!("term{term:03}")).collect();
    let vocabulary = Vocabulary::parse(&terms.join("\n"), "test").unwrap();
    let model = ModelParts::new(settings.prior, prior, settings.em_steps, vocabulary, None, None);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    model.save(&path, false).unwrap();
    let read = ModelParts::open(&path).unwrap();
    assert_eq!(read.config.prior, settings.prior);
    let evaluation = |model: &ModelParts| {
        let stop = EmStop::Steps(model.config.em_steps);
        let tasks = draw_tasks(&corpora[0], EpisodeSettings::default(), 20, 1).unwrap();
        evaluate(&model.prior, &tasks, stop)
    };
    assert_eq!(evaluation(&read), evaluation(&model));
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let corpora = planted();
    for (settings, episodes_per_step) in [(settings(), 1), (settings(), 5), (maml(), 5), (own(), 3)]
    {
        let settings = TrainSettings { episodes_per_step, ..settings };
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| trained(&corpora, &settings))
        };
        let one = with(1);
        for threads in [2, 3] {
            let other = with(threads);
            assert_eq!(bits(&one.prior.to_tensors()), bits(&other.prior.to_tensors()));
            assert_eq!(one.stopping, other.stopping);
        }
    }
}

#[test]
fn another_seed_gives_other_weights() {
    let corpora = planted();
    let one = trained(&corpora, &settings()).prior.to_tensors();
    let other = trained(&corpora, &TrainSettings { seed: 2, ..settings() }).prior.to_tensors();
    assert_ne!(bits(&one), bits(&other));
}

#[test]
fn a_run_interrupted_anywhere_and_resumed_ends_with_the_same_bits() {
    let corpora = planted();
    let free = TrainSettings { prior: PriorSettings::Free(FreeSettings::default()), ..settings() };
    for settings in [settings(), free, maml(), own()] {
        let settings = TrainSettings { episodes_per_step: 2, ..settings };
        let whole = trained(&corpora, &settings);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.checkpoint");
        let plan = CheckpointPlan { path, every: 7, resume: true };
        let mut pieces = 0;
        let resumed = loop {
            // Each piece is a little longer than the one before, and stops wherever it happens to.
            let mut events = 0;
            let mut stop_after = |progress: Progress| {
                if matches!(progress, Progress::Starting(_)) {
                    assert_eq!(pieces, 0, "the start was made again");
                    return ControlFlow::Continue(());
                }
                assert_eq!(matches!(progress, Progress::Resumed { .. }), pieces > 0 && events == 0);
                events += 1;
                if events > 3 + 2 * pieces {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            let outcome = run(&corpora, &settings, Some(&plan), &mut stop_after).unwrap();
            if let Outcome::Finished(trained) = outcome {
                break trained;
            }
            pieces += 1;
        };
        assert!(pieces > 3, "it was interrupted {pieces} times");
        assert_eq!(bits(&whole.prior.to_tensors()), bits(&resumed.prior.to_tensors()));
        assert_eq!(whole.stopping, resumed.stopping);
    }
}

#[test]
fn validation_and_checkpoints_do_not_touch_the_training() {
    let corpora = planted();
    let without = TrainSettings { validation_every: 1000, ..settings() };
    let last = trained(&corpora, &without).prior.to_tensors();
    // With a validation after the last step only, the best weights are the last.
    let with = TrainSettings { validation_every: 60, validation_tasks: 3, ..settings() };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.checkpoint");
    let plan = CheckpointPlan { path, every: 1, resume: false };
    let outcome = run(&corpora, &with, Some(&plan), &mut |_| ControlFlow::Continue(()));
    let validated = finished(outcome.unwrap());
    assert_eq!(validated.stopping.validations.len(), 1);
    assert_eq!(bits(&last), bits(&validated.prior.to_tensors()));
}

#[test]
fn what_is_kept_are_the_best_weights_and_patience_ends_the_run() {
    let corpora = planted();
    // So high a rate makes validation worse sooner or later.
    let adam = AdamSettings { learning_rate: 0.03, ..AdamSettings::default() };
    let settings =
        TrainSettings { adam, max_steps: 5000, validation_every: 10, patience: 3, ..settings() };
    let stopped = trained(&corpora, &settings);
    let best = stopped.stopping.best.unwrap();
    assert_eq!(stopped.steps, best.step + 30, "three validations after the best");
    assert!(stopped.steps < 5000);
    let up_to_best = TrainSettings { max_steps: best.step, ..settings };
    let at_best = trained(&corpora, &up_to_best);
    assert_eq!(bits(&stopped.prior.to_tensors()), bits(&at_best.prior.to_tensors()));
}

#[test]
fn a_loss_that_is_not_finite_stops_the_run_and_names_the_episode() {
    let corpora = planted();
    let adam = AdamSettings { learning_rate: 1e38, ..AdamSettings::default() };
    let settings = TrainSettings { adam, ..settings() };
    let outcome = run(&corpora, &settings, None, &mut |_| ControlFlow::Continue(()));
    let Err(Error::NotFinite { episode, corpus }) = outcome else {
        panic!("the run went on with weights that are not finite")
    };
    assert!(episode.starts_with("episode ") && corpus.starts_with("corpus "));
}

#[test]
fn evaluation_gives_the_same_figure_for_any_number_of_threads() {
    let corpora = planted();
    let prior = trained(&corpora, &settings()).prior;
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let episode = EpisodeSettings::default();
        let stop = EmStop::Steps(5);
        pool.install(|| evaluate(&prior, &draw_tasks(&corpora[0], episode, 20, 1).unwrap(), stop))
    };
    assert_eq!(with(1), with(2));
    assert!(with(1).pooled().perplexity() < TERMS as f64);
}

#[test]
fn public_types_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<handful::internals::model_dir::ModelParts>();
    shared::<handful::internals::model_dir::SavedTopicModel>();
    shared::<handful::internals::topic_model::TopicModel>();
    shared::<handful::text::Tokenizer>();
    shared::<TrainSettings>();
    shared::<Corpus>();
    shared::<Error>();
}
