//! Which of a topic's terms are shown, and in which order.

use super::TopicModel;
use crate::numeric::largest;
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
    /// A usual term tells something of a topic that has it so many times as often.
    pub const AT_HOME: f64 = 20.0;
    /// So many terms are usual, but no more than a tenth of all.
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
                for term in largest(unigram, Self::USUAL.min(unigram.len() / 10)) {
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

/// More than relevances of any two terms differ by: logarithms of float64 numbers.
const LAST: f64 = 10_000.0;

/// Of every term of a topic.
fn relevances<P: Copy + Into<f64>>(lambda: f64, topic: &[P], unigram: &[f64]) -> Vec<f64> {
    debug_assert!(unigram.iter().all(|&p| p > 0.0), "every term has a probability");
    topic.iter().zip(unigram).map(|(&phi, &p)| relevance(lambda, phi.into(), p)).collect()
}

/// λ log φ_kj + (1−λ) log(φ_kj / p_j), with the logarithm of φ_kj taken out of both parts.
fn relevance(lambda: f64, phi: f64, p: f64) -> f64 {
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
    /// The order by relevance with λ = `lambda`. Without it, the telling terms
    /// ([`Ranking::Telling`]) where a background knows which words are usual: fewer common words come
    /// up than by relevance. Where there is no background, relevance with [`Ranking::LAMBDA`].
    ///
    /// p_j is the background's; where there is none, how probable the fit finds each term,
    /// Σ_k weight_k φ_kj.
    pub fn new(model: &TopicModel, lambda: Option<f64>) -> Result<Self> {
        if let Some(lambda) = lambda.filter(|lambda| !(0.0..=1.0).contains(lambda)) {
            return Err(Error::setting("relevance", lambda, "from 0 to 1"));
        }
        // What is so rare that float32 has no number for it has a logarithm all the same.
        let positive = |p: f64| p.max(f64::from(f32::MIN_POSITIVE));
        Ok(match &model.background {
            Some(background) => {
                let words = background.words.iter();
                Self { lambda, unigram: words.map(|&p| positive(p.into())).collect() }
            }
            None => {
                let expected = |phi: &[f32]| -> f64 {
                    let topics = phi.iter().zip(&model.weights);
                    topics.map(|(&phi, weight)| weight * f64::from(phi)).sum()
                };
                let words = model.word_probabilities.chunks_exact(model.topics);
                let unigram = words.map(|phi| positive(expected(phi))).collect();
                Self { lambda: lambda.or(Some(Ranking::LAMBDA)), unigram }
            }
        })
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
    pub fn top(&self, model: &TopicModel, k: usize, most: usize) -> Vec<RankedTerm> {
        let lambda = self.lambda.unwrap_or(Ranking::LAMBDA);
        let ranked = |top: super::TopTerm| {
            let (phi, p) = (f64::from(top.probability), self.unigram[top.term as usize]);
            let relevance = relevance(lambda, phi.max(f64::from(f32::MIN_POSITIVE)), p);
            RankedTerm { term: top.term, probability: top.probability, relevance }
        };
        model.top_terms_by(self.ranking(), k, most).into_iter().map(ranked).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Background;
    use super::*;

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
        let words = vec![0.9, 0.05, 0.05];
        let model = model(Some(Background { shares: vec![0.5], words, alpha: vec![1.0] }));
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
}
