//! Compares one model for every use with models for one setting.

use super::perplexity::{or_empty, plus_minus};
use super::{
    Curves, Grid, Measure, Report, Scale, Scores, counted, heading, left_out, no_experiment,
};
use crate::range::{
    Axis, FOR_ALL, FOR_ONE, RANGE_METHODS, RangeFolder, RangeKey, RangeMethod, RangeRecord,
};
use crate::statistics::Mean;
use handful::Result;
use std::collections::BTreeMap;

/// A point of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct RangeScore {
    /// The setting that was varied.
    pub axis: Axis,
    /// Its value.
    pub value: usize,
    /// The method's id.
    pub method: &'static str,
    /// The perplexity over targets and repeats.
    pub perplexity: Mean,
    /// The ratio to the perplexity of the model trained for this setting: the geometric mean over
    /// targets. `None` if that model was not tried.
    pub ratio: Option<Mean>,
}

type RangeScores<'a> = Scores<'a, RangeMethod, RangeRecord>;

/// The comparable experiments along an axis.
struct AxisTable<'a> {
    axis: Axis,
    methods: Vec<&'static RangeMethod>,
    /// For each value, the targets and repeats that every method has.
    rows: Vec<(usize, RangeScores<'a>)>,
    /// The number of targets and repeats, over all values, that some method does not have yet.
    missing: usize,
}

impl Report<RangeScore> {
    /// Creates the report of a folder with results over a range of settings.
    pub fn of_range(folder: &RangeFolder) -> Result<Self> {
        let tables = Axis::ALL.map(|axis| AxisTable::of(folder, axis));
        let scores: Vec<RangeScore> = tables.iter().flat_map(AxisTable::scores).collect();
        if scores.is_empty() {
            return Err(no_experiment(folder.path()));
        }
        let markdown = heading(folder) + ABOUT + &at_the_usual_setting(folder, &scores);
        let mut report = Self { markdown, files: Vec::new(), scores };
        for table in tables.iter().filter(|table| !table.rows.is_empty()) {
            report.add_curves(&table.curves(), &table.sentence(), &table.grid(), &table.csv());
        }
        report.files.push(("perplexity-by-target.csv".to_owned(), by_target(&tables).to_csv()));
        Ok(report)
    }
}

const ABOUT: &str = "\nBelow, K, N or the length of documents is varied, one at a time. \
                     `handful-for-all` is one model, trained with any number of topics and documents \
                     and with documents of many lengths; all else is trained, or tuned, for each \
                     setting anew. A target that is too small for a setting is left out there, while \
                     training and validation corpora give what they have.\n";

/// Describes what the model for all uses costs at the K and N of the folder's settings.
fn at_the_usual_setting(folder: &RangeFolder, scores: &[RangeScore]) -> String {
    let training = &folder.identity.settings.training;
    let (topics, documents) = (training.topics, training.episode.support_size);
    let is_usual = |score: &&RangeScore| match score.axis {
        Axis::Topics => score.value == topics,
        Axis::Documents => score.value == documents,
        Axis::Length => false,
    };
    let mut usual = scores.iter().filter(|score| score.method == FOR_ALL).filter(is_usual);
    let Some(ratio) = usual.find_map(|score| score.ratio) else { return String::new() };
    format!(
        "\nAt K={topics} and N={documents}, with documents as they are, `{FOR_ALL}` has {} times the \
         perplexity of `{FOR_ONE}`: geometric mean and standard error over {}.\n",
        plus_minus(&ratio, 4),
        counted(ratio.count, "target"),
    )
}

