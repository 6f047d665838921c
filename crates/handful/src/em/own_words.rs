//! What a document says again and again, whatever its topics: its own words.
//!
//! A document repeats names and words that other documents of its topics do not have. Topics that
//! documents share cannot foretell them. The document can:
//!
//! ```text
//! p(j|n) = (1 − o_n) Σ_k θ_nk φ_kj + o_n x_nj / |x_n|
//! ```
//!
//! o_n is found by deleted interpolation (Jelinek and Mercer, 1980): every word is foretold by all
//! others, so a word that the document says once is never its own. A document that has a topic to
//! itself needs no own words, for its topic foretells what it repeats.

use super::{Dirichlet, EmStop, EpisodeTerms, LocalPrior, PosteriorMode, fit};
use crate::corpus::WordCounts;
use crate::numeric::Real;

/// The share of own words that is expected, and how many words the expectation counts for: short
/// documents say too little to tell.
const EXPECTED_SHARE: f64 = 0.3;
const EXPECTED_WORDS: f64 = 10.0;

/// Steps of EM for o_n. It is one number, and is near its end after a few.
const STEPS: usize = 20;

/// How much of what documents say is their own words.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnWords {
    /// o_n
    pub shares: Vec<f64>,
}

/// Fits documents as [`fit_documents`](super::fit_documents) does, and finds their own words.
pub fn fit_with_own_words<R: Real>(
    dirichlet: &Dirichlet<R>,
    documents: &WordCounts,
    terms: &EpisodeTerms,
    stop: EmStop,
) -> (PosteriorMode<f64>, OwnWords) {
    let mut prior = LocalPrior::default();
    prior.fill(dirichlet, documents, terms);
    let mode = fit(documents, terms, &prior, stop);
    let share = |n: usize| own_share(&words_of(documents, terms, &prior, &mode, n));
    let shares = (0..documents.documents()).map(share).collect();
    (mode, OwnWords { shares })
}

impl OwnWords {
    /// Of documents that have none.
    pub fn none(documents: usize) -> Self {
        Self { shares: vec![0.0; documents] }
    }

    /// p(j|n) of a term in document `n` of `documents`, to which the topics give `of_topics`.
    pub fn probability(&self, documents: &WordCounts, n: usize, term: u32, of_topics: f64) -> f64 {
        let (share, length) = (self.shares[n], documents.words(n));
        if share == 0.0 || length == 0 {
            return of_topics;
        }
        let own = f64::from(documents.count_of(n, term)) / length as f64;
        (1.0 - share) * of_topics + share * own
    }
}

/// A term of a document: how often it is said, and how probable one occurrence of it is if all other
/// words are known, by the topics and by the document's own words.
struct ForetoldTerm {
    count: f64,
    of_topics: f64,
    own: f64,
}

fn words_of(
    documents: &WordCounts,
    terms: &EpisodeTerms,
    prior: &LocalPrior<f64>,
    mode: &PosteriorMode<f64>,
    n: usize,
) -> Vec<ForetoldTerm> {
    let topics = prior.topics;
    let theta = &mode.theta[n * topics..(n + 1) * topics];
    let others = documents.words(n) as f64 - 1.0;
    let foretold = |entry: usize| {
        let count = f64::from(documents.counts()[entry]);
        let phi = &mode.phi[terms.support[entry] as usize * topics..][..topics];
        let occurrence = prior.counts[entry] / count;
        let of_topics = without_one(theta, phi, &mode.phi_norm, occurrence);
        let own = if others > 0.0 { (count - 1.0) / others } else { 0.0 };
        ForetoldTerm { count, of_topics, own }
    };
    documents.row_range(n).map(foretold).collect()
}

/// Σ_k θ_nk φ_kj of a term once one occurrence of it, which counts `occurrence`, is taken from the
/// topics: φ_kj Z_k loses γ_njk of it.
fn without_one(theta: &[f64], phi: &[f64], norm: &[f64], occurrence: f64) -> f64 {
    let all: f64 = theta.iter().zip(phi).map(|(theta, phi)| theta * phi).sum();
    let left = |((theta, phi), norm): ((&f64, &f64), &f64)| {
        let share = theta * phi / all.max(f64::MIN_POSITIVE);
        theta * (phi - occurrence * share / norm).max(0.0)
    };
    theta.iter().zip(phi).zip(norm).map(left).sum()
}

