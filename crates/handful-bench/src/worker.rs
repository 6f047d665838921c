//! Workers: units of work on demand.

use crate::{Settings, data};
use handful::internals::corpus::{Episode, EpisodeSampler, EpisodeSettings};
use handful::internals::em::EmStop;
use handful::internals::random::{Purpose, stream};
use handful::internals::topic_model::TopicModel;
use handful::internals::train::{Trainer, TrainingCorpora, ValidationChoice};
use serde_json::{Value, json};
use std::hint::black_box;
use std::io::{self, BufRead, Write};
use std::time::Instant;

/// A unit is a training episode, everything included: sampling, forward, backward, Adam.
pub fn train(settings: &Settings) -> anyhow::Result<()> {
    let (corpora, terms) = data::read(&settings.data)?;
    let train_settings = data::train_settings(settings);
    let roles = TrainingCorpora::choose(&corpora, &[], &ValidationChoice::Drawn(0), 1)?;
    let mut trainer = Trainer::new(&roles, terms, &train_settings)?;
    let episodes = settings.episodes_per_step as u64;
    for _ in 0..settings.warmup {
        trainer.step()?;
    }
    serve(json!({"terms": terms, "threads": settings.threads}), |units| {
        let steps = units.div_ceil(episodes);
        for _ in 0..steps {
            trainer.step()?;
        }
        Ok(steps * episodes)
    })
}

/// A unit is a fit of a few documents with a trained model: prior, EM and topics.
pub fn fit(settings: &Settings) -> anyhow::Result<()> {
    let (corpora, terms) = data::read(&settings.data)?;
    let train_settings = data::train_settings(settings);
    let roles = TrainingCorpora::choose(&corpora, &[], &ValidationChoice::Drawn(0), 1)?;
    let mut trainer = Trainer::new(&roles, terms, &train_settings)?;
    for _ in 0..100 {
        trainer.step()?;
    }
    let prior = trainer.prior();
    // Whole documents, as a user gives them: nothing is held out but a word in a thousand.
    let whole = EpisodeSettings { support_rate: 0.999, ..train_settings.episode };
    let sampler = EpisodeSampler::new(roles.training.clone(), whole)?;
    let mut tasks = Vec::new();
    for number in 0..64 {
        let mut episode = Episode::default();
        sampler.draw(&mut stream(1, Purpose::Evaluation, number), &mut episode)?;
        tasks.push(episode.support);
    }
    let mut next = 0;
    let mut run = |units: u64| {
        for _ in 0..units {
            let documents = &tasks[next % tasks.len()];
            black_box(TopicModel::fit(&prior, documents, EmStop::Steps(settings.em_steps)));
            next += 1;
        }
        Ok(units)
    };
    run(settings.warmup)?;
    serve(json!({"terms": terms, "threads": settings.threads}), run)
}

/// Says that it is ready, then answers `run N` until standard input ends or says `quit`.
pub fn serve(
    mut facts: Value,
    mut run: impl FnMut(u64) -> handful::Result<u64>,
) -> anyhow::Result<()> {
    facts["ready"] = json!(true);
    facts["version"] = json!(env!("CARGO_PKG_VERSION"));
    let mut out = io::stdout();
    writeln!(out, "{facts}")?;
    for line in io::stdin().lock().lines() {
        let line = line?;
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["run", units] => {
                let start = Instant::now();
                let units = run(units.parse()?)?;
                let seconds = start.elapsed().as_secs_f64();
                writeln!(out, "{}", json!({"units": units, "seconds": seconds}))?;
            }
            ["quit"] => break,
            _ => anyhow::bail!("cannot understand `{line}`: it takes `run N` or `quit`"),
        }
    }
    Ok(())
}
