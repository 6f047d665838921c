//! Which documents start a topic together, where there are more documents than topics.

use super::metric::Metric;
use super::themes::Themes;
use super::words::WordView;
use crate::clustering::ward_and_moves;
use crate::corpus::WordCounts;
use crate::numeric::{Real, kernels};

/// What the cosines of directions and of themes count beside those of words.
pub(super) const DIRECTIONS: f64 = 0.8;
pub(super) const THEMES: f64 = 0.4;

/// The share of known words from which on directions and themes count in full. English texts have it,
/// those of other languages far from it.
const FAMILIAR: f64 = 0.7;
/// How fast directions and themes lose weight below it.
const DECLINE: f64 = 1.5;

/// The least share of a document's square length that may be left once the documents' mean is taken
/// away. What is less is rounding: the document is the mean.
pub(super) const LEAST_REST: f64 = 1e-6;

/// Puts every document into a group: its own, or, if there are more documents than `topics`, that of
/// the documents it resembles most.
pub(super) fn group(
    support: &WordCounts,
    topics: usize,
    similarity: impl FnOnce() -> Vec<Vec<f64>>,
    group: &mut Vec<usize>,
) {
    group.clear();
    if topics == 1 {
        // There is nothing to tell apart.
        group.resize(support.documents(), 0);
        return;
    }
    group.extend(0..support.documents());
    if support.documents() > topics {
        *group = ward_and_moves(&similarity(), topics);
    }
}

/// Documents, or passages of them, as three vectors each.
pub(super) struct Views<R> {
    /// The terms by their weights, of length 1.
    pub(super) words: Vec<Vec<(u32, R)>>,
    /// The whitened directions.
    pub(super) directions: Vec<Vec<R>>,
    /// The roots of the themes' shares.
    pub(super) themes: Vec<Vec<R>>,
}

impl<R: Real> Views<R> {
    pub(super) fn of(
        support: &WordCounts,
        words: WordView<'_, R>,
        (metric, themes): (&Metric<R>, &Themes<R>),
        directions: &[R],
    ) -> Self {
        let weight = |term: u32, count: u32| words.weight(term, count);
        // Themes say nothing about words that are new.
        let roots = themes.root_shares(support, |term| words.knows(term), weight);
        Self {
            words: (0..support.documents()).map(|n| unit_row(support.row(n), weight)).collect(),
            directions: directions
                .chunks_exact(words.dimension())
                .map(|it| metric.whitened(it))
                .collect(),
            themes: roots.chunks_exact(themes.count).map(<[R]>::to_vec).collect(),
        }
    }
}

/// The inner product of two documents, by their numbers.
type Product<'a> = &'a dyn Fn(usize, usize) -> f64;

