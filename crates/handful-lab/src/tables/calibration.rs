//! Whether the probabilities of words came true.

use super::perplexity::{or_empty, plus_minus};
use super::{Grid, Scores, counted};
use crate::calibration::{Calibration, LEAST_PROBABILITIES};
use crate::results::{Record, ResultsFolder};
use crate::statistics::Mean;

/// The calibration of the methods that have topics.
pub(super) struct CalibrationTable {
    pub(super) markdown: String,
    pub(super) csv: Grid,
}

/// Creates the table of a folder. Returns `None` if no experiment has the measure.
pub(super) fn calibration(folder: &ResultsFolder) -> Option<CalibrationTable> {
    let scores = Scores::of_records(folder, |record| record.calibration.is_some());
    if scores.occasions.is_empty() {
        return None;
    }
    let mut grid = Grid::new(&["method", "words misplaced"]);
    let mut csv =
        Grid::new(&["method", "least_probability", "predicted", "observed", "experiments"]);
    for (i, least) in LEAST_PROBABILITIES.into_iter().enumerate() {
        grid.header.push(match i.checked_sub(1).map(|above| LEAST_PROBABILITIES[above]) {
            None => format!("{least} or more"),
            Some(above) => format!("{least} to {above}"),
        });
    }
    for (method, records) in scores.methods.iter().zip(&scores.records) {
        let mean = |value: &dyn Fn(&Calibration) -> f64| mean(records, value);
        let mut row = vec![method.id.to_owned(), plus_minus(&mean(&Calibration::error), 3)];
        for (i, least) in LEAST_PROBABILITIES.into_iter().enumerate() {
            let predicted = mean(&|calibration| calibration.predicted[i]).mean;
            let observed = mean(&|calibration| calibration.observed[i]).mean;
            row.push(format!("{predicted:.3}, {observed:.3}"));
            let numbers = [least, predicted, observed].map(|number| or_empty(Some(number)));
            let line = [method.id.to_owned()].into_iter().chain(numbers);
            csv.rows.push(line.chain([records.len().to_string()]).collect());
        }
        grid.rows.push(row);
    }
    let markdown = format!(
        "\n## Calibration\n\nTerms are put in bins by their probability in a document. For each bin, how \
         probable it was that a held-out word is one of its terms, and the share of words that were. Half \
         of the sum of differences is the share of words that would have to be in another bin, with its \
         standard error. Means over {} on {}.{}\n\n{}",
        counted(scores.occasions.len(), "experiment"),
        counted(scores.targets().len(), "target"),
        scores.missing(),
        grid.to_markdown(),
    );
    Some(CalibrationTable { markdown, csv })
}

fn mean(records: &[&Record], value: &dyn Fn(&Calibration) -> f64) -> Mean {
    let values: Vec<f64> =
        records.iter().filter_map(|record| record.calibration.as_ref()).map(value).collect();
    Mean::of(&values)
}
