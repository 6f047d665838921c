//! How many subjects one text has, by its passages.
//!
//! Passages of one text are more alike than documents of one corpus, so what was learned of documents does
//! not tell here. The constants are logistic regressions on texts of Reuters, OHSUMED, Brown and reviews,
//! whole and joined of two or three (decision 63).

use super::super::Handful;
use super::cut_features::{pairs_of, relative_number};
use super::views::Likeness;
use crate::clustering::ward_and_moves;
use crate::corpus::WordCounts;
use crate::numeric::Real;
use crate::prior::handful::elementary::sigmoid;
use crate::prior::{NewTerms, SubjectCut};

/// What the products of words, of rare words, of directions and of themes say of whether two passages of
/// a text are about one subject: the log odds, with what speaks against it first.
const SAME_SUBJECT: [f64; 5] = [-2.19, 1.8, -1.88, 4.5, 3.35];

/// What speaks for two subjects in n passages that were split in two: ln n, the mean log odds of pairs
/// across the split and within its sides, how often the text goes from one side to the other beside what
/// chance would give, and one. The last is 0.5 less than the regression's, for an ordinary article has
/// one subject.
const SPLIT: [f64; 5] = [-1.12, -2.56, 0.34, -1.34, 1.01];

/// Fewer passages are not split.
const LEAST_PASSAGES: usize = 3;

/// The most subjects that are looked for in one text.
const MOST_SUBJECTS: usize = 6;

impl<R: Real> Handful<R> {
    /// What [`Prior::passage_cuts`](crate::prior::Prior::passage_cuts) promises. A part of the text is split
    /// after the other, the one first whose split explains most.
    pub(in crate::prior::handful) fn cuts_of_text(
        &self,
        passages: &WordCounts,
        new_terms: Option<&NewTerms>,
    ) -> Option<Vec<SubjectCut>> {
        let count = passages.documents();
        let likeness = self.likeness(self.subjects.as_ref()?, passages, new_terms);
        let odds = same_subject(&likeness);
        let whole = Part::of((0..count).collect(), &likeness.products, &odds);
        let (mut parts, mut cuts, mut reached) = (vec![whole], Vec::new(), 1.0);
        loop {
            let next = if parts.len() < MOST_SUBJECTS { most_explained(&parts) } else { None };
            let further = next.map_or(0.0, |(_, split)| split.probability);
            cuts.push(SubjectCut {
                group: groups(&parts, count),
                probability: reached * (1.0 - further),
                fineness: relative_number(parts.len(), count),
            });
            let Some((part, split)) = next else { return Some(cuts) };
            let sides = split.sides.clone();
            reached *= further;
            parts.remove(part);
            parts.extend(sides.map(|side| Part::of(side, &likeness.products, &odds)));
            parts.sort_by_key(|part| part.passages[0]);
        }
    }
}

/// Some passages of a text, and the best split of them.
struct Part {
    passages: Vec<usize>,
    split: Option<Split>,
}

/// Passages split in two.
struct Split {
    sides: [Vec<usize>; 2],
    /// The probability that the sides are about different subjects.
    probability: f64,
    /// What two groups explain more of the products than one.
    explained: f64,
}

impl Part {
    fn of(passages: Vec<usize>, products: &[Vec<f64>], odds: &[Vec<f64>]) -> Self {
        let split = (passages.len() >= LEAST_PASSAGES).then(|| {
            let among: Vec<Vec<f64>> = passages
                .iter()
                .map(|&p| passages.iter().map(|&q| products[p][q]).collect())
                .collect();
            let side = ward_and_moves(&among, 2);
            let of_side = |k: usize| -> Vec<usize> {
                let pairs = passages.iter().zip(&side).filter(|(_, side)| **side == k);
                pairs.map(|(&passage, _)| passage).collect()
            };
            let sides = [of_side(0), of_side(1)];
            let features = split_features(&passages, &side, odds);
            let logit: f64 = features.iter().zip(SPLIT).map(|(x, weight)| x * weight).sum();
            let explained = sides.iter().map(|it| mean_sum(it, products)).sum::<f64>()
                - mean_sum(&passages, products);
            Split { sides, probability: sigmoid(logit), explained }
        });
        Self { passages, split }
    }
}