/// Three cosines for each two documents: of their words by their weights, of their whitened directions,
/// and of the roots of their themes' shares. Each is taken from the mean of the documents at hand: what
/// they have in common, such as the words of their trade, tells none of them apart.
pub(super) fn similarity<R: Real>(
    support: &WordCounts,
    words: WordView<'_, R>,
    fixed: (&Metric<R>, &Themes<R>),
    directions: &[R],
) -> Vec<Vec<f64>> {
    let familiarity = familiarity(support, words);
    let Views { words, directions, themes } = Views::of(support, words, fixed, directions);
    let of_words = |a: usize, b: usize| sparse_dot(&words[a], &words[b]);
    let of_directions = |a: usize, b: usize| kernels::dot(&directions[a], &directions[b]).to_f64();
    let of_themes = |a: usize, b: usize| kernels::dot(&themes[a], &themes[b]).to_f64();
    let trust = trust_in_vectors(familiarity);
    let views: [(f64, Product<'_>); 3] =
        [(1.0, &of_words), (DIRECTIONS * trust, &of_directions), (THEMES * trust, &of_themes)];
    let mut similarity = vec![vec![0.0; support.documents()]; support.documents()];
    for (weight, product) in views {
        let cosines = cosines_from_mean(support.documents(), product);
        for (sums, cosines) in similarity.iter_mut().zip(cosines) {
            sums.iter_mut().zip(cosines).for_each(|(sum, cosine)| *sum += weight * cosine);
        }
    }
    similarity
}

/// The share of the documents that known words have: the mean over documents of Σ w² of these terms, by the
/// same of all.
pub(super) fn familiarity<R: Real>(support: &WordCounts, words: WordView<'_, R>) -> f64 {
    let share = |n: usize| {
        let (mut known, mut all) = (0.0, 0.0);
        for (term, count) in support.row(n) {
            let weight = words.weight(term, count).to_f64();
            all += weight * weight;
            known += if words.knows(term) { weight * weight } else { 0.0 };
        }
        if all > 0.0 { known / all } else { 1.0 }
    };
    (0..support.documents()).map(share).sum::<f64>() / support.documents().max(1) as f64
}

/// How much directions and themes count for documents of such familiarity. They rest on known words
/// alone: where these are few, such as names and foreign words that mean something else in English,
/// they say little.
pub(super) fn trust_in_vectors(familiarity: f64) -> f64 {
    (familiarity / FAMILIAR).min(1.0).powf(DECLINE)
}

/// The cosines between vectors from whose each their mean is taken away, by their inner products.
fn cosines_from_mean(
    count: usize,
    product: impl Fn(usize, usize) -> f64,
) -> impl Iterator<Item = Vec<f64>> {
    let products: Vec<Vec<f64>> =
        (0..count).map(|a| (0..count).map(|b| product(a, b)).collect()).collect();
    let with_mean: Vec<f64> =
        products.iter().map(|row| row.iter().sum::<f64>() / count as f64).collect();
    let of_mean = with_mean.iter().sum::<f64>() / count as f64;
    let rest = move |a: usize, b: usize| products[a][b] - with_mean[a] - with_mean[b] + of_mean;
    let least = LEAST_REST * of_mean.abs();
    let scales: Vec<f64> = (0..count)
        .map(|a| Some(rest(a, a)).filter(|&x| x > least).map_or(0.0, |x| x.sqrt().recip()))
        .collect();
    (0..count).map(move |a| (0..count).map(|b| rest(a, b) * scales[a] * scales[b]).collect())
}

/// A document's terms by their weights, scaled to length 1.
pub(super) fn unit_row<R: Real>(
    row: impl Iterator<Item = (u32, u32)>,
    weight: impl Fn(u32, u32) -> R,
) -> Vec<(u32, R)> {
    let mut row: Vec<(u32, R)> = row.map(|(term, count)| (term, weight(term, count))).collect();
    let length = row.iter().map(|&(_, x)| x * x).sum::<R>().sqrt();
    let scale = R::ONE / length.at_least(R::of(1e-30));
    row.iter_mut().for_each(|(_, x)| *x *= scale);
    row
}

/// The product of two sparse vectors with columns in increasing order.
pub(super) fn sparse_dot<R: Real>(a: &[(u32, R)], b: &[(u32, R)]) -> f64 {
    let (mut i, mut j, mut sum) = (0, 0, 0.0);
    while i < a.len() && j < b.len() {
        match a[i].0.cmp(&b[j].0) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                sum += (a[i].1 * b[j].1).to_f64();
                i += 1;
                j += 1;
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::{Handful, HandfulSettings, HandfulTape};
    use super::*;
    use crate::em::Dirichlet;
    use crate::nn::Dropout;
    use crate::prior::{Prior, Request};
    use crate::random::{Purpose, stream};
    use crate::storage::TermRows;

    #[test]
    fn vectors_count_in_full_for_english_and_little_for_other_languages() {
        assert_eq!(trust_in_vectors(1.0), 1.0);
        assert_eq!(trust_in_vectors(FAMILIAR), 1.0);
        assert!(trust_in_vectors(0.2) < 0.2 && trust_in_vectors(0.0) == 0.0);
    }

    #[test]
    fn documents_are_familiar_by_the_words_that_are_known() {
        let settings =
            HandfulSettings { dimension: 8, hidden: 4, themes: 4, ..HandfulSettings::default() };
        let prior = Handful::<f64>::random(settings, 30, 3, &mut stream(1, Purpose::Weights, 0));
        let familiarity = |rows: &[&[(u32, u32)]]| {
            let mut documents = WordCounts::new();
            rows.iter().for_each(|row| documents.push_row(row.iter().copied()));
            super::familiarity(&documents, prior.view(None))
        };
        assert_eq!(familiarity(&[&[(0, 3), (7, 1)], &[(29, 1)]]), 1.0);
        assert_eq!(familiarity(&[&[(30, 3), (31, 1)]]), 0.0);
        let half = familiarity(&[&[(0, 2)], &[(30, 2)], &[]]);
        assert!((half - 2.0 / 3.0).abs() < 1e-12, "{half}");
    }

    #[test]
    fn two_copies_of_a_document_start_one_topic() {
        let settings =
            HandfulSettings { dimension: 8, hidden: 4, themes: 4, ..HandfulSettings::default() };
        let prior = Handful::<f64>::random(settings, 30, 3, &mut stream(1, Purpose::Weights, 0));
        let mut documents = WordCounts::new();
        for first in [0, 10, 0, 20, 10] {
            documents.push_row((first..first + 6).map(|term| (term, 1 + term % 3)));
        }
        let (mut tape, mut dirichlet) = (HandfulTape::default(), Dirichlet::default());
        let request = Request::new(3, TermRows::All);
        prior.forward(&documents, request, &mut Dropout::off(), &mut tape, &mut dirichlet);
        assert_eq!(tape.topics.group, [0, 1, 0, 2, 1]);
    }
}
