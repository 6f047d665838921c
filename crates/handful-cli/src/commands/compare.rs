//! `handful compare`: experiments in, tables and figures out.

use super::{open_model, read_corpora};
use crate::args::{CommonFlags, CompareArgs};
use crate::output;
use crate::progress::ComparisonDisplay;
use handful::internals::corpus::{Corpora, Corpus, build_vocabulary, corpora_from};
use handful::text::{Tokenizer, Vocabulary};
use handful::{Error, Result};
use handful_lab::groups::{GivenVectors, GroupsFolder, GroupsRecord, MixedHandfuls};
use handful_lab::range::{RangeFolder, RangeOfUse, RangeRecord};
use handful_lab::results::{Folder, ResultsFolder, has_lines_of};
use handful_lab::statistics::Ranked;
use handful_lab::tables::{GroupingMeasure, GroupingScore, MethodScore, RangeScore, Report};
use handful_lab::{Comparison, FinishedModel, KeyOf, Plan, Protocol, run};
use serde_json::{Value, json};
use std::path::Path;

pub fn compare(args: &CompareArgs, common: &CommonFlags) -> anyhow::Result<()> {
    if let Some(folder) = &args.table {
        return table(folder, args, common);
    }
    let out = args.out.as_deref().expect("the flags' parser asks for it");
    let settings = args.settings(common.seed)?;
    if args.groups {
        let (methods, repeats) = args.groups_request()?;
        args.task_shape().check()?;
        let model = finished_model(args)?;
        let (corpora, vocabulary) = read(args, common)?;
        let mixed = mixed_handfuls(args, common, (&corpora.corpora, &vocabulary), model)?;
        let wanted = mixed.wanted(&methods, repeats)?;
        return show_groups(&conduct(&mixed, wanted, out, common)?, common);
    }
    if let Some(request) = args.range_request()? {
        let model = finished_model(args)?;
        let (corpora, vocabulary) = read(args, common)?;
        let mut range = RangeOfUse::new(settings, &corpora.corpora, &vocabulary)?;
        if let Some(model) = &model {
            range = range.with_model(model)?;
            warn_if_seen(model, &asked(&corpora, args), common);
        }
        let wanted = request.wanted(&range)?;
        let left_out = request.left_out(&range)?;
        left_out.iter().for_each(|sentence| output::warn(common.quiet, sentence));
        return show_range(&conduct(&range, wanted, out, common)?, common);
    }
    let request = args.request()?;
    let model = finished_model(args)?;
    let (corpora, vocabulary) = read(args, common)?;
    let mut comparison = Comparison::new(settings, &corpora.corpora, &vocabulary)?;
    if let Some(model) = &model {
        comparison = comparison.with_model(model)?;
        warn_if_seen(model, &asked(&corpora, args), common);
    }
    let wanted = request.wanted(&comparison)?;
    show_comparison(&conduct(&comparison, wanted, out, common)?, &[], common)
}

/// Opens the model that is to be asked, before the corpora are read: that takes longer.
fn finished_model(args: &CompareArgs) -> Result<Option<FinishedModel>> {
    let Some(directory) = args.model.as_deref() else { return Ok(None) };
    open_model(Some(directory)).map(FinishedModel::new).map(Some)
}

/// The mixed handfuls of some corpora, with what methods are given beside them.
fn mixed_handfuls<'a>(
    args: &CompareArgs,
    common: &CommonFlags,
    (corpora, vocabulary): (&'a [Corpus], &'a Vocabulary),
    model: Option<FinishedModel>,
) -> Result<MixedHandfuls<'a>> {
    let settings = args.settings(common.seed)?;
    let mut mixed = MixedHandfuls::new(settings, args.task_shape(), corpora, vocabulary)?;
    mixed.left_out().iter().for_each(|sentence| output::warn(common.quiet, sentence));
    if let Some(model) = model {
        warn_if_seen(&model, mixed.asked(), common);
        mixed = mixed.with_model(model)?;
    }
    if let Some(file) = args.document_vectors() {
        let vectors = GivenVectors::read(file, mixed.asked())?;
        vectors.warning.iter().for_each(|warning| output::warn(common.quiet, warning));
        mixed = mixed.with_vectors(vectors);
    }
    Ok(mixed)
}

