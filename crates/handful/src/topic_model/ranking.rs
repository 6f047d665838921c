//! Which of a topic's terms are shown, and in which order.

use super::TopicModel;
use crate::numeric::{kernels, largest};
use crate::{Error, Result};

/// How the terms of a topic are ranked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ranking<'a> {
    /// By φ_kj: common words come first, in every topic.
    Probability,
    /// By relevance, λ log φ_kj + (1−λ) log(φ_kj / p_j) (Sievert and Shirley, "LDAvis: a method for
    /// visualizing and interpreting topics", 2014): what a topic says more often than is usual.
    Relevance {
        /// λ: 1 is the order of probability, 0 that of the ratio to what is usual.
        lambda: f64,
        /// p_j: how probable each term is whatever the topic. None may be 0.
        unigram: &'a [f64],
    },
    /// By relevance with [`Ranking::LAMBDA`], terms that tell nothing last: the most usual ones, unless
    /// they are at home in the topic, [`Ranking::AT_HOME`] times as probable as usual. Relevance alone
    /// leaves them among the first.
    Telling {
        /// p_j: how probable each term is whatever the topic. None may be 0.
        unigram: &'a [f64],
    },
}

impl Ranking<'_> {
    /// How many times as probable as usual a usual term must be in a topic to tell something of it.
    pub const AT_HOME: f64 = 20.0;
    /// How many terms are usual at most; no more than a tenth of all are.
    pub const USUAL: usize = 100;

    /// The λ that Sievert and Shirley's readers understood best.
    pub const LAMBDA: f64 = 0.6;

    /// The `most` highest ranked terms of a topic φ_k, the highest first, equals in the vocabulary's
    /// order.
    pub fn top<P: Copy + Into<f64>>(&self, topic: &[P], most: usize) -> Vec<u32> {
        match *self {
            Self::Probability => largest(topic, most),
            Self::Relevance { lambda, unigram } => {
                largest(&relevances(lambda, topic, unigram), most)
            }
            Self::Telling { unigram } => {
                let mut relevances = relevances(Self::LAMBDA, topic, unigram);
                for term in usual_terms(unigram) {
                    let j = term as usize;
                    if topic[j].into() < Self::AT_HOME * unigram[j] {
                        // Below all others, and still in their order.
                        relevances[j] -= LAST;
                    }
                }
                largest(&relevances, most)
            }
        }
    }
}

/// The most usual terms.
fn usual_terms(unigram: &[f64]) -> Vec<u32> {
    largest(unigram, Ranking::USUAL.min(unigram.len() / 10))
}

/// The largest error of [`rough_ln`].
const ROUGH: f32 = 0.01;

/// log x of a normal number within [`ROUGH`]: exponent and a parabola through the mantissa. A loop over
/// it takes a hundredth of the time of one over `ln`.
#[inline(always)]
fn rough_ln(x: f32) -> f32 {
    let bits = x.to_bits();
    let exponent = ((bits >> 23) as i32 - 127) as f32;
    let mantissa = f32::from_bits((bits & 0x007f_ffff) | 0x3f80_0000);
    // log₂ of 1 to 2, at most 0.0079 too small or too large.
    let log = (-0.344_84 * mantissa + 2.024_66) * mantissa - 1.674_87;
    (exponent + log) * std::f32::consts::LN_2
}

/// More than relevances of any two terms differ by: logarithms of float64 numbers.
const LAST: f64 = 10_000.0;

/// Of every term of a topic.
fn relevances<P: Copy + Into<f64>>(lambda: f64, topic: &[P], unigram: &[f64]) -> Vec<f64> {
    debug_assert!(unigram.iter().all(|&p| p > 0.0), "every term has a probability");
    topic.iter().zip(unigram).map(|(&phi, &p)| relevance(lambda, phi.into(), p)).collect()
}

/// λ log φ_kj + (1−λ) log(φ_kj / p_j), with the logarithm of φ_kj taken out of both parts.
pub(super) fn relevance(lambda: f64, phi: f64, p: f64) -> f64 {
    // What a topic does not have has a place behind what it has.
    phi.max(f64::MIN_POSITIVE).ln() - (1.0 - lambda) * p.ln()
}

