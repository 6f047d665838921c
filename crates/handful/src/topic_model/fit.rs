//! From documents and a prior to a topic model (Algorithm 1).

use super::{Background, Ranking};
use crate::Result;
use crate::attendance::attended;
use crate::corpus::WordCounts;
use crate::em::{Dirichlet, EmStop, EpisodeTerms, PosteriorMode, fit_documents_observed};
use crate::nn::Dropout;
use crate::numeric::kernels::EmKernels;
use crate::numeric::largest;
use crate::prior::{AnyTape, FitPrior, Prior};
use crate::storage::{Tensors, TermRows};

/// A topic that has less of every document is not seen.
const VISIBLE: f32 = 0.05;

/// Topics Φ and proportions Θ of a few documents.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicModel {
    /// K
    pub topics: usize,
    /// J
    pub terms: usize,
    /// θ: documents × topics, the background left out
    pub proportions: Vec<f32>,
    /// φ: terms × topics
    pub word_probabilities: Vec<f32>,
    /// α of the documents' priors: documents × topics
    pub alpha: Vec<f32>,
    /// What stands behind the topics, if the prior has it.
    pub background: Option<Background>,
    /// Each topic's share of all words.
    pub weights: Vec<f64>,
    /// EM steps taken.
    pub em_steps: usize,
    /// Whether EM converged; `None` where a fixed number of steps was asked for.
    pub converged: Option<bool>,
}

/// A term of a topic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TopTerm {
    /// Its index in the vocabulary.
    pub term: u32,
    /// φ_kj
    pub probability: f32,
}

