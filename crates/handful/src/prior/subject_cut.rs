//! Documents in groups, each of which speaks of a subject.

/// Groupings of the same documents.
#[derive(Clone, Debug, PartialEq)]
pub struct SubjectCuts {
    /// Into one group, two, three, ...
    pub cuts: Vec<SubjectCut>,
    /// The inner product of each two documents, by which they are grouped.
    pub products: Vec<Vec<f64>>,
}

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

/// From where documents are seen when they are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// From the mean of all training texts, as where documents choose the number of topics.
    Training,
    /// From the mean of the documents at hand, as where the number of topics is given.
    Documents,
}
