//! How good a model is: held-out perplexity, as in the paper, and whether its topics are topics.

mod coherence;
mod diversity;
mod grouping;
mod perplexity;

pub use coherence::{Presence, Reference};
pub use diversity::diversity;
pub use grouping::{normalised_mutual_information, purity};
pub use perplexity::{Evaluation, draw_tasks, evaluate, task_likelihood};
