//! Documents: from word counts to the vectors of documents and of their corpus.

use super::words::WordView;
use crate::corpus::WordCounts;
use crate::nn::{Dropout, Gradient, Network, NetworkTape, Parameter};
use crate::numeric::Real;
use crate::numeric::kernels::{self, Addend};

/// Added to a vector's length, so that a document without words has a direction too: none.
const LEAST_LENGTH: f64 = 1e-6;

/// u_n = √D Σ_j log(1 + x_nj) w_j E_j / its length, h_n = f_D(u_n) + u_n, and
/// r = f_C(mean of h_n) + that mean.
#[derive(Clone, Debug)]
pub(super) struct DocumentStage {
    /// f_D
    pub(super) document: Network,
    /// f_C
    pub(super) corpus: Network,
    /// Share of an episode's words that are dropped in training.
    pub(super) word_dropout: f64,
    /// Share of a document's vector that is dropped in training.
    pub(super) input_dropout: f64,
}

/// What the backward pass of [`DocumentStage`] needs, and what later stages read.
#[derive(Clone, Debug, Default)]
pub(super) struct DocumentTape<R> {
    /// The forward pass's [`Dropout::scale`].
    scale: R,
    /// log(1 + x_nj) of every entry of the support that the networks see, else 0.
    pub(super) entries: Vec<R>,
    /// E_j of every entry of a document, if the rows of E are not in memory.
    gathered: Vec<R>,
    /// Length of Σ log(1 + x_nj) w_j E_j of each document.
    lengths: Vec<R>,
    /// u_n before and after input dropout.
    pub(super) directions: Vec<R>,
    inputs: Vec<R>,
    document: NetworkTape<R>,
    /// h_n
    pub(super) vectors: Vec<R>,
    mean: Vec<R>,
    corpus: NetworkTape<R>,
    /// r
    pub(super) corpus_vector: Vec<R>,
    /// The gradients of h_n and r, which the later stages give.
    pub(super) of_vectors: Vec<R>,
    pub(super) of_corpus: Vec<R>,
    of_mean: Vec<R>,
    of_inputs: Vec<R>,
}

impl DocumentStage {
    /// u_n, h_n and r.
    pub(super) fn forward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        words: WordView<'_, R>,
        support: &WordCounts,
        dropout: &mut Dropout<'_>,
        tape: &mut DocumentTape<R>,
    ) {
        self.read(parameters, words, support, dropout, tape);
        let dimension = words.dimension();
        kernels::reset(&mut tape.mean, dimension);
        let share = R::of(1.0 / support.documents() as f64);
        for document in tape.vectors.chunks_exact(dimension) {
            kernels::add_scaled(&mut tape.mean, share, document);
        }
        let DocumentTape { mean, corpus, corpus_vector, .. } = &mut *tape;
        self.corpus.forward(parameters, mean, dropout, corpus, corpus_vector);
        kernels::add(corpus_vector, mean);
    }

    /// u_n and h_n, which do not depend on other documents.
    pub(super) fn read<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        words: WordView<'_, R>,
        support: &WordCounts,
        dropout: &mut Dropout<'_>,
        tape: &mut DocumentTape<R>,
    ) {
        self.direct(words, support, dropout, tape);
        tape.inputs.clear();
        tape.inputs.extend_from_slice(&tape.directions);
        dropout.drop_scaled(self.input_dropout, &mut tape.inputs);

        let DocumentTape { inputs, document, vectors, .. } = &mut *tape;
        self.document.forward(parameters, inputs, dropout, document, vectors);
        kernels::add(vectors, inputs);
    }

    /// u_n
    pub(super) fn direct<R: Real>(
        &self,
        words: WordView<'_, R>,
        support: &WordCounts,
        dropout: &mut Dropout<'_>,
        tape: &mut DocumentTape<R>,
    ) {
        let dimension = words.dimension();
        tape.scale = dropout.scale();
        tape.entries.clear();
        tape.entries.extend(support.counts().iter().map(|&count| R::of(f64::from(count).ln_1p())));
        dropout.drop_whole(self.word_dropout, &mut tape.entries);
        kernels::reset(&mut tape.directions, support.documents() * dimension);
        tape.lengths.clear();
        let DocumentTape { entries, gathered, directions, lengths, .. } = &mut *tape;
        for (n, direction) in directions.chunks_exact_mut(dimension).enumerate() {
            // One document's at a time: those of many documents would take more memory than all else.
            let first = support.row_range(n).start;
            let vectors = words.vectors(&support.terms()[support.row_range(n)], gathered);
            // A new word has no vector.
            let seen = support
                .row_range(n)
                .zip(support.row(n))
                .filter(|&(i, (term, _))| entries[i] != R::ZERO && words.knows(term));
            let addend = |(i, (term, _)): (usize, (u32, u32))| {
                Addend::Row(entries[i] * words.importance(term), vectors.of(i - first, term))
            };
            R::add_up(direction, seen.map(addend));
            let length = kernels::dot(direction, direction).sqrt() + R::of(LEAST_LENGTH);
            let scale = R::of((dimension as f64).sqrt()) / length;
            direction.iter_mut().for_each(|x| *x *= scale);
            lengths.push(length);
        }
    }

    /// Backward pass of [`Self::forward`] from `tape.of_vectors` and `tape.of_corpus`. The gradient of
    /// E, `of_words`, has what the softmax left there already.
    pub(super) fn backward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        (of_words, of_importance): (usize, usize),
        support: &WordCounts,
        tape: &mut DocumentTape<R>,
        gradients: &mut [Gradient<R>],
    ) {
        let dimension = parameters[of_words].columns;
        tape.of_mean.clear();
        tape.of_mean.extend_from_slice(&tape.of_corpus);
        self.corpus.backward(
            parameters,
            &tape.mean,
            &tape.of_corpus,
            tape.scale,
            &mut tape.corpus,
            gradients,
            &mut tape.of_mean,
        );
        let share = R::of(1.0 / support.documents() as f64);
        for gradient in tape.of_vectors.chunks_exact_mut(dimension) {
            kernels::add_scaled(gradient, share, &tape.of_mean);
        }
        tape.of_inputs.clear();
        tape.of_inputs.extend_from_slice(&tape.of_vectors);
        self.document.backward(
            parameters,
            &tape.inputs,
            &tape.of_vectors,
            tape.scale,
            &mut tape.document,
            gradients,
            &mut tape.of_inputs,
        );
        tape.through_input_dropout();
        tape.through_length(dimension);
        tape.through_words(parameters, (of_words, of_importance), support, gradients);
    }
}

