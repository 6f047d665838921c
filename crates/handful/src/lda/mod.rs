//! Latent Dirichlet allocation by collapsed Gibbs sampling: a topic model without a learned prior.
//!
//! ```text
//! WordCounts ─ Sampler (sweeps) ─ Minka's fixed point (α, β) ─▶ means of θ, φ over samples ─▶ LdaFit
//! new documents ─ Lda::proportions (φ kept) ─▶ θ ─ Lda::log_likelihood ─▶ their other words
//! ```
//!
//! Here α and β are the usual parameters of a Dirichlet distribution, with mean α/Σα.

mod folding_in;
mod hyperparameters;
mod model;
mod sampler;
mod settings;

pub use model::{Lda, LdaFit, LdaFitting};
pub use sampler::Sampler;
pub use settings::{LdaRecord, LdaSettings};
