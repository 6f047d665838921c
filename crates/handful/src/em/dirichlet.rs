//! Dirichlet parameters of topic proportions and of topics.

use crate::numeric::{Real, kernels};

/// α and β of Eqs. (2) and (3), and how much words count beside them.
///
/// As in the paper they are the usual parameters less 1, so the mode is α / Σα.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dirichlet<R> {
    /// K, and one more where there is a background.
    pub topics: usize,
    /// α: documents × topics
    pub alpha: Vec<R>,
    /// β: terms × topics. A row a term, so that what an episode touches is contiguous.
    pub beta: Vec<R>,
    /// Σ_j β_kj
    pub beta_sum: Vec<R>,
    /// How much an occurrence counts for EM, one number an entry of the support; empty where all
    /// count 1.
    pub evidence: Vec<R>,
}

impl<R: Real> Dirichlet<R> {
    /// β_kj of all topics k for term `j`.
    pub fn beta_row(&self, j: usize) -> &[R] {
        &self.beta[j * self.topics..(j + 1) * self.topics]
    }

    /// From numbers of any sign, which stand in `alpha` and `beta`, to Dirichlet parameters:
    /// softplus, and Σ_j β_kj.
    pub(crate) fn make_positive(&mut self) {
        R::softplus(&mut self.alpha);
        R::softplus(&mut self.beta);
        kernels::reset(&mut self.beta_sum, self.topics);
        R::add_rows(&mut self.beta_sum, &self.beta);
    }
}
