//! Compares Handful's own prior with every other method and, on each target, with the best of them.

use super::perplexity::{by_target, or_empty, p_text, plus_minus};
use super::{Grid, Scores, counted};
use crate::methods::{Method, OWN};
use crate::results::Record;
use crate::statistics::{LEVEL, Mean, holm, paired_t_test};
use handful::internals::em::Likelihood;

/// How Handful's own prior compares with the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Rivals {
    /// For each other method, the ratio of perplexities, Handful's over the other's.
    pub ratios: Vec<RivalRatio>,
    /// For each target, the best other method, not counting other forms of Handful's own prior.
    pub best: Vec<BestRival>,
}

/// Handful's perplexity over another method's.
#[derive(Clone, Debug, PartialEq)]
pub struct RivalRatio {
    /// The other method.
    pub method: &'static str,
    /// The geometric mean over experiments.
    pub ratio: Mean,
    /// The p-value of a t-test that the logarithm is 0, with targets as units: repeats of a target
    /// share its documents. `None` for a single target.
    pub p_over_targets: Option<f64>,
}

/// A target, and the best other method on it.
#[derive(Clone, Debug, PartialEq)]
pub struct BestRival {
    /// The target corpus.
    pub target: String,
    /// The other method with the lowest perplexity.
    pub method: &'static str,
    /// Its perplexity, pooled over the tasks of all repeats.
    pub perplexity: f64,
    /// Handful's perplexity.
    pub own_perplexity: f64,
    /// The p-value of a t-test paired over tasks, adjusted for the number of targets. `None` if
    /// there is only one task.
    pub p_value: Option<f64>,
}

impl BestRival {
    /// Whether Handful is better or worse, if the difference is significant at the 5% level.
    fn verdict(&self) -> &'static str {
        match self.p_value {
            Some(p) if p < LEVEL && self.own_perplexity < self.perplexity => "better",
            Some(p) if p < LEVEL => "worse",
            _ => "level",
        }
    }
}

/// Computes the pooled perplexity.
fn perplexity(records: &[&Record]) -> f64 {
    let likelihood = |record: &&Record| Likelihood {
        log_likelihood: record.prediction.log_likelihood,
        words: record.prediction.query_words,
    };
    records.iter().map(likelihood).sum::<Likelihood>().perplexity()
}

fn task_log_likelihoods(records: &[&Record]) -> Vec<f64> {
    records.iter().flat_map(|r| r.prediction.task_log_likelihoods.iter().copied()).collect()
}

impl Rivals {
    /// Compares the methods. Returns `None` if Handful's own prior is not among them, or is the
    /// only one.
    pub fn of(scores: &Scores<'_>) -> Option<Self> {
        let own = scores.methods.iter().position(|method| method.id == OWN)?;
        let others: Vec<usize> = (0..scores.methods.len()).filter(|&m| m != own).collect();
        if others.is_empty() || scores.occasions.is_empty() {
            return None;
        }
        let ratio = |&m: &usize| {
            let perplexity = |record: &Record| record.prediction.perplexity;
            let pairs = scores.records[own].iter().zip(&scores.records[m]);
            let ratios: Vec<f64> = pairs.map(|(a, b)| perplexity(a) / perplexity(b)).collect();
            let logarithms: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
            let of_targets = by_target(scores, &logarithms);
            RivalRatio {
                method: scores.methods[m].id,
                ratio: Mean::geometric(&ratios),
                p_over_targets: paired_t_test(&of_targets, &vec![0.0; of_targets.len()]),
            }
        };
        let whole: Vec<usize> =
            others.iter().copied().filter(|&m| !scores.methods[m].is_own()).collect();
        let mut best: Vec<BestRival> = scores
            .targets()
            .into_iter()
            .filter_map(|t| best_rival(scores, own, &whole, t))
            .collect();
        let p_values: Option<Vec<f64>> = best.iter().map(|rival| rival.p_value).collect();
        for (rival, p_value) in best.iter_mut().zip(p_values.map(|p| holm(&p)).unwrap_or_default())
        {
            rival.p_value = Some(p_value);
        }
        Some(Self { ratios: others.iter().map(ratio).collect(), best })
    }

