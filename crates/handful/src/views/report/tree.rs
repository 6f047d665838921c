//! The tree of the documents as a picture: its root on the left, documents on the right.

use super::super::palette;
use super::counted;
use crate::fit::{DocumentTree, Fit, GranularityCuts};
use serde::Serialize;

/// A tree of fewer documents says nothing that a reader does not see without it.
const LEAST_DOCUMENTS: usize = 3;
/// Up to as many documents, each has its row. Of more, the tree is drawn down to a few groups.
const MOST_DOCUMENTS: usize = 50;
const FEW_GROUPS: usize = 30;
/// The width of the picture. A row is 1 high. The page stretches both.
const WIDTH: f64 = 100.0;
/// Where the root stands, and where the first join does: left of the first is a stem, right of the other
/// are tips.
const ROOT: f64 = 6.0;
const FIRST_JOIN: f64 = 82.0;
/// Documents that are named in the title of a branch.
const NAMED: usize = 5;

#[derive(Debug, Serialize)]
pub(super) struct TreeView<'a> {
    width: f64,
    rows: usize,
    branches: Vec<Branch>,
    leaves: Vec<Leaf<'a>>,
    cuts: Vec<Cut>,
    /// Whether other granularities have other cuts.
    chosen_by_documents: bool,
    /// Whether a row can be a group of documents.
    grouped: bool,
    description: String,
}

/// The line from a node's parent to it, and the line that its own children hang on.
#[derive(Debug, Serialize)]
struct Branch {
    colour: String,
    path: String,
    title: String,
}

/// A row: a document, or a group of them.
#[derive(Debug, Serialize)]
struct Leaf<'a> {
    number: usize,
    colour: String,
    name: &'a str,
    /// How many more documents the group has.
    more: Option<String>,
    title: String,
}

/// A line that crosses as many branches as a cut has groups.
#[derive(Debug, Serialize)]
struct Cut {
    x: f64,
    label: String,
    shown: bool,
}

/// The tree of a fit's documents; `None` if it is not known or there is little to see.
pub(super) fn view<'a>(fit: &'a Fit) -> Option<TreeView<'a>> {
    let tree = fit.tree().filter(|tree| tree.documents() >= LEAST_DOCUMENTS)?;
    Some(Drawing::new(fit, tree).view())
}

/// A tree on its way to a picture.
struct Drawing<'a> {
    fit: &'a Fit,
    tree: &'a DocumentTree,
    /// The nodes that have rows, from the first row on.
    leaves: Vec<usize>,
    /// The topic that each node is or is a part of.
    topic: Vec<Option<usize>>,
    /// Where each node stands, as far as it is drawn.
    places: Vec<(f64, f64)>,
}

impl<'a> Drawing<'a> {
    fn new(fit: &'a Fit, tree: &'a DocumentTree) -> Self {
        let nodes = tree.documents() + tree.joins().len();
        let rows = rows(tree.documents(), fit.topic_model().topics);
        let lowest = tree.nodes_of_cut(rows);
        let mut topic = vec![None; nodes];
        for (k, node) in tree.topics.iter().enumerate() {
            node.iter().for_each(|&node| topic[node] = Some(k));
        }
        let (mut open, mut leaves) = (vec![nodes - 1], Vec::new());
        while let Some(node) = open.pop() {
            match tree.children(node) {
                Some(children) if !lowest.contains(&node) => {
                    for child in children {
                        topic[child] = topic[child].or(topic[node]);
                    }
                    open.extend([children[1], children[0]]);
                }
                _ => leaves.push(node),
            }
        }
        let mut drawing = Self { fit, tree, leaves, topic, places: vec![(WIDTH, 0.0); nodes] };
        drawing.place();
        drawing
    }

    /// Rows stand below each other. A join stands in the middle of its children, the farther left the
    /// larger the square root of its height, which is a distance.
    fn place(&mut self) {
        let Self { tree, leaves, places, .. } = self;
        let documents = tree.documents();
        let root_of = |join: usize| tree.joins()[join].height.sqrt();
        let hidden = documents - leaves.len();
        let (least, most) = (root_of(hidden), root_of(documents - 2));
        let scale = if most > least { (FIRST_JOIN - ROOT) / (most - least) } else { 0.0 };
        for (row, &leaf) in leaves.iter().enumerate() {
            places[leaf].1 = row as f64 + 0.5;
        }
        for (i, join) in tree.joins().iter().enumerate().skip(hidden) {
            let [a, b] = join.nodes.map(|node| places[node].1);
            places[documents + i] = (FIRST_JOIN - (root_of(i) - least) * scale, (a + b) / 2.0);
        }
    }

