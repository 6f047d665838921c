//! The paper's first table: perplexity, and which methods cannot be distinguished from the best.

use super::{Grid, Scores, counted};
use crate::methods::Method;
use crate::results::Record;
use crate::statistics::{Better, Mean, Ranked, rank};

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodScore {
    /// The method's id.
    pub method: &'static str,
    /// Its name in the paper.
    pub paper: Option<&'static str>,
    /// The perplexity over targets and repeats.
    pub perplexity: Ranked,
}

pub(super) fn perplexities(records: &[&Record]) -> Vec<f64> {
    records.iter().map(|record| record.prediction.perplexity).collect()
}

/// Computes the rows of the table.
pub fn method_scores(scores: &Scores<'_>) -> Vec<MethodScore> {
    if scores.occasions.is_empty() {
        return Vec::new();
    }
    let columns: Vec<Vec<f64>> = scores.records.iter().map(|row| perplexities(row)).collect();
    let row = |(method, perplexity): (&&'static Method, Ranked)| MethodScore {
        method: method.id,
        paper: method.paper,
        perplexity,
    };
    scores.methods.iter().zip(rank(&columns, Better::Lower)).map(row).collect()
}

/// Formats a mean with its standard error.
pub(super) fn plus_minus(mean: &Mean, digits: usize) -> String {
    match mean.standard_error {
        Some(error) => format!("{:.digits$} ± {error:.digits$}", mean.mean),
        None => format!("{:.digits$}", mean.mean),
    }
}

pub(super) fn bold(text: String, is_bold: bool) -> String {
    if is_bold { format!("**{text}**") } else { text }
}

pub(super) fn markdown(scores: &Scores<'_>, rows: &[MethodScore]) -> String {
    let mut grid = Grid::new(&["method", "in the paper", "perplexity", "p"]);
    for row in rows {
        grid.rows.push(vec![
            row.method.to_owned(),
            row.paper.unwrap_or("").to_owned(),
            bold(plus_minus(&row.perplexity.mean, 1), row.perplexity.is_among_best),
            row.perplexity.p_value.map_or(String::new(), p_text),
        ]);
    }
    format!(
        "\n## Perplexity\n\nMean and standard error over {} on {}.{} Bold: not \
         different from the best at the 5% level by a paired t-test, whose p is given.\n\n{}",
        counted(scores.occasions.len(), "experiment"),
        counted(scores.targets().len(), "target"),
        scores.missing(),
        grid.to_markdown()
    )
}

pub(super) fn p_text(p: f64) -> String {
    if p < 0.001 { "<0.001".to_owned() } else { format!("{p:.3}") }
}

pub(super) fn csv(rows: &[MethodScore]) -> Grid {
    let header = ["method", "perplexity", "standard_error", "experiments", "p_value", "among_best"];
    let mut grid = Grid::new(&header);
    for row in rows {
        let Ranked { mean, p_value, is_among_best } = row.perplexity;
        let Mean { mean, standard_error, count } = mean;
        grid.rows.push(vec![
            row.method.to_owned(),
            mean.to_string(),
            or_empty(standard_error),
            count.to_string(),
            or_empty(p_value),
            is_among_best.to_string(),
        ]);
    }
    grid
}

pub(super) fn or_empty(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// Computes the mean perplexity of every method on one target.
fn on_target(scores: &Scores<'_>, target: &str) -> Vec<Mean> {
    let of_method = |method: usize| Mean::of(&perplexities(&scores.on_target(method, target)));
    (0..scores.methods.len()).map(of_method).collect()
}

pub(super) fn markdown_by_target(scores: &Scores<'_>) -> String {
    let mut grid = Grid::new(&["target"]);
    grid.header.extend(scores.methods.iter().map(|method| method.id.to_owned()));
    for target in scores.targets() {
        let means = on_target(scores, target);
        let best = means.iter().map(|mean| mean.mean).fold(f64::INFINITY, f64::min);
        let cell = |mean: &Mean| bold(format!("{:.1}", mean.mean), mean.mean == best);
        let cells = std::iter::once(target.to_owned()).chain(means.iter().map(cell));
        grid.rows.push(cells.collect());
    }
    format!(
        "\n## Perplexity by target\n\nMean over repeats; bold: the lowest.\n\n{}",
        grid.to_markdown()
    )
}

pub(super) fn csv_by_target(scores: &Scores<'_>) -> Grid {
    let mut grid = Grid::new(&["target", "method", "perplexity", "standard_error", "experiments"]);
    for target in scores.targets() {
        for (method, mean) in scores.methods.iter().zip(on_target(scores, target)) {
            grid.rows.push(vec![
                target.to_owned(),
                method.id.to_owned(),
                mean.mean.to_string(),
                or_empty(mean.standard_error),
                mean.count.to_string(),
            ]);
        }
    }
    grid
}
