//! How good a model is: held-out perplexity, as in the paper.

mod perplexity;

pub use perplexity::{Evaluation, draw_tasks, evaluate, task_likelihood};
