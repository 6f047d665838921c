//! One gradient step of a task's Dirichlet parameters on its support, there and back.

use super::adam_step::{AdamConstants, AdamGradient, AdamStep};
use crate::corpus::WordCounts;
use crate::em::{Dirichlet, EpisodeTerms, LogDirection, ModeLikelihood, PriorGradient};
use crate::numeric::{Real, kernels};

/// A step from `dirichlet`, with what it takes to go back.
#[derive(Clone, Debug, Default)]
pub(super) struct InnerStep<R> {
    /// α and β before the step.
    pub(super) dirichlet: Dirichlet<R>,
    likelihood: ModeLikelihood<R>,
    gradient: PriorGradient<R>,
    alpha: Moved<R>,
    beta: Moved<R>,
}

/// How the step moves α or β: z with softplus(z) = α or β is what moves.
#[derive(Clone, Debug, Default)]
struct Moved<R> {
    /// ∂ log softplus(z) / ∂z
    slope: Vec<R>,
    adam: AdamStep<R>,
}

/// The gradient of the loss on its way back, and buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct InnerGradient<R> {
    pub(super) alpha: AdamGradient<R>,
    pub(super) beta: AdamGradient<R>,
    direction: LogDirection<R>,
    /// The change of log β for every term of the vocabulary.
    log_beta: Vec<R>,
    change: PriorGradient<R>,
    /// The change of β ∂/∂β for every term of the vocabulary.
    dense_change: Vec<R>,
}

impl<R: Real> InnerStep<R> {
    /// Moves `raw_alpha` and `raw_beta`, whose softplus is `dirichlet`.
    pub(super) fn forward(
        &mut self,
        support: &WordCounts,
        terms: &EpisodeTerms,
        constants: &AdamConstants<R>,
        previous: Option<&Self>,
        (raw_alpha, raw_beta): (&mut [R], &mut [R]),
    ) {
        let Self { dirichlet, likelihood, gradient, alpha, beta } = self;
        likelihood.gradient(dirichlet, support, terms, gradient);
        alpha.adam.gradient.clone_from(&gradient.log_alpha);
        gradient.dense_log_beta(&terms.terms, &dirichlet.beta, &mut beta.adam.gradient);
        alpha.forward(&dirichlet.alpha, constants, previous.map(|step| &step.alpha), raw_alpha);
        beta.forward(&dirichlet.beta, constants, previous.map(|step| &step.beta), raw_beta);
    }

    /// Backward pass of [`Self::forward`], from the gradient with respect to z after the step to
    /// the one before it.
    pub(super) fn backward(
        &mut self,
        support: &WordCounts,
        terms: &EpisodeTerms,
        constants: &AdamConstants<R>,
        back: &mut InnerGradient<R>,
    ) {
        let Self { dirichlet, likelihood, gradient, alpha, beta } = self;
        let InnerGradient { direction, log_beta, change, dense_change, .. } = back;
        alpha.adam.backward(constants, &mut back.alpha);
        beta.adam.backward(constants, &mut back.beta);
        // The gradient that a step follows has the Hessian for its derivative, which is symmetric:
        // on the way back, too, it is multiplied with a vector.
        alpha.log_direction(&back.alpha, &mut direction.log_alpha);
        beta.log_direction(&back.beta, log_beta);
        restrict(log_beta, dirichlet, terms, direction);
        likelihood.change_of_gradient(support, terms, direction, change);
        alpha.add_hessian_product(
            &dirichlet.alpha,
            &direction.log_alpha,
            &change.log_alpha,
            &mut back.alpha,
        );
        change.dense_log_beta(&terms.terms, &dirichlet.beta, dense_change);
        add_change_of_beta(dense_change, &dirichlet.beta, log_beta, &gradient.beta_sum);
        beta.add_hessian_product(&dirichlet.beta, log_beta, dense_change, &mut back.beta);
    }
}

