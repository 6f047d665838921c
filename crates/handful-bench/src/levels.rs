//! What a training episode costs at each SIMD level of this machine.
//!
//! A process has one level, so there is a process for each: `handful-bench episode --on-request`. Their rounds
//! alternate, so that whatever else the machine does meets all levels alike.

use crate::episode;
use anyhow::Context;
use clap::Args;
use handful::internals::numeric::SimdLevel;
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The work's size, and which levels.
#[derive(Debug, Args)]
pub struct Settings {
    #[command(flatten)]
    work: episode::Settings,
    /// Leave out the level `scalar`, whose start takes minutes
    #[arg(long)]
    without_scalar: bool,
}

/// A process that trains all priors on all data sets at one level.
struct Worker {
    level: SimdLevel,
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// Of each round, the milliseconds of each data set and prior.
    rounds: Vec<Vec<f64>>,
}

/// Prints a line for each data set and prior: the least milliseconds of CPU time an episode at each level, and
/// the median over rounds of their ratio to the best level's.
pub fn print(settings: &Settings) -> anyhow::Result<()> {
    let levels = SimdLevel::available();
    let levels = levels.into_iter().skip(usize::from(settings.without_scalar));
    let mut workers: Vec<Worker> =
        levels.map(|level| Worker::start(level, &settings.work)).collect::<anyhow::Result<_>>()?;
    for worker in &mut workers {
        worker.answer()?;
    }
    eprintln!("all are warm: measuring");
    for _ in 0..settings.work.rounds {
        for worker in &mut workers {
            worker.round()?;
        }
    }
    let best = workers.last().context("there is no level")?;
    for (i, file) in settings.work.data.iter().enumerate() {
        for (p, prior) in episode::PRIORS.iter().enumerate() {
            let place = i * episode::PRIORS.len() + p;
            let mut answer = json!({"data": file.display().to_string(), "prior": prior});
            for worker in &workers {
                let least = worker.rounds.iter().map(|round| round[place]);
                let least = least.fold(f64::INFINITY, f64::min);
                let both = worker.rounds.iter().zip(&best.rounds);
                let mut ratios: Vec<f64> =
                    both.map(|(own, best)| own[place] / best[place]).collect();
                answer[format!("{}_ms", worker.level)] = json!(least);
                answer[format!("{}_ratio", worker.level)] = json!(episode::median(&mut ratios));
            }
            println!("{answer}");
        }
    }
    workers.into_iter().try_for_each(Worker::end)
}

impl Worker {
    fn start(level: SimdLevel, work: &episode::Settings) -> anyhow::Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .args(["episode", "--on-request"])
            .args(["--episodes", &work.episodes.to_string()])
            .args(["--warmup", &work.warmup.to_string()])
            .args(&work.data)
            .env(SimdLevel::VARIABLE, level.name())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let requests = process.stdin.take().context("its input is a pipe")?;
        let answers = BufReader::new(process.stdout.take().context("its output is a pipe")?);
        Ok(Self { level, process, requests, answers, rounds: Vec::new() })
    }

    fn round(&mut self) -> anyhow::Result<()> {
        writeln!(self.requests, "round")?;
        let milliseconds = serde_json::from_str(&self.answer()?)?;
        self.rounds.push(milliseconds);
        Ok(())
    }

    fn answer(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        let length = self.answers.read_line(&mut line)?;
        anyhow::ensure!(length > 0, "the process of level {} ended early", self.level);
        Ok(line)
    }

    fn end(self) -> anyhow::Result<()> {
        let Self { mut process, requests, .. } = self;
        drop(requests);
        process.wait()?;
        Ok(())
    }
}
