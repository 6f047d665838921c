//! The tree of points: which are joined first, which next, until all are one.

use super::moves::number_by_first;
use super::ward::Merging;
use serde::{Deserialize, Serialize};

/// A union of two nodes of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Join {
    /// The two nodes. The first has the earliest point of both.
    pub nodes: [usize; 2],
    /// What the union adds to the sum of squared distances from the groups' means, or what an earlier join
    /// added if that is more, so that heights never fall.
    pub height: f64,
}

/// A tree of `points` points. Its nodes are numbered: the points from 0, and then the unions in the order
/// in which they are made. What is left before the last k − 1 joins are its cut into k groups, so all
/// cuts are nested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    /// One fewer than points.
    pub joins: Vec<Join>,
}

impl Tree {
    /// The tree that has the groups of `group` among its cuts: Ward's clustering of the points of each
    /// group, and above it of the groups.
    ///
    /// Single points change their groups after Ward's clustering ([`ward_and_moves`](super::ward_and_moves)),
    /// so the groups that are shown are no cut of Ward's own tree. This tree goes through them.
    ///
    /// `products` are inner products, a symmetric matrix.
    pub fn through(products: &[Vec<f64>], group: &[usize]) -> Self {
        let mut group = group.to_vec();
        number_by_first(&mut group);
        let mut members: Vec<Vec<usize>> = Vec::new();
        for (n, &g) in group.iter().enumerate() {
            if g == members.len() {
                members.push(Vec::new());
            }
            members[g].push(n);
        }
        let mut unions: Vec<Union> =
            members.iter().flat_map(|members| unions_within(products, members)).collect();
        unions.sort_by(|a, b| a.added.total_cmp(&b.added));
        unions.extend(unions_above(products, &group, members));
        Self::of_unions(products.len(), &unions)
    }

    /// Numbers the nodes of unions in their order.
    fn of_unions(points: usize, unions: &[Union]) -> Self {
        let mut node_of: Vec<usize> = (0..points).collect();
        let mut height = 0.0;
        let join = |(i, union): (usize, &Union)| {
            let nodes = [node_of[union.first], node_of[union.second]];
            node_of[union.first] = points + i;
            height = higher(height, union.added);
            Join { nodes, height }
        };
        Self { joins: unions.iter().enumerate().map(join).collect() }
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.joins.len() + 1
    }

    /// The nodes of the cut into `groups` groups, in the order of their first points. 0 is taken for 1, and
    /// more groups than points for as many.
    pub fn cut(&self, groups: usize) -> Vec<usize> {
        let points = self.points();
        let made = points.saturating_sub(groups.max(1));
        let mut is_root = vec![true; points + made];
        for node in self.joins[..made].iter().flat_map(|join| join.nodes) {
            is_root[node] = false;
        }
        let mut roots: Vec<usize> = (0..is_root.len()).filter(|&node| is_root[node]).collect();
        roots.sort_by_key(|&node| self.first(node));
        roots
    }

    /// The group of each point in the cut into `groups` groups; groups are numbered in the order of their
    /// first points.
    pub fn groups(&self, groups: usize) -> Vec<usize> {
        let mut group = vec![0; self.points()];
        for (k, node) in self.cut(groups).into_iter().enumerate() {
            self.members(node).into_iter().for_each(|n| group[n] = k);
        }
        group
    }

    /// The points below a node, as the tree has them from its first branch to its last.
    pub fn members(&self, node: usize) -> Vec<usize> {
        let (mut open, mut members) = (vec![node], Vec::new());
        while let Some(node) = open.pop() {
            match self.children(node) {
                None => members.push(node),
                Some([first, second]) => open.extend([second, first]),
            }
        }
        members
    }

    /// The two nodes that a node joins; `None` for a point, and for what is no node.
    pub fn children(&self, node: usize) -> Option<[usize; 2]> {
        let join = node.checked_sub(self.points())?;
        Some(self.joins.get(join)?.nodes)
    }

    /// The first point below a node.
    fn first(&self, mut node: usize) -> usize {
        while let Some([first, _]) = self.children(node) {
            node = first;
        }
        node
    }
}

/// A union of two groups, by their first points.
struct Union {
    first: usize,
    second: usize,
    added: f64,
}

/// Ward's unions of some points, until they are one group.
fn unions_within(products: &[Vec<f64>], members: &[usize]) -> Vec<Union> {
    let of_members = |&a: &usize| members.iter().map(|&b| products[a][b]).collect();
    let own: Vec<Vec<f64>> = members.iter().map(of_members).collect();
    unions(Merging::new(&own), members)
}

