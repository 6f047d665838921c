//! The prior's promises as a whole.

use super::*;
use crate::prior::NewWordPrior;
use crate::random::{Purpose, stream};
use crate::storage::{TensorFile, Tensors, TermRows, compact_tensor_bytes};
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn wanted_terms_get_what_they_get_among_all() {
    let settings =
        HandfulSettings { dimension: 8, hidden: 4, themes: 4, ..HandfulSettings::default() };
    let prior = Handful::<f64>::random(settings, 600, 3, &mut stream(1, Purpose::Weights, 0));
    let mut support = WordCounts::new();
    support.push_row([(3, 1), (300, 2), (599, 1)]);
    support.push_row([(4, 2)]);
    let give = |wanted: TermRows<'_>| {
        let mut dirichlet = Dirichlet::default();
        let mut tape = HandfulTape::default();
        let request = Request::new(3, wanted);
        prior.forward(&support, request, &mut Dropout::off(), &mut tape, &mut dirichlet);
        dirichlet
    };
    let terms = [3, 4, 300, 599, 17];
    let (some, all) = (give(TermRows::Of(&terms)), give(TermRows::All));
    assert_eq!((&some.alpha, &some.beta_sum), (&all.alpha, &all.beta_sum));
    assert_eq!(some.evidence, all.evidence);
    for term in terms.map(|term| term as usize) {
        assert_eq!(some.beta_row(term), all.beta_row(term));
    }
    // Both parts of β are distributions, so all of it sums to the concentration.
    for (k, sum) in all.beta_sum.iter().enumerate() {
        let beta: f64 = all.beta.iter().skip(k).step_by(4).sum();
        assert!((beta - sum).abs() < 1e-9 * sum, "{beta} against {sum}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits_over_several_blocks_of_terms() {
    let settings =
        HandfulSettings { dimension: 32, hidden: 16, themes: 16, ..HandfulSettings::default() };
    let prior = Handful::<f32>::random(settings, 900, 10, &mut stream(1, Purpose::Weights, 0));
    let mut support = WordCounts::new();
    support.push_row((0..900).step_by(2).map(|term| (term, 1 + term % 3)));
    support.push_row((0..900).step_by(7).map(|term| (term, 1)));
    let terms: Vec<u32> = (0..900).collect();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (mut dirichlet, mut tape) = (Dirichlet::default(), HandfulTape::default());
            let request = Request::new(10, TermRows::Of(&terms));
            prior.forward(&support, request, &mut Dropout::off(), &mut tape, &mut dirichlet);
            let gradient = PriorGradient {
                log_alpha: dirichlet.alpha.clone(),
                log_beta: dirichlet.beta.clone(),
                beta_sum: vec![0.5; dirichlet.topics],
                log_counts: vec![0.25; support.entries()],
            };
            let mut gradients = Vec::new();
            prior.backward(&support, &terms, &dirichlet, &gradient, &mut tape, &mut gradients);
            let mut episode = crate::nn::EpisodeGradient::default();
            episode.occurrences.fill(&support);
            episode.of = gradients;
            let mut rows: Vec<f32> = dirichlet.beta;
            for (p, parameter) in prior.parameters().iter().enumerate() {
                for i in 0..parameter.rows {
                    let mut row = vec![0.0; parameter.columns];
                    episode.add_row(p, i, &mut row);
                    rows.extend(row);
                }
            }
            rows.into_iter().map(f32::to_bits).collect::<Vec<_>>()
        })
    };
    let one = with(1);
    assert!([2, 3].iter().all(|&threads| with(threads) == one));
}

#[test]
fn what_is_left_out_does_nothing() {
    let mut support = WordCounts::new();
    support.push_row([(3, 1), (17, 2), (29, 1)]);
    support.push_row([(4, 9)]);
    let give = |without: Option<Ingredient>| {
        let settings =
            HandfulSettings { dimension: 8, hidden: 4, themes: 4, ..HandfulSettings::default() };
        let mut prior =
            Handful::<f64>::random(settings, 30, 3, &mut stream(1, Purpose::Weights, 0));
        if let Some(ingredient) = without {
            prior.leave_out(ingredient);
        }
        // Weights as training might leave them, where it may change them.
        for parameter in prior.parameters.iter_mut().filter(|parameter| parameter.rate > 0.0) {
            parameter.values.iter_mut().for_each(|value| *value += 0.1);
        }
        let (mut dirichlet, mut tape) = (Dirichlet::default(), HandfulTape::default());
        let request = Request::new(3, TermRows::All);
        prior.forward(&support, request, &mut Dropout::off(), &mut tape, &mut dirichlet);
        (dirichlet, tape)
    };
    let shares = |without| give(Some(without)).1.shapes.theme_share;
    assert!(shares(Ingredient::Themes).iter().all(|&share| share < 1e-3));
    assert!(shares(Ingredient::WordVectors).iter().all(|&share| share > 0.999));
    let (without, with) = (give(Some(Ingredient::Background)).0, give(None).0);
    assert!(without.alpha.iter().skip(3).step_by(4).all(|&alpha| alpha < 1e-20));
    assert!(with.alpha.iter().skip(3).step_by(4).all(|&alpha| alpha > 0.1));
    let evidence = |without| give(without).0.evidence;
    let [of_terms, of_counts, both] =
        [Some(Ingredient::CountEvidence), Some(Ingredient::TermEvidence), None].map(evidence);
    for ((of_term, of_count), both) in of_terms.iter().zip(&of_counts).zip(both) {
        assert!(*of_term > 1.0 && *of_count > 1.0 && (of_term * of_count - both).abs() < 1e-12);
    }
    // Words correct the themes of the two topics that have documents.
    let chosen = |without| {
        let tape = give(without).1.mixtures;
        let rows = tape.choice.chunks_exact(4).zip(tape.mixtures.chunks_exact(4));
        rows.map(|(choice, mixture)| choice == mixture).collect::<Vec<_>>()
    };
    assert_eq!(chosen(None), [false, false, true]);
    assert_eq!(chosen(Some(Ingredient::Folding)), [true; 3]);
    // Two documents of one topic each, unless topics do not start from documents.
    let contexts = |without| give(without).1.topics.contexts;
    let own = |contexts: &[f64], k: usize| contexts[k * 24..k * 24 + 8].to_vec();
    let from_documents = contexts(None);
    assert_ne!(own(&from_documents, 0), own(&from_documents, 1));
    let from_corpus = contexts(Some(Ingredient::DocumentTopics));
    assert!((0..3).all(|k| own(&from_corpus, k) == own(&from_documents, 2)));
}

