//! Thousands of fits from one process, of documents of all sorts with random settings: memory must stay
//! flat.

use anyhow::{Context, bail};
use clap::Args;
use handful::fit::Granularity;
use handful::internals::random::{Purpose, stream};
use handful::reading::{self, ReadSettings};
use handful::views::Shown;
use handful::{Fit, FitSettings, Model, Topics};
use rand::{Rng, RngExt};
use serde_json::json;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Instant;

#[derive(Debug, Args)]
pub struct Settings {
    /// Folders with documents, each a set; more sets are made up
    sets: Vec<PathBuf>,
    #[arg(long, default_value_t = 10_000)]
    fits: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// How many times memory is looked at.
const LOOKS: usize = 20;
/// By how much the memory of the last quarter may exceed that of the second.
const GROWTH: f64 = 1.05;

/// Makes the fits, and prints how much memory the process had on the way. Fails if it grows.
pub fn print(settings: &Settings) -> anyhow::Result<()> {
    let mut sets = made_up(settings.seed);
    for folder in &settings.sets {
        let read = ReadSettings::default();
        let reading =
            reading::read_documents(std::slice::from_ref(folder), &read, &mut io::empty())?;
        let text = |document: reading::RawDocument| match document.content {
            reading::Content::Text(text) => Some(text),
            _ => None,
        };
        sets.push(reading.documents.into_iter().filter_map(text).collect());
    }
    let model = Model::pretrained()?;
    let folder = std::env::temp_dir().join(format!("handful-soak-{}", std::process::id()));
    let mut random = stream(settings.seed, Purpose::Experiment, 0);
    let (start, mut looks, mut refused) = (Instant::now(), Vec::new(), 0);
    for i in 0..settings.fits {
        let documents = &sets[random.random_range(0..sets.len())];
        match model.fit(documents, &random_settings(&mut random, i as u64)) {
            Ok(fit) => use_fit(&fit, &mut random, &folder)?,
            // Some sets have no words, and some numbers of topics are too many.
            Err(_) => refused += 1,
        }
        if (i + 1) % settings.fits.div_ceil(LOOKS) == 0 {
            looks.push(resident()?);
            println!("{}", json!({"fits": i + 1, "resident_bytes": looks.last()}));
        }
    }
    let mean = |looks: &[u64]| looks.iter().sum::<u64>() as f64 / looks.len().max(1) as f64;
    let quarter = looks.len() / 4;
    let growth = mean(&looks[3 * quarter..]) / mean(&looks[quarter..2 * quarter.max(1)]);
    println!(
        "{}",
        json!({"fits": settings.fits, "sets": sets.len(), "refused": refused,
            "seconds": start.elapsed().as_secs_f64(), "growth": growth})
    );
    if growth > GROWTH {
        bail!("memory grew by a factor of {growth:.3} from the second quarter to the last");
    }
    Ok(())
}

fn random_settings(random: &mut impl Rng, seed: u64) -> FitSettings {
    let granularities = [Granularity::Coarse, Granularity::Medium, Granularity::Fine];
    let mut settings = FitSettings::default()
        .with_granularity(granularities[random.random_range(0..granularities.len())])
        .with_seed(seed);
    settings.topics = match random.random_range(0..4) {
        0 => Topics::Number(random.random_range(1..8)),
        1 => Topics::Auto,
        _ => Topics::Usual,
    };
    settings.held_out = random.random_bool(0.5);
    match random.random_range(0..4) {
        0 => settings.with_em_steps(random.random_range(1..20)),
        1 => settings.until_converged(),
        2 => settings.without_words(["bees", "water"]),
        _ => settings,
    }
}

/// Asks a fit for one of the things that people ask for.
fn use_fit(fit: &Fit, random: &mut impl Rng, folder: &PathBuf) -> anyhow::Result<()> {
    let shown = Shown::default();
    match random.random_range(0..6) {
        0 => drop(fit.report()?),
        1 => drop(fit.to_text(&shown)?),
        2 => drop(serde_json::to_string(&fit.summary(&shown)?)?),
        3 => drop(fit.infer(["A hive of bees on the moon.", ""])?),
        4 => drop(Fit::of_files(&fit.to_files()?)?),
        _ => {
            fit.save(folder)?;
            let again = Fit::open(folder)?;
            fs::remove_dir_all(folder)?;
            drop(again.infer(["Bread, flour and a rocket."])?);
        }
    }
    Ok(())
}

/// Sets of documents of all sorts.
fn made_up(seed: u64) -> Vec<Vec<String>> {
    let words = [
        "anchor", "harbour", "tide", "flour", "oven", "salt", "fiddle", "melody", "rocket",
        "orbit", "fever", "doctor", "vote", "council", "forest", "river", "zyzzyva", "quokka",
    ];
    let mut random = stream(seed, Purpose::Experiment, 1);
    let mut text = |length: usize| -> String {
        (0..length)
            .map(|_| words[random.random_range(0..words.len())])
            .collect::<Vec<_>>()
            .join(" ")
    };
    let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    let mut sets = vec![
        Vec::new(),
        owned(&[""]),
        owned(&["", "", ""]),
        owned(&["one"]),
        owned(&["the of and", "a an the"]),
        owned(&["12 34 5.6e7", "0x00 -1", "99 bottles"]),
        owned(&["same words in all", "same words in all", "same words in all"]),
        owned(&[
            "Der Imker öffnet den Bienenstock.",
            "Das Brot ist im Ofen.",
            "Die Rakete startet.",
        ]),
        owned(&["La ruche et les abeilles.", "L'eau de la rivière.", "Le conseil a voté."]),
        owned(&["蜂の巣と女王蜂", "パンを焼く小麦粉", "ロケットの打ち上げ"]),
        owned(&["養蜂人打開了蜂箱", "麵包在烤箱裡", "火箭發射了"]),
        owned(&["النحل في الخلية", "الخبز في الفرن"]),
        owned(&["🐝🐝🐝 🍞", "\u{0}\u{1b}[2J", "\u{feff}\u{202e}txet"]),
        owned(&["<p>Bees &amp; hives</p>", "<script>alert(1)</script>", "a,b,c\n1,2,3"]),
        vec!["word ".repeat(20_000)],
        vec!["x".repeat(100_000), "y".repeat(100_000)],
    ];
    for (documents, length) in [(2, 5), (3, 40), (6, 200), (30, 30), (100, 12), (1, 3000)] {
        sets.push((0..documents).map(|_| text(length)).collect());
    }
    sets
}

/// The memory of this process that is not swapped out.
fn resident() -> anyhow::Result<u64> {
    let status = fs::read_to_string("/proc/self/status").context("the system has no /proc")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    Ok(kilobytes.context("/proc/self/status has no VmRSS")? * 1024)
}
