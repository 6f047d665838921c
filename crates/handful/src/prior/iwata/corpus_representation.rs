//! The corpus representation r, Eq. (4), and how the other networks take it in.

use super::{Iwata, IwataTape, TermNetwork, VectorNetwork};
use crate::corpus::WordCounts;
use crate::nn::{Dropout, Gradient, Real, kernels};

impl<R: Real> Iwata<R> {
    /// r of some documents, without dropout; `None` where the networks have none.
    pub fn representation(&self, documents: &WordCounts) -> Option<Vec<R>> {
        let networks = self.corpus_networks.as_ref()?;
        let mut tape = IwataTape::default();
        self.corpus_representation(networks, documents, &mut Dropout::off(), &mut tape);
        Some(tape.corpus)
    }

    /// Eq. (4): r = g_R(mean of f_R(x_n)).
    pub(super) fn corpus_representation(
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
    pub(super) fn add_corpus(&self, network: &TermNetwork, tape: &mut IwataTape<R>) {
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
    pub(super) fn add_corpus_backward(
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
    pub(super) fn corpus_representation_backward(
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
