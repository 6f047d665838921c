//! Which parameters there are, and their first values.

use super::evidence::MOST_OCCURRENCES;
use super::grouping::Metric;
use super::themes::Themes;
use super::{Handful, HandfulSettings};
use crate::nn::{FeedForward, Linear, Network, Parameter, TermSoftmax};
use crate::numeric::Real;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// Words learn slower than networks: their first values are good already, and there are many of them.
const WORD_RATE: f64 = 0.1;

/// A word's evidence is one number that few episodes touch.
const EVIDENCE_RATE: f64 = 2.0;

/// As many topics as there are slots to start from.
pub(super) const MOST_TOPICS: usize = 50;

/// Standard deviation of the slots' first values.
const SLOT_DEVIATION: f64 = 0.5;

/// The first log concentration: topics start as if they had seen some twenty words.
const FIRST_LOG_CONCENTRATION: f64 = 3.0;

/// What a topic that starts from a document has more of it, at first.
const FIRST_MEMBERSHIP: f64 = 2.0;

impl<R: Real> Handful<R> {
    /// Networks that have no weights yet.
    pub(super) fn zeros(settings: HandfulSettings, terms: usize, topics: usize) -> Self {
        let HandfulSettings { dimension, hidden, .. } = settings;
        let mut parameters = Vec::new();
        let mut add = |name: &str, rows: usize, columns: usize| {
            parameters.push(Parameter::zeros(name, rows, columns));
            parameters.len() - 1
        };
        let words = TermSoftmax {
            weight: add("words.weight", terms, dimension),
            bias: add("words.bias", 1, terms),
        };
        let word_weights = add("words.importance", 1, terms);
        let evidence = add("words.evidence", 1, terms);
        let count_evidence = add("counts.evidence", 1, MOST_OCCURRENCES);
        let mut linear = |name: &str, inputs: usize, outputs: usize, bias: bool| Linear {
            weight: add(&format!("{name}.weight"), outputs, inputs),
            bias: bias.then(|| add(&format!("{name}.bias"), 1, outputs)),
        };
        let mut network = |name: &str, inputs: usize| Network {
            first: linear(&format!("{name}.0"), inputs, hidden, true),
            rest: FeedForward {
                layers: vec![linear(&format!("{name}.3"), hidden, dimension, true)],
            },
        };
        let document = network("document", dimension);
        let corpus = network("corpus", dimension);
        let topic = network("topic", 3 * dimension);
        let concentration = linear("concentration", dimension, 1, true);
        let theme_share = linear("theme_share", dimension, 1, true);
        let theme_choice = linear("theme_choice", dimension, settings.themes, true);
        let affinity = linear("affinity", dimension, dimension, false);
        let commonness = linear("commonness", dimension, 1, true);
        let slots = add("slots", MOST_TOPICS + 1, dimension);
        let background = add("background", 1, dimension);
        let membership = add("membership", 1, 1);
        for p in [words.weight, words.bias, word_weights] {
            parameters[p].rate = WORD_RATE;
        }
        parameters[evidence].rate = EVIDENCE_RATE;
        let mut prior = Self {
            settings,
            topics,
            parameters,
            words,
            stored_words: None,
            word_weights,
            evidence,
            count_evidence,
            document,
            corpus,
            slots,
            topic,
            background,
            concentration,
            theme_share,
            theme_choice,
            affinity,
            commonness,
            membership,
            unigram: vec![R::of(1.0 / terms as f64); terms],
            themes: Themes::uniform(terms, settings.themes),
            metric: Metric::plain(dimension),
            new_terms: None,
        };
        prior.hold_what_is_left_out();
        prior
    }

    /// Random weights, drawn from `stream`: linear maps uniform between ±1/√inputs as PyTorch's, all
    /// words equally important.
    pub fn random(
        settings: HandfulSettings,
        terms: usize,
        topics: usize,
        stream: &mut ChaCha8Rng,
    ) -> Self {
        let mut prior = Self::zeros(settings, terms, topics);
        let concentration_bias = prior.concentration.bias;
        for (p, parameter) in prior.parameters.iter_mut().enumerate() {
            let inputs = match &*parameter.name {
                name if name.starts_with("topic.0") => 3 * settings.dimension,
                name if name.contains(".3.") => settings.hidden,
                _ => settings.dimension,
            };
            let bound = 1.0 / (inputs as f64).sqrt();
            for value in &mut parameter.values {
                *value = R::of(match &*parameter.name {
                    "words.weight" => bound * normal(stream),
                    "words.bias" | "words.evidence" | "counts.evidence" => 0.0,
                    "words.importance" => 1.0,
                    "membership" => FIRST_MEMBERSHIP,
                    "slots" | "background" => SLOT_DEVIATION * normal(stream),
                    _ if Some(p) == concentration_bias => FIRST_LOG_CONCENTRATION,
                    _ => stream.random_range(-bound..bound),
                });
            }
        }
        prior.themes = Themes::random(terms, settings.themes, stream);
        prior.hold_what_is_left_out();
        prior
    }
}

fn normal(stream: &mut ChaCha8Rng) -> f64 {
    StandardNormal.sample(stream)
}