impl TopicModel {
    /// Fits the documents: the prior's α and β, then EM in float64.
    ///
    /// Work is shared among the threads of the current rayon pool; their number changes no bit of
    /// the result.
    pub fn fit<'a>(prior: impl Into<FitPrior<'a>>, documents: &WordCounts, stop: EmStop) -> Self {
        Self::fit_for_more(prior.into(), documents, stop).0
    }

    /// [`Self::fit`], and what α of further documents takes from it ([`Prior::topic_tensors`]).
    pub fn fit_for_more(
        prior: FitPrior<'_>,
        documents: &WordCounts,
        stop: EmStop,
    ) -> (Self, Tensors<f32>) {
        attended(|| Self::attended_fit(prior, documents, stop))
    }

    fn attended_fit(
        asked: FitPrior<'_>,
        documents: &WordCounts,
        stop: EmStop,
    ) -> (Self, Tensors<f32>) {
        let (mut dirichlet, mut tape) = (Dirichlet::default(), AnyTape::default());
        let request = asked.request(TermRows::All);
        asked.prior.forward(documents, request, &mut Dropout::off(), &mut tape, &mut dirichlet);
        let model = Self::given(asked, documents, &mut dirichlet, stop);
        (model, asked.prior.topic_tensors(&tape))
    }

    /// [`Self::fit_for_more`] of so many documents that it may take long: `tell` hears before each EM step
    /// how many of how many are done at most, and its error ends the work.
    pub fn fit_observed(
        asked: FitPrior<'_>,
        documents: &WordCounts,
        stop: EmStop,
        tell: &mut dyn FnMut(usize, usize) -> Result<()>,
    ) -> Result<(Self, Tensors<f32>)> {
        let (mut dirichlet, mut tape) = (Dirichlet::default(), AnyTape::default());
        let request = asked.request(TermRows::All);
        asked.prior.forward(documents, request, &mut Dropout::off(), &mut tape, &mut dirichlet);
        let model = Self::given_observed(asked, documents, &mut dirichlet, stop, tell)?;
        Ok((model, asked.prior.topic_tensors(&tape)))
    }

    /// EM from the α and β that a prior gave for all terms; β is taken away.
    pub(super) fn given(
        asked: FitPrior<'_>,
        documents: &WordCounts,
        dirichlet: &mut Dirichlet<f32>,
        stop: EmStop,
    ) -> Self {
        Self::given_observed(asked, documents, dirichlet, stop, &mut |_, _| Ok(()))
            .expect("nobody ends the work")
    }

    fn given_observed(
        asked: FitPrior<'_>,
        documents: &WordCounts,
        dirichlet: &mut Dirichlet<f32>,
        stop: EmStop,
        tell: &mut dyn FnMut(usize, usize) -> Result<()>,
    ) -> Result<Self> {
        let local = EpisodeTerms::of(documents, &WordCounts::new());
        let (topics, terms) = (dirichlet.topics, asked.terms());
        asked.apply(dirichlet);
        let PosteriorMode { theta, phi, phi_norm, steps, converged, .. } =
            fit_documents_observed(dirichlet, documents, &local, stop, tell)?;
        let norm: Vec<f32> = phi_norm.iter().map(|&norm| norm as f32).collect();
        let mut word_probabilities = std::mem::take(&mut dirichlet.beta);
        f32::per_row_scaled(&mut word_probabilities, &norm, 1.0);
        for (&term, phi) in local.terms.iter().zip(phi.chunks_exact(topics)) {
            for (k, &phi) in phi.iter().enumerate() {
                word_probabilities[term as usize * topics + k] = phi as f32;
            }
        }
        let weights = topic_weights(documents, &theta, topics);
        let mut model = Self {
            topics,
            terms,
            proportions: theta.iter().map(|&theta| theta as f32).collect(),
            word_probabilities,
            alpha: std::mem::take(&mut dirichlet.alpha),
            background: None,
            weights,
            em_steps: steps,
            converged,
        };
        if asked.prior.has_background() {
            let phrases = asked.new_terms.map_or(&[][..], |new| &new.phrases);
            model.set_background_apart(asked.prior.terms(), phrases);
            if let Some(background) = &mut model.background {
                background.topic_words = norm[..model.topics].to_vec();
            }
        }
        Ok(model)
    }

    /// Number of documents N.
    pub fn documents(&self) -> usize {
        self.proportions.len() / self.topics
    }

    /// Whether all that is a share is one, from 0 to 1. Damaged files, and weights so large that
    /// numbers overflow, give other numbers or none at all.
    pub fn is_sound(&self) -> bool {
        let is_share = |share: f64| (0.0..=1.001).contains(&share);
        let background = self.background.iter().flat_map(Background::probabilities);
        let shares = self.proportions.iter().chain(&self.word_probabilities).chain(background);
        shares.map(|&share| f64::from(share)).chain(self.weights.iter().copied()).all(is_share)
    }

    /// θ_n: how document `n` mixes the topics.
    pub fn proportions_of(&self, n: usize) -> &[f32] {
        &self.proportions[n * self.topics..(n + 1) * self.topics]
    }

    /// The topic that document `n` has most of.
    pub fn main_topic(&self, n: usize) -> usize {
        largest(self.proportions_of(n), 1)[0] as usize
    }

    /// φ_kj: the probability of a term in topic `k`.
    pub fn probability(&self, k: usize, term: usize) -> f32 {
        self.word_probabilities[term * self.topics + k]
    }

    /// p(j|n): the probability of a term in document `n`.
    pub fn probability_in(&self, n: usize, term: usize) -> f64 {
        let of_topics: f64 = (0..self.topics)
            .map(|k| f64::from(self.proportions_of(n)[k]) * f64::from(self.probability(k, term)))
            .sum();
        let Some(background) = &self.background else { return of_topics };
        let share = f64::from(background.shares[n]);
        share * f64::from(background.words[term]) + (1.0 - share) * of_topics
    }

    /// φ_k: the probability of every term in topic `k`.
    pub fn topic(&self, k: usize) -> impl Iterator<Item = f32> + '_ {
        self.word_probabilities.iter().copied().skip(k).step_by(self.topics)
    }

    /// All topics, the one with the largest share of all words first.
    pub fn by_weight(&self) -> Vec<usize> {
        largest(&self.weights, self.topics).into_iter().map(|k| k as usize).collect()
    }

    /// How many topics hold something: more than a word of the documents, and a visible part of one of them.
    /// At least one.
    pub fn topics_that_hold(&self, documents: &WordCounts) -> usize {
        let words = documents.total_words() as f64;
        let is_seen = |k: usize| {
            let mut spoken = (0..self.documents()).filter(|&n| documents.words(n) > 0);
            spoken.any(|n| self.proportions_of(n)[k] >= VISIBLE)
        };
        let holds = |k: &usize| self.weights[*k] * words > 1.0 && is_seen(*k);
        if words == 0.0 { self.topics } else { (0..self.topics).filter(holds).count().max(1) }
    }

    /// The `most` likeliest terms of topic `k`, the likeliest first, equals in the vocabulary's
    /// order.
    pub fn top_terms(&self, k: usize, most: usize) -> Vec<TopTerm> {
        self.top_terms_by(Ranking::Probability, k, most)
    }

    /// The `most` terms of topic `k` that are ranked highest.
    pub fn top_terms_by(&self, ranking: Ranking<'_>, k: usize, most: usize) -> Vec<TopTerm> {
        let topic: Vec<f32> = self.topic(k).collect();
        let top = |term: u32| TopTerm { term, probability: topic[term as usize] };
        ranking.top(&topic, most).into_iter().map(top).collect()
    }
}

