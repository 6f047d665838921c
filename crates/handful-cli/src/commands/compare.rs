//! `handful compare`: experiments in, tables and figures out.

use super::read_corpora;
use crate::args::{CommonFlags, CompareArgs};
use crate::output;
use crate::progress::ComparisonDisplay;
use handful::Error;
use handful::corpus::{build_vocabulary, corpora_from};
use handful::text::Tokenizer;
use handful_lab::results::ResultsFolder;
use handful_lab::tables::{MethodScore, Report};
use handful_lab::{Comparison, Plan, run};
use serde_json::{Value, json};
use std::path::Path;

pub fn compare(args: &CompareArgs, common: &CommonFlags) -> anyhow::Result<()> {
    if let Some(folder) = &args.table {
        return show(&ResultsFolder::open(folder)?, &args.targets, common);
    }
    let out = args.out.as_deref().expect("the flags' parser asks for it");
    let settings = args.settings(common.seed)?;
    let request = args.request()?;
    let text = args.text.settings()?;
    let documents = read_corpora(&args.corpora, &args.reading, common)?;
    // One vocabulary for all targets, as in the paper: perplexities over different ones do not
    // compare.
    let vocabulary = build_vocabulary(&documents, &[], &text)?;
    let tokenizer = Tokenizer::new(&text);
    let corpora = corpora_from(&documents, &tokenizer, &vocabulary, text.min_document_words)?;
    corpora.warnings.iter().for_each(|warning| output::warn(common.quiet, warning));
    let comparison = Comparison::new(settings, &corpora.corpora, &vocabulary)?;
    // What is asked for must be possible before a folder is made for it.
    Plan::new(&comparison, &request, &[])?;
    let mut folder = ResultsFolder::for_comparison(out, &comparison)?;
    let plan = Plan::new(&comparison, &request, &folder.records)?;
    folder.write_tasks(&comparison, &plan.pairs)?;
    let threads = rayon::current_num_threads();
    let mut display = ComparisonDisplay::new(&plan, &folder.records, threads, common);
    let failed = run(&comparison, &plan, threads, &mut folder, &mut |event| display.show(&event))?;
    display.finish();
    if failed > 0 {
        let experiments = if failed == 1 { "experiment" } else { "experiments" };
        let problem = format!("{failed} {experiments} failed, for the reasons given above");
        let remedy = "change what they name, and run it in another folder";
        return Err(Error::input(out.display().to_string(), problem, remedy).into());
    }
    show(&folder, &[], common)
}

/// Writes the tables and figures of a folder and prints them.
fn show(folder: &ResultsFolder, targets: &[String], common: &CommonFlags) -> anyhow::Result<()> {
    let report = Report::new(folder, targets)?;
    report.write(folder.path())?;
    if common.json {
        return output::print_json(&summary(&report, folder.path()));
    }
    output::print(&report.markdown)
}

fn summary(report: &Report, folder: &Path) -> Value {
    let row = |score: &MethodScore| {
        json!({
            "method": score.method,
            "perplexity": score.perplexity.mean,
            "standard_error": score.perplexity.standard_error,
            "experiments": score.perplexity.count,
            "p_value": score.p_value,
            "among_best": score.is_among_best,
        })
    };
    json!({
        "folder": folder.display().to_string(),
        "methods": report.scores.iter().map(row).collect::<Vec<_>>(),
    })
}
