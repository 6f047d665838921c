//! Mixtures: which themes a topic has, by what the networks expect and by what the words of its
//! documents say.
//!
//! A topic's documents are folded into the themes as a document is folded into LDA's topics, with the
//! networks' choice m⁰_k in place of α. Each step is
//! m_kl ∝ τ m⁰_kl + Σ_j m_kl Ψ_lj / Σ_l' m_kl' Ψ_l'j over the terms j of the documents that topic k
//! starts from. A term counts once however often it occurs, for its occurrences come in bursts.

use super::documents::is_seen;
use super::elementary::softmax;
use super::themes::Themes;
use super::topics::TopicTape;
use super::words::WordView;
use crate::corpus::WordCounts;
use crate::nn::{Gradient, Linear, Parameter};
use crate::numeric::{Real, kernels};

/// τ: as many terms as the networks' choice counts for.
const CHOICE: f64 = 30.0;

/// More steps trust the words of short documents too much.
const STEPS: usize = 2;

/// m⁰_k = softmax(U t_k), and what the words make of it.
#[derive(Clone, Debug)]
pub(super) struct MixtureStage {
    /// U: the logits of m⁰.
    pub(super) choice: Linear,
    /// Whether the words say nothing.
    pub(super) without_folding: bool,
}

/// What the backward pass of [`MixtureStage`] needs, and what later stages read.
#[derive(Clone, Debug, Default)]
pub(super) struct MixtureTape<R> {
    /// m⁰: topics × themes
    pub(super) choice: Vec<R>,
    /// m: topics × themes
    pub(super) mixtures: Vec<R>,
    /// The terms of each topic's documents, and where each topic's end.
    terms: Vec<u32>,
    ends: Vec<usize>,
    /// m_k before each step: topics × steps × themes
    before: Vec<R>,
    /// q_k of each step: topics × steps × themes
    calls: Vec<R>,
    /// 1 / Σ_l m_kl Ψ_lj of every term: terms × steps, topic by topic
    quotients: Vec<R>,
    scratch: Vec<R>,
    /// The gradient of m, which the next stage gives, and others on their way back.
    pub(super) of_mixtures: Vec<R>,
    weighted: Vec<R>,
    scales: Vec<R>,
    of_before: Vec<R>,
    of_choice: Vec<R>,
}

impl MixtureStage {
    /// m from the topics' vectors and the words of their documents; `entries` says which of these the
    /// networks see.
    #[expect(clippy::too_many_arguments, reason = "two stages and the documents meet here")]
    pub(super) fn forward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        themes: &Themes<R>,
        words: WordView<'_, R>,
        support: &WordCounts,
        entries: &[R],
        topics: &TopicTape<R>,
        tape: &mut MixtureTape<R>,
    ) {
        let MixtureTape { mixtures, choice, scratch, .. } = &mut *tape;
        self.choice.forward(parameters, topics.shown(), scratch, mixtures);
        mixtures.chunks_exact_mut(themes.count).for_each(softmax);
        choice.clone_from(mixtures);
        let folded = if self.without_folding { 0 } else { topics.groups };
        tape.collect_terms(support, entries, words, &topics.group, folded);
        tape.fold(themes);
    }

    /// Backward pass of [`Self::forward`] from `tape.of_mixtures`: adds to `topics.of_vectors`.
    pub(super) fn backward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        themes: &Themes<R>,
        tape: &mut MixtureTape<R>,
        topics: &mut TopicTape<R>,
        gradients: &mut [Gradient<R>],
    ) {
        tape.fold_backward(themes);
        let MixtureTape { choice, of_mixtures, scratch, .. } = tape;
        let rows = of_mixtures.chunks_exact_mut(themes.count);
        for (gradient, choice) in rows.zip(choice.chunks_exact(themes.count)) {
            let mean = kernels::dot(gradient, choice);
            for (gradient, &share) in gradient.iter_mut().zip(choice) {
                *gradient = share * (*gradient - mean);
            }
        }
        let shown = &topics.vectors[..topics.topics * topics.dimension()];
        let of_vectors = &mut topics.of_vectors;
        self.choice.backward(parameters, shown, of_mixtures, gradients, scratch, of_vectors);
    }
}

