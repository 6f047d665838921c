//! The tree of the documents.

use handful::fit::{DocumentTree, Granularity};
use pyo3::prelude::*;

/// The tree of the documents.
#[pyclass(frozen, module = "handful._native")]
pub struct Tree {
    pub tree: DocumentTree,
}

#[pymethods]
impl Tree {
    /// The joins: the two nodes and the height.
    fn joins(&self) -> Vec<(usize, usize, f64)> {
        let joins = self.tree.joins().iter();
        joins.map(|join| (join.nodes[0], join.nodes[1], join.height)).collect()
    }

    /// The node of each topic.
    fn topics(&self) -> Vec<Option<usize>> {
        self.tree.topics.clone()
    }

    /// How many topics a coarse, a medium and a fine granularity have.
    fn cuts(&self) -> Option<(usize, usize, usize)> {
        let cuts = self.tree.cuts?;
        let at = |granularity| cuts.at(granularity);
        Some((at(Granularity::Coarse), at(Granularity::Medium), at(Granularity::Fine)))
    }

    fn documents_of(&self, node: usize) -> Vec<usize> {
        self.tree.documents_of(node)
    }

    fn groups(&self, groups: usize) -> Vec<usize> {
        self.tree.groups(groups)
    }
}