    fn view(&self) -> TreeView<'a> {
        let hidden = self.tree.documents() - self.leaves.len();
        let drawn = (self.tree.documents() + hidden..self.places.len()).rev();
        let joins = drawn.filter_map(|node| Some((node, self.tree.children(node)?)));
        let root = self.places.len() - 1;
        let mut branches = vec![self.branch(root, 0.0)];
        for (node, children) in joins {
            let x = self.places[node].0;
            branches.extend(children.map(|child| self.branch(child, x)));
        }
        TreeView {
            width: WIDTH,
            rows: self.leaves.len(),
            branches,
            leaves: self.leaves.iter().map(|&leaf| self.leaf(leaf)).collect(),
            cuts: self.cuts(),
            chosen_by_documents: self.tree.cuts.is_some(),
            grouped: hidden > 0,
            description: self.description(),
        }
    }

    fn branch(&self, node: usize, from: f64) -> Branch {
        let (x, y) = self.places[node];
        let mut path = format!("M{} {y}H{}", rounded(from), rounded(x));
        if let Some(children) = self.tree.children(node).filter(|_| !self.leaves.contains(&node)) {
            let [top, bottom] = children.map(|child| self.places[child].1);
            path += &format!("M{} {top}V{bottom}", rounded(x));
        }
        let colour = self.topic[node].map_or_else(String::new, palette::classes);
        Branch { colour, path, title: self.named(node) }
    }

    fn leaf(&self, node: usize) -> Leaf<'a> {
        let documents = self.tree.documents_of(node);
        let topic = self.main_topic(&documents);
        Leaf {
            number: topic + 1,
            colour: palette::classes(topic),
            name: self.name(documents[0]),
            more: (documents.len() > 1).then(|| format!("and {} more", documents.len() - 1)),
            title: self.named(node),
        }
    }

    /// The topic that some documents have most of, on average.
    fn main_topic(&self, documents: &[usize]) -> usize {
        let model = self.fit.topic_model();
        let mut sums = vec![0.0; model.topics];
        for &n in documents {
            sums.iter_mut().zip(model.proportions_of(n)).for_each(|(sum, &x)| *sum += f64::from(x));
        }
        let larger = |best: usize, k: usize| if sums[k] > sums[best] { k } else { best };
        (0..sums.len()).fold(0, larger)
    }

    fn name(&self, document: usize) -> &'a str {
        &self.fit.saved().documents[document].id
    }

    /// The documents below a node, by their names.
    fn named(&self, node: usize) -> String {
        let documents = self.tree.documents_of(node);
        let names: Vec<&str> = documents.iter().take(NAMED).map(|&n| self.name(n)).collect();
        let more = if documents.len() > NAMED { ", …" } else { "" };
        match documents.len() {
            1 => names[0].to_owned(),
            count => format!("{}: {}{more}", counted(count, "document"), names.join(", ")),
        }
    }

    /// The cuts of all granularities, the coarsest first, and that of the topics. A cut below the rows is
    /// left out.
    fn cuts(&self) -> Vec<Cut> {
        let shown = self.tree.topics.iter().flatten().count();
        let named: Vec<(usize, &str)> = match self.tree.cuts {
            Some(GranularityCuts { coarse, medium, fine }) => {
                vec![(coarse, "coarse"), (medium, "medium"), (fine, "fine")]
            }
            None => vec![(shown, "")],
        };
        let equal = named.chunk_by(|a, b| a.0 == b.0).filter(|cut| cut[0].0 <= self.leaves.len());
        let cut = |names: &[(usize, &str)]| {
            let groups = names[0].0;
            let names: Vec<&str> = names.iter().map(|(_, name)| *name).collect();
            let (of, topics) = (names.join(", "), counted(groups, "topic"));
            let label = if of.is_empty() { topics } else { format!("{of}: {topics}") };
            Cut { x: self.line(groups), label, shown: groups == shown }
        };
        equal.map(cut).collect()
    }

    /// Where a line crosses `groups` branches: between the last join within groups and the first above.
    fn line(&self, groups: usize) -> f64 {
        let nodes = self.places.len();
        let above = if groups == 1 { 0.0 } else { self.places[nodes - groups + 1].0 };
        let within =
            if groups >= self.leaves.len() { WIDTH } else { self.places[nodes - groups].0 };
        rounded((above + within) / 2.0)
    }

    fn description(&self) -> String {
        let topics = self.tree.topics.iter().enumerate();
        let said = topics
            .filter_map(|(k, node)| Some(format!("Topic {}: {}", k + 1, self.named((*node)?))));
        said.collect::<Vec<_>>().join("; ")
    }
}

/// How many rows a tree of so many documents has.
fn rows(documents: usize, topics: usize) -> usize {
    if documents <= MOST_DOCUMENTS { documents } else { FEW_GROUPS.max(topics).min(documents) }
}

fn rounded(length: f64) -> f64 {
    (length * 100.0).round() / 100.0
}