/// Ward's unions of groups, until they are one.
fn unions_above(products: &[Vec<f64>], group: &[usize], members: Vec<Vec<usize>>) -> Vec<Union> {
    let mut between = vec![vec![0.0; members.len()]; members.len()];
    for (row, &a) in products.iter().zip(group) {
        row.iter().zip(group).for_each(|(product, &b)| between[a][b] += product);
    }
    let firsts: Vec<usize> = members.iter().map(|members| members[0]).collect();
    unions(Merging::of_groups(between, members), &firsts)
}

/// All unions that are still to be made; `firsts` are the first points of the groups. What they add
/// never falls.
fn unions(mut merging: Merging, firsts: &[usize]) -> Vec<Union> {
    let mut most = 0.0;
    (1..merging.groups())
        .map(|_| {
            let (a, b, added) = merging.join_closest();
            most = higher(most, added);
            Union { first: firsts[a], second: firsts[b], added: most }
        })
        .collect()
}

/// The larger of a height and what a union adds. Rounding, or numbers that are not finite, lower none.
fn higher(height: f64, added: f64) -> f64 {
    if added.is_finite() { height.max(added) } else { height }
}

#[cfg(test)]
mod tests {
    use super::super::{ward, ward_and_moves};
    use super::*;
    use proptest::prelude::*;

    fn products(points: &[[f64; 3]]) -> Vec<Vec<f64>> {
        let product = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(x, y)| x * y).sum();
        points.iter().map(|a| points.iter().map(|b| product(a, b)).collect()).collect()
    }

    proptest! {
        #[test]
        fn the_tree_has_the_given_groups_among_its_nested_cuts(
            points in prop::collection::vec(prop::array::uniform3(-1.0f64..1.0), 1..24),
            groups in 1usize..6,
        ) {
            let products = products(&points);
            let groups = groups.min(points.len());
            let group = ward_and_moves(&products, groups);
            let tree = Tree::through(&products, &group);
            prop_assert_eq!(tree.groups(groups), group);
            for k in 1..points.len() {
                let (coarse, fine) = (tree.groups(k), tree.groups(k + 1));
                prop_assert_eq!(coarse.iter().max(), Some(&(k - 1)));
                for a in 0..points.len() {
                    for b in 0..a {
                        prop_assert!(fine[a] != fine[b] || coarse[a] == coarse[b]);
                    }
                }
            }
            prop_assert!(tree.joins.windows(2).all(|two| two[0].height <= two[1].height));
        }

        #[test]
        fn through_groups_of_wards_clustering_it_is_wards_tree(
            points in prop::collection::vec(prop::array::uniform3(-1.0f64..1.0), 2..24),
            groups in 1usize..6,
        ) {
            let products = products(&points);
            let tree = Tree::through(&products, &ward(&products, groups.min(points.len())));
            for k in 1..=points.len() {
                prop_assert_eq!(tree.groups(k), ward(&products, k));
            }
        }
    }

    #[test]
    fn heights_are_what_unions_add_to_the_squared_distances() {
        // On a line at 0, 10, 1 and 12. The union of two means adds n m / (n + m) times their squared
        // distance: 1/2 · 1, 1/2 · 4 and 4/4 · 10.5².
        let at = |x: f64| [x, 0.0, 0.0];
        let products = products(&[at(0.0), at(10.0), at(1.0), at(12.0)]);
        for group in [[0, 1, 0, 1], [5, 2, 5, 2], [0, 0, 0, 0], [0, 1, 2, 3]] {
            let tree = Tree::through(&products, &group);
            let expected = [([0, 2], 0.5), ([1, 3], 2.0), ([4, 5], 110.25)];
            for (join, (nodes, height)) in tree.joins.iter().zip(expected) {
                assert_eq!(join.nodes, nodes);
                assert!((join.height - height).abs() < 1e-9, "{join:?}");
            }
            assert_eq!(tree.members(6), [0, 2, 1, 3]);
            assert_eq!((tree.cut(2), tree.cut(3)), (vec![4, 5], vec![4, 1, 3]));
        }
    }

    #[test]
    fn numbers_that_are_not_finite_have_a_tree_too() {
        for wrong in [f64::NAN, f64::INFINITY] {
            let tree = Tree::through(&vec![vec![wrong; 4]; 4], &[0, 0, 1, 1]);
            assert_eq!(tree.groups(2), [0, 0, 1, 1]);
            assert!(tree.joins.iter().all(|join| join.height.is_finite()));
        }
    }

    #[test]
    fn one_point_is_a_tree() {
        let tree = Tree::through(&[vec![1.0]], &[0]);
        assert_eq!((tree.points(), tree.cut(1), tree.groups(5)), (1, vec![0], vec![0]));
    }
}
