//! Reports whether groups that are called clear are the right ones.

use super::Grid;
use crate::methods::MODEL;
use crate::number::{NumberFolder, NumberRecord, Trust, Verdict};

/// Groups with at least this adjusted Rand index are nearly right.
const NEARLY_RIGHT: f64 = 0.8;

/// A fit of which it is known how right its groups are.
struct JudgedFit {
    trust: Trust,
    ari: f64,
    has_right_number: bool,
}

/// Rows of a table: which sentence, and what it says of a fit.
type Sentence = (&'static str, fn(&Trust) -> Verdict);
const SENTENCES: [Sentence; 3] =
    [("both", Trust::verdict), ("halves", Trust::by_halves), ("held-out words", Trust::by_gain)];

/// For each sentence and verdict, how many fits have it, and how right their groups are. `None` if no
/// fit says anything, as in old results.
pub(super) fn trust(folder: &NumberFolder) -> Option<(String, Grid)> {
    let fits = fits(folder);
    if fits.is_empty() {
        return None;
    }
    let mut grid = Grid::new(&[
        "sentence",
        "verdict",
        "fits",
        "right groups",
        "adjusted Rand index at least 0.8",
        "mean adjusted Rand index",
        "right number",
    ]);
    for (sentence, says) in SENTENCES {
        for verdict in Verdict::ALL {
            let of: Vec<&JudgedFit> =
                fits.iter().filter(|fit| says(&fit.trust) == verdict).collect();
            if !of.is_empty() {
                grid.rows.push(row(sentence, verdict, &of));
            }
        }
    }
    let markdown = format!(
        "\n## Trust\n\nWhat the sentences under a fit say of its groups, and how right these are, over \
         all {} fits of `{MODEL}`.\n\n{}",
        fits.len(),
        grid.to_markdown()
    );
    Some((markdown, grid))
}

fn fits(folder: &NumberFolder) -> Vec<JudgedFit> {
    let records = folder.records.iter().filter(|record| !record.task_trust.is_empty());
    let of_record = |record: &NumberRecord| -> Vec<JudgedFit> {
        let NumberRecord { task_trust, task_aris, .. } = record;
        let right = record.task_topics.iter().zip(&record.task_subjects).map(|(a, b)| a == b);
        let fits = task_trust.iter().zip(task_aris).zip(right);
        let judged =
            |((&trust, &ari), has_right_number)| JudgedFit { trust, ari, has_right_number };
        fits.map(judged).collect()
    };
    records.flat_map(of_record).collect()
}

fn row(sentence: &str, verdict: Verdict, fits: &[&JudgedFit]) -> Vec<String> {
    let share = |is: &dyn Fn(&JudgedFit) -> bool| {
        let there = fits.iter().filter(|fit| is(fit)).count();
        format!("{:.3}", there as f64 / fits.len() as f64)
    };
    let mean = fits.iter().map(|fit| fit.ari).sum::<f64>() / fits.len() as f64;
    vec![
        sentence.to_owned(),
        verdict.to_string(),
        fits.len().to_string(),
        share(&|fit| fit.ari > 1.0 - 1e-9),
        share(&|fit| fit.ari >= NEARLY_RIGHT),
        format!("{mean:.3}"),
        share(&|fit| fit.has_right_number),
    ]
}
