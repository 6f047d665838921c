//! The paper's prior: four feed-forward networks f_R, g_R, f_A and f_B.

use super::{Dirichlet, Prior, Tensor, TensorSource, Tensors};
use crate::corpus::WordCounts;
use crate::em::PriorGradient;
use crate::nn::{
    Dropout, FeedForward, FeedForwardTape, Gradient, Linear, Parameter, Real, TermInput,
    TermOutput, TermOutputTape, activate_backward, kernels, slope_over_value, softplus,
};
use crate::{Error, Result};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// The shape of the networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IwataSettings {
    /// Hidden units of every layer, and the length of the corpus representation.
    pub hidden: usize,
    /// Linear maps of every network, at least two.
    pub layers: usize,
    /// Whether f_A and f_B see the corpus representation r; without it this is the paper's NN.
    pub corpus_representation: bool,
}

impl Default for IwataSettings {
    fn default() -> Self {
        Self { hidden: 256, layers: 3, corpus_representation: true }
    }
}

impl IwataSettings {
    /// Refuses shapes that no network can have.
    pub fn check(&self) -> Result<()> {
        if self.hidden == 0 {
            return Err(Error::setting("hidden", self.hidden, "at least 1"));
        }
        if self.layers < 2 {
            return Err(Error::setting("layers", self.layers, "at least 2"));
        }
        Ok(())
    }
}

/// A network whose input is [word counts, corpus representation].
#[derive(Clone, Debug)]
struct TermNetwork {
    terms: TermInput,
    /// The first map's columns for r.
    corpus: Option<Linear>,
    /// The first map's bias.
    bias: usize,
    rest: FeedForward,
}

/// g_R, whose input is a vector.
#[derive(Clone, Debug)]
struct VectorNetwork {
    first: Linear,
    rest: FeedForward,
}

/// f_R, g_R, f_A and f_B with their weights.
#[derive(Clone, Debug)]
pub struct Iwata<R> {
    settings: IwataSettings,
    parameters: Vec<Parameter<R>>,
    corpus_networks: Option<(TermNetwork, VectorNetwork)>,
    f_a: TermNetwork,
    /// All of f_B but its last map.
    f_b: TermNetwork,
    f_b_output: TermOutput,
}

/// What the backward pass of [`Iwata`] needs.
#[derive(Clone, Debug, Default)]
pub struct IwataTape<R> {
    /// The forward pass's [`Dropout::scale`].
    scale: R,
    /// x_n times the first maps: documents × hidden.
    units: Vec<R>,
    f_r: FeedForwardTape<R>,
    /// f_R(x_n), and then their mean.
    documents: Vec<R>,
    mean: Vec<R>,
    g_r: FeedForwardTape<R>,
    /// r
    corpus: Vec<R>,
    /// What r adds to a first map.
    from_corpus: Vec<R>,
    f_a: FeedForwardTape<R>,
    /// x_n times f_B's first map: documents × hidden.
    projected: Vec<R>,
    f_b: FeedForwardTape<R>,
    /// The input of f_B's last map: topics × hidden.
    last: Vec<R>,
    output: TermOutputTape<R>,
    /// Gradients on their way back.
    corpus_gradient: Vec<R>,
    units_gradient: Vec<R>,
    alpha_gradient: Vec<R>,
}

/// Collects parameters while networks are laid out, so that each network knows its own.
struct Layout<R> {
    parameters: Vec<Parameter<R>>,
    /// 1 / √inputs of the layer each parameter belongs to: the bound of its first values.
    bounds: Vec<f64>,
}

impl<R: Real> Layout<R> {
    fn add(&mut self, name: String, rows: usize, columns: usize, inputs: usize) -> usize {
        self.parameters.push(Parameter::zeros(name, rows, columns));
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
        let layers = (1..layers)
            .map(|layer| {
                let outputs = if layer + 1 == layers { outputs } else { hidden };
                self.linear(network, layer, hidden, outputs)
            })
            .collect();
        FeedForward { layers }
    }

    /// The first map of a network that reads word counts and, maybe, r.
    fn first(
        &mut self,
        network: &str,
        terms: usize,
        hidden: usize,
        with_corpus: bool,
    ) -> (TermInput, Option<Linear>, usize) {
        let inputs = terms + if with_corpus { hidden } else { 0 };
        let weight = self.add(format!("{network}.0.terms"), terms, hidden, inputs);
        let corpus = with_corpus.then(|| Linear {
            weight: self.add(format!("{network}.0.corpus"), hidden, hidden, inputs),
            bias: None,
        });
        let bias = self.add(tensor_name(network, 0, "bias"), 1, hidden, inputs);
        (TermInput { weight }, corpus, bias)
    }
}

