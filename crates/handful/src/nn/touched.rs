//! The terms that the episodes of a step have: the rows of deferred parameters that it touches.

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

/// Steps that a row can be behind for its series to be shared with the others of the same age.
const YOUNG: usize = 256;

/// The terms of some episodes, who mentions them, and what their rows owe.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Touched<R> {
    /// In increasing order.
    pub(super) terms: Vec<u32>,
    /// By term, episode and document.
    mentions: Vec<Mention>,
    /// Where the mentions of each term end.
    ends: Vec<usize>,
    /// Where the series that each term owes are.
    owed: Vec<Range<usize>>,
    series: Vec<Owed<R>>,
    /// Where the series are of rows so many steps behind.
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
    /// Takes in the terms of the episodes.
    pub(super) fn fill<G: AsRef<EpisodeGradient<R>>>(&mut self, episodes: &[G]) {
        self.mentions.clear();
        for (episode, of) in episodes.iter().enumerate() {
            let occurrences = of.as_ref().occurrences.iter();
            self.mentions.extend(occurrences.map(|of| Mention { episode: episode as u32, of }));
        }
        // Each episode's come in order already.
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

    /// Works out what each term's rows owe after step `to`, given the step after which they stand,
    /// and notes that they will have paid. A term owes the same in every parameter.
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

    /// The series that term number `i` owes.
    pub(super) fn owed(&self, i: usize) -> &[Owed<R>] {
        &self.series[self.owed[i].clone()]
    }

    /// The mentions of term number `i`.
    pub(super) fn mentions(&self, i: usize) -> &[Mention] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.mentions[start..self.ends[i]]
    }

    /// What the documents that have term number `i` add to its row in the sum of the episodes' gradients
    /// of a parameter.
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
