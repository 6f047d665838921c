//! Which themes a topic has: what the networks expect, and what the words of its documents say.
//!
//! As a document is folded into LDA's topics, with the networks' choice m⁰_k in place of α: each step
//! is m_kl ∝ τ m⁰_kl + Σ_j m_kl Ψ_lj / Σ_l' m_kl' Ψ_l'j over the terms j of the documents that topic k
//! starts from. A term counts once however often it occurs, for its occurrences come in bursts.

use super::documents::is_seen;
use super::{Handful, HandfulTape, Ingredient};
use crate::corpus::WordCounts;
use crate::numeric::{Real, kernels};

/// τ: as many terms as the networks' choice counts for.
const CHOICE: f64 = 30.0;

/// More steps trust the words of short documents too much.
const STEPS: usize = 2;

/// What the backward pass of folding needs, and buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct FoldingTape<R> {
    /// The terms of each topic's documents, and where each topic's end.
    terms: Vec<u32>,
    ends: Vec<usize>,
    /// m_k before each step: topics × steps × themes
    mixtures: Vec<R>,
    /// q_k of each step: topics × steps × themes
    calls: Vec<R>,
    /// 1 / Σ_l m_kl Ψ_lj of every term: terms × steps, topic by topic
    quotients: Vec<R>,
    /// Gradients on their way back.
    weighted: Vec<R>,
    scales: Vec<R>,
    before: Vec<R>,
    of_choice: Vec<R>,
}

impl<R: Real> Handful<R> {
    /// `tape.mixtures` from the networks' choice, m⁰, that is in it.
    pub(super) fn fold(&self, support: &WordCounts, tape: &mut HandfulTape<R>) {
        let HandfulTape { mixtures, choice, group, entries, folding, .. } = tape;
        choice.clone_from(mixtures);
        let known = self.known_terms();
        folding.collect_terms(support, entries, known, group, self.folded_topics(group));
        let count = self.themes.count;
        let FoldingTape { terms, ends, mixtures: steps, calls, quotients, .. } = folding;
        [&mut *steps, &mut *calls].into_iter().for_each(Vec::clear);
        let rows = mixtures.chunks_exact_mut(count).zip(choice.chunks_exact(count));
        for ((mixture, choice), terms) in rows.zip(of_topics(terms, ends)) {
            let scale = R::ONE / R::of(CHOICE + terms.len() as f64);
            for _ in 0..STEPS {
                steps.extend_from_slice(mixture);
                let words = terms.iter().map(|&term| (term, R::ONE));
                let start = calls.len();
                calls.resize(start + count, R::ZERO);
                self.themes.call(mixture, words, quotients, &mut calls[start..]);
                for ((share, &choice), &call) in mixture.iter_mut().zip(choice).zip(&calls[start..])
                {
                    *share = scale * (R::of(CHOICE) * choice + *share * call);
                }
            }
        }
    }

    /// Backward pass of [`Self::fold`]: `tape.mixture_gradient` becomes the gradient of m⁰.
    pub(super) fn fold_backward(&self, tape: &mut HandfulTape<R>) {
        let HandfulTape { mixture_gradient, folding, .. } = tape;
        let count = self.themes.count;
        let FoldingTape {
            terms,
            ends,
            mixtures,
            calls,
            quotients,
            weighted,
            scales,
            before,
            of_choice,
        } = folding;
        let rows = mixture_gradient.chunks_exact_mut(count);
        let steps = mixtures.chunks_exact(STEPS * count).zip(calls.chunks_exact(STEPS * count));
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
                before.clear();
                before.extend(gradient.iter().zip(call).map(|(&g, &q)| g * q));
                let weighed = self.themes.in_mixture(weighted);
                scales.clear();
                scales
                    .extend(terms.iter().zip(quotients).map(|(&term, &q)| -q * q * weighed(term)));
                self.themes.add_terms(terms.iter().copied().zip(&*scales), before);
                gradient.copy_from_slice(before);
            }
            kernels::add(gradient, of_choice);
        }
    }

    /// How many topics have documents of their own; they are the first.
    fn folded_topics(&self, group: &[usize]) -> usize {
        if self.lacks(Ingredient::Folding) { 0 } else { self.groups(group.len()) }
    }
}

impl<R: Real> FoldingTape<R> {
    /// The `known` terms that the networks see of the documents of each of the first `topics` topics.
    fn collect_terms(
        &mut self,
        support: &WordCounts,
        entries: &[R],
        known: usize,
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
                self.terms.extend(seen.filter(|&term| (term as usize) < known));
            }
            self.ends.push(self.terms.len());
        }
    }
}

/// Each topic's terms.
fn of_topics<'a>(terms: &'a [u32], ends: &'a [usize]) -> impl Iterator<Item = &'a [u32]> {
    let starts = std::iter::once(&0).chain(ends);
    starts.zip(ends).map(|(&start, &end)| &terms[start..end])
}
