//! What the machine needs for a training episode at the least, and how fast it is here and now.
//!
//! Every weight that an episode touches is read once to predict and once to be updated, and written
//! with its two moments; every number of the wide layer is multiplied with every topic three times.
//! The bound is the larger of the time to move the bytes and the time to do the arithmetic, both at
//! the rates measured in the same run.

use crate::{Settings, data};
use handful::internals::corpus::{Episode, EpisodeSampler, Occurrences};
use handful::internals::nn::Parameter;
use handful::internals::numeric::arch;
use handful::internals::prior::{AnyPrior, Prior};
use handful::internals::random::{Purpose, stream};
use pulp::{Simd, WithSimd};
use serde_json::json;
use std::hint::black_box;
use std::time::Instant;

/// Bytes moved for a weight: read to predict; weight and moments read and written to update.
const BYTES_PER_WEIGHT: f64 = 4.0 + 24.0;
/// Arithmetic of Adam for a weight, a root and a quotient counted as one each.
const ADAM_FLOP: f64 = 12.0;
/// Episodes that the mean number of terms is taken over.
const EPISODES: u64 = 300;

pub fn print(settings: &Settings) -> anyhow::Result<()> {
    let (corpora, terms) = data::read(&settings.data)?;
    let train = data::train_settings(settings);
    let mut weights = stream(1, Purpose::Weights, 0);
    let prior = AnyPrior::<f32>::random(train.prior, terms, train.topics, &mut weights);
    let sampler = EpisodeSampler::new(corpora.iter().collect(), train.episode)?;
    let (mut touched, mut entries) = (0, 0);
    for number in 0..EPISODES {
        let mut episode = Episode::default();
        sampler.draw(&mut stream(1, Purpose::Training, number), &mut episode)?;
        let mut occurrences = Occurrences::default();
        occurrences.fill(&episode.support);
        touched += occurrences.terms().len();
        entries += episode.support.entries();
    }
    let (touched, entries) = (touched as f64 / EPISODES as f64, entries as f64 / EPISODES as f64);

    let (mut bytes, mut flop) = (0.0, 0.0);
    for parameter in prior.parameters() {
        let Parameter { rows, columns, deferred, .. } = parameter;
        let (rows, columns) = (*rows as f64, *columns as f64);
        let updated = if *deferred { touched * columns } else { rows * columns };
        bytes += BYTES_PER_WEIGHT * updated;
        flop += ADAM_FLOP * updated;
        // Forward, back to the inputs, and the gradient: a multiplication and an addition each.
        flop += 6.0
            * if *deferred {
                entries * columns
            } else {
                rows * columns * inputs(&parameter.name, settings)
            };
    }
    let working_set = terms * settings.hidden * 3;
    let (copy, rate) = (copy_bandwidth(working_set), arithmetic_rate());
    let bound = (bytes / copy).max(flop / rate);
    let answer = json!({
        "copy_gb_per_s": copy / 1e9,
        "gflop_per_s": rate / 1e9,
        "bytes": bytes,
        "flop": flop,
        "touched_terms": touched,
        "bytes_ms": 1e3 * bytes / copy,
        "flop_ms": 1e3 * flop / rate,
        "bound_ms": 1e3 * bound,
    });
    println!("{answer}");
    Ok(())
}

/// How many inputs a layer of this name sees in an episode.
fn inputs(name: &str, settings: &Settings) -> f64 {
    let is_bias = name.ends_with("bias");
    match name.split('.').next() {
        _ if is_bias => 0.0,
        Some("g_r") => 1.0,
        _ if name.ends_with("corpus") => 1.0,
        Some("f_b") => settings.topics as f64,
        _ => settings.support_size as f64,
    }
}

/// The best of several measurements, each long enough for the clock.
fn best(units: f64, mut work: impl FnMut()) -> f64 {
    work();
    let measure = |_| {
        let start = Instant::now();
        work();
        units / start.elapsed().as_secs_f64()
    };
    (0..15).map(measure).fold(0.0, f64::max)
}

/// Bytes a second, read and written, of copying within a working set of `numbers` numbers.
fn copy_bandwidth(numbers: usize) -> f64 {
    let (from, mut to) = (vec![1f32; numbers / 2], vec![0f32; numbers / 2]);
    let repeats = (100_000_000 / numbers).max(1);
    best((repeats * 8 * (numbers / 2)) as f64, || {
        for _ in 0..repeats {
            to.copy_from_slice(black_box(&from));
            black_box(&mut to);
        }
    })
}

/// Multiplications and additions a second, in registers.
fn arithmetic_rate() -> f64 {
    struct FusedMultiplyAdds(usize);
    /// Independent sums: enough to hide the latency of two units.
    const SUMS: usize = 12;
    impl WithSimd for FusedMultiplyAdds {
        type Output = f32;
        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> f32 {
            let factor = simd.splat_f32s(black_box(0.999));
            let mut sums = [simd.splat_f32s(black_box(1.0)); SUMS];
            for _ in 0..self.0 {
                for sum in &mut sums {
                    *sum = simd.mul_add_e_f32s(*sum, factor, factor);
                }
            }
            sums.map(|sum| simd.reduce_sum_f32s(sum)).iter().sum()
        }
    }
    struct Lanes;
    impl WithSimd for Lanes {
        type Output = usize;
        fn with_simd<S: Simd>(self, _: S) -> usize {
            S::F32_LANES
        }
    }
    let (arch, rounds) = (arch(), 2_000_000);
    let lanes = arch.dispatch(Lanes);
    best((2 * SUMS * lanes * rounds) as f64, || {
        black_box(arch.dispatch(FusedMultiplyAdds(rounds)));
    })
}
