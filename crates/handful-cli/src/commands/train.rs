//! `handful train`: corpora in, a model directory out.

use super::{corpus_names, read_corpora};
use crate::args::{CommonFlags, TrainArgs};
use crate::output;
use crate::progress::TrainingDisplay;
use anyhow::Context;
use handful::Error;
use handful::corpus::{Corpora, build_vocabulary, corpora_from};
use handful::model_dir::{DirectoryKind, Model, TrainingRecord, check_output};
use handful::reading::{Content, RawDocument};
use handful::text::{TextSettings, Tokenizer, Vocabulary};
use handful::train::{
    self, CheckpointPlan, Outcome, TrainSettings, Trained, TrainingCorpora, ValidationChoice,
};
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub fn train(args: &TrainArgs, common: &CommonFlags) -> anyhow::Result<()> {
    let settings = args.settings(common.seed)?;
    let text = args.text.settings()?;
    let plan = args.checkpoints()?;
    if finished_already(args, &settings, &plan)? {
        if !common.quiet {
            output::say(&format!("handful: {} is finished: nothing to do", args.out.display()));
        }
        return remove_checkpoint(&plan.path);
    }
    if plan.path.exists() && !args.resume {
        if !args.force {
            return Err(Error::exists(
                plan.path.display().to_string(),
                "is the checkpoint of a run that was stopped",
                "go on with --resume, or start afresh with --force",
            )
            .into());
        }
        remove_checkpoint(&plan.path)?;
    }

    let documents = read_corpora(&args.corpora, &args.reading, common)?;
    let excluded = excluded(args, &documents)?;
    let (vocabulary, corpora) = prepare(&documents, args, &text)?;
    corpora.warnings.iter().for_each(|warning| output::warn(common.quiet, warning));
    let is_usable = |name: &&String| corpora.corpora.iter().any(|corpus| corpus.name == **name);
    let usable: Vec<String> = excluded.iter().filter(is_usable).cloned().collect();
    let roles =
        TrainingCorpora::choose(&corpora.corpora, &usable, &args.validation(), settings.seed)?;
    let mut display = TrainingDisplay::new(&settings, common);
    display.say(&format!(
        "{} corpora to train on, {} to validate on, {} left out; {} documents, {} terms",
        roles.training.len(),
        roles.validation.len(),
        excluded.len(),
        documents_of(&roles),
        vocabulary.len()
    ));
    if corpora.documents_left_out > 0 {
        let left_out = corpora.documents_left_out;
        display.say(&format!("{left_out} documents with too few known words are left out"));
    }
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))
        .context("cannot listen for Ctrl-C")?;
    let goes_on = || match interrupted.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let outcome =
        train::train(&roles, vocabulary.len(), &settings, Some(&plan), &mut |progress| {
            display.show(&progress);
            goes_on()
        })?;
    let new_words = match &outcome {
        Outcome::Finished(trained) => {
            let observer = &mut |done, of| {
                display.show_part("learning what to expect of new words", done, of);
                goes_on()
            };
            train::learn_new_words(&trained.prior, &vocabulary, &roles, &settings, observer)?
        }
        Outcome::Interrupted { .. } => None,
    };
    display.finish();
    let trained = outcome.finished()?;
    if interrupted.load(Ordering::Relaxed) && new_words.is_none() {
        let when = "after the last step".to_owned();
        return Err(Error::Interrupted { when, resumable: true }.into());
    }
    let record = record(&trained, &roles, excluded, &settings);
    let is_text = documents.iter().any(|read| matches!(read.content, Content::Text(_)));
    let mut model = Model::new(
        settings.prior,
        trained.prior,
        settings.em_steps,
        vocabulary,
        is_text.then_some(text),
        Some(record),
    );
    model.config.new_words = new_words;
    model.save(&args.out, args.force)?;
    remove_checkpoint(&plan.path)?;
    summarise(&model, &args.out, common)
}

