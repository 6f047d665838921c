//! Documents that mix topics: what each passage of a text is about.
//!
//! ```text
//! passages ─ words, directions, themes, from their mean ─▶ unit vectors
//! pairs of passages within a document ─▶ couplings J, and v: how little its passages are alike
//! whole documents, grouped ─▶ first shares r
//! three times   r ─ means of the topics' passages, a document's own at a tenth ─▶ logits L
//!               L, v ─▶ P(the document mixes topics)
//!               L, J ─ mean field ─▶ shares if it does; mean of L ─▶ shares if it does not
//!               both by their probability ─▶ r
//! ```
//!
//! The constants were learned on joined documents of free texts, or chosen on joined documents of
//! Reuters, OHSUMED and reviews (decision 61).

mod couplings;
pub(super) mod further;
mod logits;
mod mixed;
#[cfg(test)]
mod tests;
mod views;

use super::documents::DocumentTape;
use super::elementary::softmax;
use super::{Handful, Ingredient, grouping};
use crate::clustering::ward_and_moves;
use crate::corpus::{Passages, WordCounts};
use crate::nn::Dropout;
use crate::numeric::Real;
use crate::prior::{PassageTopics, Request};
use couplings::Couplings;
use logits::logits;
use mixed::Evidence;
use rayon::prelude::*;
use std::ops::Range;
use views::Views;

/// Rounds of means and shares. More moved the error of the shares by less than its noise.
const STEPS: usize = 3;

/// How much of what all passages of a document have in common is taken from each, if the document is
/// mixed: what they share, such as its style, is not what tells its passages apart.
const COMMON: f64 = 0.8;

/// What the mean logits and the group of a whole document count.
const MEAN_OF_WHOLE: f64 = 1.5;
const GROUP_OF_WHOLE: f64 = 1.5;

/// What directions and themes count where passages are grouped, because there are too few documents.
const DIRECTIONS: f64 = 0.8;
const THEMES: f64 = 0.8;

/// Where passages stand: each document's, and how many words each has. Passages without words are left
/// out.
#[derive(Clone, Debug)]
struct Cuts {
    documents: Vec<Range<usize>>,
    lengths: Vec<f64>,
}

impl<R: Real> Handful<R> {
    /// What [`Prior::passage_topics`](crate::prior::Prior::passage_topics) promises. Passages say nothing
    /// if there is one topic, or if there are fewer passages than topics. A model that was trained before
    /// subjects were learned reads documents of one passage each as it always did.
    pub(super) fn blend(
        &self,
        passages: &Passages,
        documents: &WordCounts,
        request: Request<'_>,
    ) -> Option<PassageTopics> {
        let topics = request.topics;
        let with_words = |counts: &WordCounts| -> Vec<usize> {
            (0..counts.documents()).filter(|&row| !counts.row_range(row).is_empty()).collect()
        };
        let spoken = with_words(&passages.counts);
        let reads_short = self.subjects.is_some() || passages.len() > documents.documents();
        let is_idle = topics == 1 || spoken.len() < topics || !reads_short;
        if is_idle || self.lacks(Ingredient::DocumentTopics) {
            return None;
        }
        let known = with_words(documents);
        let given: Option<Vec<usize>> =
            request.groups.map(|groups| known.iter().map(|&n| groups[n]).collect());
        let documents = rows_of(documents, &known);
        let documents = &self.as_words(&documents, request.new_terms);
        let of_spoken = rows_of(&passages.counts, &spoken);
        let of_spoken = &self.as_words(&of_spoken, request.new_terms);
        let document_of: Vec<usize> = spoken.iter().map(|&p| passages.documents[p]).collect();
        let lengths = (0..spoken.len()).map(|p| of_spoken.words(p) as f64).collect();
        let cuts = Cuts::of(&document_of, lengths);
        let (words, fixed) = (self.view(request.new_terms), (&self.metric, &self.themes));
        let directions = |support: &WordCounts| {
            let mut tape = DocumentTape::default();
            self.document_stage.direct(words, support, &mut Dropout::off(), &mut tape);
            tape.directions
        };
        let seen = grouping::Views::of(of_spoken, words, fixed, &directions(of_spoken));
        let views = Views::from_mean(&seen, &cuts);
        let start = if let Some(group) = given.filter(|group| has_all(group, topics)) {
            Start::Documents(group)
        } else if documents.documents() > topics {
            let mut group = Vec::new();
            let similarity =
                || grouping::similarity(documents, words, fixed, &directions(documents));
            grouping::group(documents, topics, similarity, &mut group);
            Start::Documents(group)
        } else {
            Start::Passages(group_passages(&views, cuts.lengths.len(), topics))
        };
        let shares = Blend { cuts, views, topics }.shares(start);
        Some(PassageTopics { topics, shares: at_all(&shares, &spoken, passages.len(), topics) })
    }
}

/// Whether each of `topics` groups has a member.
fn has_all(group: &[usize], topics: usize) -> bool {
    (0..topics).all(|k| group.contains(&k))
}

impl Cuts {
    /// Of passages by the documents that have them, and their words.
    fn of(documents: &[usize], lengths: Vec<f64>) -> Self {
        let mut start = 0;
        let range = |of_one: &[usize]| {
            start += of_one.len();
            start - of_one.len()..start
        };
        Self { documents: documents.chunk_by(|a, b| a == b).map(range).collect(), lengths }
    }
}

