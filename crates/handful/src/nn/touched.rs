//! The terms in the episodes of a step, which are the rows of deferred parameters that it touches.

use super::EpisodeGradient;
use super::deferral::{Deferral, MOST_SEGMENTS};
use crate::corpus::Occurrence;
use crate::numeric::Real;
use crate::numeric::kernels::{Addend, Owed};
use std::ops::Range;

/// A term in a document of an episode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mention {
    pub(super) episode: u32,
    pub(super) of: Occurrence,
}

/// Rows that are fewer steps behind than this share one series with all rows as far behind.
const YOUNG: usize = 256;

/// The terms of some episodes, where they occur, and what their rows are owed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Touched<R> {
    /// The terms, in increasing order.
    pub(super) terms: Vec<u32>,
    /// The occurrences, sorted by term, episode and document.
    mentions: Vec<Mention>,
    /// Where the mentions of each term end.
    ends: Vec<usize>,
    /// The range in `series` of what each term is owed.
    owed: Vec<Range<usize>>,
    series: Vec<Owed<R>>,
    /// The range in `series` for rows that are `of_age`'s index steps behind.
    of_age: Vec<Range<usize>>,
}

impl<R> Default for Touched<R> {
    fn default() -> Self {
        Self {
            terms: Vec::new(),
            mentions: Vec::new(),
            ends: Vec::new(),
            owed: Vec::new(),
            series: Vec::new(),
            of_age: Vec::new(),
        }
    }
}

impl<R: Real> Touched<R> {
    /// Collects the terms of the episodes.
    pub(super) fn fill<G: AsRef<EpisodeGradient<R>>>(&mut self, episodes: &[G]) {
        self.mentions.clear();
        for (episode, of) in episodes.iter().enumerate() {
            let occurrences = of.as_ref().occurrences.iter();
            self.mentions.extend(occurrences.map(|of| Mention { episode: episode as u32, of }));
        }
        // The occurrences of a single episode are already sorted.
        if episodes.len() > 1 {
            self.mentions
                .sort_unstable_by_key(|Mention { episode, of }| (of.term, *episode, of.document));
        }
        self.terms.clear();
        self.ends.clear();
        for (i, &Mention { of: Occurrence { term, .. }, .. }) in self.mentions.iter().enumerate() {
            if self.terms.last() != Some(&term) {
                self.terms.push(term);
                self.ends.push(i);
            }
            let last = self.ends.len() - 1;
            self.ends[last] = i + 1;
        }
    }

    /// Computes what each term's rows are owed after step `to`, and marks them as current.
    /// `settled` is the step up to which they are current now. A term is owed the same in every
    /// parameter.
    pub(super) fn owe(&mut self, settled: &mut [u64], to: u64, deferral: &Deferral) {
        let Self { terms, owed, series, of_age, .. } = self;
        owed.clear();
        series.clear();
        series.reserve(terms.len() * MOST_SEGMENTS);
        of_age.clear();
        of_age.resize(YOUNG, 0..0);
        for &term in &*terms {
            let from = settled.get_mut(term as usize).filter(|from| (1..to).contains(*from));
            let Some(from) = from else {
                owed.push(0..0);
                continue;
            };
            let age = (to - *from) as usize;
            let shared = of_age.get(age).filter(|range| !range.is_empty()).cloned();
            let range = shared.unwrap_or_else(|| {
                let start = series.len();
                deferral.owed(*from, to, |owed| series.push(*owed));
                start..series.len()
            });
            if let Some(of_age) = of_age.get_mut(age) {
                *of_age = range.clone();
            }
            owed.push(range);
            *from = to;
        }
    }

    /// Returns the series owed to term number `i`.
    pub(super) fn owed(&self, i: usize) -> &[Owed<R>] {
        &self.series[self.owed[i].clone()]
    }

    /// Returns the occurrences of term number `i`.
    pub(super) fn mentions(&self, i: usize) -> &[Mention] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.mentions[start..self.ends[i]]
    }

    /// Returns what the documents with term number `i` add to its row, in the sum of the episodes'
    /// gradients of a parameter.
    pub(super) fn addends<'a, G: AsRef<EpisodeGradient<R>>>(
        &'a self,
        i: usize,
        episodes: &'a [G],
        parameter: usize,
        columns: usize,
    ) -> impl Iterator<Item = Addend<'a, R>> + Clone {
        self.mentions(i).iter().map(move |&Mention { episode, of }| {
            episodes[episode as usize].as_ref().of_occurrence(parameter, of, columns)
        })
    }
}
