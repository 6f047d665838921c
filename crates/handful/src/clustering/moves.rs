//! Ward's clustering, improved by moves of single documents.

use super::ward;

/// Ward's clustering, and then single documents change their groups as long as that brings documents
/// closer to their groups' means. Returns the group of each document; groups are numbered in the order
/// of their first documents.
pub fn ward_and_moves(products: &[Vec<f64>], groups: usize) -> Vec<usize> {
    let mut group = ward(products, groups);
    move_single(products, groups, &mut group);
    number_by_first(&mut group);
    group
}

/// What the sum of squares must lose for a document to move: more than rounding.
const LEAST_GAIN: f64 = 1e-9;

/// Of all moves of one document to another group, the one that lowers the sum of squared distances
/// from the groups' means most is made, until none lowers it. No group is left without documents.
pub(super) fn move_single(products: &[Vec<f64>], groups: usize, group: &mut [usize]) {
    let mut moves = Moves::new(products, groups, group);
    while let Some((n, to)) = moves.best() {
        moves.make(n, to, group);
    }
}

/// What every move of one document to another group would gain.
///
/// A move changes two groups. What documents of other groups gain by joining a third stays what it was, so
/// most gains are computed once.
struct Moves<'a> {
    products: &'a [Vec<f64>],
    groups: usize,
    sizes: Vec<f64>,
    /// Σ of the products within each group.
    within: Vec<f64>,
    /// Σ of the products of each document with the members of each group: documents × groups
    with: Vec<f64>,
    /// What the sum of squares loses if a document goes to a group: documents × groups
    gains: Vec<f64>,
    /// The largest gain of each document, and the first group that gives it.
    best: Vec<(f64, usize)>,
}

/// The best move of a document that had better stay.
const STAY: (f64, usize) = (LEAST_GAIN, 0);

impl<'a> Moves<'a> {
    fn new(products: &'a [Vec<f64>], groups: usize, group: &[usize]) -> Self {
        let documents = products.len();
        let mut sizes = vec![0.0; groups];
        group.iter().for_each(|&k| sizes[k] += 1.0);
        let mut with = vec![0.0; documents * groups];
        for (sums, row) in with.chunks_exact_mut(groups).zip(products) {
            row.iter().zip(group).for_each(|(product, &k)| sums[k] += product);
        }
        let mut within = vec![0.0; groups];
        let rows = with.chunks_exact(groups).zip(group);
        rows.for_each(|(sums, &k)| within[k] += sums[k]);
        let (gains, best) = (vec![0.0; with.len()], vec![STAY; documents]);
        let mut moves = Self { products, groups, sizes, within, with, gains, best };
        (0..documents).for_each(|n| moves.weigh_all(n, group[n]));
        moves
    }

    /// The move that gains most: the first document of those that gain it; `None` if none gains.
    fn best(&self) -> Option<(usize, usize)> {
        let mut best = (LEAST_GAIN, None);
        for (n, &(gain, to)) in self.best.iter().enumerate() {
            if gain > best.0 {
                best = (gain, Some((n, to)));
            }
        }
        best.1
    }

    fn make(&mut self, n: usize, to: usize, group: &mut [usize]) {
        let (from, own) = (group[n], self.products[n][n]);
        let sums = &self.with[n * self.groups..(n + 1) * self.groups];
        self.within[from] += own - 2.0 * sums[from];
        self.within[to] += own + 2.0 * sums[to];
        self.sizes[from] -= 1.0;
        self.sizes[to] += 1.0;
        for (sums, row) in self.with.chunks_exact_mut(self.groups).zip(self.products) {
            sums[from] -= row[n];
            sums[to] += row[n];
        }
        group[n] = to;
        for (m, &k) in group.iter().enumerate() {
            if k == from || k == to {
                self.weigh_all(m, k);
            } else {
                self.weigh_two(m, k, [from, to]);
            }
        }
    }

    /// What the sum of squares gains without document `n` in its group; `None` for one that is alone
    /// there, and has to stay.
    fn lost(&self, n: usize, from: usize) -> Option<f64> {
        let (size, within) = (self.sizes[from], self.within[from]);
        let without = within - 2.0 * self.with[n * self.groups + from] + self.products[n][n];
        (size != 1.0).then(|| within / size - without / (size - 1.0))
    }

    fn gain(&self, n: usize, to: usize, lost: f64) -> f64 {
        let (size, within) = (self.sizes[to], self.within[to]);
        let union = within + 2.0 * self.with[n * self.groups + to] + self.products[n][n];
        union / (size + 1.0) - within / size - lost
    }

    /// Weighs every move of document `n`, which is in group `from`.
    fn weigh_all(&mut self, n: usize, from: usize) {
        let lost = self.lost(n, from);
        for to in 0..self.groups {
            let gain = lost.filter(|_| to != from).map(|lost| self.gain(n, to, lost));
            self.gains[n * self.groups + to] = gain.unwrap_or(f64::NEG_INFINITY);
        }
        self.look_for_best(n);
    }

    /// Weighs the moves of document `n` to two groups anew.
    fn weigh_two(&mut self, n: usize, from: usize, changed: [usize; 2]) {
        let Some(lost) = self.lost(n, from) else { return };
        let (most, best) = self.best[n];
        let mut is_new = changed.contains(&best);
        for to in changed {
            let gain = self.gain(n, to, lost);
            self.gains[n * self.groups + to] = gain;
            is_new |= gain >= most;
        }
        if is_new {
            self.look_for_best(n);
        }
    }

    fn look_for_best(&mut self, n: usize) {
        let mut best = STAY;
        for (to, &gain) in self.gains[n * self.groups..(n + 1) * self.groups].iter().enumerate() {
            if gain > best.0 {
                best = (gain, to);
            }
        }
        self.best[n] = best;
    }
}