#[test]
fn words_left_in_their_file_give_what_words_in_memory_give() {
    let settings =
        HandfulSettings { dimension: 8, hidden: 4, themes: 4, ..HandfulSettings::default() };
    // So many that a compact file has four bits for an entry of E.
    let terms = 1500;
    let prior = Handful::<f32>::random(settings, terms, 3, &mut stream(1, Purpose::Weights, 0));
    let bytes = compact_tensor_bytes(&prior.to_compact_tensors());
    let file = TensorFile::from_bytes("here", bytes).unwrap();
    let mut support = WordCounts::new();
    support.push_row([(3, 1), (300, 2), (1499, 1), (1501, 2)]);
    support.push_row([(4, 2), (1500, 1)]);
    let from_file = Handful::from_tensors(settings, terms, 3, &file).unwrap();
    assert!(from_file.words.stored.is_some());
    // What it would be with all rows in memory.
    let decoded = Handful::from_tensors(settings, terms, 3, &from_file.to_tensors()).unwrap();
    assert!(decoded.words.stored.is_none());
    let new_terms = NewTerms {
        expected: NewWordPrior::default(),
        relatives: vec![Vec::new(); 300],
        phrases: Vec::new(),
    };
    let give = |prior: &Handful<f32>| {
        let (mut tape, mut dirichlet) = (HandfulTape::default(), Dirichlet::default());
        let request = Request { new_terms: Some(&new_terms), ..Request::new(3, TermRows::All) };
        prior.forward(&support, request, &mut Dropout::off(), &mut tape, &mut dirichlet);
        dirichlet
    };
    assert_eq!(give(&from_file), give(&decoded));
    assert_eq!(from_file.new_document_tensors(Some(&new_terms), &Tensors::new()), {
        decoded.new_document_tensors(Some(&new_terms), &Tensors::new())
    });
}

#[test]
fn several_supports_at_a_time_get_what_each_gets_alone() {
    let settings =
        HandfulSettings { dimension: 16, hidden: 4, themes: 16, ..HandfulSettings::default() };
    let prior = Handful::<f32>::random(settings, 700, 3, &mut stream(1, Purpose::Weights, 0));
    let supports: Vec<WordCounts> = (0..9)
        .map(|i| {
            let mut support = WordCounts::new();
            support.push_row([(i, 2), (300 + i, 1), (600, 3)]);
            support.push_row((10..40).map(|term| (term * (1 + i % 4), 1)));
            support.push_row([]);
            support
        })
        .collect();
    let terms = [0, 17, 699];
    // More topics than share a pass, and numbers of them that differ.
    let request = |i: usize| Request::new(1 + 3 * i, TermRows::Of(&terms));
    let tasks: Vec<_> =
        supports.iter().enumerate().map(|(i, support)| (support, request(i))).collect();
    let taken = AtomicUsize::new(0);
    prior.forward_each(&tasks, &|i, topics, together| {
        let (support, request) = tasks[i];
        let (mut tape, mut alone) = (HandfulTape::default(), Dirichlet::default());
        prior.forward(support, request, &mut Dropout::off(), &mut tape, &mut alone);
        for term in terms {
            assert_eq!(together.beta_row(term as usize), alone.beta_row(term as usize));
        }
        assert_eq!((&together.alpha, &together.evidence), (&alone.alpha, &alone.evidence));
        assert_eq!((together.topics, &together.beta_sum), (alone.topics, &alone.beta_sum));
        assert_eq!(topics(), prior.topic_tensors(&tape));
        taken.fetch_add(1, Ordering::Relaxed);
    });
    assert_eq!(taken.into_inner(), 9);
}

#[test]
fn themes_that_cannot_be_are_refused_by_their_tensor() {
    let settings =
        HandfulSettings { dimension: 8, hidden: 4, themes: 4, ..HandfulSettings::default() };
    let prior = Handful::<f64>::random(settings, 30, 3, &mut stream(1, Purpose::Weights, 0));
    let tensors = prior.to_tensors();
    let read = |tensors: &Tensors<f64>| Handful::from_tensors(settings, 30, 3, tensors);
    assert_eq!(read(&tensors).unwrap().to_tensors(), tensors);
    for (name, entry, value) in [
        ("counts", 0, 5.0),
        ("counts", 0, 1.5),
        ("counts", 0, f64::NAN),
        ("index", 1, 4.0),
        ("index", 1, -1.0),
        ("index", 1, 0.0),
    ] {
        let mut damaged = tensors.clone();
        damaged.get_mut(&format!("themes.{name}")).unwrap().values[entry] = value;
        let error = read(&damaged).unwrap_err().to_string();
        assert!(error.contains(&format!("tensor `themes.{name}` ")), "{value}: {error}");
    }
}
