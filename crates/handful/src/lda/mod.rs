//! Latent Dirichlet allocation by collapsed Gibbs sampling: what a topic model is without a
//! learned prior.
//!
//! ```text
//! WordCounts ─ Sampler (sweeps) ─ Minka's fixed point (α, β) ─▶ means of θ, φ over samples ─▶ LdaFit
//! new documents ─ Lda::proportions (φ kept) ─▶ θ ─ Lda::log_likelihood ─▶ their other words
//! ```
//!
//! α and β are here the usual parameters of a Dirichlet distribution: mean α/Σα.

mod folding_in;
mod hyperparameters;
mod model;
mod sampler;
mod settings;

pub use model::{Lda, LdaFit, LdaFitting};
pub use sampler::Sampler;
pub use settings::LdaSettings;
