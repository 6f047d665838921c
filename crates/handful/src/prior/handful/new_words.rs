//! Words that the training corpora do not have: terms of a fit like any others.
//!
//! New words stand after the known ones. Those that the documents have are as good as seen a little
//! oftener, by every topic. Where there are others, held out or of documents to come, a topic keeps a share
//! of its words for them: as many are expected as new words were seen once (Good and Turing), those more
//! that are spelled like words of the topic's documents:
//!
//! ```text
//! β_kj = b of a new word j that the documents have
//! β_kj = c_k ν w_kj / Σ_j w_kj of any other, w_kj = 1 + r Σ_i likeness(i, j)⁴ over the words i of
//!        documents of topic k, ν = a (new words seen once + 1) / (all words + 2); known words have
//!        1 − ν of what they had then
//! ```
//!
//! In the background, which has the words of the training corpora, a new word is as probable as rare ones
//! of those.

use super::topics::TopicTape;
use crate::corpus::WordCounts;
use crate::em::Dirichlet;
use crate::numeric::{FLOOR, Real};
use crate::prior::{NewTerms, Unigram};
use crate::storage::TermRows;
use crate::text::Relative;

/// A relative counts by a power of its likeness: distant ones are many and say little.
const SHARPNESS: i32 = 4;

/// However many words were seen once, others have no larger share.
const MOST_SHARE: f64 = 0.9;

/// Gives new words their part of β, after the known words have theirs.
pub(super) fn shapes<R: Real>(
    new_terms: &NewTerms,
    unigram: &Unigram<R>,
    support: &WordCounts,
    wanted: TermRows<'_>,
    topics: &TopicTape<R>,
    dirichlet: &mut Dirichlet<R>,
) {
    let (known, expected) = (unigram.words.len(), &new_terms.expected);
    let terms = known + new_terms.count();
    let mut counts = vec![0u32; new_terms.count()];
    for (&term, &count) in support.terms().iter().zip(support.counts()) {
        if let Some(new) = (term as usize).checked_sub(known) {
            counts[new] += count;
        }
    }
    let has_others = counts.contains(&0);
    let once = counts.iter().filter(|&&count| count == 1).count();
    let share = expected.novelty * (once as f64 + 1.0) / (support.total_words() as f64 + 2.0);
    let share = if has_others { share.min(MOST_SHARE) } else { 0.0 };
    let topics_with_others = if has_others { topics.topics } else { 0 };
    let shares: Vec<Vec<f64>> = (0..topics_with_others)
        .map(|k| shares_of_others(new_terms, k, &counts, support, terms, topics))
        .collect();
    let count = topics.topics + 1;
    let seen = R::of(expected.occurrences).at_least(R::of(FLOOR));
    let of_new = dirichlet.beta_sum[topics.topics] * unigram.of_new;
    dirichlet.beta.resize(terms * count, R::ZERO);
    wanted.for_each(terms, |j| {
        let (of_topics, of_background) =
            dirichlet.beta[j * count..][..count].split_at_mut(topics.topics);
        match j.checked_sub(known) {
            // Without others there is nothing to take from them.
            None if !has_others => {}
            None => of_topics.iter_mut().for_each(|beta| *beta *= R::of(1.0 - share)),
            Some(new) => {
                of_background[0] = of_new;
                if counts[new] > 0 {
                    of_topics.fill(seen);
                    return;
                }
                for (k, beta) in of_topics.iter_mut().enumerate() {
                    let of_word = R::of(share * shares[k][new]);
                    *beta = (dirichlet.beta_sum[k] * of_word).at_least(R::of(FLOOR));
                }
            }
        }
    });
    let seen_by_all = seen * R::of(counts.iter().filter(|&&count| count > 0).count() as f64);
    dirichlet.beta_sum[..topics.topics].iter_mut().for_each(|sum| *sum += seen_by_all);
    let of_all_new: R = counts.iter().map(|_| unigram.of_new).sum();
    dirichlet.beta_sum[topics.topics] *= R::ONE + of_all_new;
}

/// How topic `k` shares out what it keeps for words that no document has.
fn shares_of_others<R: Real>(
    NewTerms { expected, relatives, .. }: &NewTerms,
    k: usize,
    counts: &[u32],
    support: &WordCounts,
    terms: usize,
    topics: &TopicTape<R>,
) -> Vec<f64> {
    let own = |n: &usize| k >= topics.groups || topics.group[*n] == k;
    let mut is_own = vec![false; terms];
    for n in (0..support.documents()).filter(own) {
        support.row(n).for_each(|(term, _)| is_own[term as usize] = true);
    }
    let weight = |(relatives, &count): (&Vec<Relative>, &u32)| {
        let own = relatives.iter().filter(|relative| is_own[relative.term as usize]);
        let likeness = own.map(|own| f64::from(own.likeness).powi(SHARPNESS)).sum::<f64>();
        if count == 0 { 1.0 + expected.kinship * likeness } else { 0.0 }
    };
    let mut shares: Vec<f64> = relatives.iter().zip(counts).map(weight).collect();
    let sum: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
    shares
}

