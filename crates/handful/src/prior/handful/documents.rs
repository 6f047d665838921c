//! From word counts to the vectors of documents and of their corpus.

use super::{Handful, HandfulTape};
use crate::corpus::WordCounts;
use crate::nn::{Dropout, Gradient};
use crate::numeric::Real;
use crate::numeric::kernels::{self, Addend};

/// Added to a vector's length, so that a document without words has a direction too: none.
const LEAST_LENGTH: f64 = 1e-6;

impl<R: Real> Handful<R> {
    /// u_n, h_n and r.
    pub(super) fn read_documents(
        &self,
        support: &WordCounts,
        dropout: &mut Dropout<'_>,
        tape: &mut HandfulTape<R>,
    ) {
        self.document_vectors(support, dropout, tape);
        let dimension = self.settings.dimension;
        kernels::reset(&mut tape.mean, dimension);
        let share = R::of(1.0 / support.documents() as f64);
        for document in tape.documents.chunks_exact(dimension) {
            kernels::add_scaled(&mut tape.mean, share, document);
        }
        let HandfulTape { mean, corpus, corpus_vector, .. } = &mut *tape;
        self.corpus.forward(&self.parameters, mean, dropout, corpus, corpus_vector);
        kernels::add(corpus_vector, mean);
    }

    /// u_n and h_n, which do not depend on other documents.
    pub(super) fn document_vectors(
        &self,
        support: &WordCounts,
        dropout: &mut Dropout<'_>,
        tape: &mut HandfulTape<R>,
    ) {
        let dimension = self.settings.dimension;
        let (words, weights) =
            (&self.parameters[self.words.weight], &self.parameters[self.word_weights].values);
        tape.entries.clear();
        tape.entries.extend(support.counts().iter().map(|&count| R::of(f64::from(count).ln_1p())));
        dropout.drop_whole(self.settings.word_dropout, &mut tape.entries);
        kernels::reset(&mut tape.directions, support.documents() * dimension);
        tape.lengths.clear();
        for (n, direction) in tape.directions.chunks_exact_mut(dimension).enumerate() {
            let seen = support.row(n).zip(&tape.entries[support.row_range(n)]).filter(is_seen);
            let addend = |((term, _), &entry): ((u32, u32), &R)| {
                Addend::Row(entry * weights[term as usize], words.row(term as usize))
            };
            R::add_up(direction, seen.map(addend));
            let length = kernels::dot(direction, direction).sqrt() + R::of(LEAST_LENGTH);
            let scale = R::of((dimension as f64).sqrt()) / length;
            direction.iter_mut().for_each(|x| *x *= scale);
            tape.lengths.push(length);
        }
        tape.inputs.clear();
        tape.inputs.extend_from_slice(&tape.directions);
        dropout.drop_scaled(self.settings.input_dropout, &mut tape.inputs);

        let HandfulTape { inputs, document, documents, .. } = &mut *tape;
        self.document.forward(&self.parameters, inputs, dropout, document, documents);
        kernels::add(documents, inputs);
    }

    /// Backward pass of [`Self::read_documents`] from `tape.document_gradient` and
    /// `tape.corpus_gradient`.
    pub(super) fn read_documents_backward(
        &self,
        support: &WordCounts,
        tape: &mut HandfulTape<R>,
        gradients: &mut [Gradient<R>],
    ) {
        let dimension = self.settings.dimension;
        let parameters = &self.parameters;
        tape.mean_gradient.clear();
        tape.mean_gradient.extend_from_slice(&tape.corpus_gradient);
        self.corpus.backward(
            parameters,
            &tape.mean,
            &tape.corpus_gradient,
            tape.scale,
            &mut tape.corpus,
            gradients,
            &mut tape.mean_gradient,
        );
        let share = R::of(1.0 / support.documents() as f64);
        for gradient in tape.document_gradient.chunks_exact_mut(dimension) {
            kernels::add_scaled(gradient, share, &tape.mean_gradient);
        }
        tape.input_gradient.clear();
        tape.input_gradient.extend_from_slice(&tape.document_gradient);
        self.document.backward(
            parameters,
            &tape.inputs,
            &tape.document_gradient,
            tape.scale,
            &mut tape.document,
            gradients,
            &mut tape.input_gradient,
        );
        self.through_input_dropout(tape);
        self.through_words(support, tape, gradients);
    }

    /// Input dropout left a number out where it is zero, and scaled the others.
    fn through_input_dropout(&self, tape: &mut HandfulTape<R>) {
        for ((gradient, &input), &direction) in
            tape.input_gradient.iter_mut().zip(&tape.inputs).zip(&tape.directions)
        {
            if input == R::ZERO {
                *gradient = R::ZERO;
            } else {
                *gradient *= input / direction;
            }
        }
    }

    /// From the gradient of u_n to those of E's rows and of w.
    fn through_words(
        &self,
        support: &WordCounts,
        tape: &mut HandfulTape<R>,
        gradients: &mut [Gradient<R>],
    ) {
        let dimension = self.settings.dimension;
        let (words, weights) =
            (&self.parameters[self.words.weight], &self.parameters[self.word_weights].values);
        // u = √D v / (|v| + ε): of the gradient, what is across u, and along it next to nothing.
        let root = R::of((dimension as f64).sqrt());
        for ((gradient, direction), &length) in tape
            .input_gradient
            .chunks_exact_mut(dimension)
            .zip(tape.directions.chunks_exact(dimension))
            .zip(&tape.lengths)
        {
            let norm = length - R::of(LEAST_LENGTH);
            let along = kernels::dot(gradient, direction);
            gradient.iter_mut().for_each(|gradient| *gradient *= root / length);
            if norm > R::ZERO {
                // v/|v| = u length / (√D |v|), so u (g·v) √D / (length² |v|) = u (g·u) / (√D |v|)
                // with v = u length / √D.
                let scale = -along / (root * norm);
                kernels::add_scaled(gradient, scale, direction);
            }
        }
        let [of_words, of_weights] = gradients
            .get_disjoint_mut([self.words.weight, self.word_weights])
            .expect("two parameters");
        let Gradient::OuterAndTerms { documents, scales, .. } = of_words else {
            unreachable!("set by the output layer")
        };
        documents.extend_from_slice(&tape.input_gradient);
        let weighted = tape.entries.iter().zip(support.terms());
        scales.extend(weighted.map(|(&entry, &term)| entry * weights[term as usize]));
        let of_weights = of_weights.dense(weights.len());
        for (n, gradient) in tape.input_gradient.chunks_exact(dimension).enumerate() {
            let entries = support.row(n).zip(&tape.entries[support.row_range(n)]);
            for ((term, _), &entry) in entries.filter(is_seen) {
                let j = term as usize;
                of_weights[j] += entry * kernels::dot(words.row(j), gradient);
            }
        }
    }
}

/// Whether word dropout left an entry in.
pub(super) fn is_seen<R: Real>((_, entry): &((u32, u32), &R)) -> bool {
    **entry != R::ZERO
}
