//! MAML: one learned start for every task, from which a few gradient steps lead to its α and β.

mod adam_step;
mod inner_step;

use super::free::{A, B, sum_documents};
use super::{Free, FreeTape, NewTerms, Prior, PriorShape, ReadsNewDocuments, Request};
use crate::corpus::{Occurrences, WordCounts};
use crate::em::{Dirichlet, EpisodeTerms, PriorGradient};
use crate::error::expect_within;
use crate::nn::{Dropout, Gradient, Parameter};
use crate::numeric::Real;
use crate::storage::{TensorSource, Tensors};
use crate::{Error, Result};
use adam_step::AdamConstants;
use inner_step::{InnerGradient, InnerStep};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// More steps than this are no fine-tuning, and each is kept for the way back.
const MOST_STEPS: usize = 1000;

/// How a task's α and β are found from the start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MamlSettings {
    /// Adam steps on the support.
    pub inner_steps: usize,
    /// Their learning rate.
    pub inner_rate: f64,
}

impl Default for MamlSettings {
    fn default() -> Self {
        Self { inner_steps: 5, inner_rate: 0.3 }
    }
}

impl<R: Real> PriorShape<R> for MamlSettings {
    type Prior = Maml<R>;

    /// Refuses steps that cannot be taken.
    fn check(&self) -> Result<()> {
        expect_within("inner_steps", self.inner_steps, 0, MOST_STEPS)?;
        if self.inner_rate.is_finite() && self.inner_rate > 0.0 {
            return Ok(());
        }
        Err(Error::setting("inner_rate", self.inner_rate, "a number above 0"))
    }

    fn describe(&self) -> String {
        let Self { inner_steps, inner_rate } = self;
        format!(
            "one learned prior, then {inner_steps} Adam steps at rate {inner_rate} on the documents \
             at hand"
        )
    }

    fn random(&self, terms: usize, topics: usize, stream: &mut ChaCha8Rng) -> Maml<R> {
        Maml { settings: *self, start: Free::random(terms, topics, stream) }
    }

    /// The weights of a model file, named as those of [`Free`].
    fn read(&self, terms: usize, topics: usize, tensors: &dyn TensorSource<R>) -> Result<Maml<R>> {
        Ok(Maml { settings: *self, start: Free::from_tensors(terms, topics, tensors)? })
    }

    fn read_new_document_prior(
        &self,
        _terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<R>,
        _wanted: &[u32],
    ) -> Result<Box<dyn ReadsNewDocuments<R>>> {
        Ok(Box::new(AdaptedAlpha { settings: *self, a: tensors.vector("a", topics)? }))
    }
}

/// The one α that all documents start from, and the steps that follow.
#[derive(Debug)]
struct AdaptedAlpha<R> {
    settings: MamlSettings,
    a: Vec<R>,
}

impl<R: Real> ReadsNewDocuments<R> for AdaptedAlpha<R> {
    fn read(&self, document: &WordCounts, dirichlet: &mut Dirichlet<R>) {
        dirichlet.alpha = self.settings.proportions_beside(&self.a, dirichlet, document);
    }
}

/// Model-agnostic meta-learning of Dirichlet parameters.
///
/// The weights are those of [`Free`], a_k and b_kj. For a task, each document gets its own copy of
/// a; then these and b take a few Adam steps on the mean negative log-likelihood of a support word
/// at the modes of Dirichlet priors with α = softplus(a) and β = softplus(b). The gradient of the
/// weights goes back through those steps, second derivatives included.
///
/// With the mode for a topic model and no EM step after it, this is the paper's MAML.
#[derive(Clone, Debug)]
pub struct Maml<R> {
    settings: MamlSettings,
    start: Free<R>,
}

/// What the backward pass of [`Maml`] needs.
#[derive(Clone, Debug, Default)]
pub struct MamlTape<R> {
    occurrences: Occurrences,
    /// The terms of the support.
    terms: EpisodeTerms,
    steps: Vec<InnerStep<R>>,
    raw_alpha: Vec<R>,
    raw_beta: Vec<R>,
    back: InnerGradient<R>,
}

impl<R: Real> Maml<R> {
    fn constants(&self, step: usize) -> AdamConstants<R> {
        self.settings.constants(step)
    }
}

impl MamlSettings {
    fn constants<R: Real>(&self, step: usize) -> AdamConstants<R> {
        AdamConstants::of_step(step + 1, self.inner_rate)
    }