/// Whether `--resume` finds the model that this very run would make.
fn finished_already(
    args: &TrainArgs,
    settings: &TrainSettings,
    plan: &CheckpointPlan,
) -> Result<bool, Error> {
    // With --force, what is there may be the model that a run, stopped before, is to replace.
    let goes_on = args.resume && plan.path.exists();
    if !args.resume || !args.out.exists() || (args.force && goes_on) {
        check_output(&args.out, args.force)?;
        return Ok(false);
    }
    let place = args.out.display().to_string();
    let config = match DirectoryKind::of(&args.out)? {
        DirectoryKind::Model => Model::load(&args.out)?.config,
        DirectoryKind::TopicModel => {
            let remedy = "choose another name";
            return Err(Error::exists(place, "holds a fitted topic model", remedy));
        }
    };
    let is_this_run = config.training.is_some_and(|training| {
        training.settings.as_ref() == Some(settings)
            && same_names(&training.excluded, &args.exclude)
            && match args.validation() {
                ValidationChoice::Named(names) => same_names(&training.validation_corpora, &names),
                ValidationChoice::Drawn(number) => training.validation_corpora.len() == number,
            }
    });
    if is_this_run {
        return Ok(true);
    }
    let remedy = "choose another name, or replace it with --force and without --resume";
    Err(Error::exists(place, "holds a finished model of other settings or corpora", remedy))
}

fn same_names(some: &[String], others: &[String]) -> bool {
    let set = |names: &[String]| names.iter().cloned().collect::<BTreeSet<_>>();
    set(some) == set(others)
}

fn remove_checkpoint(path: &Path) -> anyhow::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Error::write(path, error).into())
        }
        _ => Ok(()),
    }
}

/// The corpora to leave out, sorted. They must exist, but since nothing looks at them they need
/// not be usable: the words of the others may be none of theirs.
fn excluded(args: &TrainArgs, documents: &[RawDocument]) -> Result<Vec<String>, Error> {
    let known = corpus_names(documents);
    for name in &args.exclude {
        train::expect_known("exclude", name, &known)?;
    }
    let mut excluded = args.exclude.clone();
    excluded.sort_unstable();
    excluded.dedup();
    Ok(excluded)
}

fn prepare(
    documents: &[RawDocument],
    args: &TrainArgs,
    text: &TextSettings,
) -> Result<(Vocabulary, Corpora), Error> {
    let vocabulary = build_vocabulary(documents, &args.exclude, text)?;
    let tokenizer = Tokenizer::new(text);
    let corpora = corpora_from(documents, &tokenizer, &vocabulary, text.min_document_words)?;
    Ok((vocabulary, corpora))
}

fn documents_of(roles: &TrainingCorpora<'_>) -> u64 {
    roles.training.iter().map(|corpus| corpus.documents.documents() as u64).sum()
}

fn record(
    trained: &Trained,
    roles: &TrainingCorpora<'_>,
    excluded: Vec<String>,
    settings: &TrainSettings,
) -> TrainingRecord {
    let names = |corpora: &[&handful::corpus::Corpus]| {
        corpora.iter().map(|corpus| corpus.name.clone()).collect()
    };
    TrainingRecord {
        corpora: names(&roles.training),
        excluded,
        validation_corpora: names(&roles.validation),
        documents: documents_of(roles),
        steps: trained.steps,
        best_step: trained.stopping.best.map(|best| best.step),
        seed: settings.seed,
        validation_perplexity: trained.stopping.best.map(|best| best.perplexity),
        validations: trained.stopping.validations.clone(),
        settings: Some(settings.clone()),
    }
}

fn summarise(model: &Model, out: &Path, common: &CommonFlags) -> anyhow::Result<()> {
    let training = model.config.training.as_ref().expect("recorded above");
    if common.json {
        return output::print_json(&json!({
            "model": out.display().to_string(),
            "steps": training.steps,
            "best_step": training.best_step,
            "validation_perplexity": training.validation_perplexity,
            "corpora": training.corpora,
            "validation_corpora": training.validation_corpora,
            "excluded": training.excluded,
            "terms": model.vocabulary.len(),
            "seed": training.seed,
        }));
    }
    if !common.quiet {
        let how = match (training.validation_perplexity, training.best_step) {
            (Some(perplexity), Some(step)) => {
                format!("validation perplexity {perplexity:.1} after {step} steps")
            }
            _ => format!("the weights after {} steps, without validation", training.steps),
        };
        output::say(&format!("handful: {} is ready: {how}", out.display()));
    }
    Ok(())
}
