//! Documents that come after a fit: what each of their passages is about, beside topics that are known.
//!
//! ```text
//! passages ─ words by φ, directions by the topics' ─▶ logits L
//! pairs of passages ─ words, directions ─▶ couplings J, and v: how little they are alike
//! L, v ─▶ P(the document mixes topics)
//! L, J ─ mean field ─▶ shares if it does; mean of L ─▶ shares if it does not
//! ```
//!
//! A document is read by itself, so nothing here looks at another. The constants were learned and chosen
//! on joined and on whole documents of Reuters, OHSUMED, Brown and reviews (decision 63).

use super::couplings::Couplings;
use super::mixed::{Evidence, dot};
use crate::corpus::WordCounts;
use crate::em::Dirichlet;
use crate::numeric::{Real, kernels};
use crate::prior::handful::elementary::{sigmoid, softmax};
use crate::prior::handful::grouping::{sparse_dot, unit_row};
use crate::prior::handful::words::WordView;

/// What the cosine of directions and the mean log ratio of words count in L.
const DIRECTIONS: f64 = 2.85;
const WORDS: f64 = 2.4;

/// What the cosines of directions and of words say of whether two passages of a document are about one
/// subject, and what is taken away: passages of one document are alike whatever they are about.
const PAIR_DIRECTIONS: f64 = 4.2;
const PAIR_WORDS: f64 = 1.6;
const PAIR_OFFSET: f64 = 0.5;

/// What speaks for a mixed document: v, one over its passages, the gain and the spread of its logits, and
/// one. A logistic regression on as many joined as whole documents.
const MIXED: [f64; 5] = [-2.07, 7.03, 2.75, -0.58, -0.35];

/// What the regression's logits are multiplied by, so that fewer documents are half mixed and half whole.
const SHARPNESS: f64 = 1.5;

/// How much of what all passages of a document have in common is taken from each, if the document is
/// mixed.
const COMMON: f64 = 0.8;

/// The least length of a direction that is more than rounding, beside the topics' mean.
const LEAST_LENGTH: f64 = 1e-6;

/// Where the topics of a fit lie: the mean direction of what started them.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::prior::handful) struct TopicDirections {
    /// The mean over the topics.
    mean: Vec<f64>,
    /// Each topic's less the mean, of length 1: topics × D
    from_mean: Vec<f64>,
}

impl TopicDirections {
    /// Of the mean direction of each topic, topics × D.
    pub(in crate::prior::handful) fn of<R: Real>(directions: &[R], topics: usize) -> Self {
        let dimension = directions.len() / topics;
        let mut from_mean: Vec<f64> = directions.iter().map(|x| x.to_f64()).collect();
        let mut mean = vec![0.0; dimension];
        for direction in from_mean.chunks_exact(dimension) {
            kernels::add_scaled(&mut mean, 1.0 / topics as f64, direction);
        }
        from_mean.chunks_exact_mut(dimension).for_each(|it| see_from(it, &mean));
        Self { mean, from_mean }
    }

    fn topics(&self) -> usize {
        self.from_mean.len() / self.mean.len()
    }
}

/// Takes the mean away from a direction, and scales the rest to length 1. What is the mean has none.
fn see_from(direction: &mut [f64], mean: &[f64]) {
    kernels::add_scaled(direction, -1.0, mean);
    let length = kernels::dot(direction, direction).sqrt();
    let least = LEAST_LENGTH * kernels::dot(mean, mean).sqrt();
    let scale = if length > least { length.recip() } else { 0.0 };
    direction.iter_mut().for_each(|x| *x *= scale);
}

/// The passages of one document, and what is known of their words.
pub(in crate::prior::handful) struct FurtherPassages<'a, R> {
    pub(in crate::prior::handful) counts: &'a WordCounts,
    pub(in crate::prior::handful) words: WordView<'a, R>,
    /// u_p: passages × D
    pub(in crate::prior::handful) directions: &'a [R],
}

