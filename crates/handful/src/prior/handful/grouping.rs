//! Which documents start a topic together, where there are more documents than topics.

use super::metric::Metric;
use super::themes::Themes;
use super::words::WordView;
use crate::clustering::ward_and_moves;
use crate::corpus::WordCounts;
use crate::numeric::{Real, kernels};

/// What the directions' and the themes' cosines count beside the words': documents of unseen corpora
/// are best told apart by rare words that they share, and themes help where they share none.
const LEARNED: f64 = 0.4;

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

/// Three cosines for each two documents: of their words, by the squares of their weights, of their
/// directions in the metric, and of the roots of their themes' shares (Bhattacharyya's coefficient).
pub(super) fn similarity<R: Real>(
    support: &WordCounts,
    words: WordView<'_, R>,
    (metric, themes): (&Metric<R>, &Themes<R>),
    directions: &[R],
) -> Vec<Vec<f64>> {
    let importance = |term: u32| words.importance(term).at_least(R::ZERO);
    let tempered = |count: u32| R::of(f64::from(count).ln_1p());
    let directions: Vec<Vec<R>> =
        directions.chunks_exact(words.dimension()).map(|it| metric.direction(it)).collect();
    // Themes say nothing about words that are new.
    let of_themes = |term: u32, count: u32| importance(term) * tempered(count);
    let roots = themes.root_shares(support, |term| words.knows(term), of_themes);
    let words: Vec<Vec<(u32, R)>> = (0..support.documents())
        .map(|n| {
            let weight = |(j, x)| (j, importance(j) * importance(j) * tempered(x));
            let mut row: Vec<(u32, R)> = support.row(n).map(weight).collect();
            let length = row.iter().map(|&(_, x)| x * x).sum::<R>().sqrt();
            let scale = R::ONE / length.at_least(R::of(1e-30));
            row.iter_mut().for_each(|(_, x)| *x *= scale);
            row
        })
        .collect();
    let theme_row = |n: usize| &roots[n * themes.count..(n + 1) * themes.count];
    let pair = |a: usize, b: usize| {
        let learned =
            kernels::dot(&directions[a], &directions[b]) + kernels::dot(theme_row(a), theme_row(b));
        sparse_dot(&words[a], &words[b]) + LEARNED * learned.to_f64()
    };
    let below = |a: usize| (0..=a).map(|b| pair(a, b)).collect();
    let mut products: Vec<Vec<f64>> = (0..support.documents()).map(below).collect();
    for a in 0..products.len() {
        let above: Vec<f64> = products[a + 1..].iter().map(|row| row[a]).collect();
        products[a].extend(above);
    }
    products
}

/// The product of two sparse vectors with columns in increasing order.
fn sparse_dot<R: Real>(a: &[(u32, R)], b: &[(u32, R)]) -> f64 {
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
