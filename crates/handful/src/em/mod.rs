//! The EM layers: from Dirichlet priors and documents to a topic model, and the gradient back.
//!
//! Only non-zero counts are touched. A term outside the support keeps φ_kj = β_kj / Z_k at every
//! step, where Z_k = Σ_j (c_kj + β_kj) and c_kj = Σ_n x_nj γ_njk. The normaliser of θ_n is the
//! document's length plus Σ_k α_nk. So the state consists of θ, φ on the local terms, and Z, and a
//! step costs (non-zero counts) × topics. This is exact, not an approximation.
//!
//! Gradients are taken with respect to logarithms (θ ∂/∂θ, φ ∂/∂φ, α ∂/∂α, β ∂/∂β). Then only
//! responsibilities and shares appear, all between 0 and 1, whereas the plain derivative x / (θφ)
//! leaves the range of float32.

mod convergence;
mod dirichlet;
mod evidence_bound;
mod inference;
mod layers;
mod likelihood;
mod local;
mod mode_likelihood;
mod own_words;

pub use convergence::{
    EmStop, PosteriorMode, fit, fit_documents, fit_documents_observed, fit_proportions,
    log_posterior,
};
pub use dirichlet::Dirichlet;
pub use evidence_bound::evidence_bound;
pub use inference::Inference;
pub use layers::EmTape;
pub use likelihood::{Likelihood, QueryLikelihood, document_likelihoods, log_likelihood};
pub use local::{EpisodeTerms, LocalPrior, PriorGradient};
pub use mode_likelihood::{LogDirection, ModeLikelihood};
pub use own_words::{OwnWords, fit_with_own_words};