/// The name PyTorch gives a layer: between two linear maps stand ReLU and dropout.
fn tensor_name(network: &str, layer: usize, part: &str) -> String {
    format!("{network}.{}.{part}", 3 * layer)
}

impl<R: Real> Iwata<R> {
    /// Networks with uniform random weights between ±1/√inputs, as PyTorch's linear layers
    /// start, drawn from `stream`.
    pub fn random(
        settings: IwataSettings,
        terms: usize,
        topics: usize,
        stream: &mut ChaCha8Rng,
    ) -> Self {
        let (mut prior, bounds) = Self::zeros(settings, terms, topics);
        for (parameter, bound) in prior.parameters.iter_mut().zip(bounds) {
            for value in &mut parameter.values {
                *value = R::of(stream.random_range(-bound..bound));
            }
        }
        prior
    }

    fn zeros(settings: IwataSettings, terms: usize, topics: usize) -> (Self, Vec<f64>) {
        let IwataSettings { hidden, layers, corpus_representation } = settings;
        let mut layout = Layout { parameters: Vec::new(), bounds: Vec::new() };
        let corpus_networks = corpus_representation.then(|| {
            let (terms, corpus, bias) = layout.first("f_r", terms, hidden, false);
            let rest = layout.rest("f_r", layers, hidden, hidden);
            let f_r = TermNetwork { terms, corpus, bias, rest };
            let first = layout.linear("g_r", 0, hidden, hidden);
            let g_r = VectorNetwork { first, rest: layout.rest("g_r", layers, hidden, hidden) };
            (f_r, g_r)
        });
        let (input, corpus, bias) = layout.first("f_a", terms, hidden, corpus_representation);
        let rest = layout.rest("f_a", layers, hidden, topics);
        let f_a = TermNetwork { terms: input, corpus, bias, rest };
        let (input, corpus, bias) = layout.first("f_b", terms, hidden, corpus_representation);
        let rest = layout.rest("f_b", layers - 1, hidden, hidden);
        let f_b = TermNetwork { terms: input, corpus, bias, rest };
        let Linear { weight, bias } = layout.linear("f_b", layers - 1, hidden, terms);
        let f_b_output = TermOutput { weight, bias: bias.expect("made with a bias") };
        let parameters = layout.parameters;
        (Self { settings, parameters, corpus_networks, f_a, f_b, f_b_output }, layout.bounds)
    }

    /// The settings it was made with.
    pub fn settings(&self) -> IwataSettings {
        self.settings
    }

    /// The weights of a model file, named as PyTorch names them.
    pub fn from_tensors(
        settings: IwataSettings,
        terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<R>,
    ) -> Result<Self> {
        let (mut prior, _) = Self::zeros(settings, terms, topics);
        let hidden = settings.hidden;
        for parameter in &mut prior.parameters {
            let Parameter { name, rows, columns, values } = parameter;
            *values = match name.rsplit_once('.') {
                Some((layer, part @ ("terms" | "corpus"))) => {
                    let with_corpus = settings.corpus_representation && !name.starts_with("f_r");
                    let inputs = terms + if with_corpus { hidden } else { 0 };
                    let weight = format!("{layer}.weight");
                    if part == "terms" {
                        tensors.transposed(&weight, hidden, inputs, 0..terms)?
                    } else {
                        let all = tensors.shaped(&weight, &[hidden, inputs])?;
                        all.chunks_exact(inputs).flat_map(|row| &row[terms..]).copied().collect()
                    }
                }
                Some((_, "bias")) => tensors.vector(name, *columns)?,
                _ => tensors.shaped(name, &[*rows, *columns])?.into_owned(),
            };
        }
        Ok(prior)
    }

    /// The weights as a model file has them.
    pub fn to_tensors(&self) -> Tensors<R> {
        let mut tensors = Tensors::new();
        for parameter in &self.parameters {
            let (name, tensor) = match parameter.name.rsplit_once('.') {
                Some((layer, "terms")) => {
                    let name = format!("{layer}.weight");
                    let mut tensor = Tensor::transposed(&[parameter]);
                    let corpus = format!("{layer}.corpus");
                    if let Some(corpus) = self.parameters.iter().find(|p| p.name == corpus) {
                        tensor = side_by_side(&tensor, &Tensor::matrix(corpus));
                    }
                    (name, tensor)
                }
                Some((_, "corpus")) => continue,
                Some((_, "bias")) => (parameter.name.clone(), Tensor::vector(&parameter.values)),
                _ => (parameter.name.clone(), Tensor::matrix(parameter)),
            };
            tensors.insert(name, tensor);
        }
        tensors
    }

