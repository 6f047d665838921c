//! The paper's first table: perplexity, and which methods cannot be distinguished from the best.

use super::{Grid, Scores, counted};
use crate::results::Record;
use crate::statistics::{Better, Mean, Ranked, rank};
use handful::internals::evaluate::PerplexityMean;

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodScore {
    /// The method's id.
    pub method: &'static str,
    /// Its name in the paper.
    pub paper: Option<&'static str>,
    /// The perplexity by the settings' mean, with experiments as units.
    pub perplexity: Ranked,
    /// The same, with targets as units: a target's repeats share its documents.
    pub over_targets: Ranked,
    /// The same as `perplexity`, among the paper's methods alone.
    pub in_paper: Option<Ranked>,
    /// The other means of perplexity, where results have them.
    pub others: Vec<(PerplexityMean, Mean)>,
}

/// The mean that a column of the table shows, and its heading.
const MEANS: [(PerplexityMean, &str); 3] = [
    (PerplexityMean::Words, "pooled"),
    (PerplexityMean::Tasks, "mean of tasks"),
    (PerplexityMean::Documents, "mean of documents"),
];

pub(super) fn mean_name(mean: PerplexityMean) -> &'static str {
    MEANS.iter().find(|(of, _)| *of == mean).expect("every mean has a name").1
}

/// The perplexity of each experiment, or `None` if one lacks it.
fn perplexities_by(records: &[&Record], mean: PerplexityMean) -> Option<Vec<f64>> {
    records.iter().map(|record| record.prediction.perplexity_by(mean)).collect()
}

/// The perplexity of each experiment by `mean`, or pooled if one lacks that.
pub(super) fn perplexities(records: &[&Record], mean: PerplexityMean) -> Vec<f64> {
    let pooled = || perplexities_by(records, PerplexityMean::Words);
    perplexities_by(records, mean).or_else(pooled).expect("every result has it")
}

/// Averages what experiments on the same target have.
pub(super) fn by_target(scores: &Scores<'_>, values: &[f64]) -> Vec<f64> {
    let of_target = |target: &str| {
        let values = scores.occasions.iter().zip(values).filter(|((t, _), _)| t == target);
        Mean::of(&values.map(|(_, value)| *value).collect::<Vec<f64>>()).mean
    };
    scores.targets().into_iter().map(of_target).collect()
}