impl<R: Real> MixtureTape<R> {
    /// Takes the known terms that the networks see of the documents of each of the first `topics`
    /// topics.
    fn collect_terms(
        &mut self,
        support: &WordCounts,
        entries: &[R],
        words: WordView<'_, R>,
        group: &[usize],
        topics: usize,
    ) {
        // Room for all that word dropout may leave, so that buffers do not grow from episode to episode.
        let most = support.entries();
        self.terms.clear();
        self.terms.reserve(most);
        for (buffer, times) in [(&mut self.quotients, STEPS), (&mut self.scales, 1)] {
            buffer.clear();
            buffer.reserve(times * most);
        }
        self.ends.clear();
        for k in 0..topics {
            for (n, _) in group.iter().enumerate().filter(|(_, group)| **group == k) {
                let entries = support.row(n).zip(&entries[support.row_range(n)]);
                let seen = entries.filter(is_seen).map(|((term, _), _)| term);
                self.terms.extend(seen.filter(|&term| words.knows(term)));
            }
            self.ends.push(self.terms.len());
        }
    }

    /// The steps from m⁰ to m of the topics that have documents.
    fn fold(&mut self, themes: &Themes<R>) {
        let count = themes.count;
        let Self { mixtures, choice, terms, ends, before, calls, quotients, .. } = self;
        [&mut *before, &mut *calls].into_iter().for_each(Vec::clear);
        let rows = mixtures.chunks_exact_mut(count).zip(choice.chunks_exact(count));
        for ((mixture, choice), terms) in rows.zip(of_topics(terms, ends)) {
            let scale = R::ONE / R::of(CHOICE + terms.len() as f64);
            for _ in 0..STEPS {
                before.extend_from_slice(mixture);
                let words = terms.iter().map(|&term| (term, R::ONE));
                let start = calls.len();
                calls.resize(start + count, R::ZERO);
                themes.call(mixture, words, quotients, &mut calls[start..]);
                for ((share, &choice), &call) in mixture.iter_mut().zip(choice).zip(&calls[start..])
                {
                    *share = scale * (R::of(CHOICE) * choice + *share * call);
                }
            }
        }
    }

    /// Backward pass of [`Self::fold`]: `of_mixtures` becomes the gradient of m⁰.
    fn fold_backward(&mut self, themes: &Themes<R>) {
        let count = themes.count;
        let Self {
            terms,
            ends,
            before,
            calls,
            quotients,
            of_mixtures,
            weighted,
            scales,
            of_before,
            of_choice,
            ..
        } = self;
        let rows = of_mixtures.chunks_exact_mut(count);
        let steps = before.chunks_exact(STEPS * count).zip(calls.chunks_exact(STEPS * count));
        let mut quotients = &quotients[..];
        for ((gradient, (mixtures, calls)), terms) in rows.zip(steps).zip(of_topics(terms, ends)) {
            let scale = R::ONE / R::of(CHOICE + terms.len() as f64);
            let of_topic;
            (of_topic, quotients) = quotients.split_at(STEPS * terms.len());
            kernels::reset(of_choice, count);
            for step in (0..STEPS).rev() {
                let [mixture, call] = [mixtures, calls].map(|all| &all[step * count..][..count]);
                let quotients = &of_topic[step * terms.len()..][..terms.len()];
                gradient.iter_mut().for_each(|gradient| *gradient *= scale);
                kernels::add_scaled(of_choice, R::of(CHOICE), gradient);
                weighted.clear();
                weighted.extend(gradient.iter().zip(mixture).map(|(&g, &m)| g * m));
                of_before.clear();
                of_before.extend(gradient.iter().zip(call).map(|(&g, &q)| g * q));
                let weighed = themes.in_mixture(weighted);
                scales.clear();
                scales
                    .extend(terms.iter().zip(quotients).map(|(&term, &q)| -q * q * weighed(term)));
                themes.add_terms(terms.iter().copied().zip(&*scales), of_before);
                gradient.copy_from_slice(of_before);
            }
            kernels::add(gradient, of_choice);
        }
    }
}

/// Each topic's terms.
fn of_topics<'a>(terms: &'a [u32], ends: &'a [usize]) -> impl Iterator<Item = &'a [u32]> {
    let starts = std::iter::once(&0).chain(ends);
    starts.zip(ends).map(|(&start, &end)| &terms[start..end])
}
