//! Dir: the Dirichlet parameters themselves are learned, the same for every corpus.

use crate::em::{Dirichlet, PriorGradient};

use super::Prior;

use crate::Result;
use crate::corpus::WordCounts;
use crate::nn::{Dropout, Gradient, Parameter};
use crate::numeric::{Real, kernels};
use crate::storage::{Tensor, TensorSource, Tensors, TermRows};
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
pub(super) const A: usize = 0;
pub(super) const B: usize = 1;

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

    /// a and b: what becomes α and β by softplus.
    pub(super) fn raw(&self) -> (&[R], &[R]) {
        (&self.parameters[A].values, &self.parameters[B].values)
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
            rate: 1.0,
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
        _: TermRows<'_>,
        _: &mut Dropout<'_>,
        _: &mut FreeTape,
        dirichlet: &mut Dirichlet<R>,
    ) {
        let (a, b) = self.raw();
        dirichlet.topics = self.topics();
        dirichlet.alpha.clear();
        for _ in 0..support.documents() {
            dirichlet.alpha.extend_from_slice(a);
        }
        dirichlet.beta.clear();
        dirichlet.beta.extend_from_slice(b);
        dirichlet.make_positive();
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
        gradients.resize_with(self.parameters.len(), Gradient::default);
        let a = gradients[A].dense(0);
        a.extend_from_slice(&gradient.log_alpha);
        R::softplus_backward(a, &dirichlet.alpha);
        sum_documents(a, self.topics());
        let b = gradients[B].dense(0);
        gradient.dense_log_beta(terms, &dirichlet.beta, b);
        R::softplus_backward(b, &dirichlet.beta);
    }
}

/// The sum of the rows of all documents, which share one α.
pub(super) fn sum_documents<R: Real>(rows: &mut Vec<R>, topics: usize) {
    let (sum, others) = rows.split_at_mut(topics);
    others.chunks_exact(topics).for_each(|row| kernels::add(sum, row));
    rows.truncate(topics);
}
