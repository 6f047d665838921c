//! What Adam owes a row of weights after steps in which it had no gradient.
//!
//! Without gradient the moments only decay: d steps after step t₀, m is β₁ᵈ m and v is β₂ᵈ v. So a
//! row that no episode touched can be brought up to date when it is next needed. For s = t₀ + d
//! the step moves a weight by m w_s / (√v u_s + ε), with w_s = rate β₁ᵈ / (1 − β₁ˢ) and
//! u_s = β₂^(d/2) / √(1 − β₂ˢ), and what it owes is the sum over s.
//!
//! The u_s that matter differ by a few percent, since w_s fades as β₁ᵈ. With ū their mean and
//! y = √v ū + ε, the sum is a series in the central moments M_i = Σ w_s (u_s − ū)ⁱ,
//!
//! ```text
//! (M₀ + q² M₂ − q³ M₃ + q⁴ M₄ − q⁵ M₅ + q⁶ M₆) / y,   q = √v / y,
//! ```
//!
//! for every √v from 0 on: ε needs no case of its own. The moments come from the raw ones
//! Σ w_s u_sⁱ, and these from sums to infinity that are tabulated once:
//! Σ_{s = t₀+1}^{t} = tail(t₀) − ρᵈ tail(t) with ρ = β₁ β₂^(i/2).

use super::kernels::Owed;
use super::{AdamSettings, Real};

/// Raw moments that the series needs.
const MOMENTS: usize = 7;

/// Before this step the bias corrections move u_s so fast that the series is too short; such rows
/// are summed step by step. From here on what the series leaves out is below 1e-8 of the sum.
const SERIES_FROM: u64 = 256;

/// The sums that rows owe, for one setting of Adam.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Deferral {
    settings: AdamSettings,
    /// ρ of each raw moment.
    ratios: [f64; MOMENTS],
    /// `tails[t]` is Σ_{s > t} w_s u_sⁱ for a row last touched at step t. After the last entry
    /// the bias corrections are 1 and nothing changes any more.
    tails: Vec<[f64; MOMENTS]>,
}

impl Deferral {
    pub(super) fn new(settings: AdamSettings) -> Self {
        let AdamSettings { beta1, beta2, .. } = settings;
        let ratios = std::array::from_fn(|i| beta1 * beta2.powf(i as f64 / 2.0));
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
        Self { settings, ratios, tails }
    }

    fn tail(&self, t: u64) -> &[f64; MOMENTS] {
        &self.tails[(t as usize).min(self.tails.len() - 1)]
    }

    /// Pays what a row last touched at step `from` owes after step `to`.
    pub(super) fn pay<R: Real>(
        &self,
        from: u64,
        to: u64,
        weights: &mut [R],
        first: &mut [R],
        second: &mut [R],
    ) {
        if from >= SERIES_FROM {
            let owed = self.owed(from, to);
            R::catch_up(weights, first, second, &owed, R::of(self.settings.epsilon));
        } else {
            self.pay_step_by_step(from, to, weights, first, second);
        }
    }

    /// The series of what a row owes.
    fn owed<R: Real>(&self, from: u64, to: u64) -> Owed<R> {
        let steps = (to - from) as f64;
        let (start, end) = (self.tail(from), self.tail(to));
        let raw: [f64; MOMENTS] =
            std::array::from_fn(|i| start[i] - self.ratios[i].powf(steps) * end[i]);
        let mean = raw[1] / raw[0];
        // Σ w (u − mean)ⁱ by the binomial theorem; the digits it loses are far behind the last that
        // counts.
        let central = |i: usize| {
            let (mut sum, mut binomial) = (0.0, 1.0);
            for (j, raw) in raw[..=i].iter().enumerate() {
                sum += binomial * raw * (-mean).powi((i - j) as i32);
                binomial *= (i - j) as f64 / (j + 1) as f64;
            }
            sum
        };
        let moments = [raw[0], central(2), central(3), central(4), central(5), central(6)];
        let AdamSettings { beta1, beta2, .. } = self.settings;
        Owed {
            mean: R::of(mean),
            moments: moments.map(R::of),
            first_decay: R::of(beta1.powf(steps)),
            second_decay: R::of(beta2.powf(steps)),
        }
    }

    /// The sum itself, up to where its terms have faded.
    fn pay_step_by_step<R: Real>(
        &self,
        from: u64,
        to: u64,
        weights: &mut [R],
        first: &mut [R],
        second: &mut [R],
    ) {
        let AdamSettings { beta1, beta2, epsilon, learning_rate, .. } = self.settings;
        let epsilon = R::of(epsilon);
        for s in from + 1..=to {
            let (d, s) = ((s - from) as f64, s as f64);
            let fade = beta1.powf(d);
            if fade < 1e-18 {
                break;
            }
            let w = R::of(learning_rate * fade / (1.0 - beta1.powf(s)));
            let u = R::of(beta2.powf(d / 2.0) / (1.0 - beta2.powf(s)).sqrt());
            for ((weight, &first), &second) in weights.iter_mut().zip(&*first).zip(&*second) {
                *weight -= first * w / (second.sqrt() * u + epsilon);
            }
        }
        let steps = (to - from) as f64;
        let (decay1, decay2) = (R::of(beta1.powf(steps)), R::of(beta2.powf(steps)));
        first.iter_mut().for_each(|first| *first *= decay1);
        second.iter_mut().for_each(|second| *second *= decay2);
    }
}