impl<'a> AxisTable<'a> {
    fn of(folder: &'a RangeFolder, axis: Axis) -> Self {
        let of_value = |&value: &usize| {
            let is_there =
                move |record: &&RangeRecord| (record.key.axis, record.key.value) == (axis, value);
            let belongs = |method: &RangeMethod, key: &RangeKey| key.method == method.id;
            let records = folder.records.iter().filter(is_there);
            (value, Scores::among(&RANGE_METHODS, records, belongs))
        };
        let mut rows: Vec<(usize, RangeScores<'a>)> = axis.values().iter().map(of_value).collect();
        let is_tried =
            |method: &&RangeMethod| rows.iter().any(|(_, row)| row.methods.contains(method));
        let methods: Vec<&RangeMethod> = RANGE_METHODS.iter().filter(is_tried).collect();
        let all: usize = rows.iter().map(|(_, row)| row.all_occasions).sum();
        rows.retain(|(_, row)| row.methods == methods && !row.occasions.is_empty());
        let there: usize = rows.iter().map(|(_, row)| row.occasions.len()).sum();
        Self { axis, methods, rows, missing: all - there }
    }

    /// Computes the scores for a value, one per method.
    fn scores_of(&self, value: usize, row: &RangeScores<'_>) -> Vec<RangeScore> {
        let base = self.methods.iter().position(|method| method.id == FOR_ONE);
        let score = |(i, method): (usize, &&'static RangeMethod)| RangeScore {
            axis: self.axis,
            value,
            method: method.id,
            perplexity: Mean::of(&perplexities(&row.records[i])),
            ratio: base.map(|base| mean_ratio(&row.records[i], &row.records[base])),
        };
        self.methods.iter().enumerate().map(score).collect()
    }

    /// Computes a score for each value and method.
    fn scores(&self) -> Vec<RangeScore> {
        self.rows.iter().flat_map(|(value, row)| self.scores_of(*value, row)).collect()
    }

    fn curves(&self) -> Curves {
        let (subject, name) = match self.axis {
            Axis::Topics => ("number of topics K", "topics"),
            Axis::Documents => ("number of documents N", "documents"),
            Axis::Length => ("length of documents (words)", "length"),
        };
        let curve = |(i, method): (usize, &&'static RangeMethod)| {
            let rows = self.rows.iter();
            (method.id, rows.map(|(_, row)| Mean::of(&perplexities(&row.records[i]))).collect())
        };
        Curves {
            measure: Measure::PERPLEXITY,
            subject,
            name,
            values: self.rows.iter().map(|(value, _)| *value).collect(),
            scale: Scale::Logarithmic,
            methods: self.methods.iter().enumerate().map(curve).collect(),
        }
    }

    /// Whether both the model for all uses and the models for one setting were tried.
    fn is_compared(&self) -> bool {
        let is_there = |id: &str| self.methods.iter().any(|method| method.id == id);
        is_there(FOR_ALL) && is_there(FOR_ONE)
    }

    fn sentence(&self) -> String {
        let of_ratio = match self.is_compared() {
            true => "; of the ratio, geometric mean and standard error over targets",
            false => "",
        };
        let left_out = left_out(self.missing);
        format!("Mean and standard error over experiments{of_ratio}.{left_out}")
    }

    fn grid(&self) -> Grid {
        let mut grid = self.curves().grid();
        if self.is_compared() {
            grid.header.push(format!("{FOR_ALL} / {FOR_ONE}"));
        }
        grid.header.extend(["experiments", "targets"].map(str::to_owned));
        for (cells, (value, row)) in grid.rows.iter_mut().zip(&self.rows) {
            let mut scores = self.scores_of(*value, row).into_iter();
            let of_all = scores.find(|score| score.method == FOR_ALL);
            let ratio = of_all.and_then(|score| score.ratio);
            cells.extend(ratio.map(|ratio| plus_minus(&ratio, 3)));
            cells.push(row.occasions.len().to_string());
            cells.push(row.targets().len().to_string());
        }
        grid
    }

    fn csv(&self) -> Grid {
        let mut grid = self.curves().csv();
        let columns = ["ratio_to_handful", "ratio_standard_error", "targets"];
        grid.header.extend(columns.map(str::to_owned));
        let targets = self
            .rows
            .iter()
            .flat_map(|(_, row)| std::iter::repeat_n(row.targets().len(), self.methods.len()));
        for ((cells, score), targets) in grid.rows.iter_mut().zip(self.scores()).zip(targets) {
            cells.push(or_empty(score.ratio.map(|ratio| ratio.mean)));
            cells.push(or_empty(score.ratio.and_then(|ratio| ratio.standard_error)));
            cells.push(targets.to_string());
        }
        grid
    }

    /// Adds a row for each value, target and method.
    fn add_targets(&self, grid: &mut Grid) {
        for (value, row) in &self.rows {
            for target in row.targets() {
                for (method, records) in self.methods.iter().zip(&row.records) {
                    let mean = Mean::of(&perplexities(&on_target(records, target)));
                    grid.rows.push(vec![
                        self.axis.to_string(),
                        value.to_string(),
                        target.to_owned(),
                        method.id.to_owned(),
                        mean.mean.to_string(),
                        or_empty(mean.standard_error),
                        mean.count.to_string(),
                    ]);
                }
            }
        }
    }
}

fn by_target(tables: &[AxisTable<'_>]) -> Grid {
    let mut grid = Grid::new(&["axis", "value", "target", "method"]);
    let numbers = ["perplexity", "standard_error", "experiments"];
    grid.header.extend(numbers.map(str::to_owned));
    tables.iter().for_each(|table| table.add_targets(&mut grid));
    grid
}

fn perplexities(records: &[&RangeRecord]) -> Vec<f64> {
    records.iter().map(|record| record.prediction.perplexity).collect()
}

fn on_target<'a>(records: &[&'a RangeRecord], target: &str) -> Vec<&'a RangeRecord> {
    records.iter().copied().filter(|record| record.key.target == target).collect()
}

/// Computes the ratio of the perplexities of two methods: the geometric mean over targets of each
/// target's geometric mean over repeats.
fn mean_ratio(some: &[&RangeRecord], others: &[&RangeRecord]) -> Mean {
    let mut by_target: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (one, other) in some.iter().zip(others) {
        let ratio = one.prediction.perplexity / other.prediction.perplexity;
        by_target.entry(&one.key.target).or_default().push(ratio);
    }
    let of_target = |ratios: &Vec<f64>| Mean::geometric(ratios).mean;
    Mean::geometric(&by_target.values().map(of_target).collect::<Vec<_>>())
}