/// o_n: the mode of its posterior, by EM. A document without words has none.
fn own_share(words: &[ForetoldTerm]) -> f64 {
    let length: f64 = words.iter().map(|word| word.count).sum();
    if length == 0.0 {
        return 0.0;
    }
    let mut share = EXPECTED_SHARE;
    for _ in 0..STEPS {
        let own = |word: &ForetoldTerm| {
            let (own, other) = (share * word.own, (1.0 - share) * word.of_topics);
            word.count * own / (own + other).max(f64::MIN_POSITIVE)
        };
        let owned: f64 = words.iter().map(own).sum();
        share = (owned + EXPECTED_WORDS * EXPECTED_SHARE) / (length + EXPECTED_WORDS);
    }
    share
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::em::Inference;

    /// Two documents and one topic whose prior counts for `sure` words, alike of every of 10 terms.
    fn shares(rows: [&[(u32, u32)]; 2], sure: f64) -> (Vec<f64>, PosteriorMode<f64>, WordCounts) {
        let mut documents = WordCounts::new();
        rows.iter().for_each(|row| documents.push_row(row.iter().copied()));
        let terms = EpisodeTerms::of(&documents, &WordCounts::new());
        let dirichlet = Dirichlet {
            inference: Inference::Em,
            topics: 1,
            alpha: vec![1.0; 2],
            beta: vec![sure / 10.0; 10],
            beta_sum: vec![sure],
            evidence: Vec::new(),
        };
        let (mode, own) = fit_with_own_words(&dirichlet, &documents, &terms, EmStop::Steps(3));
        (own.shares, mode, documents)
    }

    #[test]
    fn words_that_only_one_document_repeats_are_its_own() {
        let shared = [(0, 4), (1, 4), (2, 4)];
        let (alike, ..) = shares([&shared, &shared], 20.0);
        let (apart, ..) = shares([&[(0, 4), (1, 4), (2, 4)], &[(3, 4), (4, 4), (5, 4)]], 20.0);
        assert!(apart[0] > alike[0] + 0.1, "{apart:?} {alike:?}");
        // A document that repeats nothing has less than is expected.
        let once: Vec<(u32, u32)> = (0..10).map(|term| (term, 1)).collect();
        let (once, ..) = shares([&once, &[]], 20.0);
        assert!(
            (once[0] - EXPECTED_SHARE * EXPECTED_WORDS / (10.0 + EXPECTED_WORDS)).abs() < 1e-12
        );
        assert_eq!(once[1], 0.0);
    }

    #[test]
    fn the_share_makes_every_word_most_probable_given_the_others() {
        let rows: [&[(u32, u32)]; 2] = [&[(0, 6), (1, 1), (2, 1)], &[(1, 3), (2, 2), (3, 1)]];
        let (shares, _, documents) = shares(rows, 20.0);
        // Literally: each occurrence taken out of one topic that is the mean of 14 words and a prior
        // of 2 a term.
        let log_posterior = |share: f64| -> f64 {
            let (length, all) = (8.0, 14.0 + 20.0);
            let words = documents.row(0).map(|(term, count)| {
                let said = f64::from(documents.count_of(0, term) + documents.count_of(1, term));
                let of_topic = (said + 2.0 - 1.0) / all;
                let own = (f64::from(count) - 1.0) / (length - 1.0);
                f64::from(count) * (share * own + (1.0 - share) * of_topic).ln()
            });
            let expected = EXPECTED_WORDS * EXPECTED_SHARE * share.ln()
                + EXPECTED_WORDS * (1.0 - EXPECTED_SHARE) * (1.0 - share).ln();
            words.sum::<f64>() + expected
        };
        let best = log_posterior(shares[0]);
        for other in [-0.01, 0.01] {
            assert!(log_posterior(shares[0] + other) < best, "{shares:?}");
        }
    }

    #[test]
    fn probabilities_of_all_terms_sum_to_one() {
        let rows: [&[(u32, u32)]; 2] = [&[(0, 6), (1, 1)], &[(1, 3), (2, 2)]];
        let (shares, _, documents) = shares(rows, 20.0);
        let own = OwnWords { shares };
        let sum = |n| (0..10).map(|j| own.probability(&documents, n, j, 0.1)).sum::<f64>();
        assert!((sum(0) - 1.0).abs() < 1e-12 && (sum(1) - 1.0).abs() < 1e-12);
        assert_eq!(OwnWords::none(2).probability(&documents, 0, 0, 0.1), 0.1);
    }
}
