//! Topics: a vector for each document or group of documents, and for topics of the corpus.

use super::documents::DocumentTape;
use crate::nn::{Dropout, Gradient, Network, NetworkTape, Parameter};
use crate::numeric::{Real, kernels};

/// t_k = f_T([c_k, r, s_k]) + c_k, with the context c_k: the mean of h_n over the documents that topic
/// k starts from, or r for a topic of the corpus.
#[derive(Clone, Debug)]
pub(super) struct TopicStage {
    /// s: a vector a slot, the first for the topics of documents. There are more slots than topics, so
    /// that any number of topics can be asked for.
    pub(super) slots: usize,
    /// f_T
    pub(super) network: Network,
    /// t_K: the background's vector.
    pub(super) background: usize,
}

/// What the backward pass of [`TopicStage`] needs, and what later stages read.
#[derive(Clone, Debug, Default)]
pub(super) struct TopicTape<R> {
    scale: R,
    /// The topic of each document.
    pub(super) group: Vec<usize>,
    /// How many topics start from documents; they are the first.
    pub(super) groups: usize,
    /// K
    pub(super) topics: usize,
    /// [c_k, r, s_k]
    pub(super) contexts: Vec<R>,
    network: NetworkTape<R>,
    /// t_k, the background's last
    pub(super) vectors: Vec<R>,
    /// The gradient of t_k, which the later stages give.
    pub(super) of_vectors: Vec<R>,
    of_contexts: Vec<R>,
}

impl<R: Real> TopicTape<R> {
    /// t_k without the background's.
    pub(super) fn shown(&self) -> &[R] {
        &self.vectors[..self.topics * self.dimension()]
    }

    /// The means over the documents that each topic starts from of rows that documents have, topics by
    /// topics. All topics must start from documents.
    pub(super) fn means(&self, rows: &[R]) -> Vec<R> {
        let columns = rows.len() / self.group.len();
        let mut means = vec![R::ZERO; self.topics * columns];
        for (k, mean) in means.chunks_exact_mut(columns).enumerate() {
            let share = share_of::<R>(&self.group, k);
            let members = members(rows, columns, &self.group, k);
            members.for_each(|row| kernels::add_scaled(mean, share, row));
        }
        means
    }

    /// D
    pub(super) fn dimension(&self) -> usize {
        self.vectors.len() / (self.topics + 1)
    }
}

impl TopicStage {
    /// t_k of `tape.topics` topics, of which the first `tape.groups` start from the documents that
    /// `tape.group` gives to them.
    pub(super) fn forward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        documents: &DocumentTape<R>,
        dropout: &mut Dropout<'_>,
        tape: &mut TopicTape<R>,
    ) {
        let slots = &parameters[self.slots];
        let dimension = slots.columns;
        tape.scale = dropout.scale();
        let TopicTape { contexts, group, groups, topics, network, vectors, .. } = &mut *tape;
        kernels::reset(contexts, *topics * 3 * dimension);
        for (k, context) in contexts.chunks_exact_mut(3 * dimension).enumerate() {
            let (own, others) = context.split_at_mut(dimension);
            let (corpus, slot) = others.split_at_mut(dimension);
            corpus.copy_from_slice(&documents.corpus_vector);
            if k < *groups {
                slot.copy_from_slice(slots.row(0));
                let share = share_of::<R>(group, k);
                for vector in members(&documents.vectors, dimension, group, k) {
                    kernels::add_scaled(own, share, vector);
                }
            } else {
                slot.copy_from_slice(slots.row(1 + k - *groups));
                own.copy_from_slice(&documents.corpus_vector);
            }
        }
        self.network.forward(parameters, contexts, dropout, network, vectors);
        for (vector, context) in
            vectors.chunks_exact_mut(dimension).zip(contexts.chunks_exact(3 * dimension))
        {
            kernels::add(vector, &context[..dimension]);
        }
        vectors.extend_from_slice(&parameters[self.background].values);
    }

    /// Backward pass of [`Self::forward`] from `tape.of_vectors`: adds to `documents.of_vectors`, sets
    /// `documents.of_corpus`.
    pub(super) fn backward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        tape: &mut TopicTape<R>,
        documents: &mut DocumentTape<R>,
        gradients: &mut [Gradient<R>],
    ) {
        let slots = &parameters[self.slots];
        let (dimension, topics, groups) = (slots.columns, tape.topics, tape.groups);
        let (of_topics, of_background) = tape.of_vectors.split_at(topics * dimension);
        kernels::reset(&mut tape.of_contexts, topics * 3 * dimension);
        self.network.backward(
            parameters,
            &tape.contexts,
            of_topics,
            tape.scale,
            &mut tape.network,
            gradients,
            &mut tape.of_contexts,
        );
        kernels::reset(&mut documents.of_corpus, dimension);
        gradients[self.background].dense(dimension).copy_from_slice(of_background);
        let of_slots = gradients[self.slots].dense(slots.values.len());
        let rows = tape.of_contexts.chunks_exact_mut(3 * dimension);
        for (k, (gradient, through)) in rows.zip(of_topics.chunks_exact(dimension)).enumerate() {
            let (own, others) = gradient.split_at_mut(dimension);
            let (corpus, slot) = others.split_at(dimension);
            kernels::add(own, through);
            kernels::add(&mut documents.of_corpus, corpus);
            let row = if k < groups { 0 } else { 1 + k - groups };
            kernels::add(&mut of_slots[row * dimension..(row + 1) * dimension], slot);
            if k < groups {
                let share = share_of::<R>(&tape.group, k);
                let of_documents = documents.of_vectors.chunks_exact_mut(dimension);
                for (gradient, _) in of_documents.zip(&tape.group).filter(|(_, group)| **group == k)
                {
                    kernels::add_scaled(gradient, share, own);
                }
            } else {
                kernels::add(&mut documents.of_corpus, own);
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
) -> impl Iterator<Item = &'a [R]> {
    let documents = vectors.chunks_exact(dimension).zip(group);
    documents.filter(move |(_, group)| **group == k).map(|(vector, _)| vector)
}
