//! One step of Adam that can be differentiated.

use crate::nn::AdamSettings;
use crate::numeric::{Real, kernels};

/// ε, inside the root: √(v + ε) has a derivative where the gradient is zero, √v + ε has none.
///
/// A gradient far above √ε moves a parameter by the whole rate, one far below it hardly does. With
/// 1e-16, which is 1e-8 outside the root, the many terms that a task does not have move as fast as
/// the few it has: on the Debian counts a rate of 1 then ruined validation perplexity (1,354 after
/// 3,000 steps, against 737), and rates up to 0.3 gave about the same.
const EPSILON: f64 = 1e-8;

/// What step t = 1, 2, … does to every parameter z with gradient g:
///
/// ```text
/// m ← β₁ m + (1 − β₁) g,  v ← β₂ v + (1 − β₂) g²
/// z ← z − rate · m / √(v / (1 − β₂ᵗ) + ε),  rate = learning rate / (1 − β₁ᵗ)
/// ```
#[derive(Clone, Copy, Debug)]
pub(super) struct AdamConstants<R> {
    /// β₁ and 1 − β₁
    first: [R; 2],
    /// β₂ and 1 − β₂
    second: [R; 2],
    rate: R,
    /// 1 / (1 − β₂ᵗ)
    second_scale: R,
    epsilon: R,
}

impl<R: Real> AdamConstants<R> {
    /// Those of step `t`, counted from 1.
    pub(super) fn of_step(t: usize, learning_rate: f64) -> Self {
        let AdamSettings { beta1, beta2, .. } = AdamSettings::default();
        let t = t as f64;
        Self {
            first: [beta1, 1.0 - beta1].map(R::of),
            second: [beta2, 1.0 - beta2].map(R::of),
            rate: R::of(learning_rate / (1.0 - beta1.powf(t))),
            second_scale: R::of(1.0 / (1.0 - beta2.powf(t))),
            epsilon: R::of(EPSILON),
        }
    }

    /// 1 / √(v / (1 − β₂ᵗ) + ε)
    #[inline(always)]
    fn inverse_root(&self, second: R) -> R {
        R::ONE / (second * self.second_scale + self.epsilon).sqrt()
    }
}

/// Gradient and moments of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct AdamStep<R> {
    /// g
    pub(super) gradient: Vec<R>,
    /// m and v after the step
    first: Vec<R>,
    second: Vec<R>,
}

/// The gradient of the loss on its way back through steps.
#[derive(Clone, Debug, Default)]
pub(super) struct AdamGradient<R> {
    /// With respect to z.
    pub(super) raw: Vec<R>,
    /// With respect to m and v.
    first: Vec<R>,
    second: Vec<R>,
    /// With respect to g of the step last gone through.
    pub(super) gradient: Vec<R>,
}

impl<R: Real> AdamStep<R> {
    /// Takes the step: moves `raw` along the gradient, with the moments of the step before.
    pub(super) fn forward(
        &mut self,
        previous: Option<&Self>,
        constants: &AdamConstants<R>,
        raw: &mut [R],
    ) {
        let Self { gradient, first, second } = self;
        for (moment, previous) in
            [(&mut *first, previous.map(|p| &p.first)), (second, previous.map(|p| &p.second))]
        {
            match previous {
                Some(previous) => moment.clone_from(previous),
                None => kernels::reset(moment, raw.len()),
            }
        }
        let AdamConstants { first: decay1, second: decay2, rate, .. } = *constants;
        kernels::vectorised(
            #[inline(always)]
            || {
                let moments = first.iter_mut().zip(second);
                for ((z, &g), (m, v)) in raw.iter_mut().zip(&*gradient).zip(moments) {
                    *m = decay1[0] * *m + decay1[1] * g;
                    *v = decay2[0] * *v + decay2[1] * g * g;
                    *z -= rate * *m * constants.inverse_root(*v);
                }
            },
        );
    }

    /// Backward pass of [`Self::forward`], but for what g owes to z.
    ///
    /// With r = 1 / √(v s + ε), the step −rate · m r changes by −rate · r with m, and by
    /// ½ rate · s m r³ with v.
    pub(super) fn backward(&self, constants: &AdamConstants<R>, back: &mut AdamGradient<R>) {
        let AdamConstants { first: decay1, second: decay2, rate, .. } = *constants;
        let AdamGradient { raw, first, second, gradient } = back;
        gradient.resize(raw.len(), R::ZERO);
        let half = R::of(0.5) * constants.second_scale;
        let twice = decay2[1] + decay2[1];
        kernels::vectorised(
            #[inline(always)]
            || {
                let tape = self.gradient.iter().zip(&self.first).zip(&self.second);
                let moments = first.iter_mut().zip(second);
                let back = raw.iter().zip(gradient).zip(moments);
                for (((&g, &m), &v), ((&of_z, of_g), (of_m, of_v))) in tape.zip(back) {
                    let r = constants.inverse_root(v);
                    let of_step = rate * r * of_z;
                    let m_gradient = *of_m - of_step;
                    let v_gradient = *of_v + half * of_step * (m * r) * r;
                    let g_gradient = decay1[1] * m_gradient + twice * g * v_gradient;
                    *of_g = kernels::without_negligible(g_gradient);
                    *of_m = decay1[0] * m_gradient;
                    *of_v = decay2[0] * v_gradient;
                }
            },
        );
    }
}

impl<R: Real> AdamGradient<R> {
    /// Before the first step on the way back, with the gradient with respect to z in `raw`.
    pub(super) fn start(&mut self) {
        kernels::reset(&mut self.first, self.raw.len());
        kernels::reset(&mut self.second, self.raw.len());
    }
}