/// Gives groups the numbers 0, 1, ... in the order of their first documents.
pub(super) fn number_by_first(group: &mut [usize]) {
    let mut seen = Vec::new();
    for k in group {
        let number = seen.iter().position(|before| before == k);
        *k = number.unwrap_or_else(|| {
            seen.push(*k);
            seen.len() - 1
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Σ over groups of the sum of their products over their size, by the definition.
    fn explained(products: &[Vec<f64>], groups: usize, group: &[usize]) -> f64 {
        let of_group = |k: usize| {
            let members: Vec<usize> = (0..group.len()).filter(|&n| group[n] == k).collect();
            let sum: f64 = members
                .iter()
                .flat_map(|&a| members.iter().map(move |&b| (a, b)))
                .map(|(a, b)| products[a][b])
                .sum();
            sum / members.len() as f64
        };
        (0..groups).map(of_group).sum()
    }

    /// The definition, step by step: every move is weighed again before each that is made.
    fn move_by_definition(products: &[Vec<f64>], groups: usize, group: &mut [usize]) {
        let mut sizes = vec![0.0; groups];
        group.iter().for_each(|&k| sizes[k] += 1.0);
        // Σ of the products of each document with the members of each group.
        let mut with: Vec<Vec<f64>> = vec![vec![0.0; groups]; products.len()];
        for (sums, row) in with.iter_mut().zip(products) {
            row.iter().zip(&*group).for_each(|(product, &k)| sums[k] += product);
        }
        let mut within = vec![0.0; groups];
        with.iter().zip(&*group).for_each(|(sums, &k)| within[k] += sums[k]);
        loop {
            let mut best = (LEAST_GAIN, 0, 0);
            for (n, sums) in with.iter().enumerate() {
                let (from, own) = (group[n], products[n][n]);
                if sizes[from] == 1.0 {
                    continue;
                }
                let without = within[from] - 2.0 * sums[from] + own;
                let lost = within[from] / sizes[from] - without / (sizes[from] - 1.0);
                for to in (0..groups).filter(|&to| to != from) {
                    let union = within[to] + 2.0 * sums[to] + own;
                    let gain = union / (sizes[to] + 1.0) - within[to] / sizes[to] - lost;
                    if gain > best.0 {
                        best = (gain, n, to);
                    }
                }
            }
            let (gain, n, to) = best;
            if gain <= LEAST_GAIN {
                return;
            }
            let from = group[n];
            within[from] += products[n][n] - 2.0 * with[n][from];
            within[to] += products[n][n] + 2.0 * with[n][to];
            sizes[from] -= 1.0;
            sizes[to] += 1.0;
            for (sums, row) in with.iter_mut().zip(products) {
                sums[from] -= row[n];
                sums[to] += row[n];
            }
            group[n] = to;
        }
    }

    proptest! {
        #[test]
        fn moves_are_those_of_the_definition(
            points in prop::collection::vec(prop::array::uniform3(-1.0f64..1.0), 2..40),
            first in prop::collection::vec(0usize..6, 40),
            groups in 1usize..7,
        ) {
            let product = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(x, y)| x * y).sum();
            let products: Vec<Vec<f64>> =
                points.iter().map(|a| points.iter().map(|b| product(a, b)).collect()).collect();
            let groups = groups.min(points.len());
            // Every group has a document.
            let mut group: Vec<usize> =
                (0..points.len()).map(|n| if n < groups { n } else { first[n] % groups }).collect();
            let mut expected = group.clone();
            move_by_definition(&products, groups, &mut expected);
            move_single(&products, groups, &mut group);
            prop_assert_eq!(group, expected);
        }

        #[test]
        fn no_document_is_closer_to_another_group(
            points in prop::collection::vec(prop::array::uniform3(-1.0f64..1.0), 4..12),
            groups in 1usize..5,
        ) {
            let product = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(x, y)| x * y).sum();
            let products: Vec<Vec<f64>> =
                points.iter().map(|a| points.iter().map(|b| product(a, b)).collect()).collect();
            let by_ward = ward(&products, groups);
            let group = ward_and_moves(&products, groups);
            let reached = explained(&products, groups, &group);
            prop_assert!(reached >= explained(&products, groups, &by_ward) - 1e-12);
            for n in 0..points.len() {
                if group.iter().filter(|&&k| k == group[n]).count() == 1 {
                    continue;
                }
                for to in 0..groups {
                    let mut moved = group.clone();
                    moved[n] = to;
                    prop_assert!(explained(&products, groups, &moved) <= reached + 2.0 * LEAST_GAIN);
                }
            }
            let mut firsts = Vec::new();
            group.iter().for_each(|k| if !firsts.contains(k) { firsts.push(*k) });
            prop_assert_eq!(firsts, (0..groups).collect::<Vec<_>>());
        }
    }

    #[test]
    fn documents_that_resemble_each_other_are_put_together() {
        let kinds = [0, 1, 0, 2, 1, 0];
        let similarity: Vec<Vec<f64>> = kinds
            .iter()
            .enumerate()
            .map(|(i, a)| {
                let pair = |(j, b): (usize, &i32)| {
                    if i == j {
                        1.0
                    } else if a == b {
                        0.9
                    } else {
                        0.1 + 0.01 * (i + j) as f64
                    }
                };
                kinds.iter().enumerate().map(pair).collect()
            })
            .collect();
        assert_eq!(ward_and_moves(&similarity, 3), [0, 1, 0, 2, 1, 0]);
        assert_eq!(ward_and_moves(&similarity, 1), [0; 6]);
    }
}