impl<R: Real> DocumentTape<R> {
    /// Input dropout left a number out if it is zero now, and scaled the others.
    fn through_input_dropout(&mut self) {
        for ((gradient, &input), &direction) in
            self.of_inputs.iter_mut().zip(&self.inputs).zip(&self.directions)
        {
            if input == R::ZERO {
                *gradient = R::ZERO;
            } else {
                *gradient *= input / direction;
            }
        }
    }

    /// u = √D v / (|v| + ε): of the gradient, what is across u, and along it next to nothing.
    fn through_length(&mut self, dimension: usize) {
        let root = R::of((dimension as f64).sqrt());
        for ((gradient, direction), &length) in self
            .of_inputs
            .chunks_exact_mut(dimension)
            .zip(self.directions.chunks_exact(dimension))
            .zip(&self.lengths)
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
    }

    /// From the gradient of Σ log(1 + x_nj) w_j E_j to those of E's rows and of w.
    fn through_words(
        &mut self,
        parameters: &[Parameter<R>],
        (of_words, of_importance): (usize, usize),
        support: &WordCounts,
        gradients: &mut [Gradient<R>],
    ) {
        let (words, importance) = (&parameters[of_words], &parameters[of_importance].values);
        let [of_words, of_importance] =
            gradients.get_disjoint_mut([of_words, of_importance]).expect("two parameters");
        let Gradient::OuterAndTerms { documents, scales, .. } = of_words else {
            unreachable!("set by the output layer")
        };
        documents.extend_from_slice(&self.of_inputs);
        let weighted = self.entries.iter().zip(support.terms());
        scales.extend(weighted.map(|(&entry, &term)| entry * importance[term as usize]));
        let of_importance = of_importance.dense(importance.len());
        for (n, gradient) in self.of_inputs.chunks_exact(words.columns).enumerate() {
            let entries = support.row(n).zip(&self.entries[support.row_range(n)]);
            for ((term, _), &entry) in entries.filter(is_seen) {
                let j = term as usize;
                of_importance[j] += entry * kernels::dot(words.row(j), gradient);
            }
        }
    }
}

/// Whether word dropout left an entry in.
pub(super) fn is_seen<R: Real>((_, entry): &((u32, u32), &R)) -> bool {
    **entry != R::ZERO
}
