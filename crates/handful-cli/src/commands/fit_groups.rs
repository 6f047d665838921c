//! `handful fit --group-column`: every group of documents by itself, on all cores.

use super::fit::documents_of;
use super::open_model;
use crate::args::{CommonFlags, FitArgs};
use crate::groups::{Group, GroupOutput, GroupResult, Identity, Journal, grouped};
use crate::progress::GroupDisplay;
use crate::{flags, output};
use anyhow::{Context, bail};
use handful::groups::fit_groups;
use handful::{ErrorKind, FitSettings, Model};
use serde_json::json;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// So many groups are fitted before their results are written down: a run that is killed loses no more.
const AT_A_TIME: usize = 64;

/// Fits every group and writes the results to the file `out`.
pub fn fit_every_group(args: &FitArgs, out: &Path, common: &CommonFlags) -> anyhow::Result<()> {
    // Before any work is done.
    let out = GroupOutput::claim(out, args.force)?;
    let model = open_model(args.model.as_deref())?;
    // The results do not say how well hidden words are predicted.
    let settings = args.settings(common.seed)?.without_held_out_words();
    let documents = documents_of(args, &model, common)?;
    let groups = grouped(documents);
    let terms = args.shown.shown().terms;
    let identity = Identity::of(&model, &settings, terms, &groups);
    let mut journal = Journal::open(&out, &identity, args.force)?;
    fit_rest(&model, &settings, terms, &groups, &mut journal, common)?;
    out.write(&journal)?;
    let summary = Summary::of(&journal)?;
    journal.remove()?;
    summary.print(out.path(), common)
}

/// Fits the groups that the journal does not have yet.
fn fit_rest(
    model: &Model,
    settings: &FitSettings,
    terms: usize,
    groups: &[Group],
    journal: &mut Journal,
    common: &CommonFlags,
) -> anyhow::Result<()> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))
        .context("cannot listen for Ctrl-C")?;
    let display = Mutex::new(GroupDisplay::new(journal.finished(), groups.len(), common));
    let shown = || display.lock().unwrap_or_else(PoisonError::into_inner);
    let rest = &groups[journal.finished()..];
    for some in rest.chunks(AT_A_TIME) {
        let before = journal.finished();
        let observer = |done| {
            shown().show(before + done);
            match interrupted.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let rows = match fit_groups(model, some, settings, terms, &observer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {
                shown().finish();
                let of = groups.len();
                bail!(
                    "interrupted after {before} of {of} groups; run the same command to go on from there"
                );
            }
            rows => rows?,
        };
        let results = some.iter().zip(rows).map(|(group, rows)| {
            let mut result = GroupResult::new(group.name.clone(), rows);
            result.warnings.iter_mut().for_each(|one| *one = flags::translated(one));
            result.error = result.error.map(|error| flags::translated(&error));
            result
        });
        journal.append(&results.collect::<Vec<_>>())?;
    }
    shown().finish();
    Ok(())
}

/// What a run did.
#[derive(Default)]
struct Summary {
    groups: usize,
    documents: usize,
    topics: usize,
    /// How many groups have no topics, and the first of them with the reason.
    without_topics: (usize, String),
    /// How many groups have warnings, and the first of them with its first.
    with_warnings: (usize, String),
}

impl Summary {
    fn of(journal: &Journal) -> io::Result<Self> {
        let mut summary = Self::default();
        for result in journal.results()? {
            let result = result?;
            summary.groups += 1;
            summary.documents += result.documents.len();
            summary.topics += result.topics.len();
            let count = |(number, first): &mut (usize, String), said: Option<&String>| {
                let Some(said) = said else { return };
                if *number == 0 {
                    *first = format!("{}: {said}", result.group);
                }
                *number += 1;
            };
            count(&mut summary.without_topics, result.error.as_ref());
            count(&mut summary.with_warnings, result.warnings.first());
        }
        Ok(summary)
    }

    fn print(&self, out: &Path, common: &CommonFlags) -> anyhow::Result<()> {
        for ((number, first), what) in
            [(&self.without_topics, "no topics"), (&self.with_warnings, "warnings")]
        {
            if *number > 0 {
                let warning =
                    format!("{number} of {} groups have {what}, the first is {first}", self.groups);
                output::warn(common.quiet, &warning);
            }
        }
        let Self { groups, documents, topics, .. } = self;
        if common.json {
            return output::print_json(&json!({
                "out": out.display().to_string(),
                "groups": groups,
                "documents": documents,
                "topics": topics,
                "groups_without_topics": self.without_topics.0,
            }));
        }
        if !common.quiet {
            let place = out.display();
            output::say(&format!(
                "handful: {place} is written: {topics} topics of {documents} documents in {groups} groups"
            ));
        }
        Ok(())
    }
}
