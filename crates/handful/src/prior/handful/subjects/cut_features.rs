//! What speaks for a number of groups: features of each cut of the tree of documents.

use super::views::Likeness;
use crate::clustering::cuts;
use rayon::prelude::*;

/// The features of a cut.
pub(super) const CUT_FEATURES: usize = 9;

/// Up to as many documents, tasks to learn from are common. With N more, counts are as if there were
/// √(24 N): the number of subjects grows slower than the number of documents.
const USUAL_DOCUMENTS: f64 = 24.0;

/// The largest number of groups that is looked at for `USUAL_DOCUMENTS` documents or fewer.
const MOST_GROUPS: f64 = 10.0;

/// What one more group explains is taken as at least this share of what chance would explain.
const LEAST_SHARE: f64 = 1e-3;

/// n: the number of documents, as far as it counts.
fn effective(documents: usize) -> f64 {
    let documents = documents as f64;
    if documents <= USUAL_DOCUMENTS { documents } else { (USUAL_DOCUMENTS * documents).sqrt() }
}

/// The largest number of groups that is looked at.
pub(super) fn most_groups(documents: usize) -> usize {
    let most = MOST_GROUPS * (effective(documents) / USUAL_DOCUMENTS).max(1.0);
    documents.min(most as usize)
}

/// k in units in which learned weights hold for any number of documents: k/6 up to 24 documents.
pub(super) fn relative_number(groups: usize, documents: usize) -> f64 {
    groups as f64 / 6.0 * (USUAL_DOCUMENTS / effective(documents)).min(1.0)
}

/// The groups of each cut, from one group on, and its features.
pub(super) struct CutFeatures {
    /// The group of each document, for 1, 2, ... groups.
    pub(super) groups: Vec<Vec<usize>>,
    pub(super) features: Vec<Vec<f64>>,
}

impl CutFeatures {
    /// The cuts of the documents' tree. `same_subject` are the log odds that two documents speak of one
    /// subject, for pairs a < b, in the order of b, then of a.
    ///
    /// Features of k groups of N documents: [k = 1], ln k, k/6, k/n, [k = N], [k = 1] ln n, ln k ln n; the
    /// mean of the log odds of pairs that are in one group, over all pairs; and
    /// Σ_{j=2..k} ln((n − 1) (E_j − E_{j−1}) / (E_N − E_1)), with E_j what j groups explain of the products.
    pub(super) fn of(likeness: &Likeness, same_subject: &[f64]) -> Self {
        let documents = likeness.documents;
        let groups = cuts(&likeness.products, most_groups(documents));
        let explained: Vec<f64> =
            groups.par_iter().map(|group| explained(&likeness.products, group)).collect();
        let odds_within = |group: &Vec<usize>| -> f64 {
            let pairs = pairs_of(documents).zip(same_subject);
            pairs.filter(|((a, b), _)| group[*a] == group[*b]).map(|(_, odds)| odds).sum()
        };
        let odds: Vec<f64> = groups.par_iter().map(odds_within).collect();
        let all: f64 = (0..documents).map(|n| likeness.products[n][n]).sum();
        let left = (all - explained.first().copied().unwrap_or(0.0)).max(1e-9);
        let n = effective(documents);
        let pairs = (same_subject.len().max(1)) as f64;
        let mut gains = 0.0;
        let features = odds.iter().enumerate().map(|(i, odds)| {
            let k = i + 1;
            if i > 0 {
                let share = (explained[i] - explained[i - 1]) / left * (n - 1.0);
                gains += share.max(LEAST_SHARE).ln();
            }
            let is = |it: bool| f64::from(u8::from(it));
            let log = (k as f64).ln();
            vec![
                is(k == 1),
                log,
                relative_number(k, documents),
                k as f64 / n,
                is(k == documents),
                is(k == 1) * n.ln(),
                log * n.ln(),
                odds / pairs,
                gains,
            ]
        });
        let features = features.collect();
        Self { groups, features }
    }
}

/// The pairs a < b, in the order of b, then of a.
pub(super) fn pairs_of(documents: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..documents).flat_map(|b| (0..b).map(move |a| (a, b)))
}

/// Σ over groups of the sum of the products within it, over its size.
fn explained(products: &[Vec<f64>], group: &[usize]) -> f64 {
    let groups = group.iter().max().map_or(0, |last| last + 1);
    let (mut within, mut sizes) = (vec![0.0; groups], vec![0.0; groups]);
    for (row, &k) in products.iter().zip(group) {
        sizes[k] += 1.0;
        within[k] += row.iter().zip(group).filter(|(_, g)| **g == k).map(|(x, _)| x).sum::<f64>();
    }
    within.iter().zip(sizes).map(|(within, size)| within / size).sum()
}