/// The part whose split explains most, the first of equals.
fn most_explained(parts: &[Part]) -> Option<(usize, &Split)> {
    let splits = parts.iter().enumerate().filter_map(|(i, part)| Some((i, part.split.as_ref()?)));
    splits.reduce(|best, other| if other.1.explained > best.1.explained { other } else { best })
}

/// Σ of the products among some passages, over their number.
fn mean_sum(passages: &[usize], products: &[Vec<f64>]) -> f64 {
    let row = |&p: &usize| passages.iter().map(|&q| products[p][q]).sum::<f64>();
    passages.iter().map(row).sum::<f64>() / passages.len() as f64
}

/// The part of each passage, numbered from the first.
fn groups(parts: &[Part], count: usize) -> Vec<usize> {
    let mut group = vec![0; count];
    for (k, part) in parts.iter().enumerate() {
        part.passages.iter().for_each(|&p| group[p] = k);
    }
    group
}

/// The log odds that each two passages are about one subject, symmetric.
fn same_subject(likeness: &Likeness) -> Vec<Vec<f64>> {
    let count = likeness.documents;
    let mut odds = vec![vec![0.0; count]; count];
    for ((a, b), features) in pairs_of(count).zip(&likeness.pairs) {
        let sum = features.iter().zip(SAME_SUBJECT).map(|(x, weight)| x * weight).sum();
        (odds[a][b], odds[b][a]) = (sum, sum);
    }
    odds
}

/// ln n; the mean log odds across the split; those within its sides; changes of side from passage to
/// passage, over those that passages in any order would have; and 1.
fn split_features(passages: &[usize], side: &[usize], odds: &[Vec<f64>]) -> [f64; 5] {
    let count = passages.len();
    let mut sums = [(0.0, 0.0); 2];
    for (a, b) in pairs_of(count) {
        let (sum, pairs) = &mut sums[usize::from(side[a] == side[b])];
        *sum += odds[passages[a]][passages[b]];
        *pairs += 1.0;
    }
    let mean = |(sum, pairs): (f64, f64)| if pairs > 0.0 { sum / pairs } else { 0.0 };
    let changes = side.windows(2).filter(|pair| pair[0] != pair[1]).count() as f64;
    let share = side.iter().sum::<usize>() as f64 / count as f64;
    let by_chance = 2.0 * count as f64 * share * (1.0 - share);
    [(count as f64).ln(), mean(sums[0]), mean(sums[1]), changes / by_chance, 1.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_goes_back_and_forth_changes_sides_more_often() {
        let odds = [
            [0.0, 2.0, -1.0, -1.0],
            [2.0, 0.0, -1.0, -1.0],
            [-1.0, -1.0, 0.0, 4.0],
            [-1.0, -1.0, 4.0, 0.0],
        ]
        .map(|row| row.to_vec());
        let in_order = split_features(&[0, 1, 2, 3], &[0, 0, 1, 1], &odds);
        // Two pairs within, of 2 and 4; four across, of −1; one change, and 2 · 4 · 1/4 by chance.
        assert_eq!(in_order, [4f64.ln(), -1.0, 3.0, 0.5, 1.0]);
        let back_and_forth = split_features(&[0, 2, 1, 3], &[0, 1, 0, 1], &odds);
        assert_eq!(back_and_forth, [4f64.ln(), -1.0, 3.0, 1.5, 1.0]);
    }

    #[test]
    fn parts_are_split_where_most_is_explained() {
        let point = [0.0, 0.1, 5.0, 5.1, 5.0];
        let products: Vec<Vec<f64>> =
            point.iter().map(|a| point.iter().map(|b| a * b).collect()).collect();
        let odds = vec![vec![0.0; 5]; 5];
        let part = Part::of((0..5).collect(), &products, &odds);
        let split = part.split.as_ref().unwrap();
        assert_eq!(split.sides, [vec![0, 1], vec![2, 3, 4]]);
        // Sums of squares: 0.1² / 2 + 15.1² / 3 less 15.2² / 5.
        assert!((split.explained - (0.005 + 228.01 / 3.0 - 231.04 / 5.0)).abs() < 1e-9);
        assert!(Part::of(vec![0, 2], &products, &odds).split.is_none());
    }
}
