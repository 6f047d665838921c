//! Which parameters there are, and their first values.

use super::documents::DocumentStage;
use super::evidence::{EvidenceStage, MOST_OCCURRENCES};
use super::metric::Metric;
use super::mixtures::MixtureStage;
use super::proportions::ProportionStage;
use super::shapes::ShapeStage;
use super::themes::Themes;
use super::topics::TopicStage;
use super::words::Words;
use super::{Handful, HandfulSettings};
use crate::nn::{Activation, FeedForward, Linear, Network, Parameter, TermSoftmax};
use crate::numeric::Real;
use crate::prior::Unigram;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// What words have besides their vectors learns slower than networks.
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

/// The first values of a parameter.
#[derive(Clone, Copy, Debug)]
enum First {
    /// All the same.
    All(f64),
    /// Normal with mean 0 and this standard deviation.
    Normal(f64),
    /// Uniform between ± this bound.
    Uniform(f64),
}

impl First {
    fn draw(self, stream: &mut ChaCha8Rng) -> f64 {
        match self {
            Self::All(value) => value,
            Self::Normal(deviation) => deviation * normal(stream),
            Self::Uniform(bound) => stream.random_range(-bound..bound),
        }
    }
}

fn normal(stream: &mut ChaCha8Rng) -> f64 {
    StandardNormal.sample(stream)
}

/// Parameters in the order in which they are added, each with its first values.
struct Layout<R> {
    parameters: Vec<Parameter<R>>,
    first: Vec<First>,
}

impl<R: Real> Layout<R> {
    fn add(&mut self, name: &str, rows: usize, columns: usize, first: First) -> usize {
        self.parameters.push(Parameter {
            name: name.to_owned(),
            rows,
            columns,
            values: Vec::new(),
            deferred: false,
            rate: 1.0,
        });
        self.first.push(first);
        self.parameters.len() - 1
    }

    /// A parameter with another learning rate than the networks'.
    fn add_at_rate(
        &mut self,
        rate: f64,
        name: &str,
        [rows, columns]: [usize; 2],
        first: First,
    ) -> usize {
        let p = self.add(name, rows, columns, first);
        self.parameters[p].rate = rate;
        p
    }

    /// A linear map without bias, uniform between ±1/√inputs as PyTorch's.
    fn linear(&mut self, name: &str, inputs: usize, outputs: usize) -> Linear {
        let first = First::Uniform(1.0 / (inputs as f64).sqrt());
        Linear { weight: self.add(&format!("{name}.weight"), outputs, inputs, first), bias: None }
    }

    /// The same with a bias.
    fn affine(&mut self, name: &str, inputs: usize, outputs: usize) -> Linear {
        let bias = First::Uniform(1.0 / (inputs as f64).sqrt());
        self.affine_from(name, inputs, outputs, bias)
    }

    /// The same with first values of the bias.
    fn affine_from(&mut self, name: &str, inputs: usize, outputs: usize, bias: First) -> Linear {
        let linear = self.linear(name, inputs, outputs);
        Linear { bias: Some(self.add(&format!("{name}.bias"), 1, outputs, bias)), ..linear }
    }

    fn network(&mut self, name: &str, inputs: usize, hidden: usize, outputs: usize) -> Network {
        Network {
            first: self.affine(&format!("{name}.0"), inputs, hidden),
            rest: FeedForward {
                layers: vec![self.affine(&format!("{name}.3"), hidden, outputs)],
                activation: Activation::Relu,
            },
        }
    }
}

impl<R: Real> Handful<R> {
    /// Networks without weights, and the first values of each parameter.
    fn laid_out(settings: HandfulSettings, terms: usize, topics: usize) -> (Self, Vec<First>) {
        let HandfulSettings { dimension, hidden, word_dropout, input_dropout, word_rate, .. } =
            settings;
        let mut layout = Layout { parameters: Vec::new(), first: Vec::new() };
        let length = First::Normal(1.0 / (dimension as f64).sqrt());
        let words = [terms, dimension];
        let softmax = TermSoftmax {
            weight: layout.add_at_rate(word_rate, "words.weight", words, length),
            bias: layout.add_at_rate(WORD_RATE, "words.bias", [1, terms], First::All(0.0)),
        };
        let each = [1, terms];
        let importance = layout.add_at_rate(WORD_RATE, "words.importance", each, First::All(1.0));
        let evidence = layout.add_at_rate(EVIDENCE_RATE, "words.evidence", each, First::All(0.0));
        let of_counts = layout.add("counts.evidence", 1, MOST_OCCURRENCES, First::All(0.0));
        let document = layout.network("document", dimension, hidden, dimension);
        let corpus = layout.network("corpus", dimension, hidden, dimension);
        let topic = layout.network("topic", 3 * dimension, hidden, dimension);
        let twenty_words = First::All(FIRST_LOG_CONCENTRATION);
        let concentration = layout.affine_from("concentration", dimension, 1, twenty_words);
        let theme_share = layout.affine("theme_share", dimension, 1);
        let choice = layout.affine("theme_choice", dimension, settings.themes);
        let affinity = layout.linear("affinity", dimension, dimension);
        let commonness = layout.affine("commonness", dimension, 1);
        let slot = First::Normal(SLOT_DEVIATION);
        let slots = layout.add("slots", MOST_TOPICS + 1, dimension, slot);
        let background = layout.add("background", 1, dimension, slot);
        let membership = layout.add("membership", 1, 1, First::All(FIRST_MEMBERSHIP));
        let prior = Self {
            settings,
            topics,
            parameters: layout.parameters,
            words: Words { softmax, stored: None, importance, evidence },
            document_stage: DocumentStage { document, corpus, word_dropout, input_dropout },
            topic_stage: TopicStage { slots, network: topic, background },
            mixture_stage: MixtureStage { choice, without_folding: false },
            shape_stage: ShapeStage { concentration, theme_share },
            proportion_stage: ProportionStage {
                affinity,
                commonness,
                membership,
                without_background: false,
            },
            evidence_stage: EvidenceStage { of_counts },
            unigram: Unigram::new(Vec::new()),
            themes: Themes::default(),
            metric: Metric { whitening: Vec::new() },
            subjects: None,
            without: None,
        };
        (prior, layout.first)
    }

    /// Networks that have no weights yet. They take no memory either, so that a file can be asked first
    /// whether it has weights of these shapes.
    pub(super) fn without_weights(settings: HandfulSettings, terms: usize, topics: usize) -> Self {
        Self::laid_out(settings, terms, topics).0
    }

    /// Random weights, drawn from `stream`, and all words equally important.
    pub fn random(
        settings: HandfulSettings,
        terms: usize,
        topics: usize,
        stream: &mut ChaCha8Rng,
    ) -> Self {
        let (mut prior, first) = Self::laid_out(settings, terms, topics);
        for (parameter, first) in prior.parameters.iter_mut().zip(first) {
            let size = parameter.rows * parameter.columns;
            parameter.values = (0..size).map(|_| R::of(first.draw(stream))).collect();
        }
        prior.unigram = Unigram::new(vec![R::of(1.0 / terms as f64); terms]);
        prior.metric = Metric::plain(settings.dimension);
        prior.themes = Themes::random(terms, settings.themes, stream);
        prior
    }
}