impl<R: Real> Moved<R> {
    /// Takes the step, with the gradient with respect to log `values` in `adam.gradient`.
    fn forward(
        &mut self,
        values: &[R],
        constants: &AdamConstants<R>,
        previous: Option<&Self>,
        raw: &mut [R],
    ) {
        let Self { slope, adam } = self;
        // Minus the slope at first: what raises a value passes softplus even at the floor.
        slope.clear();
        slope.resize(values.len(), -R::ONE);
        R::softplus_backward(slope, values);
        kernels::vectorised(
            #[inline(always)]
            || {
                for (slope, gradient) in slope.iter_mut().zip(&mut adam.gradient) {
                    *slope = -*slope;
                    *gradient = kernels::without_negligible(*gradient * *slope);
                }
            },
        );
        adam.forward(previous.map(|step| &step.adam), constants, raw);
    }

    /// How log softplus(z) changes where z changes by the gradient with respect to g.
    fn log_direction(&self, back: &AdamGradient<R>, direction: &mut Vec<R>) {
        direction.clear();
        direction.extend(self.slope.iter().zip(&back.gradient).map(|(&slope, &u)| slope * u));
    }

    /// Adds the Hessian's product with u, the gradient with respect to g, to the one with respect to
    /// z.
    ///
    /// With s the slope and h the derivative of the inner loss with respect to log softplus(z),
    /// g = s h changes by s times the change of h, and by s' u h = g (1 − s softplus(z) − s) u.
    fn add_hessian_product(
        &self,
        values: &[R],
        log_direction: &[R],
        change: &[R],
        back: &mut AdamGradient<R>,
    ) {
        let AdamGradient { raw, gradient: directions, .. } = back;
        kernels::vectorised(
            #[inline(always)]
            || {
                let tape = self.slope.iter().zip(&self.adam.gradient).zip(values);
                let along = directions.iter().zip(log_direction).zip(change);
                for (raw, (((&s, &g), &value), ((&u, &su), &change))) in
                    raw.iter_mut().zip(tape.zip(along))
                {
                    *raw += s * change + g * (u - su * (value + R::ONE));
                }
            },
        );
    }
}

/// From the change of log β for the whole vocabulary to a direction: the terms at hand, and
/// log Σ_j β_kj, which changes by Σ_j φ_kj times the change of log β_kj.
fn restrict<R: Real>(
    log_beta: &[R],
    dirichlet: &Dirichlet<R>,
    terms: &EpisodeTerms,
    direction: &mut LogDirection<R>,
) {
    let Dirichlet { topics, beta, beta_sum, .. } = dirichlet;
    direction.log_beta.clear();
    for &term in &terms.terms {
        let start = term as usize * topics;
        direction.log_beta.extend_from_slice(&log_beta[start..start + topics]);
    }
    let sums = &mut direction.log_beta_sum;
    kernels::reset(sums, *topics);
    kernels::vectorised(
        #[inline(always)]
        || {
            for (log_beta, beta) in log_beta.chunks_exact(*topics).zip(beta.chunks_exact(*topics)) {
                for ((sum, &log_beta), &beta) in sums.iter_mut().zip(log_beta).zip(beta) {
                    *sum += log_beta * beta;
                }
            }
        },
    );
    sums.iter_mut().zip(beta_sum).for_each(|(sum, &beta_sum)| *sum /= beta_sum);
}

/// Adds to the change of β ∂/∂β what the change of β itself makes of the derivative with respect to
/// Σ_j β_kj.
fn add_change_of_beta<R: Real>(change: &mut [R], beta: &[R], log_beta: &[R], beta_sum: &[R]) {
    let topics = beta_sum.len();
    kernels::vectorised(
        #[inline(always)]
        || {
            let rows = beta.chunks_exact(topics).zip(log_beta.chunks_exact(topics));
            for (change, (beta, log_beta)) in change.chunks_exact_mut(topics).zip(rows) {
                let row = beta.iter().zip(log_beta).zip(beta_sum);
                for (change, ((&beta, &log_beta), &of_sum)) in change.iter_mut().zip(row) {
                    *change += beta * log_beta * of_sum;
                }
            }
        },
    );
}
