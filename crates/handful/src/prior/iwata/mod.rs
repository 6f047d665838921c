//! The paper's prior: four feed-forward networks f_R, g_R, f_A and f_B.

mod corpus_representation;
mod layout;
mod settings;
mod tensors;

pub use settings::IwataSettings;

use super::{NewTerms, Prior, PriorShape, ReadsNewDocuments, Request};
use crate::Result;
use crate::corpus::WordCounts;
use crate::em::{Dirichlet, PriorGradient};
use crate::nn::{
    Dropout, FeedForward, FeedForwardTape, Gradient, Linear, Parameter, TermInput, TermOutput,
    TermOutputTape,
};
use crate::numeric::{Real, kernels, softplus, softplus_backward};
use crate::storage::{Tensor, Tensors};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// f_A, and r of the fit's documents; empty if the networks have none.
#[derive(Debug)]
struct BesideCorpus<R> {
    prior: Iwata<R>,
    r: Vec<R>,
}

impl<R: Real> ReadsNewDocuments<R> for BesideCorpus<R> {
    fn read(&self, document: &WordCounts, dirichlet: &mut Dirichlet<R>) {
        dirichlet.alpha = self.prior.proportions_beside(&self.r, document);
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
    /// A first map's outputs: x_n times f_R's, at the beginning.
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
    /// x_n times f_A's first map: documents × its hidden units.
    document_units: Vec<R>,
    /// x_n times f_B's first map: documents × its hidden units.
    projected: Vec<R>,
    f_b: FeedForwardTape<R>,
    /// The input of f_B's last map: topics × its hidden units.
    last: Vec<R>,
    output: TermOutputTape<R>,
    /// Gradients on their way back.
    corpus_gradient: Vec<R>,
    units_gradient: Vec<R>,
    alpha_gradient: Vec<R>,
    scratch: Vec<R>,
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
        let (mut prior, bounds) = Self::without_weights(settings, terms, topics);
        for (parameter, bound) in prior.parameters.iter_mut().zip(bounds) {
            let mut weight = || R::of(stream.random_range(-bound..bound));
            let weights = parameter.rows * parameter.columns;
            parameter.values = (0..weights).map(|_| weight()).collect();
        }
        prior
    }

    /// The settings it was made with.
    pub fn settings(&self) -> IwataSettings {
        self.settings
    }
}

impl<R: Real> Iwata<R> {
    /// The word counts' part of every first map, on several threads.
    fn read(&self, support: &WordCounts, tape: &mut IwataTape<R>) {
        let IwataTape { units, document_units, projected, .. } = tape;
        let read = |network: &TermNetwork, units: &mut Vec<R>| {
            network.terms.forward(&self.parameters, support, units);
        };
        rayon::join(
            || read(&self.f_b, projected),
            || {
                rayon::join(
                    || read(&self.f_a, document_units),
                    || {
                        if let Some((f_r, _)) = &self.corpus_networks {
                            read(f_r, units);
                        }
                    },
                )
            },
        );
    }

    /// Eq. (5): α_n = f_A([x_n, r]), r in `tape.corpus` and x_n W in `tape.document_units`.
    fn proportions(&self, dropout: &mut Dropout<'_>, tape: &mut IwataTape<R>, alpha: &mut Vec<R>) {
        let memory = (&mut tape.scratch, &mut tape.from_corpus);
        self.add_corpus(&self.f_a, &tape.corpus, memory, &mut tape.document_units);
        let units = &tape.document_units;
        self.f_a.rest.forward(&self.parameters, units, dropout, &mut tape.f_a, alpha);
        alpha.iter_mut().for_each(|alpha| *alpha = softplus(*alpha));
    }

    /// α of documents of which only f_A has to know, r being that of others.
    fn proportions_beside(&self, r: &[R], documents: &WordCounts) -> Vec<R> {
        let (mut tape, mut alpha) = (IwataTape::default(), Vec::new());
        tape.corpus.extend_from_slice(r);
        self.f_a.terms.forward(&self.parameters, documents, &mut tape.document_units);
        self.proportions(&mut Dropout::off(), &mut tape, &mut alpha);
        alpha
    }
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

    fn to_tensors(&self) -> Tensors<R> {
        self.tensors()
    }

    fn topic_tensors(&self, tape: &IwataTape<R>) -> Tensors<R> {
        let r = self.corpus_networks.as_ref().map(|_| Tensor::vector(&tape.corpus));
        r.map(|r| ("r".to_owned(), r)).into_iter().collect()
    }

    fn new_document_tensors(&self, _: Option<&NewTerms>, topics: &Tensors<R>) -> Tensors<R> {
        let mut tensors = self.tensors();
        tensors.retain(|name, _| name.starts_with("f_a."));
        tensors.extend(topics.clone());
        tensors
    }

    fn new_document_prior(
        &self,
        new_terms: Option<&NewTerms>,
        topics: &Tensors<R>,
        wanted: &[u32],
    ) -> Result<Box<dyn ReadsNewDocuments<R>>> {
        let tensors = self.new_document_tensors(new_terms, topics);
        self.settings.read_new_document_prior(self.terms(), self.topics(), &tensors, wanted)
    }

    /// Eqs. (4), (5) and (6).
    fn forward(
        &self,
        support: &WordCounts,
        request: Request<'_>,
        dropout: &mut Dropout<'_>,
        tape: &mut IwataTape<R>,
        dirichlet: &mut Dirichlet<R>,
    ) {
        let (hidden, topics) = (self.settings.widths().f_b, self.topics());
        request.expect_topics(topics);
        let parameters = &self.parameters;
        dirichlet.topics = topics;
        tape.scale = dropout.scale();
        self.read(support, tape);
        if let Some(networks) = &self.corpus_networks {
            self.corpus_representation(networks, support.documents(), dropout, tape);
        }

        let alpha = &mut dirichlet.alpha;
        self.proportions(dropout, tape, alpha);

        // Eq. (6): β_k = f_B([Xᵀα_k, r]). The first map is linear, so Xᵀα_k need not be built:
        // its image is the sum of the documents' images, weighted with α_nk.
        kernels::reset(&mut tape.units, topics * hidden);
        for (projected, alpha) in
            tape.projected.chunks_exact(hidden).zip(alpha.chunks_exact(topics))
        {
            for (units, &alpha) in tape.units.chunks_exact_mut(hidden).zip(alpha) {
                kernels::add_scaled(units, alpha, projected);
            }
        }
        let memory = (&mut tape.scratch, &mut tape.from_corpus);
        self.add_corpus(&self.f_b, &tape.corpus, memory, &mut tape.units);
        self.f_b.rest.forward(parameters, &tape.units, dropout, &mut tape.f_b, &mut tape.last);
        self.settings.activation.forward(dropout, &mut tape.last);
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
        let (hidden, topics) = (self.settings.widths().f_b, self.topics());
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
        let activation = self.settings.activation;
        activation.backward(&tape.last, tape.scale, &mut tape.units_gradient);
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
            (&tape.corpus, &mut tape.corpus_gradient),
            &mut tape.scratch,
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
                    softplus_backward(gradient.log_alpha[i] + through_beta, alpha);
            }
        }
        self.f_b.terms.backward(support, &tape.units, gradients);

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
            (&tape.corpus, &mut tape.corpus_gradient),
            &mut tape.scratch,
            gradients,
        );
        self.f_a.terms.backward(support, document_units, gradients);

        // Eq. (4)
        if let Some(networks) = &self.corpus_networks {
            self.corpus_representation_backward(networks, support, tape, gradients);
        }
    }
}
