//! LDA as a whole: what a fit promises, from planted topics to no words at all.

use handful::internals::corpus::WordCounts;
use handful::internals::lda::{Lda, LdaFit, LdaSettings};
use handful::internals::random::{Purpose, stream};
use rand::RngExt;

const TERMS: usize = 20;

/// Topic 0 has terms 0 to 9, topic 1 terms 10 to 19, all alike; a document has `share` of its words
/// from topic 0.
fn planted(shares: &[f64], words: usize) -> WordCounts {
    let mut stream = stream(5, Purpose::Evaluation, 0);
    let mut documents = WordCounts::new();
    for &share in shares {
        let mut counts = [0; TERMS];
        for _ in 0..words {
            let first = if stream.random::<f64>() < share { 0 } else { 10 };
            counts[first + stream.random_range(0..10)] += 1;
        }
        documents.push_row((0..).zip(counts));
    }
    documents
}

fn fit(documents: &WordCounts, topics: usize, seed: u64) -> LdaFit {
    let settings = LdaSettings { topics, sweeps: 300, burn_in: 100, ..LdaSettings::default() };
    LdaFit::new(documents, TERMS, &settings, stream(seed, Purpose::Lda, 0)).unwrap()
}

/// Planted shares, and the model fitted to them with planted topic 0 at index `first`.
fn planted_fit() -> (Vec<f64>, LdaFit, usize) {
    // Three tenths of all words; documents of one topic alone tell the topics apart.
    let shares: Vec<f64> = [1.0, 0.0, 0.2, 0.0].repeat(25);
    let fit = fit(&planted(&shares, 100), 2, 1);
    let first = usize::from(fit.model.of_term(0)[1] > fit.model.of_term(0)[0]);
    (shares, fit, first)
}

fn sums_to_one(values: &[f64]) -> bool {
    values.iter().all(|&value| value >= 0.0) && (values.iter().sum::<f64>() - 1.0).abs() < 1e-9
}

fn is_sound(fit: &LdaFit) -> bool {
    let Lda { topics, .. } = fit.model;
    fit.proportions.chunks_exact(topics).all(sums_to_one)
        && (0..topics).all(|k| sums_to_one(&fit.model.topic(k)))
        && fit.model.alpha.iter().all(|alpha| alpha.is_finite() && *alpha > 0.0)
        && fit.model.beta.is_finite()
        && fit.model.beta > 0.0
}

#[test]
fn planted_topics_are_recovered() {
    let (shares, fit, first) = planted_fit();
    for term in 0..TERMS as u32 {
        let phi = fit.model.of_term(term);
        let (own, other) = if term < 10 { (first, 1 - first) } else { (1 - first, first) };
        assert!((phi[own] - 0.1).abs() < 0.02 && phi[other] < 0.01, "{term}: {phi:?}");
    }
    for (theta, share) in fit.proportions.chunks_exact(2).zip(shares) {
        // Four standard deviations of a hundred words.
        assert!((theta[first] - share).abs() < 0.16, "{theta:?} for {share}");
    }
}

#[test]
fn alpha_tells_which_topic_is_more_common() {
    let (shares, fit, first) = planted_fit();
    let alpha = &fit.model.alpha;
    assert!(shares.iter().sum::<f64>() < 0.31 * shares.len() as f64);
    assert!(alpha[first] < 0.7 * alpha[1 - first], "{alpha:?}");
}

#[test]
fn proportions_of_new_documents_are_folded_in() {
    let (_, fit, first) = planted_fit();
    let shares = [0.0, 0.1, 0.5, 1.0];
    let proportions = fit.model.proportions(&planted(&shares, 400));
    assert!(proportions.chunks_exact(2).all(sums_to_one));
    for (theta, share) in proportions.chunks_exact(2).zip(shares) {
        // Four standard deviations of 400 words, and the prior's pull.
        assert!((theta[first] - share).abs() < 0.12, "{theta:?} for {share}");
    }
}

#[test]
fn a_new_document_without_words_has_the_prior_proportions() {
    let (_, fit, _) = planted_fit();
    let mut empty = WordCounts::new();
    empty.push_row([]);
    let sum: f64 = fit.model.alpha.iter().sum();
    let expected: Vec<f64> = fit.model.alpha.iter().map(|alpha| alpha / sum).collect();
    assert_eq!(fit.model.proportions(&empty), expected);
}

#[test]
fn a_fixed_seed_gives_a_fixed_result_and_another_seed_another() {
    let documents = planted(&[0.1, 0.5, 0.9], 50);
    for topics in [3, 20] {
        assert_eq!(fit(&documents, topics, 1), fit(&documents, topics, 1));
        assert_ne!(fit(&documents, topics, 1), fit(&documents, topics, 2));
    }
}

#[test]
fn everything_that_should_be_a_distribution_is_one_whatever_the_documents() {
    let mut with_empty = planted(&[0.1, 0.9], 30);
    with_empty.push_row([]);
    let mut one_word = WordCounts::new();
    one_word.push_row([(7, 1)]);
    let mut one_term = WordCounts::new();
    one_term.push_row([(7, 1000)]);
    let mut empty = WordCounts::new();
    empty.push_row([]);
    let cases =
        [planted(&[0.3, 0.6], 80), with_empty, one_word, one_term, empty, WordCounts::new()];
    for (case, documents) in cases.iter().enumerate() {
        for topics in [1, 2, 10, 40] {
            let fit = fit(documents, topics, 1);
            assert_eq!(fit.proportions.len(), documents.documents() * topics);
            assert!(is_sound(&fit), "case {case}, {topics} topics: {fit:?}");
        }
    }
}

#[test]
fn one_topic_has_the_smoothed_frequencies_of_all_words() {
    let documents = planted(&[0.8, 0.3], 40);
    let model = fit(&documents, 1, 1).model;
    let mut counts = [0.0; TERMS];
    for n in 0..2 {
        documents.row(n).for_each(|(term, count)| counts[term as usize] += f64::from(count));
    }
    // β moves until the end, so it is read from one term and must explain the others.
    let phi = model.topic(0);
    let beta = (80.0 * phi[0] - counts[0]) / (1.0 - TERMS as f64 * phi[0]);
    for (phi, count) in phi.iter().zip(counts) {
        assert!(
            (phi - (count + beta) / (80.0 + TERMS as f64 * beta)).abs() < 1e-3,
            "{phi} {count}"
        );
    }
}

#[test]
fn the_likelihood_is_that_of_the_mixture() {
    let (_, fit, _) = planted_fit();
    let mut words = WordCounts::new();
    words.push_row([(0, 2), (15, 1)]);
    words.push_row([(3, 1)]);
    let theta = [0.25, 0.75, 0.6, 0.4];
    let log = |theta: &[f64], term: u32| {
        let phi = fit.model.of_term(term);
        (theta[0] * phi[0] + theta[1] * phi[1]).ln()
    };
    let expected = 2.0 * log(&theta[..2], 0) + log(&theta[..2], 15) + log(&theta[2..], 3);
    assert!((fit.model.log_likelihood(&theta, &words) - expected).abs() < 1e-12);
    assert!((fit.model.probability(&theta[..2], 15).ln() - log(&theta[..2], 15)).abs() < 1e-12);
}
