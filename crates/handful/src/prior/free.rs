//! Dir: the Dirichlet parameters themselves are learned, the same for every corpus.

use super::{Dirichlet, Prior, Tensor, TensorSource, Tensors, TermRows};
use crate::Result;
use crate::corpus::WordCounts;
use crate::em::PriorGradient;
use crate::nn::{Dropout, Gradient, Parameter, Real, kernels, softplus, softplus_backward};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// α_nk = softplus(a_k) for every document, β_kj = softplus(b_kj).
#[derive(Clone, Debug)]
pub struct Free<R> {
    parameters: Vec<Parameter<R>>,
}

/// A free prior reads nothing and needs no tape.
#[derive(Clone, Copy, Debug, Default)]
pub struct FreeTape;

/// Indices of the parameters.
const A: usize = 0;
const B: usize = 1;

impl<R: Real> Free<R> {
    /// Normal weights of standard deviation 0.1, drawn from `stream`.
    pub fn random(terms: usize, topics: usize, stream: &mut ChaCha8Rng) -> Self {
        let mut prior = Self::zeros(terms, topics);
        for parameter in &mut prior.parameters {
            for value in &mut parameter.values {
                let normal: f64 = StandardNormal.sample(stream);
                *value = R::of(0.1 * normal);
            }
        }
        prior
    }

    fn zeros(terms: usize, topics: usize) -> Self {
        let parameters =
            vec![Parameter::zeros("a", 1, topics), Parameter::zeros("b", terms, topics)];
        Self { parameters }
    }

    /// The weights of a model file: `a` of shape `[K]`, `b` of shape `[K, J]`.
    pub fn from_tensors(
        terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<R>,
    ) -> Result<Self> {
        let a = tensors.vector("a", topics)?;
        let b = tensors.transposed("b", [topics, terms], terms, TermRows::All)?;
        let parameter = |name: &str, rows, values| Parameter {
            name: name.to_owned(),
            rows,
            columns: topics,
            values,
            deferred: false,
        };
        Ok(Self { parameters: vec![parameter("a", 1, a), parameter("b", terms, b)] })
    }

    /// The weights as a model file has them.
    pub fn to_tensors(&self) -> Tensors<R> {
        Tensors::from([
            ("a".to_owned(), Tensor::vector(&self.parameters[A].values)),
            ("b".to_owned(), Tensor::transposed(&[&self.parameters[B]])),
        ])
    }
}

impl<R: Real> Prior<R> for Free<R> {
    type Tape = FreeTape;

    fn topics(&self) -> usize {
        self.parameters[B].columns
    }

    fn terms(&self) -> usize {
        self.parameters[B].rows
    }

    fn parameters(&self) -> &[Parameter<R>] {
        &self.parameters
    }

    fn parameters_mut(&mut self) -> &mut [Parameter<R>] {
        &mut self.parameters
    }

    fn forward(
        &self,
        support: &WordCounts,
        _: &mut Dropout<'_>,
        _: &mut FreeTape,
        dirichlet: &mut Dirichlet<R>,
    ) {
        dirichlet.topics = self.topics();
        dirichlet.alpha.clear();
        for _ in 0..support.documents() {
            dirichlet.alpha.extend(self.parameters[A].values.iter().map(|&a| softplus(a)));
        }
        dirichlet.beta.clear();
        dirichlet.beta.extend(self.parameters[B].values.iter().map(|&b| softplus(b)));
        kernels::reset(&mut dirichlet.beta_sum, self.topics());
        for row in dirichlet.beta.chunks_exact(dirichlet.topics) {
            kernels::add(&mut dirichlet.beta_sum, row);
        }
    }

    fn backward(
        &self,
        _: &WordCounts,
        terms: &[u32],
        dirichlet: &Dirichlet<R>,
        gradient: &PriorGradient<R>,
        _: &mut FreeTape,
        gradients: &mut Vec<Gradient<R>>,
    ) {
        let topics = self.topics();
        gradients.resize_with(self.parameters.len(), Gradient::default);
        let a = gradients[A].dense(topics);
        for (i, (&log_alpha, &alpha)) in gradient.log_alpha.iter().zip(&dirichlet.alpha).enumerate()
        {
            a[i % topics] += softplus_backward(log_alpha, alpha);
        }
        let b = gradients[B].dense(dirichlet.beta.len());
        for (&term, log_beta) in terms.iter().zip(gradient.log_beta.chunks_exact(topics)) {
            let start = term as usize * topics;
            b[start..start + topics].copy_from_slice(log_beta);
        }
        for (b, beta) in b.chunks_exact_mut(topics).zip(dirichlet.beta.chunks_exact(topics)) {
            for k in 0..topics {
                let log_gradient = b[k] + beta[k] * gradient.beta_sum[k];
                b[k] = softplus_backward(log_gradient, beta[k]);
            }
        }
    }
}
