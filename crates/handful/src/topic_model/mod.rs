//! The result: topics, and how each document mixes them.

mod background;
mod choice;
mod fit;
mod infer;
mod ranking;

pub use background::Background;
pub use choice::{Candidate, TopicChoice, choose_topics};
pub(crate) use fit::fit_documents;
pub use fit::{TopTerm, TopicModel, largest, topic_weights};
pub use ranking::Ranking;
