//! The tree of the documents: its cuts are the groups that topics start from.

use super::{Granularity, TopicModel};
use crate::clustering::{Join, Tree};
use serde::{Deserialize, Serialize};

/// The tree of a fit's documents: which are most alike, which groups of them are next, until all are
/// one.
///
/// Nodes are numbered. Node n is document n, from 0; the nodes after the documents are the joins, in
/// their order. Before the last k − 1 joins, k groups are left: the tree's cut into k groups. So every
/// coarser cut joins groups of a finer one, and no document changes sides.
///
/// Where the documents choose the number of topics, the tree goes through the groups of
/// [`Granularity::Medium`]: these are found first, by Ward's clustering in which single documents then
/// change sides. Below, the documents of each group are clustered; above, the groups. The topics of
/// every granularity start from a cut of this one tree.
///
/// Where the number of topics is given, the tree goes through the documents' main topics instead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DocumentTree {
    #[serde(flatten)]
    tree: Tree,
    /// The node of each topic: it has the documents that the topic starts from, or, if the number of
    /// topics was given, those that have most of it. `None` for a topic that no document has most of.
    pub topics: Vec<Option<usize>>,
    /// How many topics each granularity has; `None` if the number of topics was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cuts: Option<GranularityCuts>,
}

/// How many topics each granularity has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GranularityCuts {
    /// Of [`Granularity::Coarse`].
    pub coarse: usize,
    /// Of [`Granularity::Medium`].
    pub medium: usize,
    /// Of [`Granularity::Fine`].
    pub fine: usize,
}

impl GranularityCuts {
    /// The number of topics of a granularity.
    pub fn at(&self, granularity: Granularity) -> usize {
        match granularity {
            Granularity::Coarse => self.coarse,
            Granularity::Medium => self.medium,
            Granularity::Fine => self.fine,
        }
    }
}

impl DocumentTree {
    /// A tree whose cut into `topics` groups are the topics.
    pub(super) fn cut(tree: Tree, topics: usize, cuts: GranularityCuts) -> Self {
        let topics = tree.cut(topics).into_iter().map(Some).collect();
        Self { tree, topics, cuts: Some(cuts) }
    }

    /// The tree through the main topics of a model's documents, by the documents' inner products.
    pub fn of_main_topics(products: &[Vec<f64>], model: &TopicModel) -> Self {
        let main: Vec<usize> = (0..model.documents()).map(|n| model.main_topic(n)).collect();
        let tree = Tree::through(products, &main);
        let mut topics = vec![None; model.topics];
        let mut named = main.clone();
        named.sort_unstable();
        named.dedup();
        for node in tree.cut(named.len()) {
            topics[main[tree.members(node)[0]]] = Some(node);
        }
        Self { tree, topics, cuts: None }
    }

    /// The joins, one fewer than documents. Join i makes node `documents() + i`.
    pub fn joins(&self) -> &[Join] {
        &self.tree.joins
    }

    /// The number of documents.
    pub fn documents(&self) -> usize {
        self.tree.points()
    }

    /// The documents below a node, as the tree has them from its first branch to its last; none below a
    /// number that is no node's.
    pub fn documents_of(&self, node: usize) -> Vec<usize> {
        let is_node = node < self.documents() + self.joins().len();
        if is_node { self.tree.members(node) } else { Vec::new() }
    }

    /// The two nodes that a node joins; `None` for a document.
    pub fn children(&self, node: usize) -> Option<[usize; 2]> {
        self.tree.children(node)
    }

    /// The group of each document in the cut into `groups` groups, numbered in the order of their first
    /// documents. 0 is taken for 1, and more groups than documents for as many.
    pub fn groups(&self, groups: usize) -> Vec<usize> {
        self.tree.groups(groups)
    }

    /// The nodes of that cut, in the order of their first documents.
    #[cfg(feature = "report")]
    pub(crate) fn nodes_of_cut(&self, groups: usize) -> Vec<usize> {
        self.tree.cut(groups)
    }

    /// Whether it is a tree of as many documents, and its topics and cuts are among its nodes: what a
    /// file says may be anything.
    pub fn is_sound(&self, documents: usize, topics: usize) -> bool {
        let joins = self.joins();
        // Before memory is taken for as many documents as somebody claims.
        if joins.len() + 1 != documents {
            return false;
        }
        let nodes = documents + joins.len();
        let mut is_open: Vec<bool> = (0..nodes).map(|node| node < documents).collect();
        let mut are_open = true;
        for (join, made) in joins.iter().zip(documents..) {
            for node in join.nodes {
                are_open &= is_open.get_mut(node).is_some_and(std::mem::take);
            }
            are_open &= join.height >= 0.0 && join.height.is_finite();
            is_open[made] = true;
        }
        let within = |groups: usize| (1..=documents).contains(&groups);
        are_open
            && self.topics.len() == topics
            && self.topics.iter().flatten().all(|&node| node < nodes)
            && self.cuts.is_none_or(|GranularityCuts { coarse, medium, fine }| {
                [coarse, medium, fine].into_iter().all(within)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points on a line as inner products.
    fn products(points: &[f64]) -> Vec<Vec<f64>> {
        points.iter().map(|a| points.iter().map(|b| a * b).collect()).collect()
    }

    #[test]
    fn the_tree_of_given_topics_goes_through_the_main_topics() {
        // The second document is next to the first, but has most of the third topic, as the last has.
        let theta = [0.8, 0.1, 0.1, 0.2, 0.1, 0.7, 0.5, 0.1, 0.4, 0.0, 0.3, 0.7];
        let model = TopicModel::by_hand(&[0.4, 0.2, 0.4], &theta, &[1.0; 3]);
        let tree = DocumentTree::of_main_topics(&products(&[1.0, 1.5, 3.0, 9.0]), &model);
        assert_eq!(tree.groups(2), [0, 1, 0, 1]);
        let nodes = [tree.topics[0].unwrap(), tree.topics[2].unwrap()];
        assert_eq!(nodes.map(|node| tree.documents_of(node)), [vec![0, 2], vec![1, 3]]);
        assert_eq!((tree.topics[1], tree.cuts), (None, None));
        assert!(tree.is_sound(4, 3) && !tree.is_sound(5, 3) && !tree.is_sound(4, 2));
        assert_eq!((tree.documents_of(6).len(), tree.documents_of(7).len()), (4, 0));
    }

    #[test]
    fn a_tree_is_read_as_it_was_written() {
        let tree = Tree::through(&products(&[1.0, 5.0, 2.0]), &[0, 1, 0]);
        let cuts = GranularityCuts { coarse: 1, medium: 2, fine: 3 };
        let tree = DocumentTree::cut(tree, 2, cuts);
        let json = serde_json::to_value(&tree).unwrap();
        // The distance of 1 counts half, that of 5 from the mean of 1.5 two thirds.
        let expected = serde_json::json!({
            "joins": [
                {"nodes": [0, 2], "height": 0.5},
                {"nodes": [3, 1], "height": json["joins"][1]["height"]},
            ],
            "topics": [3, 1],
            "cuts": {"coarse": 1, "medium": 2, "fine": 3},
        });
        assert_eq!(json, expected);
        let height = json["joins"][1]["height"].as_f64().unwrap();
        assert!((height - 3.5 * 3.5 * 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(serde_json::from_value::<DocumentTree>(json).unwrap(), tree);
    }
}