/// Computes the rows of the table. Perplexity is by `mean`, or pooled if some results lack that.
pub fn method_scores(scores: &Scores<'_>, mean: PerplexityMean) -> Vec<MethodScore> {
    if scores.occasions.is_empty() {
        return Vec::new();
    }
    let columns = |mean| -> Option<Vec<Vec<f64>>> {
        scores.records.iter().map(|records| perplexities_by(records, mean)).collect()
    };
    let (mean, values) = columns(mean).map_or_else(
        || (PerplexityMean::Words, columns(PerplexityMean::Words).expect("every result has it")),
        |values| (mean, values),
    );
    let of_targets: Vec<Vec<f64>> = values.iter().map(|column| by_target(scores, column)).collect();
    let of_paper: Vec<Vec<f64>> = scores
        .methods
        .iter()
        .zip(&values)
        .filter(|(method, _)| method.paper.is_some())
        .map(|(_, column)| column.clone())
        .collect();
    let mut in_paper = rank(&of_paper, Better::Lower).into_iter();
    let others = MEANS.iter().map(|(other, _)| *other).filter(|other| *other != mean);
    let others: Vec<(PerplexityMean, Vec<Vec<f64>>)> =
        others.filter_map(|other| Some((other, columns(other)?))).collect();
    let ranked = rank(&values, Better::Lower).into_iter().zip(rank(&of_targets, Better::Lower));
    let row = |(m, (perplexity, over_targets)): (usize, (Ranked, Ranked))| MethodScore {
        method: scores.methods[m].id,
        paper: scores.methods[m].paper,
        perplexity,
        over_targets,
        in_paper: scores.methods[m].paper.and_then(|_| in_paper.next()),
        others: others.iter().map(|(other, of)| (*other, Mean::of(&of[m]))).collect(),
    };
    ranked.enumerate().map(row).collect()
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

pub(super) fn markdown(scores: &Scores<'_>, rows: &[MethodScore], mean: PerplexityMean) -> String {
    let mut header = vec!["method", "in the paper", "perplexity", "p", "p, targets"];
    let has_paper = rows.iter().filter(|row| row.in_paper.is_some()).count() > 1;
    if has_paper {
        header.push("among the paper's");
    }
    header.extend(rows[0].others.iter().map(|(other, _)| mean_name(*other)));
    let mut grid = Grid::new(&header);
    for row in rows {
        let mut cells = vec![
            row.method.to_owned(),
            row.paper.unwrap_or("").to_owned(),
            bold(plus_minus(&row.perplexity.mean, 1), row.perplexity.is_among_best),
            row.perplexity.p_value.map_or(String::new(), p_text),
            row.over_targets.p_value.map_or(String::new(), p_text),
        ];
        if has_paper {
            cells.push(row.in_paper.map_or(String::new(), |ranked| {
                let p = ranked.p_value.map_or("best".to_owned(), p_text);
                bold(p, ranked.is_among_best)
            }));
        }
        cells.extend(row.others.iter().map(|(_, other)| plus_minus(other, 1)));
        grid.rows.push(cells);
    }
    let among = match has_paper {
        true => " \"Among the paper's\" has p and bold of its methods alone, as its table.",
        false => "",
    };
    format!(
        "\n## Perplexity\n\nMean ({}) and standard error over {} on {}.{} Bold: not \
         different from the best at the 5% level by a paired t-test, whose p is given. Repeats of a \
         target share its documents: the second p is of the targets' means.{among}\n\n{}",
        mean_name(mean),
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
    let mut header = vec![
        "method",
        "perplexity",
        "standard_error",
        "experiments",
        "p_value",
        "among_best",
        "p_value_over_targets",
        "p_value_in_paper",
        "among_best_in_paper",
    ];
    let others: Vec<String> = rows.first().map_or(Vec::new(), |row| {
        row.others.iter().map(|(other, _)| mean_name(*other).replace(' ', "_")).collect()
    });
    header.extend(others.iter().map(String::as_str));
    let mut grid = Grid::new(&header);
    for row in rows {
        let Ranked { mean, p_value, is_among_best } = row.perplexity;
        let Mean { mean, standard_error, count } = mean;
        let mut cells = vec![
            row.method.to_owned(),
            mean.to_string(),
            or_empty(standard_error),
            count.to_string(),
            or_empty(p_value),
            is_among_best.to_string(),
            or_empty(row.over_targets.p_value),
            or_empty(row.in_paper.and_then(|ranked| ranked.p_value)),
            row.in_paper.map_or(String::new(), |ranked| ranked.is_among_best.to_string()),
        ];
        cells.extend(row.others.iter().map(|(_, other)| other.mean.to_string()));
        grid.rows.push(cells);
    }
    grid
}

pub(super) fn or_empty(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// Computes the mean perplexity of every method on one target.
fn on_target(scores: &Scores<'_>, target: &str, mean: PerplexityMean) -> Vec<Mean> {
    let of_method =
        |method: usize| Mean::of(&perplexities(&scores.on_target(method, target), mean));
    (0..scores.methods.len()).map(of_method).collect()
}

pub(super) fn markdown_by_target(scores: &Scores<'_>, mean: PerplexityMean) -> String {
    let mut grid = Grid::new(&["target"]);
    grid.header.extend(scores.methods.iter().map(|method| method.id.to_owned()));
    for target in scores.targets() {
        let means = on_target(scores, target, mean);
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

pub(super) fn csv_by_target(scores: &Scores<'_>, mean: PerplexityMean) -> Grid {
    let mut grid = Grid::new(&["target", "method", "perplexity", "standard_error", "experiments"]);
    for target in scores.targets() {
        for (method, mean) in scores.methods.iter().zip(on_target(scores, target, mean)) {
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
