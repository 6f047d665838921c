//! The tables and figures of a results folder, from the lines that are there.

mod grid;
mod perplexity;
mod scores;
mod sweep;
mod time;
mod topics;

pub use grid::Grid;
pub use perplexity::{MethodScore, method_scores};
pub use scores::Scores;
pub use sweep::SweepCurves;

use crate::Sweep;
use crate::results::ResultsFolder;
use handful::storage::replace_file;
use handful::{Error, Result};
use std::path::Path;

/// The tables and figures of a folder.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// All tables, to be read.
    pub markdown: String,
    /// The same as CSV, and the figures as SVG: names and contents.
    pub files: Vec<(String, String)>,
    /// The methods' perplexities.
    pub scores: Vec<MethodScore>,
}

/// Targets of the topics table where none is named: as many as in the paper.
const TARGETS_WITH_TOPICS: usize = 3;

impl Report {
    /// The report of what a folder holds. Of the named targets, or else of the first three, topics
    /// are shown.
    pub fn new(folder: &ResultsFolder, named: &[String]) -> Result<Self> {
        let scores = Scores::of(folder);
        let curves = [Sweep::EmSteps, Sweep::Topics].map(|sweep| SweepCurves::of(folder, sweep));
        if scores.methods.is_empty() && curves.iter().all(Option::is_none) {
            let problem = "has no finished experiment yet";
            let place = folder.path().display().to_string();
            return Err(Error::input(
                place,
                problem,
                "wait for the first, or run `handful compare`",
            ));
        }
        let mut report =
            Self { markdown: heading(folder), files: Vec::new(), scores: method_scores(&scores) };
        if !scores.pairs.is_empty() {
            report.add_comparison(&scores);
        }
        let topics = topics::topics(folder, named, TARGETS_WITH_TOPICS)?;
        if !topics.csv.rows.is_empty() {
            report.markdown += &topics.markdown;
            report.files.push(("topics.csv".to_owned(), topics.csv.to_csv()));
        }
        for curves in curves.into_iter().flatten() {
            let name = curves.file_name();
            report.markdown += &curves.markdown();
            report.files.push((format!("{name}.csv"), curves.csv().to_csv()));
            report.files.push((format!("{name}.svg"), curves.chart().to_svg()));
        }
        Ok(report)
    }

    fn add_comparison(&mut self, scores: &Scores<'_>) {
        self.markdown += &perplexity::markdown(scores, &self.scores);
        self.markdown += &perplexity::markdown_by_target(scores);
        self.markdown += &time::markdown(scores);
        for (name, grid) in [
            ("perplexity.csv", perplexity::csv(&self.scores)),
            ("perplexity-by-target.csv", perplexity::csv_by_target(scores)),
            ("time.csv", time::csv(scores)),
        ] {
            self.files.push((name.to_owned(), grid.to_csv()));
        }
    }

    /// Writes `tables.md` and all other files into a folder.
    pub fn write(&self, folder: &Path) -> Result<()> {
        replace_file(&folder.join("tables.md"), self.markdown.as_bytes())?;
        self.files
            .iter()
            .try_for_each(|(name, content)| replace_file(&folder.join(name), content.as_bytes()))
    }
}

/// So many of something, in words.
fn counted(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

fn heading(folder: &ResultsFolder) -> String {
    let settings = &folder.identity.settings;
    let training = &settings.training;
    let name = folder.path().file_name().map_or_else(
        || folder.path().display().to_string(),
        |name| name.to_string_lossy().into_owned(),
    );
    format!(
        "# {name}\n\n{} corpora, {} terms. In each experiment {} corpora validate and {} train; a \
         task is {} documents of the target with {:.0}% of their words held out; there are {} tasks. \
         K={}, T={}, seed {}.\n",
        folder.identity.corpora.len(),
        folder.identity.terms,
        settings.validation_corpora,
        folder.identity.corpora.len().saturating_sub(settings.validation_corpora + 1),
        training.episode.support_size,
        100.0 * (1.0 - training.episode.support_rate),
        settings.tasks,
        training.topics,
        training.em_steps,
        training.seed,
    )
}