    /// Eq. (4): r = g_R(mean of f_R(x_n)).
    fn corpus_representation(
        &self,
        (f_r, g_r): &(TermNetwork, VectorNetwork),
        support: &WordCounts,
        dropout: &mut Dropout<'_>,
        tape: &mut IwataTape<R>,
    ) {
        let hidden = self.settings.hidden;
        f_r.terms.forward(&self.parameters, support, &mut tape.units);
        for units in tape.units.chunks_exact_mut(hidden) {
            kernels::add(units, &self.parameters[f_r.bias].values);
        }
        f_r.rest.forward(
            &self.parameters,
            &tape.units,
            dropout,
            &mut tape.f_r,
            &mut tape.documents,
        );
        kernels::reset(&mut tape.mean, hidden);
        let share = R::ONE / R::of(support.documents() as f64);
        for document in tape.documents.chunks_exact(hidden) {
            kernels::add_scaled(&mut tape.mean, share, document);
        }
        g_r.first.forward(&self.parameters, &tape.mean, &mut tape.units);
        g_r.rest.forward(&self.parameters, &tape.units, dropout, &mut tape.g_r, &mut tape.corpus);
    }

    /// Adds to each row of `tape.units` what a first map makes of r, and its bias.
    fn add_corpus(&self, network: &TermNetwork, tape: &mut IwataTape<R>) {
        let bias = &self.parameters[network.bias].values;
        tape.from_corpus.clear();
        if let Some(corpus) = network.corpus {
            corpus.forward(&self.parameters, &tape.corpus, &mut tape.from_corpus);
            kernels::add(&mut tape.from_corpus, bias);
        } else {
            tape.from_corpus.extend_from_slice(bias);
        }
        for units in tape.units.chunks_exact_mut(self.settings.hidden) {
            kernels::add(units, &tape.from_corpus);
        }
    }

    /// Backward pass of [`Self::add_corpus`]: the gradient of the bias and of r's columns, and,
    /// added to `corpus_gradient`, that of r. `units_gradient` has a row an input.
    fn add_corpus_backward(
        &self,
        network: &TermNetwork,
        units_gradient: &[R],
        corpus: &[R],
        corpus_gradient: &mut [R],
        gradients: &mut [Gradient<R>],
    ) {
        let hidden = self.settings.hidden;
        let mut sum = std::mem::take(gradients[network.bias].dense(hidden));
        for units in units_gradient.chunks_exact(hidden) {
            kernels::add(&mut sum, units);
        }
        if let Some(linear) = network.corpus {
            linear.backward(&self.parameters, corpus, &sum, gradients, corpus_gradient);
        }
        gradients[network.bias] = Gradient::Dense(sum);
    }

    /// Backward pass of [`Self::corpus_representation`] from `tape.corpus_gradient`.
    fn corpus_representation_backward(
        &self,
        (f_r, g_r): &(TermNetwork, VectorNetwork),
        documents: usize,
        tape: &mut IwataTape<R>,
        gradients: &mut [Gradient<R>],
    ) {
        let hidden = self.settings.hidden;
        let parameters = &self.parameters;
        let first_gradient = g_r.rest.backward(
            parameters,
            &tape.corpus_gradient,
            tape.scale,
            &mut tape.g_r,
            gradients,
        );
        kernels::reset(&mut tape.units_gradient, hidden);
        g_r.first.backward(
            parameters,
            &tape.mean,
            first_gradient,
            gradients,
            &mut tape.units_gradient,
        );
        // The mean hands every document the same share.
        let share = R::ONE / R::of(documents as f64);
        kernels::reset(&mut tape.documents, documents * hidden);
        for document in tape.documents.chunks_exact_mut(hidden) {
            kernels::add_scaled(document, share, &tape.units_gradient);
        }
        let units_gradient =
            f_r.rest.backward(parameters, &tape.documents, tape.scale, &mut tape.f_r, gradients);
        self.add_corpus_backward(f_r, units_gradient, &[], &mut [], gradients);
        f_r.terms.backward(units_gradient, gradients);
    }
}

/// Two matrices of equally many rows as one.
fn side_by_side<R: Real>(left: &Tensor<R>, right: &Tensor<R>) -> Tensor<R> {
    let (left_columns, right_columns) = (left.shape[1], right.shape[1]);
    let mut values = Vec::with_capacity(left.values.len() + right.values.len());
    for (left, right) in
        left.values.chunks_exact(left_columns).zip(right.values.chunks_exact(right_columns))
    {
        values.extend_from_slice(left);
        values.extend_from_slice(right);
    }
    Tensor { shape: vec![left.shape[0], left_columns + right_columns], values }
}

impl<R: Real> Prior<R> for Iwata<R> {
    type Tape = IwataTape<R>;

    fn topics(&self) -> usize {
        let last = self.f_a.rest.layers.last().expect("a network has at least two maps");
        self.parameters[last.weight].rows
    }

    fn terms(&self) -> usize {
        self.parameters[self.f_b_output.weight].rows
    }

    fn parameters(&self) -> &[Parameter<R>] {
        &self.parameters
    }

