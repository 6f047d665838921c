//! Why there are as many topics as there are.

/// How well held-out words of the documents are predicted with other numbers of topics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TopicChoice {
    /// Numbers of topics tried, in increasing order, with the perplexity of held-out words.
    pub perplexities: Vec<(usize, f64)>,
    /// What they say, in a sentence.
    pub sentence: String,
}