/// Each topic's share of all words: Σ_n length_n θ_nk / Σ_n length_n, θ documents × topics. Where no
/// document has a word, all count alike.
pub fn topic_weights(documents: &WordCounts, proportions: &[f64], topics: usize) -> Vec<f64> {
    let words = documents.total_words();
    let mut weights = vec![0.0; topics];
    for (n, theta) in proportions.chunks_exact(topics).enumerate() {
        let length = if words == 0 { 1.0 } else { documents.words(n) as f64 };
        for (weight, theta) in weights.iter_mut().zip(theta) {
            *weight += length * theta;
        }
    }
    let all = if words == 0 { documents.documents().max(1) as f64 } else { words as f64 };
    weights.iter_mut().for_each(|weight| *weight /= all);
    weights
}

#[cfg(test)]
impl TopicModel {
    /// θ, φ and the topics' shares of all words as they are given; every α is 1.
    pub(crate) fn by_hand(weights: &[f64], theta: &[f32], phi: &[f32]) -> Self {
        Self {
            topics: weights.len(),
            terms: phi.len() / weights.len(),
            proportions: theta.to_vec(),
            word_probabilities: phi.to_vec(),
            alpha: vec![1.0; theta.len()],
            background: None,
            weights: weights.to_vec(),
            em_steps: 1,
            converged: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prior::{AnyPrior, FreeSettings, PriorSettings};
    use crate::random::{Purpose, stream};

    fn model() -> TopicModel {
        let settings = PriorSettings::Free(FreeSettings::default());
        let prior = AnyPrior::random(settings, 50, 4, &mut stream(1, Purpose::Weights, 0));
        let mut documents = WordCounts::new();
        documents.push_row([(0, 3), (7, 2), (30, 1)]);
        documents.push_row([]);
        documents.push_row([(7, 5)]);
        TopicModel::fit(&prior, &documents, EmStop::Steps(10))
    }

    #[test]
    fn everything_that_should_be_a_distribution_is_one() {
        let model = model();
        let sums_to_one = |values: &[f32]| {
            let sum: f64 = values.iter().map(|&x| f64::from(x)).sum();
            values.iter().all(|&x| x >= 0.0) && (sum - 1.0).abs() < 1e-5
        };
        assert_eq!(model.documents(), 3);
        assert!((0..3).all(|n| sums_to_one(model.proportions_of(n))));
        assert!((0..4).all(|k| sums_to_one(&model.topic(k).collect::<Vec<_>>())));
        assert!((model.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn top_terms_are_the_likeliest_in_order() {
        let model = model();
        for most in [0, 1, 5, 50, 80] {
            let top = model.top_terms(2, most);
            let mut all: Vec<f32> = model.topic(2).collect();
            all.sort_unstable_by(|a, b| b.total_cmp(a));
            all.truncate(most);
            assert_eq!(top.iter().map(|top| top.probability).collect::<Vec<_>>(), all);
        }
    }
}