    fn parameters_mut(&mut self) -> &mut [Parameter<R>] {
        &mut self.parameters
    }

    /// Eqs. (4), (5) and (6).
    fn forward(
        &self,
        support: &WordCounts,
        dropout: &mut Dropout<'_>,
        tape: &mut IwataTape<R>,
        dirichlet: &mut Dirichlet<R>,
    ) {
        let (hidden, topics) = (self.settings.hidden, self.topics());
        let parameters = &self.parameters;
        dirichlet.topics = topics;
        tape.scale = dropout.scale();
        if let Some(networks) = &self.corpus_networks {
            self.corpus_representation(networks, support, dropout, tape);
        }

        // Eq. (5): α_n = f_A([x_n, r])
        self.f_a.terms.forward(parameters, support, &mut tape.units);
        self.add_corpus(&self.f_a, tape);
        let alpha = &mut dirichlet.alpha;
        self.f_a.rest.forward(parameters, &tape.units, dropout, &mut tape.f_a, alpha);
        alpha.iter_mut().for_each(|alpha| *alpha = softplus(*alpha));

        // Eq. (6): β_k = f_B([Xᵀα_k, r]). The first map is linear, so Xᵀα_k need not be built:
        // its image is the sum of the documents' images, weighted with α_nk.
        self.f_b.terms.forward(parameters, support, &mut tape.projected);
        kernels::reset(&mut tape.units, topics * hidden);
        for (projected, alpha) in
            tape.projected.chunks_exact(hidden).zip(alpha.chunks_exact(topics))
        {
            for (units, &alpha) in tape.units.chunks_exact_mut(hidden).zip(alpha) {
                kernels::add_scaled(units, alpha, projected);
            }
        }
        self.add_corpus(&self.f_b, tape);
        self.f_b.rest.forward(parameters, &tape.units, dropout, &mut tape.f_b, &mut tape.last);
        dropout.activate(&mut tape.last);
        self.f_b_output.forward(
            parameters,
            &tape.last,
            &mut tape.output,
            &mut dirichlet.beta,
            &mut dirichlet.beta_sum,
        );
    }

    fn backward(
        &self,
        support: &WordCounts,
        terms: &[u32],
        dirichlet: &Dirichlet<R>,
        gradient: &PriorGradient<R>,
        tape: &mut IwataTape<R>,
        gradients: &mut Vec<Gradient<R>>,
    ) {
        let (hidden, topics) = (self.settings.hidden, self.topics());
        let parameters = &self.parameters;
        gradients.resize_with(parameters.len(), Gradient::default);
        kernels::reset(&mut tape.corpus_gradient, tape.corpus.len());

        // Eq. (6)
        self.f_b_output.backward(
            parameters,
            &tape.last,
            &dirichlet.beta,
            terms,
            &gradient.log_beta,
            &gradient.beta_sum,
            &mut tape.output,
            gradients,
            &mut tape.units_gradient,
        );
        activate_backward(&tape.last, tape.scale, &mut tape.units_gradient);
        let topic_units = self.f_b.rest.backward(
            parameters,
            &tape.units_gradient,
            tape.scale,
            &mut tape.f_b,
            gradients,
        );
        self.add_corpus_backward(
            &self.f_b,
            topic_units,
            &tape.corpus,
            &mut tape.corpus_gradient,
            gradients,
        );
        kernels::reset(&mut tape.units, support.documents() * hidden);
        kernels::reset(&mut tape.alpha_gradient, support.documents() * topics);
        for (n, projected) in tape.projected.chunks_exact(hidden).enumerate() {
            let document_gradient = &mut tape.units[n * hidden..(n + 1) * hidden];
            for (k, topic_units) in topic_units.chunks_exact(hidden).enumerate() {
                let i = n * topics + k;
                let alpha = dirichlet.alpha[i];
                kernels::add_scaled(document_gradient, alpha, topic_units);
                // α has two ways to the loss: through β and through EM.
                let through_beta = alpha * kernels::dot(projected, topic_units);
                tape.alpha_gradient[i] =
                    (gradient.log_alpha[i] + through_beta) * slope_over_value(alpha);
            }
        }
        self.f_b.terms.backward(&tape.units, gradients);

        // Eq. (5)
        let document_units = self.f_a.rest.backward(
            parameters,
            &tape.alpha_gradient,
            tape.scale,
            &mut tape.f_a,
            gradients,
        );
        self.add_corpus_backward(
            &self.f_a,
            document_units,
            &tape.corpus,
            &mut tape.corpus_gradient,
            gradients,
        );
        self.f_a.terms.backward(document_units, gradients);

        // Eq. (4)
        if let Some(networks) = &self.corpus_networks {
            self.corpus_representation_backward(networks, support.documents(), tape, gradients);
        }
    }
}
