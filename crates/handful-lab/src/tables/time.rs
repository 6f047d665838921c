//! The cost of learning and fitting, and the number of training steps.

use super::perplexity::{or_empty, plus_minus};
use super::{Grid, Scores};
use crate::methods::TrainingCourse;
use crate::results::Record;
use crate::statistics::Mean;

/// The cost of a method.
struct Cost {
    train_seconds: Mean,
    fit_seconds: Mean,
    /// For methods that are trained.
    training: Option<Training>,
}

struct Training {
    steps: Mean,
    most_steps: u64,
    best_step: Mean,
    stopped_early: usize,
}

impl Cost {
    fn of(records: &[&Record]) -> Self {
        let mean = |value: fn(&Record) -> f64| {
            Mean::of(&records.iter().map(|record| value(record)).collect::<Vec<_>>())
        };
        let trainings: Vec<&TrainingCourse> =
            records.iter().filter_map(|record| record.prediction.training.as_ref()).collect();
        let steps = |step: fn(&TrainingCourse) -> u64| {
            Mean::of(&trainings.iter().map(|training| step(training) as f64).collect::<Vec<_>>())
        };
        let most_steps = trainings.iter().map(|training| training.steps).max();
        Self {
            train_seconds: mean(|record| record.prediction.train_seconds),
            fit_seconds: mean(|record| record.prediction.fit_seconds),
            training: most_steps.map(|most_steps| Training {
                steps: steps(|training| training.steps),
                most_steps,
                best_step: steps(|training| training.best_step),
                stopped_early: trainings.iter().filter(|training| training.stopped_early).count(),
            }),
        }
    }
}

pub(super) fn markdown(scores: &Scores<'_>) -> String {
    let mut grid = Grid::new(&[
        "method",
        "training, CPU s",
        "fitting a task, CPU ms",
        "steps run",
        "most",
        "best step",
        "ended by early stopping",
    ]);
    for (method, records) in scores.methods.iter().zip(&scores.records) {
        let cost = Cost::of(records);
        let fit = 1e3 * cost.fit_seconds.mean;
        let mut row =
            vec![method.id.to_owned(), plus_minus(&cost.train_seconds, 1), format!("{fit:.2}")];
        match &cost.training {
            Some(training) => row.extend([
                format!("{:.0}", training.steps.mean),
                training.most_steps.to_string(),
                format!("{:.0}", training.best_step.mean),
                format!("{} of {}", training.stopped_early, records.len()),
            ]),
            None => row.extend([const { String::new() }; 4]),
        }
        grid.rows.push(row);
    }
    format!(
        "\n## Time\n\nCPU seconds on one thread, and steps of training: means over the same \
         experiments. Methods that differ at test only share one training.\n\n{}",
        grid.to_markdown()
    )
}

pub(super) fn csv(scores: &Scores<'_>) -> Grid {
    let mut grid = Grid::new(&[
        "method",
        "train_seconds",
        "train_seconds_standard_error",
        "fit_seconds",
        "fit_seconds_standard_error",
        "steps",
        "most_steps",
        "best_step",
        "stopped_early",
        "experiments",
    ]);
    for (method, records) in scores.methods.iter().zip(&scores.records) {
        let Cost { train_seconds, fit_seconds, training } = Cost::of(records);
        let mut row = vec![
            method.id.to_owned(),
            train_seconds.mean.to_string(),
            or_empty(train_seconds.standard_error),
            fit_seconds.mean.to_string(),
            or_empty(fit_seconds.standard_error),
        ];
        match &training {
            Some(training) => row.extend([
                training.steps.mean.to_string(),
                training.most_steps.to_string(),
                training.best_step.mean.to_string(),
                training.stopped_early.to_string(),
            ]),
            None => row.extend([const { String::new() }; 4]),
        }
        row.push(records.len().to_string());
        grid.rows.push(row);
    }
    grid
}
