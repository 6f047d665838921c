//! Which parameters each network has, and their first values.

use super::{Iwata, IwataSettings, TermNetwork, VectorNetwork};
use crate::nn::{Activation, DocumentInput, FeedForward, Linear, Parameter, TermInput, TermOutput};
use crate::numeric::Real;

/// Collects parameters while networks are laid out, so that each network knows its own.
struct Layout<R> {
    parameters: Vec<Parameter<R>>,
    /// 1 / √inputs of the layer each parameter belongs to: the bound of its first values.
    bounds: Vec<f64>,
    activation: Activation,
    input: DocumentInput,
}

impl<R: Real> Layout<R> {
    fn add(&mut self, name: String, rows: usize, columns: usize, inputs: usize) -> usize {
        self.parameters.push(Parameter {
            name,
            rows,
            columns,
            values: Vec::new(),
            deferred: false,
            rate: 1.0,
        });
        self.bounds.push(1.0 / (inputs as f64).sqrt());
        self.parameters.len() - 1
    }

    fn linear(&mut self, network: &str, layer: usize, inputs: usize, outputs: usize) -> Linear {
        let weight = self.add(tensor_name(network, layer, "weight"), outputs, inputs, inputs);
        let bias = self.add(tensor_name(network, layer, "bias"), 1, outputs, inputs);
        Linear { weight, bias: Some(bias) }
    }

    /// Maps `1..layers` of a network, the last with `outputs` units.
    fn rest(&mut self, network: &str, layers: usize, hidden: usize, outputs: usize) -> FeedForward {
        let activation = self.activation;
        let layers = (1..layers)
            .map(|layer| {
                let outputs = if layer + 1 == layers { outputs } else { hidden };
                self.linear(network, layer, hidden, outputs)
            })
            .collect();
        FeedForward { layers, activation }
    }

    /// The first map of a network that reads word counts and, maybe, r, which has a length.
    fn first(
        &mut self,
        network: &str,
        terms: usize,
        hidden: usize,
        corpus: Option<usize>,
    ) -> (TermInput, Option<Linear>, usize) {
        let inputs = terms + corpus.unwrap_or(0);
        let weight = self.add(format!("{network}.0.terms"), terms, hidden, inputs);
        self.parameters[weight].deferred = true;
        let corpus = corpus.map(|length| Linear {
            weight: self.add(format!("{network}.0.corpus"), hidden, length, inputs),
            bias: None,
        });
        let bias = self.add(tensor_name(network, 0, "bias"), 1, hidden, inputs);
        (TermInput { weight, input: self.input }, corpus, bias)
    }
}

/// The name PyTorch gives a layer: between two linear maps stand the activation and dropout.
pub(super) fn tensor_name(network: &str, layer: usize, part: &str) -> String {
    format!("{network}.{}.{part}", 3 * layer)
}

impl<R: Real> Iwata<R> {
    /// Networks that have no weights yet, and for each parameter the bound of the uniform
    /// distribution that its first values are to come from.
    pub(super) fn without_weights(
        settings: IwataSettings,
        terms: usize,
        topics: usize,
    ) -> (Self, Vec<f64>) {
        let IwataSettings { layers, corpus_representation, activation, input, .. } = settings;
        let width = settings.widths();
        let mut layout = Layout { parameters: Vec::new(), bounds: Vec::new(), activation, input };
        let corpus_networks = corpus_representation.then(|| {
            let (terms, corpus, bias) = layout.first("f_r", terms, width.f_r, None);
            let rest = layout.rest("f_r", layers, width.f_r, width.f_r);
            let f_r = TermNetwork { terms, corpus, bias, rest };
            let first = layout.linear("g_r", 0, width.f_r, width.g_r);
            let g_r = VectorNetwork { first, rest: layout.rest("g_r", layers, width.g_r, width.r) };
            (f_r, g_r)
        });
        let r = corpus_representation.then_some(width.r);
        let (input, corpus, bias) = layout.first("f_a", terms, width.f_a, r);
        let rest = layout.rest("f_a", layers, width.f_a, topics);
        let f_a = TermNetwork { terms: input, corpus, bias, rest };
        let (input, corpus, bias) = layout.first("f_b", terms, width.f_b, r);
        let rest = layout.rest("f_b", layers - 1, width.f_b, width.f_b);
        let f_b = TermNetwork { terms: input, corpus, bias, rest };
        let Linear { weight, bias } = layout.linear("f_b", layers - 1, width.f_b, terms);
        let f_b_output = TermOutput { weight, bias: bias.expect("made with a bias") };
        let Layout { parameters, bounds, .. } = layout;
        (Self { settings, parameters, corpus_networks, f_a, f_b, f_b_output }, bounds)
    }
}