    pub(super) fn markdown(&self, scores: &Scores<'_>) -> String {
        let mut ratios = Grid::new(&["method", "ratio", "lower by", "p, targets"]);
        for RivalRatio { method, ratio, p_over_targets } in &self.ratios {
            ratios.rows.push(vec![
                (*method).to_owned(),
                plus_minus(ratio, 3),
                format!("{:.1}%", 100.0 * (1.0 - ratio.mean)),
                p_over_targets.map_or(String::new(), p_text),
            ]);
        }
        let mut text = format!(
            "\n## `{OWN}` against the others\n\nPerplexity of `{OWN}` over that of the other \
             method: geometric mean and standard error over {} on {}, and p of a t-test of its \
             logarithm with targets as units.\n\n{}",
            counted(scores.occasions.len(), "experiment"),
            counted(scores.targets().len(), "target"),
            ratios.to_markdown()
        );
        if !self.best.is_empty() {
            text += &self.best_in_words();
        }
        text
    }

    fn best_in_words(&self) -> String {
        let header = ["target", "best of the others", "its perplexity", OWN, "ratio", "p", ""];
        let mut grid = Grid::new(&header);
        for rival in &self.best {
            grid.rows.push(vec![
                rival.target.clone(),
                rival.method.to_owned(),
                format!("{:.1}", rival.perplexity),
                format!("{:.1}", rival.own_perplexity),
                format!("{:.3}", rival.own_perplexity / rival.perplexity),
                rival.p_value.map_or(String::new(), p_text),
                rival.verdict().to_owned(),
            ]);
        }
        let number = |verdict: &str| {
            let with = self.best.iter().filter(|rival| rival.verdict() == verdict);
            counted(with.count(), "target")
        };
        format!(
            "\nOn each target against the other method that has the lowest perplexity there, pooled over all \
             tasks: p of a t-test of the tasks' log-likelihoods, paired, with Holm's correction for {}. \
             The tasks are units and the trained models are the same for all of them, so p says nothing of \
             other trainings. At the 5% level `{OWN}` is better on {}, worse on {}.\n\n{}",
            counted(self.best.len(), "target"),
            number("better"),
            number("worse"),
            grid.to_markdown()
        )
    }

    pub(super) fn csv(&self) -> Grid {
        let header = ["target", "best_other", "its_perplexity", "perplexity", "p_value", "verdict"];
        let mut grid = Grid::new(&header);
        for rival in &self.best {
            grid.rows.push(vec![
                rival.target.clone(),
                rival.method.to_owned(),
                rival.perplexity.to_string(),
                rival.own_perplexity.to_string(),
                or_empty(rival.p_value),
                rival.verdict().to_owned(),
            ]);
        }
        grid
    }
}

/// Finds the best of `others` on a target, with an unadjusted p-value.
fn best_rival(
    scores: &Scores<'_>,
    own: usize,
    others: &[usize],
    target: &str,
) -> Option<BestRival> {
    let own = scores.on_target(own, target);
    let rival = |&m: &usize| -> (&'static Method, Vec<&Record>, f64) {
        let records = scores.on_target(m, target);
        let perplexity = perplexity(&records);
        (scores.methods[m], records, perplexity)
    };
    let (method, records, least) = others.iter().map(rival).min_by(|a, b| a.2.total_cmp(&b.2))?;
    Some(BestRival {
        target: target.to_owned(),
        method: method.id,
        perplexity: least,
        own_perplexity: perplexity(&own),
        p_value: paired_t_test(&task_log_likelihoods(&own), &task_log_likelihoods(&records)),
    })
}
