//! Dir: the Dirichlet parameters themselves are learned, the same for every corpus.

use super::{NewTerms, Prior, PriorShape, ReadsNewDocuments, Request};
use crate::Result;
use crate::corpus::WordCounts;
use crate::em::{Dirichlet, PriorGradient};
use crate::nn::{Dropout, Gradient, Parameter};
use crate::numeric::{Real, kernels};
use crate::storage::{Tensor, TensorSource, Tensors, TermRows};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use serde::{Deserialize, Serialize};

/// A free prior has no shape of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FreeSettings {}

impl<R: Real> PriorShape<R> for FreeSettings {
    type Prior = Free<R>;

    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn describe(&self) -> String {
        "one learned prior for every corpus".to_owned()
    }

    fn random(&self, terms: usize, topics: usize, stream: &mut ChaCha8Rng) -> Free<R> {
        Free::random(terms, topics, stream)
    }

    fn read(&self, terms: usize, topics: usize, tensors: &dyn TensorSource<R>) -> Result<Free<R>> {
        Free::from_tensors(terms, topics, tensors)
    }

    fn read_new_document_prior(
        &self,
        _terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<R>,
        _wanted: &[u32],
    ) -> Result<Box<dyn ReadsNewDocuments<R>>> {
        Ok(Box::new(SharedAlpha { a: tensors.vector("a", topics)? }))
    }
}

/// The one α that all documents have.
#[derive(Debug)]
struct SharedAlpha<R> {
    a: Vec<R>,
}

impl<R: Real> ReadsNewDocuments<R> for SharedAlpha<R> {
    fn read(&self, _: &WordCounts, dirichlet: &mut Dirichlet<R>) {
        dirichlet.alpha.clone_from(&self.a);
        R::softplus(&mut dirichlet.alpha);
    }
}

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

    fn to_tensors(&self) -> Tensors<R> {
        Tensors::from([
            ("a".to_owned(), Tensor::vector(&self.parameters[A].values)),
            ("b".to_owned(), Tensor::transposed(&[&self.parameters[B]])),
        ])
    }

    fn topic_tensors(&self, _: &FreeTape) -> Tensors<R> {
        Tensors::new()
    }

    fn new_document_tensors(&self, _: Option<&NewTerms>, _: &Tensors<R>) -> Tensors<R> {
        Tensors::from([("a".to_owned(), Tensor::vector(&self.parameters[A].values))])
    }

    fn new_document_prior(
        &self,
        _: Option<&NewTerms>,
        _: &Tensors<R>,
        _: &[u32],
    ) -> Result<Box<dyn ReadsNewDocuments<R>>> {
        Ok(Box::new(SharedAlpha { a: self.parameters[A].values.clone() }))
    }

    fn forward(
        &self,
        support: &WordCounts,
        request: Request<'_>,
        _: &mut Dropout<'_>,
        _: &mut FreeTape,
        dirichlet: &mut Dirichlet<R>,
    ) {
        request.expect_topics(self.topics());
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