/// Some rows of word counts.
fn rows_of(counts: &WordCounts, wanted: &[usize]) -> WordCounts {
    let mut rows = WordCounts::new();
    wanted.iter().for_each(|&row| rows.push_row(counts.row(row)));
    rows
}

/// The shares of passages at the places `spoken`; others, which have no words, have all topics alike.
fn at_all(shares: &[f64], spoken: &[usize], passages: usize, topics: usize) -> Vec<f64> {
    let mut all = vec![1.0 / topics as f64; passages * topics];
    for (&p, row) in spoken.iter().zip(shares.chunks_exact(topics)) {
        all[p * topics..(p + 1) * topics].copy_from_slice(row);
    }
    all
}

/// The group of each passage, by directions and themes.
fn group_passages(views: &Views, passages: usize, topics: usize) -> Vec<usize> {
    let product = |p: usize, q: usize| {
        DIRECTIONS * views.directions.product(p, q) + THEMES * views.themes.product(p, q)
    };
    let products: Vec<Vec<f64>> = (0..passages)
        .into_par_iter()
        .map(|p| (0..passages).map(|q| product(p, q)).collect())
        .collect();
    ward_and_moves(&products, topics)
}

/// What passages are about before any is held against topics.
#[derive(Clone, Debug)]
enum Start {
    /// The group of each document.
    Documents(Vec<usize>),
    /// The group of each passage.
    Passages(Vec<usize>),
}

/// Passages, and what is known of them before topics.
struct Blend {
    cuts: Cuts,
    views: Views,
    topics: usize,
}

impl Blend {
    /// r_pk: the shares of topics in each passage (passages × topics).
    fn shares(&self, start: Start) -> Vec<f64> {
        let Self { cuts, views, topics } = self;
        let couplings: Vec<Couplings> =
            cuts.documents.par_iter().map(|it| Couplings::of(views, it.clone())).collect();
        let (mut shares, groups) = self.start(start);
        let weights = mixed::first_weights(&couplings);
        for step in 0..STEPS {
            let counted: Vec<f64> = match step {
                0 => self.scaled(&shares, &weights),
                _ => shares,
            };
            let logits = logits(views, cuts, &counted, *topics);
            let of_document = |it: &Range<usize>| &logits[it.start * topics..it.end * topics];
            let evidence: Vec<Evidence> = cuts
                .documents
                .iter()
                .map(|it| Evidence::of(of_document(it), &cuts.lengths[it.clone()], *topics))
                .collect();
            let mixed = mixed::probabilities(&couplings, &evidence);
            let joined = (0..cuts.documents.len()).into_par_iter().map(|n| {
                let logits = of_document(&cuts.documents[n]);
                let group = &groups[n * topics..(n + 1) * topics];
                self.join(logits, &couplings[n], &evidence[n].mean, group, mixed[n])
            });
            shares = joined.collect::<Vec<_>>().concat();
        }
        shares
    }

    /// The first shares of passages, and the shares g_nk of groups in documents.
    fn start(&self, start: Start) -> (Vec<f64>, Vec<f64>) {
        let Self { cuts, topics, .. } = self;
        let mut shares = vec![0.0; cuts.lengths.len() * topics];
        let mut groups = vec![0.0; cuts.documents.len() * topics];
        for (n, passages) in cuts.documents.iter().enumerate() {
            let words: f64 = cuts.lengths[passages.clone()].iter().sum();
            for p in passages.clone() {
                let k = match &start {
                    Start::Documents(group) => group[n],
                    Start::Passages(group) => group[p],
                };
                shares[p * topics + k] = 1.0;
                groups[n * topics + k] += cuts.lengths[p] / words;
            }
        }
        (shares, groups)
    }

    /// The shares of each passage, times a weight of its document.
    fn scaled(&self, shares: &[f64], weights: &[f64]) -> Vec<f64> {
        let mut scaled = shares.to_vec();
        for (passages, weight) in self.cuts.documents.iter().zip(weights) {
            let rows = &mut scaled[passages.start * self.topics..passages.end * self.topics];
            rows.iter_mut().for_each(|share| *share *= weight);
        }
        scaled
    }

    /// r_p of one document that is mixed with probability π:
    /// π m_p + (1 − π) softmax(1.5 M + 1.5 g), where m is the mean field of
    /// B_pk = L_pk − 0.8 π M_k. For a document that is alone, B is L.
    fn join(
        &self,
        logits: &[f64],
        couplings: &Couplings,
        mean: &[f64],
        group: &[f64],
        mixed: f64,
    ) -> Vec<f64> {
        let common = if self.cuts.documents.len() == 1 { 0.0 } else { COMMON * mixed };
        let mut field = logits.to_vec();
        for row in field.chunks_exact_mut(self.topics) {
            row.iter_mut().zip(mean).for_each(|(logit, mean)| *logit -= common * mean);
        }
        let mut whole: Vec<f64> =
            mean.iter().zip(group).map(|(m, g)| MEAN_OF_WHOLE * m + GROUP_OF_WHOLE * g).collect();
        softmax(&mut whole);
        let mut shares = couplings.mean_field(&field, self.topics);
        for row in shares.chunks_exact_mut(self.topics) {
            for (share, whole) in row.iter_mut().zip(&whole) {
                *share = mixed * *share + (1.0 - mixed) * whole;
            }
        }
        shares
    }
}
