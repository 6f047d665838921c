//! Documents in groups, each of which speaks of a subject.

/// A way to group documents by their subjects.
#[derive(Clone, Debug, PartialEq)]
pub struct SubjectCut {
    /// The group of each document; groups are numbered in the order of their first documents.
    pub group: Vec<usize>,
    /// The probability that the documents have as many subjects as there are groups.
    pub probability: f64,
    /// How fine the cut is: the number of groups, in units in which it means the same for any number of
    /// documents.
    pub fineness: f64,
}
