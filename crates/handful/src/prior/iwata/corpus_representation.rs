//! The corpus representation r, Eq. (4), and how the other networks take it in.

use super::{Iwata, IwataTape, TermNetwork, VectorNetwork};
use crate::corpus::WordCounts;
use crate::nn::{Dropout, Gradient};
use crate::numeric::{Real, kernels};

impl<R: Real> Iwata<R> {
    /// Eq. (4): r = g_R(mean of f_R(x_n)), after [`Self::read`].
    pub(super) fn corpus_representation(
        &self,
        (f_r, g_r): &(TermNetwork, VectorNetwork),
        documents: usize,
        dropout: &mut Dropout<'_>,
        tape: &mut IwataTape<R>,
    ) {
        let hidden = self.settings.widths().f_r;
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
        let share = R::ONE / R::of(documents as f64);
        for document in tape.documents.chunks_exact(hidden) {
            kernels::add_scaled(&mut tape.mean, share, document);
        }
        g_r.first.forward(&self.parameters, &tape.mean, &mut tape.scratch, &mut tape.units);
        g_r.rest.forward(&self.parameters, &tape.units, dropout, &mut tape.g_r, &mut tape.corpus);
    }

    /// Adds to each row of `units` what a first map makes of r, and its bias. `scratch` and
    /// `from_corpus` are memory to work in.
    pub(super) fn add_corpus(
        &self,
        network: &TermNetwork,
        corpus: &[R],
        (scratch, from_corpus): (&mut Vec<R>, &mut Vec<R>),
        units: &mut [R],
    ) {
        let bias = &self.parameters[network.bias].values;
        from_corpus.clear();
        if let Some(linear) = network.corpus {
            linear.forward(&self.parameters, corpus, scratch, from_corpus);
            kernels::add(from_corpus, bias);
        } else {
            from_corpus.extend_from_slice(bias);
        }
        for units in units.chunks_exact_mut(bias.len()) {
            kernels::add(units, from_corpus);
        }
    }

    /// Backward pass of [`Self::add_corpus`]: the gradient of the bias and of r's columns, and,
    /// added to `corpus_gradient`, that of r. `units_gradient` has a row an input.
    pub(super) fn add_corpus_backward(
        &self,
        network: &TermNetwork,
        units_gradient: &[R],
        (corpus, corpus_gradient): (&[R], &mut [R]),
        scratch: &mut Vec<R>,
        gradients: &mut [Gradient<R>],
    ) {
        let hidden = self.parameters[network.bias].columns;
        let mut sum = std::mem::take(gradients[network.bias].dense(hidden));
        R::add_rows(&mut sum, units_gradient);
        if let Some(linear) = network.corpus {
            linear.backward(&self.parameters, corpus, &sum, gradients, scratch, corpus_gradient);
        }
        gradients[network.bias] = Gradient::Dense(sum);
    }

    /// Backward pass of [`Self::corpus_representation`] from `tape.corpus_gradient`.
    pub(super) fn corpus_representation_backward(
        &self,
        (f_r, g_r): &(TermNetwork, VectorNetwork),
        support: &WordCounts,
        tape: &mut IwataTape<R>,
        gradients: &mut [Gradient<R>],
    ) {
        let (documents, hidden) = (support.documents(), self.settings.widths().f_r);
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
            &mut tape.scratch,
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
        self.add_corpus_backward(f_r, units_gradient, (&[], &mut []), &mut tape.scratch, gradients);
        f_r.terms.backward(support, units_gradient, gradients);
    }
}