impl<R: Real> FurtherPassages<'_, R> {
    /// r_pk: the shares of topics in each passage (passages × topics). φ, with the background last, stands
    /// in the place of β.
    ///
    /// A document that is mixed with probability π has r_p = π m_p + (1 − π) softmax(M), where M is the
    /// mean of L over its passages, and m the mean field of L_pk − 0.8 π M_k.
    pub(in crate::prior::handful) fn shares(
        &self,
        known: &TopicDirections,
        phi: &Dirichlet<R>,
    ) -> Vec<f64> {
        let (topics, dimension) = (known.topics(), known.mean.len());
        let mut directions: Vec<f64> = self.directions.iter().map(|x| x.to_f64()).collect();
        directions.chunks_exact_mut(dimension).for_each(|it| see_from(it, &known.mean));
        let mut logits = self.word_logits(topics, phi);
        for (row, direction) in
            logits.chunks_exact_mut(topics).zip(directions.chunks_exact(dimension))
        {
            for (logit, topic) in row.iter_mut().zip(known.from_mean.chunks_exact(dimension)) {
                *logit += DIRECTIONS * kernels::dot(direction, topic);
            }
        }
        let passages = self.counts.documents();
        let couplings = Couplings::by(self.pairs(&directions, dimension), passages);
        let lengths: Vec<f64> = (0..passages).map(|p| self.counts.words(p) as f64).collect();
        let evidence = Evidence::of(&logits, &lengths, topics);
        let features = [couplings.weak, 1.0 / passages as f64, evidence.gain, evidence.spread, 1.0];
        // A single passage is about one thing.
        let mixed = if passages == 1 { 0.0 } else { sigmoid(SHARPNESS * dot(&MIXED, &features)) };
        for row in logits.chunks_exact_mut(topics) {
            let means = row.iter_mut().zip(&evidence.mean);
            means.for_each(|(logit, mean)| *logit -= COMMON * mixed * mean);
        }
        let mut whole = evidence.mean;
        softmax(&mut whole);
        let mut shares = couplings.mean_field(&logits, topics);
        for row in shares.chunks_exact_mut(topics) {
            for (share, whole) in row.iter_mut().zip(&whole) {
                *share = mixed * *share + (1.0 - mixed) * whole;
            }
        }
        shares
    }

    /// 2.4 Σ_j w_j x_pj l_jk / Σ_j w_j x_pj with l_jk = log(φ_kj + b_j) less its mean over k, passages ×
    /// topics. The background's probability b_j keeps words that no document of the fit had from
    /// deciding alone.
    fn word_logits(&self, topics: usize, phi: &Dirichlet<R>) -> Vec<f64> {
        let mut logits = vec![0.0; self.counts.documents() * topics];
        let mut ratios = vec![0.0; topics];
        for (p, sums) in logits.chunks_exact_mut(topics).enumerate() {
            let mut all = 0.0;
            for (term, count) in self.counts.row(p) {
                let row = &phi.beta[term as usize * phi.topics..][..phi.topics];
                let background = if phi.topics > topics { row[topics].to_f64() } else { 0.0 };
                for (ratio, phi) in ratios.iter_mut().zip(row) {
                    *ratio = (phi.to_f64() + background).max(f64::MIN_POSITIVE).ln();
                }
                let mean = ratios.iter().sum::<f64>() / topics as f64;
                let weight = self.words.importance(term).to_f64().max(0.0) * f64::from(count);
                sums.iter_mut()
                    .zip(&ratios)
                    .for_each(|(sum, ratio)| *sum += weight * (ratio - mean));
                all += weight;
            }
            if all > 0.0 {
                sums.iter_mut().for_each(|sum| *sum *= WORDS / all);
            }
        }
        logits
    }

    /// J⁰_pq = 4.2 S^directions_pq + 1.6 S^words_pq − 0.5 for pairs p < q, in the order of q, then of p.
    fn pairs(&self, directions: &[f64], dimension: usize) -> Vec<f64> {
        let passages = self.counts.documents();
        let weight = |term: u32, count: u32| self.words.weight(term, count);
        let words: Vec<Vec<(u32, R)>> =
            (0..passages).map(|p| unit_row(self.counts.row(p), weight)).collect();
        let row = |p: usize| &directions[p * dimension..(p + 1) * dimension];
        let pairs = (1..passages).flat_map(|q| (0..q).map(move |p| (p, q)));
        let evidence = |(p, q): (usize, usize)| {
            PAIR_DIRECTIONS * kernels::dot(row(p), row(q))
                + PAIR_WORDS * sparse_dot(&words[p], &words[q])
                - PAIR_OFFSET
        };
        pairs.map(evidence).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prior::handful::{Handful, HandfulSettings};
    use crate::random::{Purpose, stream};

    /// φ of two topics: one has nine of ten words among the first ten terms, the other among the next ten,
    /// and the last term is as probable in both.
    fn phi() -> Dirichlet<f64> {
        let row = |term: u32| match term {
            0..10 => [0.09, 0.01, 0.0],
            10..20 => [0.01, 0.09, 0.0],
            _ => [0.05, 0.05, 0.0],
        };
        Dirichlet { topics: 3, beta: (0..21).flat_map(row).collect(), ..Dirichlet::default() }
    }

    /// The shares of two topics, which lie along the axes, in passages with these terms and directions.
    fn shares(rows: &[std::ops::Range<u32>], directions: &[f64]) -> Vec<f64> {
        let settings =
            HandfulSettings { dimension: 2, hidden: 4, themes: 4, ..HandfulSettings::default() };
        let prior = Handful::<f64>::random(settings, 21, 2, &mut stream(1, Purpose::Weights, 0));
        let mut counts = WordCounts::new();
        rows.iter().for_each(|row| counts.push_row(row.clone().map(|term| (term, 1))));
        let passages = FurtherPassages { counts: &counts, words: prior.view(None), directions };
        passages.shares(&TopicDirections::of(&[1.0, 0.0, 0.0, 1.0], 2), &phi())
    }

    #[test]
    fn topics_are_seen_from_their_mean() {
        let known = TopicDirections::of(&[1.0, 0.0, 0.0, 1.0], 2);
        let root = 0.5f64.sqrt();
        for (x, expected) in known.from_mean.iter().zip([root, -root, -root, root]) {
            assert!((x - expected).abs() < 1e-12);
        }
        let mut mean = [0.5, 0.5];
        see_from(&mut mean, &known.mean);
        assert_eq!(mean, [0.0; 2]);
    }

    #[test]
    fn passages_of_two_subjects_go_each_to_its_topic() {
        let found = shares(&[0..10, 10..20], &[1.0, 0.0, 0.0, 1.0]);
        assert!(found[0] > 0.8, "{found:?}");
        // The two are mirror images.
        assert!((found[0] - found[3]).abs() < 1e-9 && (found[1] - found[2]).abs() < 1e-9);
        assert!((found[0] + found[1] - 1.0).abs() < 1e-9);
    }

    #[test]
    fn passages_that_say_nothing_have_all_topics_alike() {
        // Both topics have the word, and the direction is the topics' mean.
        let found = shares(&[20..21, 20..21], &[0.5; 4]);
        assert!(found.iter().all(|share| (share - 0.5).abs() < 1e-9), "{found:?}");
    }

    #[test]
    fn passages_of_one_subject_make_a_whole_document() {
        let found = shares(&[0..10, 0..10, 0..10], &[1.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
        assert!(found.chunks(2).all(|row| row[0] > 0.9), "{found:?}");
    }
}