/// The corpora that are targets.
fn asked<'a>(corpora: &'a Corpora, args: &CompareArgs) -> Vec<&'a Corpus> {
    let is_target =
        |corpus: &&Corpus| args.targets.is_empty() || args.targets.contains(&corpus.name);
    corpora.corpora.iter().filter(is_target).collect()
}

/// A figure on a corpus that shaped the model says nothing about new ones.
fn warn_if_seen(model: &FinishedModel, asked: &[&Corpus], common: &CommonFlags) {
    let warning = model.has_seen(asked.iter().map(|corpus| &*corpus.name));
    warning.iter().for_each(|warning| output::warn(common.quiet, warning));
}

fn table(folder: &Path, args: &CompareArgs, common: &CommonFlags) -> anyhow::Result<()> {
    let expect_no_targets = |problem: &str| match args.targets[..] {
        [] => Ok(()),
        _ => Err(Error::bad_setting("--targets", problem, "leave it out")),
    };
    if args.groups || has_lines_of::<GroupsRecord>(folder) {
        let folder = GroupsFolder::open(folder)?;
        expect_no_targets("mixed handfuls have no targets")?;
        return show_groups(&folder, common);
    }
    if has_lines_of::<RangeRecord>(folder) {
        expect_no_targets("the tables of a range of settings show no topics")?;
        return show_range(&RangeFolder::open(folder)?, common);
    }
    show_comparison(&ResultsFolder::open(folder)?, &args.targets, common)
}

/// Reads the corpora. All targets share one vocabulary, as in the paper, because perplexities over
/// different vocabularies cannot be compared.
fn read(args: &CompareArgs, common: &CommonFlags) -> anyhow::Result<(Corpora, Vocabulary)> {
    let text = args.text.settings()?;
    let documents = read_corpora(&args.corpora, &args.reading, common)?;
    let vocabulary = build_vocabulary(&documents, &[], &text)?;
    let tokenizer = Tokenizer::new(&text);
    let corpora = corpora_from(&documents, &tokenizer, &vocabulary, text.min_document_words)?;
    corpora.warnings.iter().for_each(|warning| output::warn(common.quiet, warning));
    Ok((corpora, vocabulary))
}

/// Runs the wanted experiments that are not done yet.
fn conduct<P: Protocol>(
    protocol: &P,
    wanted: Vec<(KeyOf<P::Line>, P::Recipe)>,
    out: &Path,
    common: &CommonFlags,
) -> Result<Folder<P::Line>> {
    let mut folder = Folder::for_protocol(out, protocol)?;
    let plan = Plan::new(wanted, &folder.records);
    folder.write_tasks(protocol, &plan.occasions)?;
    let threads = rayon::current_num_threads();
    let mut display = ComparisonDisplay::new(&plan, &folder.records, threads, common);
    let failed = run(protocol, &plan, threads, &mut folder, &mut |event| display.show(&event))?;
    display.finish();
    if failed > 0 {
        let experiments = if failed == 1 { "experiment" } else { "experiments" };
        let problem = format!("{failed} {experiments} failed, for the reasons given above");
        let remedy = "change what they name, and run it in another folder";
        return Err(Error::input(out.display().to_string(), problem, remedy));
    }
    Ok(folder)
}

fn show_comparison(
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

fn show_groups(folder: &GroupsFolder, common: &CommonFlags) -> anyhow::Result<()> {
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

fn show_range(folder: &RangeFolder, common: &CommonFlags) -> anyhow::Result<()> {
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