    /// α of a document whose topics are known: the steps that a fit takes from the start `a`, with
    /// the topics in the place of β, which is not moved.
    fn proportions_beside<R: Real>(
        &self,
        a: &[R],
        topics: &Dirichlet<R>,
        document: &WordCounts,
    ) -> Vec<R> {
        let terms = EpisodeTerms::of(document, &WordCounts::new());
        let mut raw = a.to_vec();
        let mut before: Option<InnerStep<R>> = None;
        for t in 0..self.inner_steps {
            let mut step = InnerStep::default();
            step.dirichlet.clone_from(topics);
            step.dirichlet.alpha.clone_from(&raw);
            R::softplus(&mut step.dirichlet.alpha);
            let mut unused = topics.beta.clone();
            let moved = (&mut raw[..], &mut unused[..]);
            step.forward(document, &terms, &self.constants(t), before.as_ref(), moved);
            before = Some(step);
        }
        R::softplus(&mut raw);
        raw
    }
}

impl<R: Real> Prior<R> for Maml<R> {
    type Tape = MamlTape<R>;

    fn topics(&self) -> usize {
        self.start.topics()
    }

    fn terms(&self) -> usize {
        self.start.terms()
    }

    fn parameters(&self) -> &[Parameter<R>] {
        self.start.parameters()
    }

    fn parameters_mut(&mut self) -> &mut [Parameter<R>] {
        self.start.parameters_mut()
    }

    fn to_tensors(&self) -> Tensors<R> {
        self.start.to_tensors()
    }

    fn topic_tensors(&self, _: &MamlTape<R>) -> Tensors<R> {
        Tensors::new()
    }

    fn new_document_tensors(&self, new: Option<&NewTerms>, topics: &Tensors<R>) -> Tensors<R> {
        self.start.new_document_tensors(new, topics)
    }

    fn new_document_prior(
        &self,
        _: Option<&NewTerms>,
        _: &Tensors<R>,
        _: &[u32],
    ) -> Result<Box<dyn ReadsNewDocuments<R>>> {
        let a = self.parameters()[A].values.clone();
        Ok(Box::new(AdaptedAlpha { settings: self.settings, a }))
    }

    fn forward(
        &self,
        support: &WordCounts,
        request: Request<'_>,
        dropout: &mut Dropout<'_>,
        tape: &mut MamlTape<R>,
        dirichlet: &mut Dirichlet<R>,
    ) {
        let MamlTape { occurrences, terms, steps, raw_alpha, raw_beta, .. } = tape;
        self.start.forward(support, request, dropout, &mut FreeTape, dirichlet);
        occurrences.fill(support);
        terms.fill(support, occurrences, &WordCounts::new());
        let (a, b) = self.start.raw();
        raw_alpha.clear();
        (0..support.documents()).for_each(|_| raw_alpha.extend_from_slice(a));
        raw_beta.clear();
        raw_beta.extend_from_slice(b);
        steps.resize_with(self.settings.inner_steps.max(steps.len()), InnerStep::default);
        for t in 0..self.settings.inner_steps {
            let (before, rest) = steps.split_at_mut(t);
            let step = &mut rest[0];
            std::mem::swap(&mut step.dirichlet, dirichlet);
            let raw = (&mut raw_alpha[..], &mut raw_beta[..]);
            step.forward(support, terms, &self.constants(t), before.last(), raw);
            dirichlet.topics = self.topics();
            dirichlet.alpha.clone_from(raw_alpha);
            dirichlet.beta.clone_from(raw_beta);
            dirichlet.make_positive();
        }
    }

    fn backward(
        &self,
        support: &WordCounts,
        terms: &[u32],
        dirichlet: &Dirichlet<R>,
        gradient: &PriorGradient<R>,
        tape: &mut MamlTape<R>,
        gradients: &mut Vec<Gradient<R>>,
    ) {
        let MamlTape { terms: support_terms, steps, back, .. } = tape;
        back.alpha.raw.clone_from(&gradient.log_alpha);
        R::softplus_backward(&mut back.alpha.raw, &dirichlet.alpha);
        gradient.dense_log_beta(terms, &dirichlet.beta, &mut back.beta.raw);
        R::softplus_backward(&mut back.beta.raw, &dirichlet.beta);
        back.alpha.start();
        back.beta.start();
        for (t, step) in steps[..self.settings.inner_steps].iter_mut().enumerate().rev() {
            step.backward(support, support_terms, &self.constants(t), back);
        }
        gradients.resize_with(self.parameters().len(), Gradient::default);
        let a = gradients[A].dense(0);
        a.extend_from_slice(&back.alpha.raw);
        sum_documents(a, self.topics());
        gradients[B].dense(0).extend_from_slice(&back.beta.raw);
    }
}
