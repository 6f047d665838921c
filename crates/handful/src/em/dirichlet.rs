//! Dirichlet parameters of topic proportions and of topics.

use super::Inference;
use crate::numeric::{Real, kernels};

/// α and β of Eqs. (2) and (3), and the weight of each word in EM.
///
/// As in the paper, they are the usual Dirichlet parameters minus 1, so the mode is α / Σα. For
/// variational Bayes they are the usual parameters, so the mean is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dirichlet<R> {
    /// What they are the parameters for.
    pub inference: Inference,
    /// K, plus 1 if there is a background topic.
    pub topics: usize,
    /// α: documents × topics
    pub alpha: Vec<R>,
    /// β: terms × topics. One row per term, so that the memory an episode touches is contiguous.
    pub beta: Vec<R>,
    /// Σ_j β_kj
    pub beta_sum: Vec<R>,
    /// The weight of an occurrence in EM, one number per entry of the support. Empty if all weights
    /// are 1.
    pub evidence: Vec<R>,
}

impl<R: Real> Dirichlet<R> {
    /// Returns β_kj of all topics k for term `j`.
    pub fn beta_row(&self, j: usize) -> &[R] {
        &self.beta[j * self.topics..(j + 1) * self.topics]
    }

    /// Turns the unconstrained numbers in `alpha` and `beta` into Dirichlet parameters by softplus,
    /// and computes Σ_j β_kj.
    pub(crate) fn make_positive(&mut self) {
        R::softplus(&mut self.alpha);
        R::softplus(&mut self.beta);
        kernels::reset(&mut self.beta_sum, self.topics);
        R::add_rows(&mut self.beta_sum, &self.beta);
    }
}
