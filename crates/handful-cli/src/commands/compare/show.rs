//! Shows the tables of a results folder, for people or for programs.

use crate::args::CommonFlags;
use crate::output;
use handful_lab::blends::BlendsFolder;
use handful_lab::groups::GroupsFolder;
use handful_lab::number::NumberFolder;
use handful_lab::range::RangeFolder;
use handful_lab::results::ResultsFolder;
use handful_lab::statistics::{Mean, Ranked};
use handful_lab::tables::{
    GroupingMeasure, GroupingScore, MethodScore, RangeScore, Report, SettingScore,
};
use handful_lab::telling::TellingFolder;
use serde_json::{Map, Value, json};
use std::path::Path;

pub fn show_comparison(
    folder: &ResultsFolder,
    targets: &[String],
    common: &CommonFlags,
) -> anyhow::Result<()> {
    let row = |score: &MethodScore| {
        let Ranked { mean, p_value, is_among_best } = score.perplexity;
        json!({
            "method": score.method,
            "perplexity": mean.mean,
            "standard_error": mean.standard_error,
            "experiments": mean.count,
            "p_value": p_value,
            "among_best": is_among_best,
        })
    };
    show(&Report::new(folder, targets)?, row, folder.path(), common)
}

pub fn show_groups(folder: &GroupsFolder, common: &CommonFlags) -> anyhow::Result<()> {
    let measure = |GroupingMeasure { over_tasks, over_repeats }: GroupingMeasure| {
        let Ranked { mean, p_value, is_among_best } = over_tasks;
        json!({
            "mean": mean.mean,
            "standard_error": mean.standard_error,
            "standard_error_over_repeats": over_repeats.standard_error,
            "p_value": p_value,
            "among_best": is_among_best,
        })
    };
    let row = |score: &GroupingScore| {
        json!({
            "method": score.method,
            "purity": measure(score.purity),
            "nmi": measure(score.nmi),
            "ari": score.ari.map(measure),
            "tasks": score.purity.over_tasks.mean.count,
        })
    };
    show(&Report::of_groups(folder)?, row, folder.path(), common)
}

pub fn show_range(folder: &RangeFolder, common: &CommonFlags) -> anyhow::Result<()> {
    let row = |score: &RangeScore| {
        json!({
            "axis": score.axis.to_string(),
            "value": score.value,
            "method": score.method,
            "perplexity": score.perplexity.mean,
            "standard_error": score.perplexity.standard_error,
            "experiments": score.perplexity.count,
            "ratio_to_handful": score.ratio.map(|ratio| ratio.mean),
            "ratio_standard_error": score.ratio.and_then(|ratio| ratio.standard_error),
        })
    };
    show(&Report::of_range(folder)?, row, folder.path(), common)
}

pub fn show_blends(folder: &BlendsFolder, common: &CommonFlags) -> anyhow::Result<()> {
    show(&Report::of_blends(folder)?, setting_row, folder.path(), common)
}

pub fn show_number(folder: &NumberFolder, common: &CommonFlags) -> anyhow::Result<()> {
    show(&Report::of_number(folder)?, setting_row, folder.path(), common)
}

pub fn show_telling(folder: &TellingFolder, common: &CommonFlags) -> anyhow::Result<()> {
    show(&Report::of_telling(folder)?, setting_row, folder.path(), common)
}

/// A row of tables by setting.
fn setting_row(score: &SettingScore) -> Value {
    let measure = |(name, mean): &(&str, Option<Mean>)| {
        let value = mean.map(|mean| {
            json!({
                "mean": mean.mean,
                "standard_error": mean.standard_error,
                "repeats": mean.count,
            })
        });
        ((*name).to_owned(), value.unwrap_or(Value::Null))
    };
    let measures: Map<String, Value> = score.measures.iter().map(measure).collect();
    json!({
        "setting": score.setting,
        "method": score.method,
        "measures": measures,
        "repeats": score.repeats,
    })
}

/// Writes the tables and figures of a folder and prints them.
fn show<S>(
    report: &Report<S>,
    row: impl Fn(&S) -> Value,
    folder: &Path,
    common: &CommonFlags,
) -> anyhow::Result<()> {
    report.write(folder)?;
    if common.json {
        return output::print_json(&json!({
            "folder": folder.display().to_string(),
            "methods": report.scores.iter().map(row).collect::<Vec<_>>(),
        }));
    }
    output::print(&report.markdown)
}
