//! The topics' vectors: one a document or group of documents, and those of the corpus.

use super::{Handful, HandfulTape, Ingredient};
use crate::corpus::WordCounts;
use crate::nn::{Dropout, Gradient};
use crate::numeric::{Real, kernels};

impl<R: Real> Handful<R> {
    /// t_k = f_T([c_k, r, s_k]) + c_k.
    pub(super) fn topic_vectors(
        &self,
        support: &WordCounts,
        dropout: &mut Dropout<'_>,
        tape: &mut HandfulTape<R>,
    ) {
        let (dimension, topics) = (self.settings.dimension, self.topics);
        let documents = support.documents();
        self.group(support, tape);
        let groups = self.groups(documents);
        let HandfulTape { contexts, group, documents: vectors, corpus_vector, .. } = &mut *tape;
        let slots = &self.parameters[self.slots];
        kernels::reset(contexts, topics * 3 * dimension);
        for (k, context) in contexts.chunks_exact_mut(3 * dimension).enumerate() {
            let (own, others) = context.split_at_mut(dimension);
            let (corpus, slot) = others.split_at_mut(dimension);
            corpus.copy_from_slice(corpus_vector);
            if k < groups {
                slot.copy_from_slice(slots.row(0));
                let share = share_of::<R>(group, k);
                for (vector, _) in members(vectors, dimension, group, k) {
                    kernels::add_scaled(own, share, vector);
                }
            } else {
                slot.copy_from_slice(slots.row(1 + k - groups));
                own.copy_from_slice(corpus_vector);
            }
        }
        let HandfulTape { contexts, topic, topic_vectors, .. } = &mut *tape;
        self.topic.forward(&self.parameters, contexts, dropout, topic, topic_vectors);
        for (vector, context) in
            topic_vectors.chunks_exact_mut(dimension).zip(contexts.chunks_exact(3 * dimension))
        {
            kernels::add(vector, &context[..dimension]);
        }
        topic_vectors.extend_from_slice(&self.parameters[self.background].values);
    }

    /// How many topics start from documents.
    pub(super) fn groups(&self, documents: usize) -> usize {
        if self.lacks(Ingredient::DocumentTopics) { 0 } else { documents.min(self.topics) }
    }

    /// Backward pass of [`Self::topic_vectors`] from `tape.topic_gradient`: adds to
    /// `tape.document_gradient`, sets `tape.corpus_gradient`.
    pub(super) fn topic_vectors_backward(
        &self,
        documents: usize,
        tape: &mut HandfulTape<R>,
        gradients: &mut [Gradient<R>],
    ) {
        let (dimension, topics) = (self.settings.dimension, self.topics);
        let groups = self.groups(documents);
        let (topic_gradient, background_gradient) =
            tape.topic_gradient.split_at(topics * dimension);
        kernels::reset(&mut tape.context_gradient, topics * 3 * dimension);
        self.topic.backward(
            &self.parameters,
            &tape.contexts,
            topic_gradient,
            tape.scale,
            &mut tape.topic,
            gradients,
            &mut tape.context_gradient,
        );
        let slots = &self.parameters[self.slots];
        kernels::reset(&mut tape.corpus_gradient, dimension);
        gradients[self.background].dense(dimension).copy_from_slice(background_gradient);
        let slot_gradient = gradients[self.slots].dense(slots.values.len());
        let rows = tape.context_gradient.chunks_exact_mut(3 * dimension);
        for (k, (gradient, through)) in rows.zip(topic_gradient.chunks_exact(dimension)).enumerate()
        {
            let (own, others) = gradient.split_at_mut(dimension);
            let (corpus, slot) = others.split_at(dimension);
            kernels::add(own, through);
            kernels::add(&mut tape.corpus_gradient, corpus);
            let row = if k < groups { 0 } else { 1 + k - groups };
            kernels::add(&mut slot_gradient[row * dimension..(row + 1) * dimension], slot);
            if k < groups {
                let share = share_of::<R>(&tape.group, k);
                let document_gradient = tape.document_gradient.chunks_exact_mut(dimension);
                for (gradient, _) in
                    document_gradient.zip(&tape.group).filter(|(_, group)| **group == k)
                {
                    kernels::add_scaled(gradient, share, own);
                }
            } else {
                kernels::add(&mut tape.corpus_gradient, own);
            }
        }
    }
}

/// One over the number of documents of a group.
fn share_of<R: Real>(group: &[usize], k: usize) -> R {
    R::of(1.0 / group.iter().filter(|group| **group == k).count() as f64)
}

/// The vectors of the documents of a group.
fn members<'a, R: Real>(
    vectors: &'a [R],
    dimension: usize,
    group: &'a [usize],
    k: usize,
) -> impl Iterator<Item = (&'a [R], &'a usize)> {
    vectors.chunks_exact(dimension).zip(group).filter(move |(_, group)| **group == k)
}
