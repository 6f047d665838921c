//! Times Handful for its benchmarks.
//!
//! A worker loads its data, warms up, says `{"ready": true, ...}` and then does as many units of
//! work as each line `run N` on standard input asks for, answering with `{"units", "seconds"}`, so
//! that a driver can alternate between Handful and its peers.

mod data;
mod episode;
mod fits;
mod groups;
mod handfuls;
mod kernels;
mod lda;
mod levels;
mod roofline;
mod soak;
mod stages;
mod worker;

use clap::{Args, Parser, Subcommand};
use handful::internals::numeric::SimdLevel;
use std::path::PathBuf;

/// Times Handful for its benchmarks.
#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    work: Work,
}

#[derive(Debug, Subcommand)]
enum Work {
    /// Training episodes
    Train(Settings),
    /// Fits of a few documents, from counts
    Fit(Settings),
    /// What the machine needs for a training episode at the least
    Roofline(Settings),
    /// What a training episode costs with the paper's prior and with Handful's
    Episode(episode::Settings),
    /// Warm fits of a few texts from one loaded model
    Fits(fits::Settings),
    /// Many handfuls, each fitted by itself, on all threads
    Handfuls(handfuls::Settings),
    /// How well many documents are grouped by a sample
    Groups(groups::Settings),
    /// What a training episode costs at each SIMD level
    Levels(levels::Settings),
    /// The kernels of an episode, each by itself
    Kernels(kernels::Settings),
    /// What each stage of a training episode costs
    Stages(stages::Settings),
    /// Sweeps of an LDA's sampler
    Lda(lda::Settings),
    /// Thousands of fits from one process, whose memory must stay flat
    Soak(soak::Settings),
    /// An LDA whose θ and φ are written to a file
    LdaFit(lda::FitSettings),
}

/// The work's size: the paper's unless said otherwise.
#[derive(Debug, Args)]
struct Settings {
    /// JSON lines with word counts
    data: PathBuf,
    #[arg(long, default_value_t = 1)]
    threads: usize,
    #[arg(long, default_value_t = 1)]
    episodes_per_step: usize,
    #[arg(long, default_value_t = 10)]
    topics: usize,
    #[arg(long, default_value_t = 10)]
    em_steps: usize,
    #[arg(long, default_value_t = 3)]
    support_size: usize,
    #[arg(long, default_value_t = 256)]
    hidden: usize,
    /// Gradients are clipped to this norm; 0 for never
    #[arg(long, default_value_t = 0.0)]
    clip_norm: f64,
    /// Steps, or fits, before the clock runs
    #[arg(long, default_value_t = 600)]
    warmup: u64,
}

fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    SimdLevel::from_environment()?;
    match &cli.work {
        Work::Train(settings) => within_pool(settings.threads, || worker::train(settings)),
        Work::Fit(settings) => within_pool(settings.threads, || worker::fit(settings)),
        Work::Roofline(settings) => within_pool(settings.threads, || roofline::print(settings)),
        Work::Episode(settings) => within_pool(1, || episode::print(settings)),
        Work::Fits(settings) => fits::print(settings),
        Work::Handfuls(settings) => within_pool(0, || handfuls::print(settings)),
        Work::Groups(settings) => groups::print(settings),
        Work::Levels(settings) => levels::print(settings),
        Work::Kernels(settings) => {
            kernels::print(settings);
            Ok(())
        }
        Work::Stages(settings) => within_pool(1, || stages::print(settings)),
        Work::Soak(settings) => within_pool(0, || soak::print(settings)),
        Work::Lda(settings) => lda::sweeps(settings),
        Work::LdaFit(settings) => lda::fit(settings),
    }
}

/// Works within the pool, so that work need not be handed over to it from outside again and again.
fn within_pool(
    threads: usize,
    work: impl FnOnce() -> anyhow::Result<()> + Send,
) -> anyhow::Result<()> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(work)
}
