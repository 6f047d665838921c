//! Measures how good a model is: held-out perplexity, as in the paper, and the quality of its
//! topics.

mod all_words;
mod coherence;
mod diversity;
mod grouping;
mod mixture;
mod open_task;
mod perplexities;
mod perplexity;
pub mod smoothed_unigram;

pub use all_words::{AllWords, evaluate_all_words};
pub use coherence::{Presence, Reference};
pub use diversity::diversity;
pub use grouping::{adjusted_rand_index, normalised_mutual_information, purity};
pub use mixture::{MixtureWords, mix};
pub use open_task::{OpenLikelihood, OpenTask};
pub use perplexities::{Perplexities, PerplexityMean};
pub use perplexity::{
    Beside, Evaluation, document_likelihoods, draw_tasks, evaluate, task_likelihood,
    task_likelihoods,
};
pub use smoothed_unigram::SmoothedUnigram;
