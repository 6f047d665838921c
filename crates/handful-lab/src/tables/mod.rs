//! The tables and figures of a results folder, from its finished experiments.

mod blends;
mod calibration;
mod curves;
mod grid;
mod groups;
mod measures;
mod number;
mod perplexity;
mod range;
mod rivals;
mod scores;
mod sweep;
mod telling;
mod time;
mod topics;
mod topics_shown;
mod trust;

pub use curves::{Curves, Measure, Scale};
pub use grid::Grid;
pub use groups::{GroupingMeasure, GroupingScore};
pub use measures::SettingScore;
pub use perplexity::{MethodScore, method_scores};
pub use range::RangeScore;
pub use rivals::{BestRival, RivalRatio, Rivals};
pub use scores::Scores;
pub use sweep::SweepCurves;

use crate::protocol::Line;
use crate::results::{Folder, ResultsFolder};
use crate::{Settings, Sweep};
use handful::internals::evaluate::PerplexityMean;
use handful::internals::storage::replace_file;
use handful::{Error, Result};
use std::path::Path;

/// The tables and figures of a folder.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<S = MethodScore> {
    /// All tables, as Markdown.
    pub markdown: String,
    /// The tables as CSV and the figures as SVG: names and contents.
    pub files: Vec<(String, String)>,
    /// The methods' scores.
    pub scores: Vec<S>,
}

/// How many targets the topics table shows if none is named: as many as in the paper.
const TARGETS_WITH_TOPICS: usize = 3;

impl Report {
    /// Creates the report of a folder. Shows the topics of the `named` targets, or of the first
    /// three if none is named.
    pub fn new(folder: &ResultsFolder, named: &[String]) -> Result<Self> {
        let scores = Scores::of(folder);
        let curves = [Sweep::EmSteps, Sweep::Topics].map(|sweep| SweepCurves::of(folder, sweep));
        if scores.methods.is_empty() && curves.iter().all(Option::is_none) {
            return Err(no_experiment(folder.path()));
        }
        let mean = folder.identity.settings.mean;
        let rows = method_scores(&scores, mean);
        let mut report = Self { markdown: heading(folder), files: Vec::new(), scores: rows };
        if !scores.occasions.is_empty() {
            report.add_comparison(&scores, mean);
        }
        if let Some(table) = calibration::calibration(folder) {
            report.markdown += &table.markdown;
            report.files.push(("calibration.csv".to_owned(), table.csv.to_csv()));
        }
        let in_words = topics::topics(folder, named, TARGETS_WITH_TOPICS)?;
        let measured = topics_shown::topics_shown(folder);
        if measured.is_some() || !in_words.markdown.is_empty() {
            report.markdown += "\n## Topics\n";
        }
        if let Some(measured) = measured {
            report.markdown += &measured.markdown;
            report.files.push(("topics-shown.csv".to_owned(), measured.csv.to_csv()));
        }
        if !in_words.csv.rows.is_empty() {
            report.markdown += &in_words.markdown;
            report.files.push(("topics.csv".to_owned(), in_words.csv.to_csv()));
        }
        for sweep in curves.iter().flatten() {
            for curves in sweep.curves() {
                report.add_curves(&curves, &sweep.sentence(), &curves.grid(), &curves.csv());
            }
            let shown = sweep.topics_shown();
            if !shown.rows.is_empty() {
                report.markdown +=
                    "\nTopics that count, and how coherent their telling terms are:\n\n";
                report.markdown += &shown.to_markdown();
            }
        }
        Ok(report)
    }

    fn add_comparison(&mut self, scores: &Scores<'_>, mean: PerplexityMean) {
        self.markdown += &perplexity::markdown(scores, &self.scores, mean);
        self.markdown += &perplexity::markdown_by_target(scores, mean);
        if let Some(rivals) = Rivals::of(scores) {
            self.markdown += &rivals.markdown(scores);
            self.files.push(("rivals.csv".to_owned(), rivals.csv().to_csv()));
        }
        self.markdown += &time::markdown(scores);
        for (name, grid) in [
            ("perplexity.csv", perplexity::csv(&self.scores)),
            ("perplexity-by-target.csv", perplexity::csv_by_target(scores, mean)),
            ("time.csv", time::csv(scores)),
        ] {
            self.files.push((name.to_owned(), grid.to_csv()));
        }
    }
}

impl<S> Report<S> {
    /// Adds curves: a section with a sentence, the figure and a table, and two files.
    fn add_curves(&mut self, curves: &Curves, sentence: &str, table: &Grid, csv: &Grid) {
        let heading = format!("{} by {}", curves.measure.heading, curves.subject);
        let name = curves.file_name();
        self.markdown += &format!(
            "\n## {heading}\n\n![{heading}]({name}.svg)\n\n{sentence}\n\n{}",
            table.to_markdown()
        );
        self.files.push((format!("{name}.csv"), csv.to_csv()));
        self.files.push((format!("{name}.svg"), curves.chart().to_svg()));
    }

    /// Writes `tables.md` and all other files into a folder.
    pub fn write(&self, folder: &Path) -> Result<()> {
        replace_file(&folder.join("tables.md"), self.markdown.as_bytes())?;
        self.files
            .iter()
            .try_for_each(|(name, content)| replace_file(&folder.join(name), content.as_bytes()))
    }
}

/// Formats a count with its noun, in the singular or plural.
fn counted(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// Returns a sentence about the experiments that are not in a table, if there are any.
fn left_out(number: usize) -> String {
    match number {
        0 => String::new(),
        number => format!(" Left out: {number} that not every method has."),
    }
}

fn no_experiment(folder: &Path) -> Error {
    let problem = "has no finished experiment yet";
    let remedy = "wait for the first, or make it with `run`";
    Error::input(folder.display().to_string(), problem, remedy)
}

/// Says how many EM steps are taken.
fn steps(settings: &Settings) -> String {
    let em_steps = settings.training.em_steps;
    match settings.until_converged {
        true => format!("T={em_steps} in training, and on a task until EM converges"),
        false => format!("T={em_steps}"),
    }
}

fn folder_name(folder: &Path) -> String {
    let whole = || folder.display().to_string();
    folder.file_name().map_or_else(whole, |name| name.to_string_lossy().into_owned())
}

/// Describes what all experiments of a folder with targets have in common.
fn heading<L: Line>(folder: &Folder<L>) -> String {
    let settings = &folder.identity.settings;
    let training = &settings.training;
    format!(
        "# {}\n\n{} corpora, {} terms. In each experiment {} corpora validate and {} train; a \
         task is {} documents of the target with {:.0}% of their words held out; there are {} tasks. \
         K={}, {}, seed {}.\n",
        folder_name(folder.path()),
        folder.identity.corpora.len(),
        folder.identity.terms,
        settings.validation_corpora,
        folder.identity.corpora.len().saturating_sub(settings.validation_corpora + 1),
        training.episode.support_size,
        100.0 * (1.0 - training.episode.support_rate),
        settings.tasks,
        training.topics,
        steps(settings),
        training.seed,
    )
}
