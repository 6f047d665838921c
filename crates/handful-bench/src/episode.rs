//! What a training episode costs with each of the two priors, side by side.
//!
//! Both are trained as `handful train` trains them, one thread, everything included: sampling, forward,
//! EM, backward, and the step's Adam, shared by its episodes. The rounds of both alternate, so that
//! whatever else the machine does meets both alike.

use crate::data;
use clap::Args;
use handful::internals::numeric::SimdLevel;
use handful::internals::prior::{HandfulSettings, IwataSettings, PriorSettings};
use handful::internals::train::{TrainSettings, Trainer, TrainingCorpora, ValidationChoice};
use handful_lab::CpuClock;
use serde_json::json;
use std::io;
use std::path::PathBuf;

/// The work's size.
#[derive(Debug, Args)]
pub struct Settings {
    /// JSON lines with word counts, a file a data set
    #[arg(required = true)]
    pub data: Vec<PathBuf>,
    /// Rounds of both priors on each data set; medians count
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..))]
    pub rounds: u64,
    /// Episodes of a round
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    pub episodes: u64,
    /// Episodes before the clock runs
    #[arg(long, default_value_t = 600)]
    pub warmup: u64,
    /// Answer each line of standard input with a round: its milliseconds an episode, in order of data sets and
    /// priors
    #[arg(long)]
    pub on_request: bool,
}

/// The priors that are timed.
pub const PRIORS: [&str; 2] = ["iwata", "handful"];

/// A prior in training, and what its episodes cost, round by round.
struct Runner<'a> {
    trainer: Trainer<'a>,
    episodes_per_step: u64,
    milliseconds: Vec<f64>,
}

/// Prints a line for each data set: milliseconds of CPU time an episode, and their ratio.
pub fn print(settings: &Settings) -> anyhow::Result<()> {
    let trainings = [
        TrainSettings::of(PriorSettings::Iwata(IwataSettings::default())),
        TrainSettings::of(PriorSettings::Handful(HandfulSettings::default())),
    ];
    let sets =
        settings.data.iter().map(|file| data::read(file)).collect::<handful::Result<Vec<_>>>()?;
    let all = ValidationChoice::Drawn(0);
    let roles = sets.iter().map(|(corpora, _)| TrainingCorpora::choose(corpora, &[], &all, 1));
    let roles = roles.collect::<handful::Result<Vec<_>>>()?;
    let mut runners = Vec::new();
    for ((_, terms), roles) in sets.iter().zip(&roles) {
        for training in &trainings {
            runners.push(Runner::start(roles, *terms, training, settings.warmup)?);
        }
    }
    if settings.on_request {
        return answer_requests(&mut runners, settings.episodes);
    }
    eprintln!("all is warm: measuring");
    for _ in 0..settings.rounds {
        for runner in &mut runners {
            runner.round(settings.episodes)?;
        }
    }
    for ((file, (_, terms)), pair) in settings.data.iter().zip(&sets).zip(runners.chunks_mut(2)) {
        let [iwata, handful] = [0, 1].map(|i: usize| median(&mut pair[i].milliseconds));
        let answer = json!({
            "simd": SimdLevel::in_use().name(),
            "data": file.display().to_string(),
            "terms": terms,
            "iwata_ms": iwata,
            "handful_ms": handful,
            "ratio": handful / iwata,
        });
        println!("{answer}");
    }
    Ok(())
}

/// Says that it is ready, then measures a round for each line of standard input.
fn answer_requests(runners: &mut [Runner<'_>], episodes: u64) -> anyhow::Result<()> {
    println!("ready");
    for line in io::stdin().lines() {
        line?;
        for runner in &mut *runners {
            runner.round(episodes)?;
        }
        let round: Vec<f64> =
            runners.iter().filter_map(|r| r.milliseconds.last().copied()).collect();
        println!("{}", json!(round));
    }
    Ok(())
}

impl<'a> Runner<'a> {
    fn start(
        corpora: &'a TrainingCorpora<'a>,
        terms: usize,
        training: &'a TrainSettings,
        warmup: u64,
    ) -> anyhow::Result<Self> {
        let trainer = Trainer::new(corpora, terms, training)?;
        let episodes_per_step = training.episodes_per_step as u64;
        let mut runner = Self { trainer, episodes_per_step, milliseconds: Vec::new() };
        runner.train(warmup)?;
        Ok(runner)
    }

    /// Trains, and notes what an episode cost.
    fn round(&mut self, episodes: u64) -> anyhow::Result<()> {
        let clock = CpuClock::start();
        let episodes = self.train(episodes)?;
        self.milliseconds.push(1e3 * clock.seconds() / episodes as f64);
        Ok(())
    }

    /// Trains for at least `episodes` episodes; returns how many they were.
    fn train(&mut self, episodes: u64) -> anyhow::Result<u64> {
        let steps = episodes.div_ceil(self.episodes_per_step);
        for _ in 0..steps {
            self.trainer.step()?;
        }
        Ok(steps * self.episodes_per_step)
    }
}

/// The middle one.
pub fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
