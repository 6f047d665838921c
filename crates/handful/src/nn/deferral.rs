//! What Adam owes a row of weights after steps in which it had no gradient.
//!
//! Without a gradient the moments only decay: d steps after step t₀, m is β₁ᵈ m and v is β₂ᵈ v. So
//! a row that no episode touched can be brought up to date when it is next needed. For s = t₀ + d,
//! the step moves a weight by m w_s / (√v u_s + ε), with w_s = rate β₁ᵈ / (1 − β₁ˢ) and
//! u_s = β₂^(d/2) / √(1 − β₂ˢ). The row is owed the sum over s.
//!
//! The u_s that matter differ by a few percent, since w_s fades as β₁ᵈ. With ū their mean and
//! y = √v ū + ε, the sum is a series in the central moments M_i = Σ w_s (u_s − ū)ⁱ,
//!
//! ```text
//! (M₀ + q² M₂ − q³ M₃ + q⁴ M₄ − q⁵ M₅ + q⁶ M₆) / y,   q = √v / y,
//! ```
//!
//! for every √v ≥ 0, so ε needs no special case. In the first steps, while the bias corrections
//! change fast, the sum is cut into segments within which u_s also differs little. The central
//! moments come from the raw ones Σ w_s u_sⁱ, and these from infinite sums that are tabulated once:
//! Σ_{s = t₀+1}^{t} = tail(t₀) − ρᵈ tail(t) with ρ = β₁ β₂^(i/2).

use super::AdamSettings;
use crate::numeric::Real;
use crate::numeric::kernels::Owed;

/// The number of raw moments in the series.
const MOMENTS: usize = 7;

/// From this step on, the bias corrections change so slowly that one series covers any number of
/// steps. The error is below 1e-8 of the sum.
const SLOW_FROM: u64 = 256;

/// Before that, a series covers the steps from s to `SEGMENT` · s.
const SEGMENT: f64 = 1.25;

/// More segments than any row can need: SEGMENT to this power is far above SLOW_FROM.
pub(super) const MOST_SEGMENTS: usize = 32;

/// The sums owed to rows, for one setting of Adam.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Deferral {
    settings: AdamSettings,
    /// log β₁ and log √β₂
    log_roots: [f64; 2],
    /// `tails[t]` is Σ_{s > t} w_s u_sⁱ for a row last touched at step t. After the last entry the
    /// bias corrections are 1 and the sums no longer change.
    tails: Vec<[f64; MOMENTS]>,
}

impl Deferral {
    pub(super) fn new(settings: AdamSettings) -> Self {
        let AdamSettings { beta1, beta2, .. } = settings;
        let log_roots = [beta1.ln(), beta2.ln() / 2.0];
        let ratios: [f64; MOMENTS] =
            std::array::from_fn(|i| (log_roots[0] + i as f64 * log_roots[1]).exp());
        let corrected = (1e-17f64.ln() / beta2.max(beta1).ln()).ceil() as usize;
        let rate = settings.learning_rate;
        let mut tails = vec![[0.0; MOMENTS]; corrected + 1];
        tails[corrected] = ratios.map(|ratio| rate * ratio / (1.0 - ratio));
        for t in (0..corrected).rev() {
            let s = (t + 1) as f64;
            let first = rate / (1.0 - beta1.powf(s));
            let second = 1.0 / (1.0 - beta2.powf(s)).sqrt();
            let mut power = 1.0;
            for i in 0..MOMENTS {
                tails[t][i] = ratios[i] * (first * power + tails[t + 1][i]);
                power *= second;
            }
        }
        Self { settings, log_roots, tails }
    }

    fn tail(&self, t: u64) -> &[f64; MOMENTS] {
        &self.tails[(t as usize).min(self.tails.len() - 1)]
    }

    /// Computes what a row last touched at step `from` is owed after step `to`. Calls `pay` with
    /// one series or, in the first steps of a run, with several, which must be applied in order.
    pub(super) fn owed<R: Real>(&self, from: u64, to: u64, mut pay: impl FnMut(&Owed<R>)) {
        let mut start = from;
        loop {
            let later = ((start as f64 * SEGMENT) as u64).max(start + 1);
            let end = if start >= SLOW_FROM { to } else { later.min(to) };
            let mut owed = self.segment(from, start, end);
            let faded = self.decays((end - from) as f64)[0] < 1e-18;
            if end == to || faded {
                let steps = (to - from) as f64;
                owed.first_decay = R::of(self.settings.beta1.powf(steps));
                owed.second_decay = R::of(self.settings.beta2.powf(steps));
                return pay(&owed);
            }
            pay(&owed);
            start = end;
        }
    }

    /// Returns ρᵈ of each raw moment for d = `steps`: β₁ᵈ times powers of β₂^(d/2).
    fn decays(&self, steps: f64) -> [f64; MOMENTS] {
        let ratio = (self.log_roots[1] * steps).exp();
        let mut decay = (self.log_roots[0] * steps).exp();
        std::array::from_fn(|_| {
            let of_moment = decay;
            decay *= ratio;
            of_moment
        })
    }

    /// Computes the series for the steps after `start` up to `end`, for a row last touched at step
    /// `from`. Leaves the decay of Adam's moments at 1.
    fn segment<R: Real>(&self, from: u64, start: u64, end: u64) -> Owed<R> {
        let before = self.decays((start - from) as f64);
        let during = self.decays((end - start) as f64);
        let (first, last) = (self.tail(start), self.tail(end));
        let raw: [f64; MOMENTS] =
            std::array::from_fn(|i| before[i] * (first[i] - during[i] * last[i]));
        let mean = raw[1] / raw[0];
        // Σ w (u − mean)ⁱ by the binomial theorem. The digits lost to cancellation do not matter.
        let central = |i: usize| {
            let (mut sum, mut binomial) = (0.0, 1.0);
            for (j, raw) in raw[..=i].iter().enumerate() {
                sum += binomial * raw * (-mean).powi((i - j) as i32);
                binomial *= (i - j) as f64 / (j + 1) as f64;
            }
            sum
        };
        let moments = [raw[0], central(2), central(3), central(4), central(5), central(6)];
        Owed {
            mean: R::of(mean),
            moments: moments.map(R::of),
            first_decay: R::ONE,
            second_decay: R::ONE,
        }
    }
}