/// The order in which a person is shown the terms of topics, with all that it needs of a topic
/// model.
#[derive(Clone, Debug, PartialEq)]
pub struct TermOrder {
    /// λ of the relevance; `None` for the telling terms.
    lambda: Option<f64>,
    /// p_j
    unigram: Vec<f64>,
    /// Roughly log p_j.
    rough_logs: Vec<f32>,
    /// The terms that are shown last unless they are at home in a topic.
    usual: Vec<u32>,
}

/// A term of a topic, as it is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedTerm {
    /// Its index in the vocabulary.
    pub term: u32,
    /// φ_kj
    pub probability: f32,
    /// Its relevance, with the order's λ or [`Ranking::LAMBDA`].
    pub relevance: f64,
}

impl TermOrder {
    /// The order by relevance with λ = `lambda`. Without it, the order of [`Ranking::Telling`] where a
    /// background knows which words are usual, else relevance with [`Ranking::LAMBDA`].
    ///
    /// p_j is the background's; where there is none, how probable the fit finds each term,
    /// Σ_k weight_k φ_kj.
    pub fn new(model: &TopicModel, lambda: Option<f64>) -> Result<Self> {
        if let Some(lambda) = lambda.filter(|lambda| !(0.0..=1.0).contains(lambda)) {
            return Err(Error::setting("relevance", lambda, "from 0 to 1"));
        }
        // What is so rare that float32 has no number for it has a logarithm all the same.
        let positive = |p: f64| p.max(f64::from(f32::MIN_POSITIVE));
        let (lambda, unigram): (Option<f64>, Vec<f64>) = match &model.background {
            Some(background) => {
                let words = background.words.iter();
                (lambda, words.map(|&p| positive(p.into())).collect())
            }
            None => {
                let expected = |phi: &[f32]| -> f64 {
                    let topics = phi.iter().zip(&model.weights);
                    topics.map(|(&phi, weight)| weight * f64::from(phi)).sum()
                };
                let words = model.word_probabilities.chunks_exact(model.topics);
                let unigram = words.map(|phi| positive(expected(phi))).collect();
                (lambda.or(Some(Ranking::LAMBDA)), unigram)
            }
        };
        let mut rough_logs = vec![0.0; unigram.len()];
        kernels::vectorised(
            #[inline(always)]
            || {
                for (log, &p) in rough_logs.iter_mut().zip(&unigram) {
                    *log = rough_ln(p as f32);
                }
            },
        );
        let usual = if lambda.is_none() { usual_terms(&unigram) } else { Vec::new() };
        Ok(Self { lambda, unigram, rough_logs, usual })
    }

    /// λ, where terms are ordered by relevance.
    pub fn lambda(&self) -> Option<f64> {
        self.lambda
    }

