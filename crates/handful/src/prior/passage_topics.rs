//! What passages are about.

/// How much each passage of some documents has of each topic.
#[derive(Clone, Debug, PartialEq)]
pub struct PassageTopics {
    /// K
    pub topics: usize,
    /// Passages × topics. Those of a passage sum to 1.
    pub shares: Vec<f64>,
}

impl PassageTopics {
    /// The shares of the topics in a passage.
    pub fn of(&self, passage: usize) -> &[f64] {
        &self.shares[passage * self.topics..(passage + 1) * self.topics]
    }
}