#[cfg(test)]
mod tests {
    use super::super::{Handful, HandfulSettings, HandfulTape};
    use super::*;
    use crate::corpus::WordCounts;
    use crate::em::EmStop;
    use crate::nn::Dropout;
    use crate::prior::{AnyPrior, FitPrior, NewWordPrior, Prior, Request};
    use crate::random::{Purpose, stream};
    use crate::text::relatives;
    use crate::topic_model::TopicModel;

    const KNOWN: usize = 30;
    const EXPECTED: NewWordPrior =
        NewWordPrior { novelty: 0.5, occurrences: 0.2, evidence: 0.0, kinship: 3.0 };

    fn prior(topics: usize) -> Handful<f32> {
        let settings =
            HandfulSettings { dimension: 8, hidden: 4, themes: 4, ..HandfulSettings::default() };
        Handful::random(settings, KNOWN, topics, &mut stream(1, Purpose::Weights, 0))
    }

    /// Two documents, ten words each; of the second's, four are new.
    fn documents() -> WordCounts {
        let mut documents = WordCounts::new();
        documents.push_row([(0, 4), (3, 5), (7, 1)]);
        documents.push_row([(3, 2), (20, 4), (30, 3), (31, 1)]);
        documents
    }

    fn beta(
        prior: &Handful<f32>,
        documents: &WordCounts,
        new_terms: Option<&NewTerms>,
    ) -> Dirichlet<f32> {
        let (mut tape, mut dirichlet) = (HandfulTape::default(), Dirichlet::default());
        let mut dropout = Dropout::off();
        let request = Request { new_terms, ..Request::new(prior.topics(), TermRows::All) };
        prior.forward(documents, request, &mut dropout, &mut tape, &mut dirichlet);
        dirichlet
    }

    /// New words that are spelled like no other.
    fn unrelated(count: usize) -> NewTerms {
        NewTerms { expected: EXPECTED, relatives: vec![Vec::new(); count], phrases: Vec::new() }
    }

    fn sum(dirichlet: &Dirichlet<f32>, terms: std::ops::Range<usize>, k: usize) -> f64 {
        terms.map(|j| f64::from(dirichlet.beta_row(j)[k])).sum()
    }

    #[test]
    fn new_words_of_the_documents_are_as_good_as_seen() {
        let mut known = WordCounts::new();
        known.push_row([(0, 4), (3, 5), (7, 1)]);
        known.push_row([(3, 2), (20, 4)]);
        let prior = prior(3);
        let before = beta(&prior, &known, None);
        let after = beta(&prior, &documents(), Some(&unrelated(2)));
        for k in 0..4 {
            let all = sum(&after, 0..32, k) / f64::from(after.beta_sum[k]);
            assert!((all - 1.0).abs() < 1e-5, "topic {k}");
            assert!((0..30).all(|j| after.beta_row(j)[k] == before.beta_row(j)[k]), "topic {k}");
            if k < 3 {
                assert_eq!([after.beta_row(30)[k], after.beta_row(31)[k]], [0.2; 2]);
            }
        }
        // All known words are equally frequent, and so are new ones in the background.
        assert_eq!(after.beta_row(30)[3], after.beta_row(0)[3]);
        let unigram = prior.unigram().unwrap();
        assert_eq!(unigram.of(30), unigram.of(0));
    }

    #[test]
    fn topics_keep_a_share_for_words_that_are_still_to_come() {
        // Of the words that no document has, one resembles a word of the second.
        let words = [(30, "varroa"), (31, "nosema"), (32, "nosemas"), (33, "drone")];
        let relatives = relatives(&words.map(|(_, word)| word), &words[..2]);
        let new_terms = NewTerms { expected: EXPECTED, relatives, phrases: Vec::new() };
        let dirichlet = beta(&prior(3), &documents(), Some(&new_terms));
        // One of the new words was seen once: half of (1 + 1) / (20 words + 2).
        let share = 0.5 * 2.0 / 22.0;
        for k in 0..3 {
            let own = f64::from(dirichlet.beta_sum[k]) - 0.4;
            assert!((sum(&dirichlet, 32..34, k) / own - share).abs() < 1e-5, "topic {k}");
            assert!((sum(&dirichlet, 0..30, k) / own - (1.0 - share)).abs() < 1e-5, "topic {k}");
        }
        // ^nos nose osem sema ema$ and ^nos nose osem sema emas mas$: four of five and six pieces.
        let likeness = 4.0 / 30f64.sqrt();
        let related = 1.0 + EXPECTED.kinship * likeness.powi(4);
        // Topics 0 and 1 start from a document each, topic 2 from both.
        for (k, expected) in [(0, 1.0), (1, related), (2, related)] {
            let ratio = f64::from(dirichlet.beta_row(32)[k] / dirichlet.beta_row(33)[k]);
            assert!((ratio - expected).abs() < 1e-5, "topic {k}: {ratio}");
        }
    }

    #[test]
    fn no_new_words_change_nothing() {
        let mut documents = WordCounts::new();
        documents.push_row([(0, 4), (3, 5)]);
        let prior = AnyPrior::Handful(Box::new(prior(2)));
        let none = unrelated(0);
        let asked = FitPrior { new_terms: Some(&none), ..(&prior).into() };
        let stop = EmStop::Steps(5);
        let fit = TopicModel::fit(&prior, &documents, stop);
        assert_eq!(TopicModel::fit(asked, &documents, stop), fit);
    }
}