    fn ranking(&self) -> Ranking<'_> {
        let unigram = &self.unigram;
        match self.lambda {
            Some(lambda) => Ranking::Relevance { lambda, unigram },
            None => Ranking::Telling { unigram },
        }
    }

    /// The `most` terms of topic `k` of the order's topic model that come first.
    ///
    /// Most terms are far from the first places. Rough logarithms tell which; only the others are
    /// ranked exactly, so the order is that of [`Ranking::top`].
    pub fn top(&self, model: &TopicModel, k: usize, most: usize) -> Vec<RankedTerm> {
        let lambda = self.lambda.unwrap_or(Ranking::LAMBDA);
        let topic: Vec<f32> = model.topic(k).collect();
        let terms = self.next(&topic, lambda, most);
        let ranked = |term: u32| {
            let (probability, p) = (topic[term as usize], self.unigram[term as usize]);
            let phi = f64::from(probability).max(f64::from(f32::MIN_POSITIVE));
            RankedTerm { term, probability, relevance: relevance(lambda, phi, p) }
        };
        terms.into_iter().map(ranked).collect()
    }

    /// The `most` terms of a topic that come first by [`Self::ranking`].
    fn next(&self, topic: &[f32], lambda: f64, most: usize) -> Vec<u32> {
        match self.candidates(topic, lambda, most) {
            None => self.ranking().top(topic, most),
            Some(candidates) => {
                let phi = |&j: &u32| f64::from(topic[j as usize]);
                let exact = |j: &u32| {
                    let last = if self.is_last(*j, phi(j)) { LAST } else { 0.0 };
                    relevance(lambda, phi(j), self.unigram[*j as usize]) - last
                };
                let exact: Vec<f64> = candidates.iter().map(exact).collect();
                let places = largest(&exact, most);
                places.into_iter().map(|place| candidates[place as usize]).collect()
            }
        }
    }

    /// Whether a term is usual, and not at home in a topic where it has the probability `phi`.
    fn is_last(&self, term: u32, phi: f64) -> bool {
        phi < Ranking::AT_HOME * self.unigram[term as usize] && self.usual.contains(&term)
    }

    /// Terms, in increasing order, among which are the `most` that come first; `None` if rough
    /// logarithms cannot tell.
    fn candidates(&self, topic: &[f32], lambda: f64, most: usize) -> Option<Vec<u32>> {
        let unusual = topic.len().saturating_sub(self.usual.len());
        if most == 0 || most > unusual || topic.iter().any(|&phi| phi < f32::MIN_POSITIVE) {
            return None;
        }
        let weight = 1.0 - lambda as f32;
        let mut rough = vec![0.0; topic.len()];
        kernels::vectorised(
            #[inline(always)]
            || {
                for ((rough, &phi), &log) in rough.iter_mut().zip(topic).zip(&self.rough_logs) {
                    *rough = rough_ln(phi) - weight * log;
                }
            },
        );
        for &term in &self.usual {
            if self.is_last(term, topic[term as usize].into()) {
                rough[term as usize] = f32::NEG_INFINITY;
            }
        }
        let mut sorted = rough.clone();
        let (_, last, _) = sorted.select_nth_unstable_by(most - 1, |a, b| b.total_cmp(a));
        // Both sides of a comparison may be wrong, each by the errors of two logarithms.
        let least = *last - 4.0 * ROUGH;
        let near = (0..).zip(&rough).filter(|(_, rough)| **rough >= least);
        Some(near.map(|(term, _)| term).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Background;
    use super::*;
    use proptest::prelude::*;

    /// Two topics of three terms, the first of which is usual in both.
    fn model(background: Option<Background>) -> TopicModel {
        let phi = [0.5, 0.6, 0.4, 0.0, 0.1, 0.4];
        TopicModel { background, ..TopicModel::by_hand(&[0.75, 0.25], &[0.75, 0.25], &phi) }
    }

    #[test]
    fn without_a_background_the_fit_says_what_is_usual() {
        // p = 0.525, 0.3, 0.175, so the ratios of topic 0 are 0.95, 1.33 and 0.57.
        let order = |lambda| TermOrder::new(&model(None), lambda).unwrap();
        let terms = |lambda| {
            let top = order(lambda).top(&model(None), 0, 3);
            top.iter().map(|top| top.term).collect::<Vec<_>>()
        };
        assert_eq!(terms(Some(1.0)), [0, 1, 2]);
        assert_eq!(terms(Some(0.0)), [1, 0, 2]);
        assert_eq!(order(None).lambda(), Some(Ranking::LAMBDA));
        let top = order(None).top(&model(None), 0, 1)[0];
        let expected = 0.6 * f64::ln(0.4) + 0.4 * f64::ln(0.4 / 0.3);
        let first = 0.6 * f64::ln(0.5) + 0.4 * f64::ln(0.5 / 0.525);
        assert_eq!(top.term, u32::from(expected > first));
        assert!((top.relevance - expected.max(first)).abs() < 1e-6);
    }

    #[test]
    fn a_background_says_what_is_usual_and_telling_terms_come_first() {
        let model = model(Some(Background::by_hand(&[0.5], &[0.9, 0.05, 0.05])));
        let order = TermOrder::new(&model, None).unwrap();
        assert_eq!(order.lambda(), None);
        // Of three terms none is so usual that it is put last, and φ/p^0.4 is 0.52, 1.33 and 0.33.
        let top = order.top(&model, 0, 3);
        assert_eq!(top.iter().map(|top| top.term).collect::<Vec<_>>(), [1, 0, 2]);
        let by_relevance = TermOrder::new(&model, Some(0.0)).unwrap().top(&model, 0, 1)[0];
        assert_eq!(by_relevance.term, 1);
        assert!((by_relevance.relevance - f64::ln(0.4 / 0.05)).abs() < 1e-6);
    }

    #[test]
    fn lambda_is_from_0_to_1() {
        for lambda in [-0.1, 1.1, f64::NAN] {
            let error = TermOrder::new(&model(None), Some(lambda)).unwrap_err().to_string();
            assert!(error.contains("from 0 to 1"), "{error}");
        }
    }

    #[test]
    fn relevance_is_probability_tempered_by_how_usual_a_term_is() {
        let (topic, unigram) = ([0.4, 0.35, 0.2, 0.05, 0.0], [0.5, 0.2, 0.05, 0.01, 0.24]);
        let relevance = |j: usize, lambda: f64| {
            let (phi, p): (f64, f64) = (topic[j], unigram[j]);
            lambda * phi.ln() + (1.0 - lambda) * (phi / p).ln()
        };
        for lambda in [0.0, 0.3, Ranking::LAMBDA, 1.0] {
            let top = Ranking::Relevance { lambda, unigram: &unigram }.top(&topic, 5);
            let ranked: Vec<f64> = top.iter().map(|&j| relevance(j as usize, lambda)).collect();
            assert!(ranked[..4].is_sorted_by(|a, b| a >= b), "{lambda}: {top:?}");
            assert_eq!(top[4], 4, "a term the topic does not have comes last");
        }
        // The ratios φ/p are 0.8, 1.75, 4 and 5.
        let by_ratio = Ranking::Relevance { lambda: 0.0, unigram: &unigram }.top(&topic, 2);
        assert_eq!(by_ratio, [3, 2]);
    }

    #[test]
    fn usual_terms_come_last_unless_they_are_at_home() {
        // Of twenty terms two are usual.
        let mut unigram = [0.5 / 18.0; 20];
        (unigram[4], unigram[9]) = (0.04, 0.46);
        let mut topic = [0.001; 20];
        (topic[3], topic[4], topic[9], topic[11]) = (0.02, 0.1, 0.6, 0.3);
        let telling = Ranking::Telling { unigram: &unigram };
        assert_eq!(telling.top(&topic, 3), [11, 3, 0]);
        // φ/p^0.4: 0.6/0.46^0.4 is 0.82, 0.1/0.04^0.4 is 0.36.
        assert_eq!(telling.top(&topic, 20)[18..], [9, 4]);
        topic[4] = 0.8 * 0.999;
        assert_eq!(telling.top(&topic, 2), [11, 3]);
        topic[4] = 0.8 * 1.001;
        assert_eq!(telling.top(&topic, 2), [4, 11]);
        // Of nine none is.
        let few = Ranking::Telling { unigram: &[0.8, 0.1, 0.1] };
        assert_eq!(few.top(&[0.8, 0.05, 0.15], 3), [0, 2, 1]);
    }

    #[test]
    fn with_lambda_1_both_rankings_agree() {
        let topic = [0.1f32, 0.3, 0.2, 0.3, 0.1];
        let by_relevance = Ranking::Relevance { lambda: 1.0, unigram: &[0.2; 5] };
        assert_eq!(Ranking::Probability.top(&topic, 4), [1, 3, 2, 0]);
        assert_eq!(by_relevance.top(&topic, 4), [1, 3, 2, 0]);
    }

    #[test]
    fn rough_logarithms_are_as_exact_as_they_say() {
        for i in 0..200_000u32 {
            let x = f32::from_bits(f32::MIN_POSITIVE.to_bits() + i * 5_000);
            assert!((rough_ln(x) - x.ln()).abs() < ROUGH, "{x}");
        }
    }

    proptest! {
        #[test]
        fn the_fast_order_is_the_order_of_its_ranking(
            words in prop::collection::vec((1e-7f32..0.1, 1e-7f32..0.1, 1e-7f32..0.1), 1..400),
            most in 0usize..30,
            lambda in prop::option::of(0.0f64..1.0),
        ) {
            let phi: Vec<f32> = words.iter().flat_map(|(a, b, _)| [*a, *b]).collect();
            let usual: Vec<f32> = words.iter().map(|(_, _, p)| *p).collect();
            let background = Background::by_hand(&[0.5], &usual);
            let model = TopicModel {
                background: Some(background),
                ..TopicModel::by_hand(&[0.5; 2], &[0.5; 2], &phi)
            };
            let order = TermOrder::new(&model, lambda).unwrap();
            for k in 0..2 {
                let topic: Vec<f32> = model.topic(k).collect();
                let fast: Vec<u32> = order.top(&model, k, most).iter().map(|it| it.term).collect();
                prop_assert_eq!(fast, order.ranking().top(&topic, most));
            }
        }
    }
}
