//! Which of a topic's terms are shown, and in which order.

use super::largest;

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
    /// By φ_kj, terms that tell nothing last: the most usual ones, unless they are at home in the
    /// topic, [`Ranking::AT_HOME`] times as probable as usual.
    ///
    /// Ratios to p_j alone bring up terms so rare that nobody knows what they have to do with each
    /// other; in this order every term but the few usual ones has the place that its probability gives
    /// it.
    Telling {
        /// p_j: how probable each term is whatever the topic.
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
                debug_assert!(unigram.iter().all(|&p| p > 0.0), "every term has a probability");
                // The same, with the logarithm of φ_kj taken out of both parts.
                let relevance = |(&phi, p): (&P, &f64)| phi.into().ln() - (1.0 - lambda) * p.ln();
                let relevances: Vec<f64> = topic.iter().zip(unigram).map(relevance).collect();
                largest(&relevances, most)
            }
            Self::Telling { unigram } => {
                let mut numbers: Vec<f64> = topic.iter().map(|&phi| phi.into()).collect();
                for term in largest(unigram, Self::USUAL.min(unigram.len() / 10)) {
                    let j = term as usize;
                    if numbers[j] < Self::AT_HOME * unigram[j] {
                        // Below all probabilities, and still in their order.
                        numbers[j] -= 1.0;
                    }
                }
                largest(&numbers, most)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(telling.top(&topic, 20)[18..], [9, 4]);
        topic[4] = 0.8 * 0.999;
        assert_eq!(telling.top(&topic, 2), [11, 3]);
        topic[4] = 0.8 * 1.001;
        assert_eq!(telling.top(&topic, 2), [4, 11]);
        // Of nine none is.
        let few = Ranking::Telling { unigram: &[0.9, 0.1, 0.0] };
        assert_eq!(few.top(&[0.5, 0.2, 0.3], 3), [0, 2, 1]);
    }

    #[test]
    fn with_lambda_1_both_rankings_agree() {
        let topic = [0.1f32, 0.3, 0.2, 0.3, 0.1];
        let by_relevance = Ranking::Relevance { lambda: 1.0, unigram: &[0.2; 5] };
        assert_eq!(Ranking::Probability.top(&topic, 4), [1, 3, 2, 0]);
        assert_eq!(by_relevance.top(&topic, 4), [1, 3, 2, 0]);
    }
}
